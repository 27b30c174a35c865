// Does a question pass, and what are the totals? The lowest share of what was expected counts.
import {
  type EvaluationTotals,
  type Miss,
  type MissReason,
  passMark,
  type Question,
  type QuestionResult,
} from './evaluation.ts'
import { type Attempt, notIndexed } from './explain-miss.ts'

const DECIMALS = 10_000

/** A miss whose cause needs a search of the whole index. */
export interface OpenMiss {
  readonly phrase: string
  readonly attempt: Attempt
}

/** A result with open misses. */
export type OpenResult = Omit<QuestionResult, 'misses'> & { readonly misses: readonly (Miss | OpenMiss)[] }

interface QuestionVerdict {
  readonly tokens: number
  readonly phrases: number
  readonly documents: number
  readonly sections: number
  readonly hits: OpenResult['hits']
  readonly misses: OpenResult['misses']
  readonly forbidden: QuestionResult['forbidden']
}

/** Compares hits with expectations. */
export function judgeQuestion(question: Question, verdict: QuestionVerdict): OpenResult {
  const { id, question: text, generated, expectedContains, expectedDocs, expectedSections } = question
  const phrases = { found: verdict.phrases, of: expectedContains.length }
  const documents = { found: verdict.documents, of: expectedDocs.length }
  const sections = { found: verdict.sections, of: expectedSections.length }
  const shares = [phrases, documents, sections].map(({ found, of }) => (of === 0 ? 1 : found / of))
  const coverage = roundShare(Math.min(...shares))
  const passed = coverage >= passMark && verdict.forbidden.length === 0
  return { id, question: text, generated, passed, coverage, ...verdict, phrases, documents, sections }
}

/** The result when the budget is too small for one source. */
export function nothingFits(question: Question, why: string): OpenResult {
  const cause = { ...notIndexed(why), reason: 'cut by the budget' as const }
  const missed = (kind: Miss['kind'], list: readonly string[]): Miss[] =>
    list.map((expected) => ({ kind, expected, ...cause }))
  const misses = [
    ...missed('phrase', question.expectedContains),
    ...missed('document', question.expectedDocs),
    ...missed('section', question.expectedSections),
  ]
  const nothing = { tokens: 0, phrases: 0, documents: 0, sections: 0 }
  return judgeQuestion(question, { ...nothing, hits: [], misses, forbidden: [] })
}

export function sumUp(results: readonly QuestionResult[]): EvaluationTotals {
  const mean = (value: (result: QuestionResult) => number): number =>
    results.reduce((sum, result) => sum + value(result), 0) / Math.max(1, results.length)
  const misses: Partial<Record<MissReason, number>> = {}
  for (const { reason } of results.flatMap((result) => result.misses))
    misses[reason] = (misses[reason] ?? 0) + 1
  return {
    questions: results.length,
    passed: results.filter((result) => result.passed).length,
    passRate: roundShare(mean((result) => (result.passed ? 1 : 0))),
    meanCoverage: roundShare(mean((result) => result.coverage)),
    meanTokens: Math.round(mean((result) => result.tokens)),
    misses,
    forbidden: results.reduce((sum, result) => sum + result.forbidden.length, 0),
  }
}

/** Shares have four decimals, so that rounding errors decide nothing. */
export function roundShare(value: number): number {
  return Math.round(value * DECIMALS) / DECIMALS
}
