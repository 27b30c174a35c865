// What can be asked of a corpus? The operations in their order; surfaces call these and nothing below them.
import type { Settings } from '../config/settings.ts'
import type { ExpansionLimits } from '../expand/expansion-state.ts'
import type { AskResult, Message, Sessions } from '../model/conversation.ts'
import type {
  ExpansionLeft,
  ExpansionOutcome,
  ExpansionSession,
  PlacedOffer,
  PlacedText,
  PresentArtifact,
} from '../model/expansion.ts'
import type {
  AssembleResult,
  CorpusSize,
  DoctorCheck,
  Freshness,
  IndexProgress,
  IndexReport,
  SearchResult,
  StatusReport,
} from '../model/report.ts'
import type { AskOptions as AskWith } from './ask-question.ts'
import type { LinkResult } from './check-links.ts'
import type { RulebookFileReport } from './check-rulebooks.ts'
import type { Scope } from './choose-scope.ts'
import type { ChangeReport } from './describe-changes.ts'
import type {
  EvaluateOptions,
  EvaluateResult,
  ProposeOptions,
  ProposeResult,
  QuestionSource,
} from './evaluation.ts'
import type { Uses, UsesOptions } from './find-uses.ts'
import type { Report, ReportOptions } from './fit-report.ts'
import type { RulebooksInForce } from './load-rulebooks.ts'
import type { MappedFile } from './map-corpus.ts'
import type { TextMatch } from './match-text.ts'
import type { GraphOptions, GraphResult } from './read-graph.ts'

/** What an engine takes from its process, unless it is given: nothing below the engine's door looks for these. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The real time in milliseconds since 1970: when an index was made, and how long a server is left alone. */
  readonly clock: () => number
  /** Numbers from 0 to 1: the pauses before a server is asked again. */
  readonly random: () => number
}

/** Milliseconds since 1970, for everything in an answer that depends on time: a moment, or what tells it for each call. */
export type Now = number | (() => number)

/** Everything decided; for programs that read no configuration. */
export interface EngineOptions extends Partial<Surroundings> {
  /** Folder of the corpus, absolute. */
  readonly root: string
  /** Folder of the index, absolute; `<root>/.yore` unless `--index` says otherwise. */
  readonly indexDir: string
  readonly settings: Settings
  readonly now: Now
  /** Who is told and asked when a question finds no index and builds one. */
  readonly firstUse?: FirstUse
}

/** A question without an index builds one, unless its `refresh` is `never`. */
export interface FirstUse {
  readonly onProgress?: (progress: IndexProgress) => void
  /** Null when it could not be built. */
  readonly onEnded?: (report: IndexReport | null) => void
  /** Asked above 20,000 files or 500 MB; without it the question fails with NO_INDEX there. */
  readonly confirm?: (size: CorpusSize) => Promise<boolean>
}

/** What is left out is what the command line would take. */
export interface OpenOptions extends Partial<Surroundings> {
  /** Folder of the index; `.yore` in the root. */
  readonly indexDir?: string
  /** These hold before any configuration, as flags do. */
  readonly settings?: Partial<Settings>
  /** SOURCE_DATE_EPOCH of the environment, else the clock. */
  readonly now?: Now
  readonly firstUse?: FirstUse
}

/** A finished index file without its source tree. */
export interface CorpusFileOptions extends Partial<Surroundings> {
  /** Of the whole file, in hexadecimal digits: the file is not trusted without it. */
  readonly sha256: string
  /** Over the defaults: no configuration is read. */
  readonly settings?: Partial<Settings>
  readonly now?: Now
}

export interface IndexOptions {
  /** Sub-paths of the root to confine indexing to; empty for everything. */
  readonly paths: readonly string[]
  /** Forget the old index first. */
  readonly rebuild: boolean
  readonly onProgress?: (progress: IndexProgress) => void
}

/** Files that come and go without a folder to walk. */
export interface CorpusChanges {
  readonly put?: readonly {
    /** From the root, with `/`. */
    readonly path: string
    readonly bytes: Uint8Array
    /** Milliseconds since 1970. */
    readonly modifiedAt: number
  }[]
  readonly remove?: readonly string[]
}

export interface SearchOptions extends Scope {
  readonly limit: number
  /** Words by default; or sections that hold exactly the text, or match it as a regular expression of RE2. */
  readonly match: 'words' | TextMatch
  readonly refresh: 'auto' | 'never'
  readonly mode: Settings['mode']
  /** The time of this call; that of the engine when it is left out. */
  readonly now?: number | undefined
}

export interface AssembleOptions extends Scope {
  readonly maxTokens: number
  /** The budget that the digest names, when it is a part of something larger that has one. */
  readonly statedTokens?: number | undefined
  /** What a digest takes of such a budget, counted with what stands around it: it fits when that is no more than `maxTokens`. */
  readonly sizeOf?:
    | ((output: string, about: { readonly maxTokens: number; readonly freshness: Freshness }) => number)
    | undefined
  readonly sections: number
  readonly depth: number
  readonly format: 'markdown' | 'json'
  /** Whether the digest explains itself; `brief` by default for a program, `auto` by the budget. */
  readonly layout: Settings['layout']
  /** Use the budget up, whatever what is left is worth. */
  readonly fill: boolean
  readonly explain: boolean
  readonly tokenizer: 'o200k' | 'estimate'
  readonly refresh: 'auto' | 'never'
  readonly mode: Settings['mode']
  /** The time of this call; that of the engine when it is left out. */
  readonly now?: number | undefined
}

export interface ReadOptions {
  readonly maxTokens: number
  readonly tokenizer: 'o200k' | 'estimate'
  readonly refresh: 'auto' | 'never'
}

export interface ReadResult {
  readonly passage: PlacedText
  /** The passage under its source, within the budget. */
  readonly output: string
  readonly tokensUsed: number
  /** Where to read on, as path:lines; null when nothing is left. */
  readonly next: string | null
  readonly freshness: Freshness
}

/** How a file stands to the index; `not indexed yet` is what the next `yore index` would read. */
export type FileStanding =
  | { readonly state: 'indexed' | 'not indexed yet' | 'absent' }
  | { readonly state: 'left out'; readonly reason: string }

/** Without `via` and `target` it asks what would be allowed. */
export interface ExpandRequest {
  readonly from: string
  readonly via?: string | undefined
  readonly target?: string | undefined
  readonly maxTokens?: number
  readonly refresh?: 'auto' | 'never'
}

export interface ExpandResult {
  /** Null when it was only asked what would be allowed. */
  readonly outcome: ExpansionOutcome | null
  /** What may be asked for now. */
  readonly offers: readonly PlacedOffer[]
  readonly left: ExpansionLeft
  /** What came along, or the denial in words, within the budget. */
  readonly output: string
  readonly tokensUsed: number
  readonly freshness: Freshness
}

export interface AskOptions extends AskWith {
  /** Of the sections that the search finds first. */
  readonly maxTokens: number
  readonly refresh: 'auto' | 'never'
  readonly mode: Settings['mode']
  /** The time of this call; that of the engine when it is left out. */
  readonly now?: number | undefined
}

/** Holds files open until it is closed: `using engine = openEngine('.')` closes it at the end of the block. */
export interface Engine extends Disposable {
  index(options?: Partial<IndexOptions>): Promise<IndexReport>
  /**
   * Files put into the index and taken out of it, as `index` would find them in the folder; ignore files do not count.
   * Afterwards the index is fresh until the next change: the folder is not looked at until `index` is called. Throws
   * BAD_INPUT for a path that is none, and NOTHING_INDEXED when nothing is left.
   */
  applyChanges(
    changes: CorpusChanges,
    options?: { readonly onProgress?: (progress: IndexProgress) => void },
  ): Promise<IndexReport>
  search(query: string, options?: Partial<SearchOptions>): Promise<SearchResult>
  assemble(query: string, options?: Partial<AssembleOptions>): Promise<AssembleResult>
  /** Assembles each question and says which digests hold what is expected, and why the others do not. */
  evaluate(source: QuestionSource, options?: Partial<EvaluateOptions>): Promise<EvaluateResult>
  /** Questions made from the corpus's own headings and link texts, spread over its documents. */
  proposeQuestions(options?: Partial<ProposeOptions>): Promise<ProposeResult>
  /** What stands around a document (by path), a section (by canonical id or path#anchor) or a decision (by its id). */
  graph(named: string, options?: Partial<GraphOptions>): Promise<GraphResult>
  /** Who uses a piece of code or a document, and what it uses. */
  uses(named: string, options?: Partial<UsesOptions & ReportOptions>): Promise<Report<Uses>>
  /** What is in a file; without one, the files that matter most, for a question or at all. */
  outline(
    named: string | null,
    options?: Partial<ReportOptions> & { readonly question?: string | undefined },
  ): Promise<Report<readonly MappedFile[]>>
  /** What differs from a commit of git, and what refers to it. */
  diff(ref: string, options?: Partial<ReportOptions>): Promise<Report<ChangeReport>>
  /** The canonical ids of everything that the corpus holds, in code-unit order. */
  artifactIds(): Promise<readonly string[]>
  /** References that lead nowhere or to several places, and documents that none leads to. */
  checkLinks(options?: { readonly refresh?: 'auto' | 'never' }): Promise<LinkResult>
  /** The text of a document (by path or decision id), a section (by canonical id or path#anchor) or of path:lines. */
  read(named: string, options?: Partial<ReadOptions>): Promise<ReadResult>
  /** Whether a file, by its path from the root, is in the index, and if not, why. */
  standingOf(path: string): Promise<FileStanding>
  /** One request of a session; without one, the origin with what is below it is the whole context. */
  expand(
    request: ExpandRequest,
    within?: { readonly session?: ExpansionSession; readonly signal?: AbortSignal },
  ): Promise<ExpandResult>
  /**
   * Starts the expansions of one query over what its context holds, or over a section or document by its name. Budget
   * and depth are those of the settings.
   */
  startExpansion(
    present: readonly PresentArtifact[] | string,
    limits?: Partial<ExpansionLimits>,
  ): Promise<ExpansionSession>
  /** An answer by the LLM that the settings name. Throws NO_MODEL when they name none. */
  ask(question: string, options?: Partial<AskOptions>): Promise<AskResult>
  /** What `ask` would send first. Nothing is sent. */
  previewAsk(question: string, options?: Partial<AskOptions>): Promise<readonly Message[]>
  /** The stored conversations. */
  sessions(): Promise<Sessions>
  /** The rulebooks that hold here; none of them needs an index. */
  rulebooks(): Promise<RulebooksInForce>
  /** Checks one rulebook file, from the root; without one, the shipped rulebooks and the repository's own. */
  checkRulebooks(file?: string): Promise<readonly RulebookFileReport[]>
  status(): Promise<StatusReport>
  /** Never throws for a missing or damaged index: that is what it reports. */
  doctor(): Promise<readonly DoctorCheck[]>
  /** Keeps the index fresh until the signal aborts; reports after each change. */
  watch(options: {
    readonly signal: AbortSignal
    readonly onIndexed: (report: IndexReport) => void
  }): Promise<void>
  close(): void
}
