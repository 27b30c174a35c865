// What do the operations report? The facts that every surface prints or serialises.
import type { Lines } from './artifact.ts'
import type { CallerWordsUse, Canonicality, Digest, Passage, Strategy } from './digest.ts'
import type { Mask, SkippedFile } from './source-file.ts'

/** `done` and `total` count files, and fragments while those are embedded; the total is 0 as long as it is unknown. */
export interface IndexProgress {
  readonly phase: 'looking' | 'reading' | 'merging' | 'embedding'
  readonly done: number
  readonly total: number
  /** Of the files, while they are read. */
  readonly bytesDone: number
  readonly bytesTotal: number
}

/** What is in the whole index, and what is not. */
interface IndexTotals {
  readonly root: string
  readonly indexPath: string
  readonly files: number
  readonly sections: number
  readonly tokens: number
  readonly indexBytes: number
  readonly sourceBytes: number
  readonly skipped: readonly SkippedFile[]
  /** Files and folders excluded by ignore rules. */
  readonly ignored: number
  /** Binary files, by extension. */
  readonly unsupported: Readonly<Record<string, number>>
  readonly vectors: VectorReport
}

export interface IndexReport extends IndexTotals {
  /** Files read and written in this run. */
  readonly indexed: number
  readonly unchanged: number
  readonly removed: number
  readonly milliseconds: number
  readonly rebuilt: boolean
  /** What the user must know: of the index folder, what was set aside or could not be written; of files, what of them holds no text. */
  readonly notices: readonly string[]
}

/** How far search by meaning is. */
export interface VectorReport {
  /** Name of the model; null when there is none. */
  readonly model: string | null
  readonly embedded: number
  readonly total: number
  /** Why there are none, or why they are incomplete; null when all is well. */
  readonly note: string | null
}

/** The state of the index relative to the files when a question was answered. */
export interface Freshness {
  /**
   * An incomplete index was never finished: its first run was stopped or is still running. Unchecked: no file was
   * checked, because of `refresh: 'never'`.
   */
  readonly state: 'fresh' | 'refreshed' | 'stale' | 'incomplete' | 'unchecked'
  /** Files that differ (stale), that were re-indexed first (refreshed) or that are missing (incomplete). */
  readonly changedFiles: number
  /** How many files this answer is from, while the index is being built: those indexed so far, and those read for it. */
  readonly early?: number
  /** The process that builds an incomplete index. */
  readonly builder?: string
  /** How far it is, estimated. */
  readonly progress?: { readonly share: number; readonly secondsLeft: number }
  /** Milliseconds since 1970; 0 when incomplete. */
  readonly indexedAt: number
  /** It was not refreshed because it cannot be written. */
  readonly readOnly?: boolean
  /**
   * Why finding or indexing changes failed, with the file if known; the answer uses the old index. Of an incomplete
   * index: why the last process that built it ended.
   */
  readonly failure?: string
  /** Number of compared files if there are too many to check each; shown files are always compared. */
  readonly compared?: { readonly files: number; readonly of: number }
}

/** What a question is after. */
export type Intent =
  /** The place in the code: "where is", "which function", "find the check that". */
  | 'code'
  /** Who uses a name: "who calls", "callers of". */
  | 'callers'
  /** What to do: "how do I", "I want", "configure". */
  | 'task'
  /** The reason: "why", "intentional". */
  | 'reason'
  /** An entry of a reference: "which flag", "what is the default". */
  | 'option'
  /** A pasted message or stack trace. */
  | 'error'
  /** A name and little else: "what does retry() do", "SubjectBuilder". */
  | 'name'
  /** How the parts work together: "walk me through", "how does X work". */
  | 'overview'
  /** What changed, and when: "since which version", "breaking changes". */
  | 'versions'
  /** A subject without a question: "session management", "how routes are matched". */
  | 'topic'
  /** A pasted issue, log or message of many words: what its lines say counts by their kind. */
  | 'report'

export interface QueryTerm {
  readonly term: string
  /** As written. */
  readonly word: string
  readonly weight: number
}

/** How a question was understood. */
export interface QueryAnalysis {
  /** As it was asked; of a report, the lines that say something. */
  readonly text: string
  /** Of a report: the lines that lead to sections with the same words. Code samples are not among them. */
  readonly quotable?: string
  /** What its words say it is after; empty where they do not. */
  readonly intents: readonly Intent[]
  /** Index terms that are searched, in order, with their weights. */
  readonly terms: readonly QueryTerm[]
  /** Words and names that the caller expects in the answer, as given; absent without any. */
  readonly callerWords?: readonly string[]
  /** Those of them that are given as names of code. */
  readonly callerNames?: readonly string[]
  /** Their terms that the question does not have. */
  readonly callerTerms?: readonly QueryTerm[]
  readonly phrases: readonly string[]
  /** Question words and other words that carry no meaning here. */
  readonly ignored: readonly string[]
  /** Names of code, as written: `getUser`, `Server.start`, `retry()`. */
  readonly identifiers: readonly string[]
  /** Words that may be names of code too: a question of one word, capitals in a short one. */
  readonly names: readonly string[]
}

/** By words, by words and embeddings, or by embeddings alone. */
export type SearchMode = 'lexical' | 'hybrid' | 'vector'

/** Its name is that of a passage in a digest; its place is that of all its lines. */
export interface SearchHit extends Pick<Passage, 'path' | 'name' | 'place' | 'score' | 'signals'> {
  readonly artifact: string
  readonly title: string
  readonly headings: readonly string[]
  readonly lines: Lines
  /** Where in a long section the matches are, best first; empty for a short one. */
  readonly matchedLines: readonly Lines[]
  /** Further sections of the same file that match and are not listed, best first. */
  readonly furtherLines: readonly Lines[]
  readonly canonicality: Canonicality
  /** The best few lines, with the matches in them as [start, end) offsets. */
  readonly excerpt: {
    readonly line: number
    readonly text: string
    readonly matches: readonly (readonly [number, number])[]
  }
}

/** Its notices are what the reader of the hits must know: words of the question that no document has. */
export interface SearchResult
  extends Pick<Digest, 'candidateSections' | 'documentsScanned' | 'confidence' | 'notices'> {
  readonly query: string
  readonly hits: readonly SearchHit[]
  readonly analysis: QueryAnalysis
  readonly strategy: {
    readonly name: Strategy['name'] | 'exact' | 'regex'
    readonly why: string
    readonly callerWords?: CallerWordsUse
  }
  /** Near terms when nothing matched. */
  readonly suggestions: readonly string[]
  readonly freshness: Freshness
}

/** Exact text and regular expressions are counted in all files; their confidence says how often they were found. */
export const isCounted = ({ name }: Pick<SearchResult['strategy'], 'name'>): boolean =>
  name === 'exact' || name === 'regex'

/** What is written within a token budget. */
export interface RenderedResult {
  /** What goes to stdout, in the format that was asked for. */
  readonly output: string
  readonly tokensUsed: number
  readonly freshness: Freshness
}

export interface AssembleResult extends RenderedResult {
  readonly digest: Digest
  /** What `--explain` prints on stderr in Markdown mode, in at most 60 lines. */
  readonly explanation: string
  /** Where the tokens went; only for Markdown with an explanation. */
  readonly account?: TokenAccount
  /** Index terms of the question and of its caller's words; only with an account. */
  readonly askedTerms?: readonly string[]
}

/** The tokens of a digest by its parts: frame and passages together are all of it. */
export interface TokenAccount {
  readonly frame: number
  /** Of each passage of `primary`. */
  readonly primary: readonly number[]
  /** Of each passage of each document of `expanded`; the heading of a document counts with its first. */
  readonly expanded: readonly (readonly number[])[]
}

export interface StatusReport extends IndexTotals {
  readonly schemaVersion: number
  readonly yoreVersion: string
  readonly indexedAt: number
  readonly freshness: Freshness
  readonly fragments: number
  /** Files by language; those with extracted text by their extension. */
  readonly languages: Readonly<Record<string, number>>
  /** Files by what they are: docs, code, tests, config. */
  readonly kinds: Readonly<Record<string, number>>
  /** Files of the language `generic`, by extension; '' counts names without one. */
  readonly generic: Readonly<Record<string, number>>
  /** Files that count less than others, by what they are: tests, vendored and generated ones, translations. */
  readonly roles: Readonly<Record<string, number>>
  /** Where secrets were hidden, by path and line. */
  readonly masked: readonly MaskedPlace[]
  /** Sources in addition to the root. */
  readonly sources: readonly SourceReport[]
}

/** A source in addition to the root, from an entry of `roots`. */
export interface SourceReport {
  readonly name: string
  readonly entry: string
  /** The version in its citations: `v2.32.3, 0e322af87745`. */
  readonly origin: string | null
  /** Milliseconds since 1970; null for what is read where it is. */
  readonly fetchedAt: number | null
}

/** A secret that is in a file and in nothing that yore stores, shows or sends. */
export interface MaskedPlace extends Mask {
  readonly path: string
}

export interface DoctorCheck {
  readonly name: string
  readonly verdict: 'ok' | 'warning' | 'problem'
  /** What was checked. */
  readonly looked: string
  readonly found: string
  /** The command that fixes it; null when there is nothing to fix. */
  readonly fix: string | null
}
