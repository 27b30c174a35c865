import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Exchange } from '../../model/conversation.ts'
import { estimateTokens } from '../../read/tokens/token-counter.ts'
import { budgetHistory } from './fit-opening.ts'

const exchange = (question: string, answer: string): Exchange => ({ question, answer, cited: [], at: 0 })

it('keeps the latest exchanges that fit, in their order', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 300 })), fc.nat(300), (answers, maxTokens) => {
      const all = answers.map((answer) => exchange('why?', answer))
      const kept = budgetHistory(all, { maxTokens, countTokens: estimateTokens })
      expect(kept).toEqual(all.slice(all.length - kept.length))
      const used = kept.reduce(
        (sum, { question, answer }) => sum + estimateTokens(question) + estimateTokens(answer),
        0,
      )
      expect(used).toBeLessThanOrEqual(maxTokens)
    }),
  )
})

it('remembers a very long answer by its beginning', () => {
  const [kept] = budgetHistory([exchange('why?', 'x'.repeat(9000))], {
    maxTokens: 2000,
    countTokens: estimateTokens,
  })
  expect(kept?.answer).toHaveLength(4001)
})
