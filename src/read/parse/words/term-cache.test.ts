// Does the table give each word its own term, however many there are?
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTermCache } from './term-cache.ts'

const shout = (word: string): string => word.toUpperCase()

test('gives what was made, and makes each word once', () => {
  const cache = createTermCache()
  let made = 0
  const make = (word: string): string => {
    made++
    return shout(word)
  }
  const text = 'one two one two three'
  expect(cache.find(text, 0, 3, make)).toBe('ONE')
  expect(cache.find(text, 8, 11, make)).toBe('ONE')
  expect(cache.find(text, 4, 7, make)).toBe('TWO')
  expect(made).toBe(2)
})

test('is right past its limits, where it starts over', () => {
  const cache = createTermCache()
  for (let round = 0; round < 2; round++)
    for (let number = 0; number < 150_000; number++) {
      const word = `word${number}`
      if (cache.find(word, 0, word.length, shout) !== shout(word)) throw new Error(word)
    }
})

test('is right for a word longer than all that it keeps', () => {
  const cache = createTermCache()
  const long = 'x'.repeat(1_000_000)
  expect(cache.find(long, 0, long.length, shout)).toBe(shout(long))
  expect(cache.find('a', 0, 1, shout)).toBe('A')
})

test('never takes one word for another', () => {
  const cache = createTermCache()
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 12 }), fc.nat(5), fc.nat(5), (text, before, after) => {
      const padded = ' '.repeat(before) + text + ' '.repeat(after)
      expect(cache.find(padded, before, before + text.length, (word) => `<${word}>`)).toBe(`<${text}>`)
    }),
    { numRuns: 3_000 },
  )
})
