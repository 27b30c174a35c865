// Do headings of passages name what stands below them?
import { expect, it } from 'vitest'
import { nameFile, namePassage } from './name-passage.ts'

const piece = (dotted: string, kind = 'python_function') => {
  const headings = dotted.split('.')
  return { kind, name: headings.at(-1) as string, level: headings.length, headings }
}
const member = (dotted: string) => piece(dotted, 'python_class_function')
const imports = { kind: 'python_import', name: 'imports', level: 1, headings: ['imports'] } as const
const name = (one: object): string =>
  namePassage(one as Parameters<typeof namePassage>[0], { path: 'lib/tasks.py', title: 'tasks' }, () => '')

it('calls one piece of code by its name with its class', () => {
  expect(name(member('Task.cancel'))).toBe('Task.cancel')
})

it('calls the top of a file by the name of the file', () => {
  expect(name(imports)).toBe('tasks.py')
})

it('leaves no passage without a name', () => {
  const block = { kind: 'javascript_block', name: '', level: 1, headings: [''] } as const
  const named = (text: string): string =>
    namePassage(block, { path: 'examples/hooks.js', title: '' }, () => text)
  expect(named('const app = start()\n')).toBe('const app = start()')
  expect(named('}\n')).toBe('hooks.js')
  const section = { kind: 'markdown_section', name: '', level: 1, headings: [''] } as const
  expect(name(section)).toBe('tasks.py')
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
  >[0]
  expect(namePassage(block, { path: 'lib/tasks.py', title: 'tasks' }, () => text)).toBe(expected)
})

it('calls documents by the headings down to their first section, without the title', () => {
  const file = { path: 'guide.md', title: 'Guide' }
  const called = (...headings: string[]): string =>
    namePassage(
      { kind: 'markdown_section', name: headings.at(-1) as string, level: headings.length, headings },
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

it('leaves an empty heading, such as a logo, out of a name', () => {
  const section = { kind: 'markdown_section', name: 'Use', level: 2, headings: ['', 'Use'] }
  expect(name(section)).toBe('Use')
})
