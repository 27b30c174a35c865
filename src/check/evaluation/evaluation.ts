// What is an evaluation? Questions with what their digest must hold, and for each what was found, missed, and why.
import type { Lines } from '../../model/artifact.ts'
import type { Freshness } from '../../model/report.ts'

/** Where a repository keeps its questions. */
export const defaultQuestionsFile = 'evaluation/questions.jsonl'

/** Raised when a field of the JSON output changes its meaning or goes away. */
export const evaluationVersion = 1

/** A question passes when it finds this share of each kind of thing that it expects; a section is found at it, too. */
export const passMark = 0.8

/** A question and what its digest must, and must not, hold. */
export interface Question {
  readonly id: string
  readonly question: string
  /** Looked for in the document text that the digest quotes; case and white space do not matter. */
  readonly expectedContains: readonly string[]
  /** Paths; one that ends with `/` stands for any document below it. */
  readonly expectedDocs: readonly string[]
  /** `path#anchor`, a canonical id, `path:12` or `path:12-40`. */
  readonly expectedSections: readonly string[]
  /** Paths as in `expectedDocs`. */
  readonly forbiddenDocs: readonly string[]
  /** Written by a program, not by a person. */
  readonly generated: boolean
}

/** A question that a person keeps; it gets its id with its place in the file. */
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

/** Something that a question expects and its digest does not hold. */
export interface Miss {
  readonly kind: 'phrase' | 'document' | 'section'
  readonly expected: string
  readonly reason: MissReason
  /** One plain sentence part with the facts, for example `rank 34, score 0.41`. */
  readonly detail: string
  /** The section that would have held it and came nearest; null when there is none. */
  readonly section: string | null
  readonly path: string | null
  readonly lines: Lines | null
  /** 1-based; null for a section that the question does not reach. */
  readonly rank: number | null
  readonly score: number | null
  /** Of that section, stage by stage as in `Signals`; empty when the question does not reach it. */
  readonly ranks: Readonly<Record<string, number>>
}

/** Something that a question expects and its digest holds. */
export interface FoundExpectation {
  readonly kind: Miss['kind']
  readonly expected: string
  readonly path: string
  /** Number of the passage in the digest, from 1; what came along follows what search found. */
  readonly passage: number
  /** True for a passage that came along with others. */
  readonly cameAlong: boolean
  /** Of its best section, as in `Miss`; null and empty for one that search did not rank. */
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
  /** The lowest of the shares of phrases, documents and sections that were found. */
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

/** What `yore eval --json` prints. */
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

export interface EvaluateOptions {
  readonly maxTokens: number
  readonly sections: number
  readonly depth: number
  readonly tokenizer: 'o200k' | 'estimate'
  readonly refresh: 'auto' | 'never'
  /** The share of questions that must pass, 0 to 1. */
  readonly minCoverage: number
}

export interface EvaluateResult {
  readonly evaluation: Evaluation
  readonly freshness: Freshness
}
