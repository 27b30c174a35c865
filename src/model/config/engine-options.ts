// What is decided before a corpus is opened? Its folder and settings, and what is taken from the process.
import type { YoreError } from '../errors.ts'
import type { IndexProgress, IndexReport } from '../report.ts'
import type { DigestLimits, Settings } from './settings.ts'

/** What an engine takes from its process, unless it is given: nothing below the engine's door looks for these. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The real time in milliseconds since 1970: when an index was made. */
  readonly clock: () => number
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
  readonly limits?: Partial<DigestLimits>
  readonly now: Now
  /** Called when a question finds no index and builds one. */
  readonly firstUse?: FirstUse
}

/** A question without a complete index builds it, unless its `refresh` is `never`. */
export interface FirstUse {
  /** False: it builds none, and fails with what is wrong. */
  readonly build?: boolean
  /** True: a search or digest of a large folder is made from the files that match it, and a process builds the index. */
  readonly early?: boolean
  /** Progress of an early answer; null when its files are read. */
  readonly onEarly?: (progress: IndexProgress | null) => void
  /** `cause`: no index or only a part of one, one of an older version, or one that was built elsewhere. */
  readonly onProgress?: (progress: IndexProgress, cause: YoreError) => void
  /** Null when it could not be built. */
  readonly onEnded?: (report: IndexReport | null) => void
}
