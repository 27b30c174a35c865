// Does the reader get a sentence instead of a name from the code?
import { expect, it } from 'vitest'
import type { Strategy } from '../../model/digest.ts'
import { describeStrategy } from './question-notices.ts'

it.each<[Strategy, string | null]>([
  [{ name: 'original', why: 'the question as it was asked' }, null],
  [{ name: 'lowered_threshold', why: 'nothing reached the threshold of 0.15, so it was lowered to 0' }, null],
  [
    { name: 'reference_filter', why: 'the question names its document: "ADR-1" is docs/adr/1.md' },
    'The question names its document: "ADR-1" is docs/adr/1.md; nothing else was searched.',
  ],
  [
    { name: 'reference_boost', why: 'the question may mean a document: "retries" is docs/retries.md' },
    'The question may mean a document: "retries" is docs/retries.md; it counted for more.',
  ],
])('for %j', (strategy, sentence) => {
  expect(describeStrategy(strategy)).toBe(sentence)
})
