// What can be asked of a corpus? The operations in their order; surfaces call these and nothing below them.

import type { AskOptions, AssembleOptions, SearchOptions } from '../../answer/answering/question-options.ts'
import type { ExpansionLimits } from '../../answer/expand/expansion-state.ts'
import type {
  EvaluateOptions,
  EvaluateResult,
  Question,
  QuestionSource,
} from '../../check/evaluation/evaluation.ts'
import type { LinkResult } from '../../check/links/link-report.ts'
import type { FileStanding } from '../../corpus/indexing/find-standing.ts'
import type { CorpusChanges } from '../../corpus/indexing/given-files.ts'
import type { ChangeReport } from '../../explore/describe-changes.ts'
import type {
  DocumentDescription,
  DocumentGraph,
  DocumentGraphOptions,
} from '../../explore/describe-document.ts'
import type { Uses, UsesOptions } from '../../explore/find-uses.ts'
import type { Report, ReportOptions } from '../../explore/fit-report.ts'
import type { MappedFile } from '../../explore/map-corpus.ts'
import type { GraphOptions, GraphResult } from '../../explore/read-graph.ts'
import type { ReadResult } from '../../explore/read-passage.ts'
import type { ExpandRequest, ExpandResult } from '../../explore/request-expansion.ts'
import type { FirstUse, Now, Surroundings } from '../../model/config/engine-options.ts'
import type { Settings } from '../../model/config/settings.ts'
import type { AskResult } from '../../model/conversation.ts'
import type { ExpansionSession, PresentArtifact } from '../../model/expansion.ts'
import type { FileKind } from '../../model/file-kind.ts'
import type {
  AssembleResult,
  DoctorCheck,
  IndexProgress,
  IndexReport,
  SearchHit,
  SearchResult,
  StatusReport,
} from '../../model/report.ts'
import type { PushOptions, PushReport } from '../exchange/push-corpus.ts'

/** An option that is not given has the default of the command line. */
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
  /** Fetch what `roots` names elsewhere again; otherwise only what was never fetched. */
  readonly fetch?: boolean
  /**
   * Files put into the index and taken out of it, as a run would find them in the folder; ignore files do not count.
   * Afterwards the index is fresh until the next change: the folder is not read until a run without changes. Throws
   * BAD_INPUT for an invalid path, and NOTHING_INDEXED when nothing is left.
   */
  readonly changes?: CorpusChanges
  readonly onProgress?: (progress: IndexProgress) => void
}

export type ReadOptions = Pick<AssembleOptions, 'maxTokens' | 'refresh'>

interface Refreshed {
  readonly refresh?: 'auto' | 'never'
}

/** Questions, to one corpus or to several joined ones. It holds files open until it is closed. */
export interface QuestionEngine extends Disposable {
  search(query: string, options?: Partial<SearchOptions>): Promise<SearchResult>
  assemble(query: string, options?: Partial<AssembleOptions>): Promise<AssembleResult>
  /** The text of a document (by path or decision id), a section (by canonical id or path#anchor) or of path:lines. */
  read(named: string, options?: Partial<ReadOptions>): Promise<ReadResult>
  /** One request: the origin with what is below it is the whole context. */
  expand(request: ExpandRequest): Promise<ExpandResult>
  close(): void
}

export interface FoundName extends Pick<SearchHit, 'name' | 'path' | 'lines'> {
  readonly kind: FileKind
}

/** One corpus: `using engine = openCorpusFile(file, { sha256 })`. */
export interface CorpusEngine extends QuestionEngine {
  /** An answer by the LLM that the settings name. Throws NO_MODEL when they name none. */
  ask(question: string, options?: Partial<AskOptions>): Promise<AskResult>
  /** One request of a session; without one as above. */
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
  /** What a question gets at several budgets, from one ranking; null for a budget that is too small. */
  assembleBudgets(
    query: string,
    budgets: readonly number[],
    options?: Partial<AssembleOptions>,
  ): Promise<readonly (AssembleResult | null)[]>
  /** Who uses a piece of code or a document, and what it uses. */
  uses(named: string, options?: Partial<UsesOptions & ReportOptions>): Promise<Report<Uses>>
  /** What is in a file; without one, the files that matter most, for a question or at all. */
  outline(
    named: string | null,
    options?: Partial<ReportOptions> & { readonly question?: string | undefined },
  ): Promise<Report<readonly MappedFile[]>>
  /** Whether a file, by its path from the root, is in the index, and if not, why. */
  standingOf(path: string): Promise<FileStanding>
  /** The neighbours of a document (by path), a section (by canonical id or path#anchor) or a decision (by its id). */
  graph(named: string, options?: Partial<GraphOptions>): Promise<GraphResult>
  /** The words of a pattern that an agent greps for, and lines about them: definitions and the best sections. */
  describePattern(
    pattern: string,
    options?: {
      /** Words of earlier patterns of the same search. */
      readonly before?: readonly string[]
      /** Lines that the agent already has. */
      readonly told?: ReadonlySet<string>
    },
  ): Promise<{ readonly words: readonly string[]; readonly lines: readonly string[] }>
  /** The canonical ids of everything that the corpus holds, in code-unit order. */
  artifactIds(): Promise<readonly string[]>
  /** Definitions in code whose name begins with this text: tests last, the same name first. */
  findNames(text: string, most: number): Promise<readonly FoundName[]>
  /** References without one certain target, documents that are out of date, and orphans; of one document by its path. */
  checkLinks(options?: Refreshed & { readonly path?: string }): Promise<LinkResult>
  /** Questions that people would ask, made of headings and names, each with the section that answers. */
  proposeQuestions(most: number): Promise<readonly Question[]>
  /** Everything that is known of one document, by any name of it. */
  describeDocument(named: string, options?: Refreshed): Promise<DocumentDescription>
  /** Documents by their weight and the references among them, a page at a time. */
  documentGraph(options?: Partial<DocumentGraphOptions> & Refreshed): Promise<DocumentGraph>
  /** With `refresh: 'never'` no file is compared with the index. */
  status(options?: Refreshed): Promise<StatusReport>
}

/** A corpus with its folder: `using engine = openEngine('.')` closes it at the end of the block. */
export interface Engine extends CorpusEngine {
  index(options?: Partial<IndexOptions>): Promise<IndexReport>
  /** Assembles each question and says which digests hold what is expected. */
  evaluate(source: QuestionSource, options?: Partial<EvaluateOptions>): Promise<EvaluateResult>
  /** What differs from a commit of git, and what refers to it. */
  diff(ref: string, options?: Partial<ReportOptions>): Promise<Report<ChangeReport>>
  /** Never throws for a missing or damaged index: that is what it reports. */
  doctor(): Promise<readonly DoctorCheck[]>
  /** Brings the index up to date, then sends documents that differ to a corpus of the service that the settings name. */
  push(corpus: string, options?: Partial<PushOptions>): Promise<PushReport>
}
