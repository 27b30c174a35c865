// What does a question get back? Queries, scored candidates, and the digest that is rendered.

import type { Artifact, ArtifactKind, Lines } from './artifact.ts'
import type { ExpansionRequest } from './expansion.ts'

/** The ask. */
export interface Query {
  readonly text: string
  readonly maxTokens: number
  /** What the confidence allows of the budget. */
  readonly tokenLimit: number
  readonly maxSections: number
  readonly maxDepth: number
}

/** Why a document has the authority it has: each reason with what it added or took. */
export interface Canonicality {
  /** 0 to 1. */
  readonly score: number
  readonly reasons: readonly { readonly reason: string; readonly effect: number }[]
}

export const canonicalStatuses = ['canonical', 'secondary', 'possibly stale'] as const
export type CanonicalStatus = (typeof canonicalStatuses)[number]

/** What a candidate's score is made of. Every number is comparable within one query only. */
export interface Signals {
  /** Fragment and document match together, by words and meaning, divided by the best of the query: 0 to 1. The threshold is applied to this. */
  readonly relevance: number
  /** BM25 of the best fragment, divided by the best of the query: 0 to 1. */
  readonly lexical: number
  /** BM25 of the whole document, divided by the best of the query: 0 to 1. */
  readonly document: number
  /** Cosine of the best fragment with the question; null when meaning was not asked or did not find it. */
  readonly vector: number | null
  /**
   * From 1, in the order of the stages: of its best fragment by `words` and by `embeddings`, then of the section when these
   * are `fused`, and when its features are weighed (`re-ranked`).
   */
  readonly ranks: Readonly<Record<string, number>>
  readonly canonicality: number
  /** What the second look added or took, the largest first, in parts of the best match's relevance. */
  readonly parts: readonly SignalPart[]
}

export interface SignalPart {
  readonly name: string
  readonly effect: number
}

/** How a section came by a reference. */
export interface FollowedFrom {
  /** Canonical id of the section that refers to it. */
  readonly from: string
  readonly via: string
  readonly depth: number
  readonly cost: number
  /** Why this section of the target and no other. */
  readonly because: string
}

/** Weight of relevance in a section's score; the rest is canonicality's (record 0006). */
export const RELEVANCE_WEIGHT = 0.7

export type Origin = { readonly kind: 'search' } | ({ readonly kind: 'expansion' } & FollowedFrom)

/**
 * A run of consecutive lines, with their exact source text (no line end after the last line). Where a passage starts
 * with its section's heading, `lines` includes it and `text` does not: the passage's name replaces it.
 */
export interface Excerpt {
  readonly lines: Lines
  readonly text: string
  /** Its first line is inside a fenced block, whose opening is omitted. */
  readonly inFence?: true
}

/** A line of a document; `place` as in a passage. */
export interface LinePlace {
  readonly path: string
  readonly line: number
  readonly place?: string
}

/** One block of a digest: lines of one section under one Source. */
export interface Passage {
  readonly path: string
  readonly kind: ArtifactKind
  readonly language: string
  /** Headings down to the section's own, without the title; of code, its name. */
  readonly name: string
  /** Canonical id of the section; above it those of classes whose header is all of their own text, and shown here. */
  readonly artifacts: readonly string[]
  /** In text order, with omitted text between them; two share a line only where it was cut. */
  readonly excerpts: readonly Excerpt[]
  /** The position of an extracted text in the original file: `p. 12`; absent for plain text. */
  readonly place?: string
  /** True when lines of the section are omitted. */
  readonly truncated: boolean
  /** Lines of the whole section. */
  readonly ofLines?: number
  /** Why its document is of doubtful authority: archived, superseded, a draft, a test, generated; absent for others. */
  readonly caution?: string
  readonly score: number
  readonly signals: Signals
  readonly origin: Origin
  /** Other places that hold the same text. */
  readonly alsoAt: readonly { readonly path: string; readonly lines: Lines; readonly place?: string }[]
  /** Lines of the digest that refer to it. */
  readonly referencedBy: readonly LinePlace[]
  /** Of a parent or sibling of found sections: where those are. */
  readonly sameDocumentAs?: readonly LinePlace[]
}

/** A document that was added because selected sections refer to it. */
export interface ExpandedDocument {
  readonly path: string
  readonly title: string
  readonly type: string
  readonly canonicality: Canonicality
  readonly passages: readonly Passage[]
}

/** One line for a section that matches and is not quoted. */
export interface Pointer extends Pick<Artifact, 'path' | 'name' | 'lines'> {
  /** The line that fits the question best, shortened; empty where none fits. */
  readonly line: string
}

/** A reference of a chosen section that leads nowhere. */
export interface Unresolved {
  readonly path: string
  readonly line: number
  readonly target: string
  readonly reason: 'missing' | 'ambiguous'
  readonly candidates: readonly string[]
}

export interface DigestDocument extends Pick<ExpandedDocument, 'path' | 'title' | 'canonicality'> {
  readonly score: number
  readonly status: CanonicalStatus
  /** `a test`, `generated code` or `vendored code`; absent for everything else. */
  readonly role?: string
  /** Milliseconds since 1970. */
  readonly modifiedAt: number
  readonly sections: number
}

export type DropReason =
  | 'below threshold'
  | 'no room'
  /** It matches, and so much less than the best that it would be noise. */
  | 'adds little'
  /** Of a section that a reference leads to: their share is used up, whatever the rest leaves. */
  | 'no room for references'
  | 'section limit'
  | 'duplicate'
  /** A translation or another version of a document that is shown. */
  | 'other edition'
  | 'no text of its own'
  /** A reference leads to it, and the cost budget of expansions was spent. */
  | 'expansion budget'

export interface Dropped {
  readonly artifact: string
  readonly path: string
  readonly lines: Lines
  readonly score: number
  readonly reason: DropReason
}

/** The steps of the cascade, in the order in which they are tried. */
export type StrategyName =
  | 'reference_filter'
  | 'rewritten_boosted'
  | 'rewritten'
  | 'reference_boost'
  | 'original'
  | 'lowered_threshold'

/** Which step of the cascade answered, and why in one sentence. */
export interface Strategy {
  readonly name: StrategyName
  readonly why: string
  /** Documents that the question names, also those that are too uncertain to count; absent when it names none. */
  readonly references?: readonly NamedReference[]
  /** What became of the words and names that the caller added; absent without any. */
  readonly callerWords?: CallerWordsUse
}

/** What became of each word and name that the caller gave: one that was used counts like a word of the question. */
export interface CallerWordsUse {
  readonly used: readonly string[]
  /** Of these no text has a part. */
  readonly notFound: readonly string[]
  /** These lead away from the question. */
  readonly setAside: readonly string[]
}

export interface NamedReference {
  /** The words of the question. */
  readonly mention: string
  readonly path: string
  /** 0 to 1. */
  readonly confidence: number
}

/** How likely the first passages answer the question. */
export const confidenceLabels = ['high', 'medium', 'low', 'none'] as const
export type ConfidenceLabel = (typeof confidenceLabels)[number]

/** Whether the corpus answers the question, as far as can be told without understanding it. */
export interface Confidence {
  readonly label: ConfidenceLabel
  /** How likely an answer is: 0 to 1. */
  readonly score: number
  readonly why: string
  /** The name whose uses the question asks for. */
  readonly usesOf?: string | undefined
}

/** The decision of the judge, or of the planner itself, on a proposal. */
export interface JudgeDecision extends ExpansionRequest {
  /** In the rulebook's costs; null when it was denied. */
  readonly cost: number | null
  /** Why the target was proposed, or why it was denied. */
  readonly reason: string
}

/** Everything a rendering says. The same digest renders as Markdown and as JSON. */
export interface Digest {
  readonly query: Query
  /** Milliseconds since 1970; from `--now`, `SOURCE_DATE_EPOCH` or the clock. */
  readonly generatedAt: number
  readonly documentsScanned: number
  readonly candidateSections: number
  /** Sections in the digest, those of expansions included. */
  readonly sectionsSelected: number
  /** Minimum relevance of a candidate: 0 to 1. */
  readonly relevanceThreshold: number
  /** What that relevance is made of. */
  readonly searchedBy: 'words' | 'words and embeddings' | 'embeddings'
  /** Which step of the cascade answered, and why. */
  readonly strategy: Strategy
  readonly confidence: Confidence
  /** What distinguishes the chosen documents from the corpus. */
  readonly primaryAreas: readonly string[]
  /** Those of what search found, best first, then those that only expansions quote. */
  readonly documents: readonly DigestDocument[]
  readonly primary: readonly Passage[]
  readonly expanded: readonly ExpandedDocument[]
  /** What a reader may read next, best first. */
  readonly pointers: readonly Pointer[]
  readonly unresolved: readonly Unresolved[]
  readonly dropped: readonly Dropped[]
  /** True when a larger budget would show nothing more. */
  readonly isComplete: boolean
  /** Sections below this score were skipped, because they add little. */
  readonly leastScore: number
  /** Verdicts on references, in the order of the requests; only with an explanation. */
  readonly decisions?: readonly JudgeDecision[]
  /** SHA-256 of the index content that answered. */
  readonly fingerprint: string
  /** Sentences that a reader must see, for example that the index is stale or that nothing matched. */
  readonly notices: readonly string[]
}
