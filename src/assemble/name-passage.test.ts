// Do headings of passages name what stands below them?
import { expect, it } from 'vitest'
import { namePassage } from './name-passage.ts'

const piece = (dotted: string, kind = 'python_function') => {
  const headings = dotted.split('.')
  return { kind, name: headings.at(-1) as string, level: headings.length, headings }
}
const member = (dotted: string) => piece(dotted, 'python_class_function')
const imports = { kind: 'python_import', name: 'imports', level: 1, headings: ['imports'] } as const
const name = (...run: readonly ReturnType<typeof piece>[]): string =>
  namePassage(run as Parameters<typeof namePassage>[0], 'lib/tasks.py')

it('calls one piece of code by its name with its class', () => {
  expect(name(member('Task.cancel'))).toBe('Task.cancel')
  expect(name(piece('block', 'python_block'))).toBe('block')
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

it('calls documents by their first heading', () => {
  const section = {
    kind: 'markdown_section',
    name: 'Retries',
    level: 2,
    headings: ['Guide', 'Retries'],
  } as const
  expect(namePassage([section, { ...section, name: 'Limits' }], 'guide.md')).toBe('Retries')
})
