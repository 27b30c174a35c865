// Do headings of passages name what stands below them?
import { expect, it } from 'vitest'
import { nameFile, namePassage } from './name-passage.ts'

const piece = (dotted: string, kind = 'python_function') => {
  const headings = dotted.split('.')
  return { kind, name: headings.at(-1) as string, level: headings.length, headings }
}
const member = (dotted: string) => piece(dotted, 'python_class_function')
const imports = { kind: 'python_import', name: 'imports', level: 1, headings: ['imports'] } as const
const name = (...run: readonly ReturnType<typeof piece>[]): string =>
  namePassage(run as Parameters<typeof namePassage>[0], { path: 'lib/tasks.py', title: 'tasks' }, () => '')

it('calls one piece of code by its name with its class', () => {
  expect(name(member('Task.cancel'))).toBe('Task.cancel')
})

it('lists a few neighbours, those of the same class by their own names', () => {
  expect(name(member('Parser.parse_args'), member('Parser.parse_known_args'))).toBe(
    'Parser.parse_args, parse_known_args',
  )
  expect(name(member('OpenEngine.status'), member('OpenEngine.close'), piece('openEngine'))).toBe(
    'OpenEngine.status, close, openEngine',
  )
})

it('lets a class stand for its functions, and leaves statements without a name out', () => {
  expect(
    name(piece('Task', 'python_class'), member('Task.run'), piece('block', 'python_block'), piece('main')),
  ).toBe('Task, main')
})

it('names many by the first and the last', () => {
  expect(name(piece('a'), piece('b'), piece('c'), piece('d'))).toBe('a … d')
  expect(name(member('T.a'), member('T.b'), member('T.c'), member('T.d'))).toBe('T.a … d')
  const long = 'x'.repeat(70)
  expect(name(piece(long), piece(long))).toBe(long)
})

it('calls the top of a file by the name of the file', () => {
  const top = imports as unknown as ReturnType<typeof piece>
  expect(name(top)).toBe('tasks.py')
  expect(name(top, piece('main'))).toBe('tasks.py, main')
  expect(name(top, piece('a'), piece('b'), piece('c'))).toBe('tasks.py … c')
})

it('calls a file that every folder has by its folder, too', () => {
  expect(['src/server.rs', 'src/search/mod.rs', 'lib/__init__.py', 'index.js'].map(nameFile)).toEqual([
    'server.rs',
    'search/mod.rs',
    'lib/__init__.py',
    'index.js',
  ])
})

it.each([
  ['export default x', 'block', 'tasks.py'],
  ['package data\n\nimport "fmt"', 'block', 'tasks.py'],
  ['}\n', 'block', 'tasks.py'],
  ['// Why.\ntest("a route", () => {\n', 'block', 'test("a route", () => {'],
  ['\ttags = set()', 'Extension.block', 'Extension: tags = set()'],
  [`x = ${'y'.repeat(90)}`, 'block', `x = ${'y'.repeat(55)}…`],
])('calls statements by their first telling line: %j', (text, dotted, expected) => {
  const block = { ...piece(dotted, 'python_block'), name: 'block' } as unknown as Parameters<
    typeof namePassage
  >[0][0]
  expect(namePassage([block], { path: 'lib/tasks.py', title: 'tasks' }, () => text)).toBe(expected)
})

it('calls documents by the headings down to their first section, without the title', () => {
  const file = { path: 'guide.md', title: 'Guide' }
  const called = (...headings: string[]): string =>
    namePassage(
      [{ kind: 'markdown_section', name: headings.at(-1) as string, level: headings.length, headings }],
      file,
      () => '',
    )
  expect(called('Guide', 'Retries')).toBe('Retries')
  expect(called('Guide', 'Client', 'Options')).toBe('Client › Options')
  expect(called('Guide')).toBe('Guide')
  expect(called('Other', 'Options')).toBe('Other › Options')
  const [long, other] = ['a'.repeat(70), 'b'.repeat(60)]
  expect(called('Guide', 'Client', long, other)).toBe(`Client › … › ${other}`)
  expect(called('Guide', long, other)).toBe(`… › ${other}`)
  expect(called('Guide', 'Client', 'c'.repeat(130))).toBe(`${'c'.repeat(119)}…`)
})

it('names neighbouring sections that are not below the first, or the first and the last', () => {
  const section = (...headings: string[]) =>
    ({ kind: 'markdown_section', name: headings.at(-1) as string, level: headings.length, headings }) as const
  const called = (...run: readonly ReturnType<typeof section>[]): string =>
    namePassage(run, { path: 'guide.md', title: 'Guide' }, () => '')
  const [checks, deploy, after] = ['Checks', 'Deploy', 'After'].map((name) => section('Guide', name)) as [
    ReturnType<typeof section>,
    ReturnType<typeof section>,
    ReturnType<typeof section>,
  ]
  expect(called(checks, section('Guide', 'Checks', 'Health'), deploy)).toBe('Checks, Deploy')
  expect(called(section('Guide'), checks, deploy)).toBe('Guide')
  expect(called(checks, deploy, after, section('Guide', 'Last'))).toBe('Checks … Last')
})
