// Does the table give each word its own term, however many there are?
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTermCache, hashOf, WORDS } from './term-cache.ts'

const shout = (word: string): string => word.toUpperCase()

/** Finds the term of text[from, end). */
function openCache(make: (word: string) => string): (text: string, from: number, end: number) => string {
  const cache = createTermCache(make)
  return (text, from, end) => cache.term(cache.find(text, from, end, hashOf(text, from, end)))
}

test('gives what was made, and makes each word once', () => {
  let made = 0
  const find = openCache((word) => {
    made++
    return shout(word)
  })
  const text = 'one two one two three'
  expect(find(text, 0, 3)).toBe('ONE')
  expect(find(text, 8, 11)).toBe('ONE')
  expect(find(text, 4, 7)).toBe('TWO')
  expect(made).toBe(2)
})

test('is right past its limits, where it starts over', () => {
  const find = openCache(shout)
  for (let round = 0; round < 2; round++)
    for (let number = 0; number < 150_000; number++) {
      const word = `word${number}`
      if (find(word, 0, word.length) !== shout(word)) throw new Error(word)
    }
})

test('gives no two words the same number, also after it starts over', () => {
  const cache = createTermCache(shout)
  const wordOf = new Map<number, string>()
  for (let number = 0; number < WORDS * 2; number++) {
    const word = `word${number}`
    const found = cache.find(word, 0, word.length, hashOf(word, 0, word.length))
    if (wordOf.has(found)) throw new Error(`${word} has the number of ${wordOf.get(found)}`)
    wordOf.set(found, word)
  }
  expect(Math.max(...[...wordOf.keys()].slice(-10))).toBeGreaterThanOrEqual(WORDS)
})

test('never takes one word for another', () => {
  const find = openCache((word) => `<${word}>`)
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 12 }), fc.nat(5), fc.nat(5), (text, before, after) => {
      const padded = ' '.repeat(before) + text + ' '.repeat(after)
      expect(find(padded, before, before + text.length)).toBe(`<${text}>`)
    }),
    { numRuns: 3_000 },
  )
})
