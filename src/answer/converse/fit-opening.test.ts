import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ContextSection, Exchange } from '../../model/conversation.ts'
import { estimateTokens } from '../../read/tokens/token-counter.ts'
import { budgetHistory, fitOpening } from './fit-opening.ts'

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

it('a small prompt gives up possible requests before sections', () => {
  const offers = Array.from({ length: 6 }, (_, at) => ({
    ...{
      from: 'a.md',
      via: 'links',
      target: `docs/page-${at}.md#a-rather-long-heading`,
      cost: 1,
      name: 'Page',
    },
  }))
  const sections = Array.from({ length: 3 }, (_, at) => ({
    ...{
      artifacts: [`${at}.md`],
      kind: 'markdown_section',
      path: `${at}.md`,
      name: 'Page',
      truncated: false,
    },
    ...{
      excerpts: [{ lines: { start: 1, end: 3 }, text: `${'Some words. '.repeat(9)}\n`.repeat(3).trim() }],
      offers,
    },
  }))
  const fit = (promptTokens: number): readonly ContextSection[] => [
    ...fitOpening({
      ...{ question: 'why?', sections, history: [], budget: 4, countTokens: estimateTokens },
      limits: { turns: 8, refusals: 3, promptTokens, answerTokens: 100 },
    }).sections.values(),
  ]
  const sizes = Array.from({ length: 500 }, (_, at) => fit(3000 - at * 5))
  expect([...new Set(sizes.map((shown) => shown.map(({ offers }) => offers.length).join()))]).toEqual([
    ...['6,6,6', '2,2,2', '0,0,0', '0,0', '0', ''],
  ])
  const ends = sizes.filter(({ length }) => length === 1).map(([one]) => one?.excerpts[0]?.lines.end)
  expect([...new Set(ends)]).toEqual([3, 2, 1])
})

it('the smallest prompt that a user may set holds text of a section', () => {
  const text = Array.from(
    { length: 60 },
    (_, at) => `Line ${at} of a page about jobs and their retries.`,
  ).join('\n')
  const section = {
    ...{ artifacts: ['a.md'], kind: 'markdown_section', path: 'docs/a.md', name: 'Jobs', truncated: false },
    ...{ excerpts: [{ lines: { start: 1, end: 60 }, text }], offers: [] },
  }
  const { messages, sections } = fitOpening({
    ...{ question: 'How are jobs retried?', sections: [section], history: [], budget: 4 },
    limits: { turns: 8, refusals: 3, promptTokens: 1000, answerTokens: 2000 },
    countTokens: estimateTokens,
  })
  expect(sections.get('S1')?.excerpts[0]?.lines.end).toBeGreaterThan(5)
  expect(messages.at(-1)?.content).toContain('1| Line 0 of a page')
})
