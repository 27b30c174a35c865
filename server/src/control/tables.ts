// What does PostgreSQL hold? The tables of the control plane as kysely sees them.
import type { ColumnType, Generated, JSONColumnType } from 'kysely'

/** bigint comes as a number: corpus numbers have 48 bits, and nothing here counts further. */
type BigInteger = ColumnType<number, number, number>
type Time = ColumnType<Date, Date | undefined, Date>

interface Organisations {
  readonly id: string
  readonly name: string
  /** Bytes of documents that it may hold. */
  readonly quota_bytes: ColumnType<number, number | undefined, number>
  readonly quota_corpora: ColumnType<number, number | undefined, number>
  /** Uploads that may wait to be read. */
  readonly uploads_waiting: ColumnType<number, number | undefined, number>
  readonly conversations_per_day: ColumnType<number, number | undefined, number>
  /** At each node. */
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
  /** Numbers of the corpora that it is for; null for all. */
  readonly corpora: number[] | null
  /** The resource that it is for, an address; null for the whole service. */
  readonly audience: string | null
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly created_at: Time
}

interface Corpora {
  readonly number: BigInteger
  readonly organisation: string
  readonly name: string
  /** Raised by each publisher that begins: what an earlier one still writes is refused. */
  readonly epoch: ColumnType<number, number | undefined, number>
  /** The published version; 0 before the first. */
  readonly version: ColumnType<number, number | undefined, number>
  /** Of the last ingestion that was accepted. */
  readonly seq: ColumnType<number, number | undefined, number>
  /** Of the last change to its documents. */
  readonly change: ColumnType<number, number | undefined, number>
  /** Change that the published version holds. */
  readonly published_change: ColumnType<number, number | undefined, number>
  /** Of its documents. */
  readonly bytes: ColumnType<number, number | undefined, number>
  readonly created_at: Time
}

interface Documents {
  readonly corpus: BigInteger
  readonly path: string
  readonly organisation: string
  /** Of the ingestion that wrote it: a later one wins, whatever the order in which they were parsed. */
  readonly seq: BigInteger
  readonly change: BigInteger
  /** Hex SHA-256 of its bytes; null once it was deleted. */
  readonly blob: string | null
  readonly size: BigInteger
  readonly modified_at: Date
}

export type IngestionState =
  | 'queued'
  | 'parsing'
  | 'indexing'
  | 'embedding'
  | 'completed'
  | 'failed'
  | 'cancelled'

export type IngestionKind = 'file' | 'archive' | 'git' | 'delete'

interface Ingestions {
  readonly id: string
  readonly organisation: string
  readonly corpus: BigInteger
  readonly seq: BigInteger
  readonly kind: IngestionKind
  /** Of the document; of an archive, what is stripped; of a repository, its address and ref. */
  readonly path: string
  readonly blob: string | null
  readonly size: BigInteger
  readonly modified_at: Date
  readonly state: IngestionState
  readonly attempts: ColumnType<number, number | undefined, number>
  /** How much speaks for the file being what ends its attempts. */
  readonly suspicion: ColumnType<number, number | undefined, number>
  readonly change: number | null
  readonly version: number | null
  readonly error_code: string | null
  readonly error: string | null
  readonly idempotency_key: string | null
  readonly created_at: Time
  readonly updated_at: Time
}

interface Versions {
  readonly corpus: BigInteger
  readonly number: BigInteger
  readonly organisation: string
  readonly epoch: BigInteger
  /** `empty` holds no document and has no object. */
  readonly kind: 'base' | 'delta' | 'empty'
  /** What `publishVersion` said of its object. */
  readonly part: JSONColumnType<object | null>
  readonly created_at: Time
}

/** A node's promise to have fetched a version by then. */
interface Leases {
  readonly id: string
  readonly organisation: string
  readonly corpus: BigInteger
  readonly version: BigInteger
  readonly until: Date
}

interface Sessions {
  readonly id: string
  readonly organisation: string
  /** Null where several are asked together: then `corpora` are they. */
  readonly corpus: ColumnType<number | null, number | null, never>
  readonly corpora: number[] | null
  /** That began it. */
  readonly api_key: string
  readonly exchanges: number
  readonly created_at: Time
  readonly used_at: Time
}

interface Exchanges {
  readonly session: string
  readonly number: number
  readonly organisation: string
  readonly question: string
  readonly answer: string
  /** Paths and titles of what it cites. */
  readonly cited: JSONColumnType<readonly object[]>
  readonly at: Date
}

interface Blobs {
  readonly organisation: string
  readonly sha256: string
  /** When somebody last meant to write it. */
  readonly noted_at: Time
}

interface Usage {
  readonly organisation: string
  readonly day: string
  readonly conversations: number
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
  readonly versions: Versions
  readonly leases: Leases
  readonly sessions: Sessions
  readonly exchanges: Exchanges
  readonly blobs: Blobs
  readonly usage: Usage
  readonly audit: Audit
}
