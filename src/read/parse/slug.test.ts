import fc from 'fast-check'
import { expect, test } from 'vitest'
import { processorTime } from '../../../test/processor-time.ts'
import { cutText, slugOf, type TakenNames, takeName } from './slug.ts'

test.each([
  ['Getting Started', 'getting-started'],
  ["What's new in 2.0?", 'whats-new-in-20'],
  ['foo_bar & baz', 'foo_bar--baz'],
  ['  two  spaces', '--two--spaces'],
  ['Größe und Maß', 'größe-und-maß'],
  ['日本語 の 見出し', '日本語-の-見出し'],
  ['🚀 Launch', '-launch'],
  ['a.b.c', 'abc'],
  ['---', '---'],
  ['!!!', 'section'],
  ['', 'section'],
])('makes of %j the slug %j', (text, slug) => {
  expect(slugOf(text)).toBe(slug)
})

test('a slug never holds a dot, a space or a hash, and is never empty', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(slugOf(text)).not.toMatch(/[. #]/)
      expect(slugOf(text)).not.toBe('')
    }),
  )
})

test('numbers repeated names from 1', () => {
  const taken: TakenNames = new Map()
  expect(['a', 'a', 'b', 'a'].map((name) => takeName(taken, name))).toEqual(['a', 'a-1', 'b', 'a-2'])
})

test('steps over a name that a heading already has', () => {
  const names = (list: string[]): string[] => {
    const taken: TakenNames = new Map()
    return list.map((name) => takeName(taken, name))
  }
  expect(names(['a', 'a', 'a-1'])).toEqual(['a', 'a-1', 'a-1-1'])
  expect(names(['a-1', 'a', 'a'])).toEqual(['a-1', 'a', 'a-2'])
  expect(names(['a', 'a-1', 'a', 'a-1', 'a'])).toEqual(['a', 'a-1', 'a-2', 'a-1-1', 'a-3'])
})

test('names taken from few words are unique', () => {
  const name = fc.constantFrom('a', 'a-1', 'a-2', 'a-1-1', 'b', '__proto__', 'constructor')
  fc.assert(
    fc.property(fc.array(name, { maxLength: 40 }), (list) => {
      const taken: TakenNames = new Map()
      const given = list.map((one) => takeName(taken, one))
      expect(new Set(given).size).toBe(list.length)
    }),
    { numRuns: 2_000 },
  )
})

test('takes a hundred thousand equal names in linear time', () => {
  const taken: TakenNames = new Map()
  const started = processorTime()
  for (let index = 0; index < 100_000; index++) takeName(taken, 'a')
  expect(processorTime() - started).toBeLessThan(2_000)
})

test('cuts a text without halving a surrogate pair', () => {
  expect(cutText('ab😀', 3)).toBe('ab')
  expect(cutText('ab😀', 4)).toBe('ab😀')
  expect(cutText('abc', 2)).toBe('ab')
})
