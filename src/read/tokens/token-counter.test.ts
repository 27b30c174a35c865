// Is the estimate a quarter of the length, rounded up?
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildO200k } from '../../../scripts/build-o200k.ts'
import { hostileText } from '../../../test/support/text-arbitraries.ts'
import { openO200k } from './o200k.ts'
import { estimateTokens, rememberLines } from './token-counter.ts'

test('estimates a token per four characters and rounds up', () => {
  expect(['', 'a', 'abcd', 'abcde', 'How do I deploy?'].map(estimateTokens)).toEqual([0, 1, 1, 2, 4])
})

const countTokens = openO200k(readFileSync(buildO200k().path))

test('gives the count of the whole text on 10,000 hostile texts, the first time and the second', () => {
  const remembered = rememberLines(countTokens)
  fc.assert(
    fc.property(fc.array(hostileText, { maxLength: 4 }), (parts) => {
      const text = parts.join('\n')
      const expected = countTokens(text)
      expect(remembered(text)).toBe(expected)
      expect(remembered(text)).toBe(expected)
    }),
    { numRuns: 10_000 },
  )
})

test('counts only what changed', () => {
  let counted = 0
  const remembered = rememberLines((text) => {
    counted += text.length
    return countTokens(text)
  })
  const lines = Array.from({ length: 100 }, (_, n) => `This is line ${n} of a digest.`)
  remembered(lines.join('\n'))
  counted = 0
  remembered([...lines.slice(0, 50), 'And this one is new.', ...lines.slice(50)].join('\n'))
  expect(counted).toBe('And this one is new.\n'.length)
})

test.each(['.\n/x', 'a:\n//x', 'a \n\n b', 'a\r\nb', '\n', '', '\n\nx', 'x\n'])('cuts %j safely', (text) => {
  expect(rememberLines(countTokens)(text)).toBe(countTokens(text))
})
