// What is an evaluation? Questions with what their digest must contain, and for each the hits, the misses and their causes.
import type { AssembleOptions } from '../../answer/answering/question-options.ts'
import type { Lines } from '../../model/artifact.ts'
import type { Freshness } from '../../model/report.ts'

export const defaultQuestionsFile = 'evaluation/questions.jsonl'

/** Raised when a field of the JSON output changes its meaning or is removed. */
export const evaluationVersion = 1

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
  /** `path#anchor`, a canonical id, `path:12` or `path:12-40`. */
  readonly expectedSections: readonly string[]
  /** Paths as in `expectedDocs`. */
  readonly forbiddenDocs: readonly string[]
  /** Written by a program, not by a person. */
  readonly generated: boolean
}

/** A new question; it gets its id when it is written to the file. */
export type NewQuestion = Pick<
  Question,
  'question' | 'expectedContains' | 'expectedDocs' | 'expectedSections'
>

export type MissReason =
  | 'not indexed'
  | 'ranked too low'
  | 'cut by the budget'
  | 'dropped as duplicate'
  | 'below threshold'
  | 'no text of its own'

/** An expectation that the digest does not meet. */
export interface Miss {
  readonly kind: 'phrase' | 'document' | 'section'
  readonly expected: string
  readonly reason: MissReason
  /** One plain sentence part with the facts, for example `rank 34, score 0.41`. */
  readonly detail: string
  /** The nearest section that would meet it; null without any. */
  readonly section: string | null
  readonly path: string | null
  readonly lines: Lines | null
  /** From 1; null for a section that the question does not match. */
  readonly rank: number | null
  readonly score: number | null
  /** Ranks of that section by stage, as in `Signals`; empty when the question does not match it. */
  readonly ranks: Readonly<Record<string, number>>
}

/** An expectation that the digest meets. */
export interface FoundExpectation {
  readonly kind: Miss['kind']
  readonly expected: string
  readonly path: string
  /** Number of the passage in the digest, from 1; search results first, then followed references. */
  readonly passage: number
  /** True for a followed reference. */
  readonly cameAlong: boolean
  /** Ranks of its best section, as in `Miss`; null and empty for one that search did not rank. */
  readonly rank: number | null
  readonly ranks: Readonly<Record<string, number>>
}

interface FoundOf {
  readonly found: number
  readonly of: number
}

export interface QuestionResult {
  readonly id: string
  readonly question: string
  readonly generated: boolean
  readonly passed: boolean
  /** The lowest share of phrases, documents and sections that were found. */
  readonly coverage: number
  /** Tokens of the digest. */
  readonly tokens: number
  readonly phrases: FoundOf
  readonly documents: FoundOf
  readonly sections: FoundOf
  readonly hits: readonly FoundExpectation[]
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
  readonly misses: Readonly<Partial<Record<MissReason, number>>>
  readonly forbidden: number
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
  readonly settings: {
    readonly maxTokens: number
    readonly sections: number
    readonly depth: number
    readonly tokenizer: string
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
  extends Pick<AssembleOptions, 'maxTokens' | 'sections' | 'depth' | 'tokenizer' | 'refresh'> {
  /** The share of questions that must pass, 0 to 1. */
  readonly minCoverage: number
}

export interface EvaluateResult {
  readonly evaluation: Evaluation
  readonly freshness: Freshness
}

/** A stored evaluation. */
export interface EvaluationRun {
  readonly id: string
  /** When it was kept, in milliseconds since 1970. */
  readonly at: number
  readonly evaluation: Evaluation
}

/** Evaluations of one corpus, stored next to its index. */
export interface EvaluationRuns {
  /** Gives the run's id; null when this user has no place for the key that proves whose it is. */
  add(evaluation: Evaluation): string | null
  /** Oldest first. */
  list(): readonly EvaluationRun[]
}
