import { expect, test } from 'vitest'
import { processorTime } from '../../../../test/processor-time.ts'
import { findLines } from '../find-lines.ts'
import { type Frontmatter, maxFrontmatterChars, readFrontmatter, statusOf, titleOf } from './frontmatter.ts'

const read = (text: string): Frontmatter => readFrontmatter(findLines(text))

test('reads YAML between two fences', () => {
  const { lineCount, values } = read('---\ntitle: "A: b"\ntags: [x, y]\nnested:\n  n: 1\n---\n# Text\n')
  expect(lineCount).toBe(6)
  expect(values).toEqual({ title: 'A: b', tags: ['x', 'y'], nested: { n: 1 } })
})

test('reads after a byte order mark, with CRLF, trailing blanks and a closing ...', () => {
  expect(read('\ufeff---  \r\ntitle: x\r\n...\r\nText')).toEqual({ lineCount: 3, values: { title: 'x' } })
  expect(read('---\rtitle: x\r---')).toEqual({ lineCount: 3, values: { title: 'x' } })
})

test('reads simple TOML lines up to the first table', () => {
  const text =
    '+++\ntitle = "A \\"b\\""\ndate = 2024-01-02\ndraft = true\nweight = 3\nx = [1]\n[t]\nstatus = "no"\n+++\n'
  expect(read(text)).toEqual({
    lineCount: 9,
    values: { title: 'A "b"', date: '2024-01-02', draft: true, weight: 3 },
  })
})

test.each([
  ['no fence', '# Title\n---\na: b\n---\n'],
  ['a blank line first', '\n---\na: b\n---\n'],
  ['an unclosed fence', '---\na: b\n'],
  ['a longer fence', '----\na: b\n----\n'],
  ['prose between two rules', '---\n\nJust some prose here.\n\n---\n'],
  ['a heading between two rules', '---\n# Title\n---\n'],
  ['a list between two rules', '---\n- a\n- b\n---\n'],
  ['prose with a colon further down', '---\nWords, words\nNote: a: b\n---\n'],
  ['TOML fences around prose', '+++\nwords\n+++\n'],
  ['an empty text', ''],
])('finds none in %s', (_, text) => {
  expect(read(text)).toEqual({ lineCount: 0, values: {} })
})

test('an empty block is frontmatter that says nothing', () => {
  expect(read('---\n\n---\ntext')).toEqual({ lineCount: 3, values: {} })
})

test('reads what it can of broken YAML', () => {
  const { values } = read('---\ntitle: Deploy: the guide\nstatus: Accepted\nbad: [\n---\n')
  expect(values).toMatchObject({ title: 'Deploy: the guide', status: 'Accepted' })
})

test('a block longer than the limit is text', () => {
  expect(read(`---\na: ${'x'.repeat(maxFrontmatterChars)}\n---\n`).lineCount).toBe(0)
})

test('title and status come in one form', () => {
  const { values } = read('---\ntitle: >\n  Two\n  lines\nstatus: " Accepted "\n---\n')
  expect([titleOf(values), statusOf(values)]).toEqual(['Two lines', 'accepted'])
  const wrong = read('---\ntitle: []\nstatus: 3\n---\n').values
  expect([titleOf(wrong), statusOf(wrong)]).toEqual([null, null])
  expect(titleOf(read('---\ntitle: 2024\n---\n').values)).toBe('2024')
})

test('T17: the fence ---js is text and nothing runs', () => {
  expect(read('---js\nglobalThis.pwned = true\n---\n').lineCount).toBe(0)
  read(
    '---\na: !!js/function "function () { globalThis.pwned = true }"\nb: !!js/eval "globalThis.pwned = true"\n---\n',
  )
  expect('pwned' in globalThis).toBe(false)
})

test('T17: an alias bomb is refused within 250 ms', () => {
  const levels = Array.from(
    { length: 30 },
    (_, n) => `k${n}: &a${n} [${n === 0 ? 'x' : `*a${n - 1},`.repeat(9)}]`,
  )
  const started = processorTime()
  const { lineCount, values } = read(`---\n${levels.join('\n')}\n---\n`)
  expect(processorTime() - started).toBeLessThan(250)
  expect(lineCount).toBe(32)
  expect(values).toEqual({})
})

test('a few aliases are read, and merge keys are not merged', () => {
  const { values } = read('---\na: &a {x: 1}\nb: *a\nc:\n  <<: *a\n---\n')
  expect(values).toEqual({ a: { x: 1 }, b: { x: 1 }, c: { '<<': { x: 1 } } })
})

test('T17: keys that reach a prototype are dropped at every depth', () => {
  const keys = [
    '__proto__:\n  polluted: 1',
    'constructor:\n  prototype:\n    polluted: 1',
    'a:\n  __proto__: [1]\n  b: 1',
  ]
  for (const text of [keys.join('\n'), `${keys.join('\n')}\nflow: {"__proto__": {polluted: 1}, c: [1]}`]) {
    const { values } = read(`---\n${text}\n---\n`)
    expect(JSON.stringify(values['a'])).toBe('{"b":1}')
    expect(Object.keys(values)).not.toContain('__proto__')
    expect(Object.getPrototypeOf(values)).toBeNull()
  }
  const toml = read('+++\n__proto__ = "x"\nconstructor = "y"\na = "b"\n+++\n').values
  expect(Object.keys(toml)).toEqual(['a'])
  expect('polluted' in {}).toBe(false)
})

test('values that JSON cannot say become null', () => {
  expect(read('---\na: .nan\nb: -.inf\nc: !custom text\nd: !!binary aGk=\n---\n').values).toEqual({
    a: null,
    b: null,
    c: 'text',
    d: 'aGk=',
  })
})
