// Is a change for the better told from one for the worse?
import { describe, expect, it } from 'vitest'
import { type Baseline, compareEvaluations, parseBaseline } from './compare-evaluations.ts'

type Result = Baseline['questions'][number]

const result = (id: string, coverage: number, more: Partial<Result> = {}): Result => ({
  id,
  question: `about ${id}`,
  passed: coverage >= 0.8,
  coverage,
  tokens: 100,
  forbidden: [],
  ...more,
})

const evaluation = (questions: readonly Result[], maxTokens = 8000): Baseline => ({
  settings: { maxTokens, sections: 20, depth: 1, tokenizer: 'o200k', relevanceThreshold: 0.15 },
  totals: {
    questions: questions.length,
    passed: 0,
    passRate: 0.5,
    meanCoverage: 0.5,
    meanTokens: 100,
    misses: {},
    forbidden: 0,
  },
  questions,
})

describe('compareEvaluations', () => {
  it('sorts every question into one kind of change', () => {
    const quoted = [{ path: 'old.md', lines: { start: 1, end: 2 } }]
    const before = evaluation([
      result('fixed', 0.5),
      result('better', 0.2),
      result('same', 1),
      result('worse', 1),
      result('broken', 1),
      result('removed', 1),
      result('cleaner', 1, { passed: false, forbidden: quoted }),
    ])
    const after = evaluation([
      result('fixed', 1),
      result('better', 0.5),
      result('same', 1),
      result('worse', 0.9),
      result('broken', 1, { passed: false, forbidden: quoted }),
      result('added', 1),
      result('cleaner', 1),
    ])
    const { changes, counts } = compareEvaluations(before, after)
    expect(changes.map(({ id, change }) => [id, change])).toEqual([
      ['fixed', 'fixed'],
      ['better', 'better'],
      ['worse', 'worse'],
      ['broken', 'broken'],
      ['added', 'added'],
      ['cleaner', 'fixed'],
      ['removed', 'removed'],
    ])
    expect(counts).toEqual({ fixed: 2, better: 1, same: 1, worse: 1, broken: 1, added: 1, removed: 1 })
    expect(changes[0]?.coverage).toEqual({ before: 0.5, after: 1 })
    expect(changes.at(-1)?.coverage).toEqual({ before: 1, after: null })
  })

  it('finds no change between an evaluation and itself', () => {
    const one = evaluation([result('a', 1), result('b', 0)])
    expect(compareEvaluations(one, one)).toMatchObject({ changes: [], differences: [], counts: { same: 2 } })
  })

  it('says what makes the two hard to compare', () => {
    const before = evaluation([result('a', 1)], 2000)
    const after = evaluation([result('a', 1, { question: 'other words' })])
    expect(compareEvaluations(before, after).differences).toEqual([
      'maxTokens was 2000 and is 8000',
      'question a was worded differently',
    ])
  })
})

describe('parseBaseline', () => {
  const whole = { schemaVersion: 1, ...evaluation([result('a', 1)]) }

  it('takes what was printed', () => {
    expect(parseBaseline(JSON.stringify(whole), 'b.json').questions).toEqual(whole.questions)
  })

  it.each([
    ['{', 'it is not JSON'],
    ['[]', 'it has no schemaVersion'],
    [JSON.stringify({ ...whole, schemaVersion: 9 }), 'its schemaVersion is 9, not 1'],
    [JSON.stringify({ ...whole, totals: {} }), 'its totals are incomplete'],
    [JSON.stringify({ ...whole, settings: null }), 'it has no settings'],
    [JSON.stringify({ ...whole, questions: [{ id: 1 }] }), 'its questions are incomplete'],
  ])('refuses %s', (text, why) => {
    expect(() => parseBaseline(text, 'b.json')).toThrow(
      expect.objectContaining({ code: 'BAD_INPUT', message: `b.json is not an earlier evaluation: ${why}` }),
    )
  })
})
