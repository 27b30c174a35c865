// Can a person read an evaluation, whatever the questions hold?
import { describe, expect, it } from 'vitest'
import type { Evaluation, QuestionResult } from '../../../check/evaluation/evaluation.ts'
import { makePalette } from '../format.ts'
import { printEval } from './eval.ts'

const passing: QuestionResult = {
  id: '1',
  question: 'How?',
  passed: true,
  coverage: 1,
  tokens: 1234,
  misses: [],
  forbidden: [],
}
const failing: QuestionResult = {
  ...passing,
  id: '2',
  question: 'Is <a> & "b"\u0007 there?',
  passed: false,
  coverage: 0,
  misses: [
    { kind: 'phrase', expected: 'a\nb', problem: null },
    { kind: 'document', expected: 'x.md', problem: 'no document x.md in the index' },
  ],
  forbidden: [{ path: 'old.md', lines: { start: 1, end: 9 } }],
}
const evaluation = (questions: readonly QuestionResult[]): Evaluation => ({
  schemaVersion: 2,
  yoreVersion: '0',
  generatedAt: '2025-01-01T00:00:00.000Z',
  questionsFile: 'evaluation/questions.jsonl',
  fingerprint: '',
  settings: { maxTokens: 8000, sections: 20, depth: 1, relevanceThreshold: 0.15 },
  minCoverage: 0.8,
  passed: false,
  totals: {
    questions: questions.length,
    passed: questions.filter(({ passed }) => passed).length,
    passRate: 0.5,
    meanCoverage: 0.5,
    meanTokens: 1234,
  },
  questions,
})

describe('printEval', () => {
  it('lines up verdict, coverage, tokens and question, with the reasons below', () => {
    expect(
      printEval(evaluation([passing, failing]), makePalette(false), 100),
    ).toBe(`  id  cover  tokens  question
✓ 1    1.00   1,234  How?
✗ 2    0.00   1,234  Is <a> & "b"\\u0007 there?
    missing phrase "a\\nb"
    missing document x.md: no document x.md in the index
    forbidden: old.md:1-9 is quoted

1 of 2 questions pass (50 %); failed (threshold 80 %)
coverage 0.50 and 1,234 tokens on average, with 8,000 tokens, 20 sections and depth 1 allowed
next: \`yore assemble "<question>" --explain\` shows how the digest of one question was chosen
`)
  })
})
