// What is a version of a corpus? A base and the page deltas after it; together they are one SQLite file.
import type { ObjectStore } from './store.ts'

/** One object of a version. A base is a whole file, a delta the pages that changed; both are LTX. */
export interface VersionPart {
  readonly kind: 'base' | 'delta'
  readonly key: string
  /** Hex, of the object. */
  readonly sha256: string
  /** Bytes of the object. */
  readonly size: number
  /** Transaction ids that it covers. */
  readonly minTxid: number
  readonly maxTxid: number
  /** Rolling checksum of the database after it, hex. */
  readonly checksum: string
}

/** The base first, then its deltas in order. */
export type Manifest = readonly VersionPart[]

export interface PublishRequest {
  /** Number of the corpus; keys begin with it. */
  readonly corpus: number
  /** The worker's SQLite file, checkpointed and closed. */
  readonly workingFile: string
  /** What is published already; empty for the first version. */
  readonly manifest: Manifest
  readonly store: ObjectStore
}

export interface MaterialiseRequest {
  readonly manifest: Manifest
  readonly store: ObjectStore
  /** Where the file is put together; one file per manifest. */
  readonly directory: string
}

/** Writes what the manifest lacks: a delta, or a base when deltas have grown too many or too big. */
export type PublishVersion = (request: PublishRequest) => Promise<VersionPart>

/** Fetches, applies and verifies; the path of a file that equals the worker's byte for byte. */
export type Materialise = (request: MaterialiseRequest) => Promise<string>
