// What is an evaluation? Questions with what their digest must contain, and for each what the digest misses.
import type { AssembleOptions } from '../../answer/answering/question-options.ts'
import type { Lines } from '../../model/artifact.ts'
import type { Freshness } from '../../model/report.ts'

export const defaultQuestionsFile = 'evaluation/questions.jsonl'

/** Raised when a field of the JSON output changes its meaning or is removed. */
export const evaluationVersion = 2

/** A question passes at this share of each kind of expectation; a section counts as found at it, too. */
export const passMark = 0.8

/** A question, and what its digest must contain and must not. */
export interface Question {
  readonly id: string
  readonly question: string
  /** Searched in quoted document text, without regard to case and white space. */
  readonly expectedContains: readonly string[]
  /** Paths; one that ends with `/` means any document below it. */
  readonly expectedDocs: readonly string[]
  /** Any name that `yore read` takes: `path#anchor`, a canonical id, `path:12` or `path:12-40`. */
  readonly expectedSections: readonly string[]
  /** Paths as in `expectedDocs`. */
  readonly forbiddenDocs: readonly string[]
}

/** An expectation that the digest does not meet. */
export interface Miss {
  readonly kind: 'phrase' | 'document' | 'section'
  readonly expected: string
  /** Why no digest can meet it, for example because the index has no such document; null if one can. */
  readonly problem: string | null
}

export interface QuestionResult {
  readonly id: string
  readonly question: string
  readonly passed: boolean
  /** The lowest share of phrases, documents and sections that were found. */
  readonly coverage: number
  /** Tokens of the digest. */
  readonly tokens: number
  readonly misses: readonly Miss[]
  /** Forbidden documents that the digest quotes. */
  readonly forbidden: readonly { readonly path: string; readonly lines: Lines }[]
}

export interface EvaluationTotals {
  readonly questions: number
  readonly passed: number
  readonly passRate: number
  readonly meanCoverage: number
  readonly meanTokens: number
}

/** The output of `yore eval --json`. */
export interface Evaluation {
  readonly schemaVersion: number
  readonly yoreVersion: string
  /** ISO 8601. */
  readonly generatedAt: string
  readonly questionsFile: string | null
  /** SHA-256 of the index content that answered. */
  readonly fingerprint: string
  readonly settings: Pick<AssembleOptions, 'maxTokens' | 'sections' | 'depth'> & {
    readonly relevanceThreshold: number
  }
  /** The share of questions that must pass. */
  readonly minCoverage: number
  readonly passed: boolean
  readonly totals: EvaluationTotals
  readonly questions: readonly QuestionResult[]
}

/** A file of questions (relative to the root unless absolute), or the questions themselves. */
export type QuestionSource = { readonly file: string } | { readonly questions: readonly Question[] }

export interface EvaluateOptions
  extends Pick<AssembleOptions, 'maxTokens' | 'sections' | 'depth' | 'refresh'> {
  /** The share of questions that must pass, 0 to 1. */
  readonly minCoverage: number
}

export interface EvaluateResult {
  readonly evaluation: Evaluation
  readonly freshness: Freshness
}
