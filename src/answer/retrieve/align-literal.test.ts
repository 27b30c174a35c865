import fc from 'fast-check'
import { expect, it } from 'vitest'
import { alignLiteral } from './align-literal.ts'

/** Words are numbers from 1 on, all of weight 1; 0 ends a line; words that the question lacks are 99. */
const numbers = Int32Array.from({ length: 100 }, (_, word) => (word === 99 ? 0 : word))
const align = (question: readonly number[], text: readonly number[]) =>
  alignLiteral(
    question,
    question.map(() => 3),
  )(Uint8Array.from(text), numbers)

it('finds the words of a question where they stand together', () => {
  expect(align([1, 2, 3, 4], [9, 0, 99, 1, 2, 3, 4, 99, 0, 1, 99])).toEqual({
    weight: 12,
    words: 4,
    first: 0,
    last: 3,
    line: 1,
    endLine: 1,
  })
})

it('goes over a value of the question and a directive of the text, at a cost', () => {
  // The text has "a b %s c d", the question "a b /home/kim c d".
  expect(align([1, 2, 50, 51, 3, 4], [1, 2, 99, 0, 3, 4])).toMatchObject({
    weight: 10,
    words: 4,
    line: 0,
    endLine: 1,
  })
  expect(align([1, 2, 3], [1, 99, 99, 99, 99, 99, 3])).toMatchObject({ words: 1 })
})

it('prefers a longer alignment to a repeated word', () => {
  expect(align([1, 2, 1, 3], [1, 1, 2, 1, 3])).toMatchObject({ weight: 12, words: 4 })
})

it('any words: a text that repeats the question is aligned whole', () => {
  const words = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 40 })
  const noise = fc.array(fc.constantFrom(0, 99), { maxLength: 8 })
  fc.assert(
    fc.property(words, noise, noise, (question, before, after) => {
      const found = align(question, [...before, ...question, ...after])
      expect(found?.weight).toBeGreaterThanOrEqual(3 * question.length)
    }),
  )
})
