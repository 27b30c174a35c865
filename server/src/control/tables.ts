// What is in PostgreSQL? The tables of the control plane as kysely types.
import type { ColumnType, Generated, JSONColumnType } from 'kysely'

/** bigint as a number: corpus numbers have 48 bits, and no count is larger. */
type BigInteger = ColumnType<number, number, number>
type Time = ColumnType<Date, Date | undefined, Date>

interface Organisations {
  readonly id: string
  readonly name: string
  /** Quota of document bytes. */
  readonly quota_bytes: ColumnType<number, number | undefined, number>
  readonly quota_corpora: ColumnType<number, number | undefined, number>
  /** Maximum waiting uploads. */
  readonly uploads_waiting: ColumnType<number, number | undefined, number>
  /** Per node. */
  readonly requests_per_minute: ColumnType<number, number | undefined, number>
  readonly created_at: Time
}

export type Access = 'read' | 'write' | 'admin'

interface ApiKeys {
  readonly id: Generated<string>
  readonly organisation: string
  readonly prefix: string
  readonly digest: Buffer
  readonly name: string
  readonly access: Access
  /** Numbers of the corpora that it is limited to; null for all. */
  readonly corpora: number[] | null
  /** Of keys of 0.2.0, which are revoked. */
  readonly audience: string | null
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly created_at: Time
}

interface Corpora {
  readonly number: BigInteger
  readonly organisation: string
  readonly name: string
  /** Raised by each publisher that starts: writes of an earlier one are refused. */
  readonly epoch: ColumnType<number, number | undefined, number>
  /** The published version; 0 before the first. */
  readonly version: ColumnType<number, number | undefined, number>
  /** Sequence number of the last accepted ingestion. */
  readonly seq: ColumnType<number, number | undefined, number>
  /** Number of the last change to its documents. */
  readonly change: ColumnType<number, number | undefined, number>
  /** The change that the published version includes. */
  readonly published_change: ColumnType<number, number | undefined, number>
  readonly pruned_change: ColumnType<number, number | undefined, number>
  /** The last version in another format of the index, a `FormerVersion`. */
  readonly former: ColumnType<object | null, string | null | undefined, string | null>
  /** Bytes of its documents. */
  readonly bytes: ColumnType<number, number | undefined, number>
  readonly created_at: Time
}

interface Documents {
  readonly corpus: BigInteger
  readonly path: string
  readonly organisation: string
  /** Sequence number of the ingestion that wrote it: the latest wins, in whatever order they were parsed. */
  readonly seq: BigInteger
  readonly change: BigInteger
  /** Hex SHA-256 of its bytes; null for a deleted document. */
  readonly blob: string | null
  readonly size: BigInteger
  readonly modified_at: Date
}

export const ingestionStates = [
  ...(['queued', 'parsing', 'indexing', 'embedding', 'completed', 'failed', 'cancelled'] as const),
] as const
export type IngestionState = (typeof ingestionStates)[number]

export type IngestionKind = 'file' | 'archive' | 'git' | 'delete'

interface Ingestions {
  readonly id: string
  readonly organisation: string
  readonly corpus: BigInteger
  readonly seq: BigInteger
  readonly kind: IngestionKind
  /** Path of the document; prefix to strip of an archive; of 0.2.0 also address and ref of a repository. */
  readonly path: string
  readonly blob: string | null
  readonly size: BigInteger
  readonly modified_at: Date
  readonly state: IngestionState
  readonly attempts: ColumnType<number, number | undefined, number>
  /** Evidence that the file itself ends its attempts. */
  readonly suspicion: ColumnType<number, number | undefined, number>
  readonly change: number | null
  readonly version: number | null
  readonly error_code: string | null
  readonly error: string | null
  readonly skipped: ColumnType<SkippedFiles | null, string | undefined, string>
  readonly idempotency_key: string | null
  readonly created_at: Time
  readonly updated_at: Time
}

/** Files that an ingestion did not add, and why. */
export interface SkippedFiles {
  readonly count: number
  readonly first: readonly { readonly path: string; readonly reason: string }[]
}

/** What an unfinished ingestion has read: the next attempt goes on from it. */
interface Checkpoints {
  readonly ingestion: string
  readonly number: number
  readonly organisation: string
  readonly files: JSONColumnType<readonly object[]>
  readonly at: Time
}

/** Known to every node, whatever its tenant: numbers are random and name nothing. */
interface DeletedCorpora {
  readonly number: BigInteger
  readonly at: Time
}

/** Which corpora are in which format, known to every node as deleted corpora are. */
interface Formats {
  readonly corpus: BigInteger
  readonly organisation: string
  /** 0 if unknown. */
  readonly format: number
  readonly has_former: ColumnType<boolean, boolean | undefined, boolean>
  readonly at: Time
}

interface Versions {
  readonly corpus: BigInteger
  readonly number: BigInteger
  readonly organisation: string
  readonly epoch: BigInteger
  /** `empty` contains no document and has no object. */
  readonly kind: 'base' | 'delta' | 'empty'
  /** The result of `publishVersion` for its object. */
  readonly part: JSONColumnType<object | null>
  readonly created_at: Time
}

interface Blobs {
  readonly organisation: string
  readonly sha256: string
  /** Time of the last intended write. */
  readonly noted_at: Time
}

interface Audit {
  readonly id: Generated<number>
  readonly organisation: string
  readonly api_key: string | null
  readonly action: string
  readonly subject: string
  readonly at: Time
}

export interface Tables {
  readonly organisations: Organisations
  readonly api_keys: ApiKeys
  readonly corpora: Corpora
  readonly documents: Documents
  readonly ingestions: Ingestions
  readonly checkpoints: Checkpoints
  readonly deleted_corpora: DeletedCorpora
  readonly formats: Formats
  readonly versions: Versions
  readonly blobs: Blobs
  readonly audit: Audit
}
