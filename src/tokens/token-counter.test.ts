// Is the estimate a quarter of the length, rounded up?

import { expect, test } from 'vitest'
import { estimateTokens } from './token-counter.ts'

test('estimates a token per four characters and rounds up', () => {
  expect(['', 'a', 'abcd', 'abcde', 'How do I deploy?'].map(estimateTokens)).toEqual([0, 1, 1, 2, 4])
})
