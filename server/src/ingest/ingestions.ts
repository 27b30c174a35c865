// How far is an ingestion, and can it be cancelled or retried? Its row holds the state; every step is one transaction.
import { type Selectable, sql, type Updateable } from 'kysely'
import type { PgBoss } from 'pg-boss'
import { notFound } from '../control/corpora.ts'
import { type Caller, mayUse } from '../control/keys.ts'
import { asTenant, type Database, type TenantTransaction } from '../control/open-database.ts'
import { enqueueParse, enqueuePublish } from '../control/queues.ts'
import type { Tables } from '../control/tables.ts'
import { type ProblemCode, ServiceError } from '../errors.ts'
import type { ObjectStore } from '../versions/store.ts'
import { type DocumentChange, type IngestionRow, requireQuota } from './accept-ingestion.ts'
import type { KillableProcesses } from './killable-process.ts'
import type { ArchiveLimits } from './read-archive.ts'

/** What parsing and publishing jobs work with. */
export interface JobContext {
  readonly db: Database
  readonly boss: PgBoss
  readonly store: ObjectStore
  readonly processes: KillableProcesses
  /** Temporary files of a parsing job, or a publisher's working copies; no other worker uses this folder. */
  readonly directory: string
  /** How long a process may be without progress. */
  readonly idleMs: number
  readonly archives: Omit<ArchiveLimits, 'strip'>
  /** The worker that should publish a corpus; null for any. */
  readonly choose?: (corpus: number) => string | null
  /** Id of this worker. */
  readonly worker?: string
  /** Told where a publication starts from. */
  readonly onStart?: (from: 'copy' | 'version' | 'originals') => void
  /** Runs background work on a corpus, unless the same work is already running for it. */
  readonly background: (corpus: number, work: () => Promise<void>) => void
  /** Aborted when the worker stops: an upload is left where it is, and goes on elsewhere. */
  readonly stopping?: AbortSignal
}

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

export async function findIngestion(
  transaction: TenantTransaction,
  caller: Caller,
  id: string,
  options: { readonly lock?: boolean } = {},
): Promise<IngestionRow> {
  if (!isUuid(id)) throw notFound('ingestion')
  const query = transaction.selectFrom('ingestions').selectAll().where('id', '=', id)
  const row = await (options.lock === true ? query.forUpdate() : query).executeTakeFirst()
  if (row === undefined || !mayUse(caller, row.corpus)) throw notFound('ingestion')
  return row
}

/** Cancels an ingestion before its document is published; later, delete the document instead. */
export async function cancelIngestion(db: Database, caller: Caller, id: string): Promise<IngestionRow> {
  return await asTenant(db, caller.organisation, async (transaction) => {
    const row = await findIngestion(transaction, caller, id, { lock: true })
    if (row.state === 'cancelled') return row
    if (row.state !== 'queued' && row.state !== 'parsing' && row.state !== 'failed')
      throw new ServiceError('CONFLICT', `the ingestion is ${row.state}: delete the document instead`)
    await transaction.deleteFrom('checkpoints').where('ingestion', '=', id).execute()
    return await setState(transaction, id, { state: 'cancelled' })
  })
}

/** Restarts a failed or cancelled ingestion at its old position in the order. */
export async function retryIngestion(db: Database, boss: PgBoss, caller: Caller, id: string) {
  return await asTenant(db, caller.organisation, async (transaction) => {
    const row = await findIngestion(transaction, caller, id, { lock: true })
    if (row.state !== 'failed' && row.state !== 'cancelled')
      throw new ServiceError('CONFLICT', `the ingestion is ${row.state}`)
    await enqueueParse(boss, transaction, { organisation: caller.organisation, ingestion: id })
    return await setState(transaction, id, { state: 'queued', error_code: null, error: null, suspicion: 0 })
  })
}

export async function setState(
  transaction: TenantTransaction,
  id: string,
  values: Updateable<Tables['ingestions']>,
): Promise<IngestionRow> {
  return await transaction
    .updateTable('ingestions')
    .set({ ...values, updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Ends an ingestion that cannot continue; none of its documents are published. */
export async function failIngestion(
  transaction: TenantTransaction,
  id: string,
  code: ProblemCode,
  message: string,
): Promise<void> {
  await transaction
    .updateTable('ingestions')
    .set({ state: 'failed', error_code: code, error: message, updated_at: new Date() })
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'parsing'])
    .execute()
  await transaction.deleteFrom('checkpoints').where('ingestion', '=', id).execute()
}

type LockedCorpus = Pick<Selectable<Tables['corpora']>, 'change' | 'bytes'>

/** Undefined for a deleted corpus. Lock a corpus before its ingestions: its deletion does, and each would wait for the other. */
export async function lockCorpus(
  transaction: TenantTransaction,
  number: number,
): Promise<LockedCorpus | undefined> {
  const query = transaction.selectFrom('corpora').select(['change', 'bytes']).where('number', '=', number)
  return await query.forUpdate().executeTakeFirst()
}

/**
 * Applies the documents of an ingestion to the corpus in one transaction; the next version shows them.
 * A later ingestion of the same path wins. Throws QUOTA if they exceed the quota.
 */
export async function applyDocuments(
  transaction: TenantTransaction,
  { boss, choose }: Pick<JobContext, 'boss' | 'choose'>,
  { ingestion, change, bytes }: LockedCorpus & { readonly ingestion: IngestionRow },
  documents: readonly DocumentChange[],
): Promise<void> {
  const { corpus, organisation, seq } = ingestion
  const { written, grown } = await compareDocuments(transaction, ingestion, documents)
  const paths = written.flatMap(({ path, blob }) => (blob === null ? [] : [path]))
  await refuseFolderConflicts(transaction, corpus, paths)
  const common = { corpus, organisation, seq, change: change + 1 }
  for (let start = 0; start < written.length; start += rowsAtOnce)
    await writeDocuments(transaction, common, written.slice(start, start + rowsAtOnce))
  // The content of an archive is known only now; an upload was checked when accepted, alongside others.
  if (grown > 0) await requireQuota(transaction, grown)
  // One round trip; the transaction holds the locks of the corpus and of the ingestion.
  await transaction
    .with('grown', (db) =>
      db
        .updateTable('corpora')
        .set({ change: change + 1, bytes: bytes + grown })
        .where('number', '=', corpus),
    )
    .with('read', (db) => db.deleteFrom('checkpoints').where('ingestion', '=', ingestion.id))
    .updateTable('ingestions')
    .set({ state: 'indexing', change: change + 1, updated_at: new Date() })
    .where('id', '=', ingestion.id)
    .execute()
  await enqueuePublish(boss, transaction, { organisation, corpus }, choose?.(corpus))
}

/** The changes that are newer than the corpus, and by how many bytes it grows. */
export async function compareDocuments(
  transaction: TenantTransaction,
  { corpus, seq }: Pick<IngestionRow, 'corpus' | 'seq'>,
  documents: readonly DocumentChange[],
): Promise<{ readonly written: readonly DocumentChange[]; readonly grown: number }> {
  const paths = documents.map(({ path }) => path)
  const known = await transaction
    .selectFrom('documents')
    .select(['path', 'seq', 'size'])
    .where('corpus', '=', corpus)
    .where(sql<boolean>`path = any(${paths}::text[])`)
    .execute()
  const before = new Map(known.map((row) => [row.path, row]))
  const written = documents.filter(({ path }) => (before.get(path)?.seq ?? 0) < seq)
  const grown = written.reduce((sum, { path, size }) => sum + size - (before.get(path)?.size ?? 0), 0)
  return { written, grown }
}

const rowsAtOnce = 1000

async function writeDocuments(
  transaction: TenantTransaction,
  common: Pick<Selectable<Tables['documents']>, 'corpus' | 'organisation' | 'seq' | 'change'>,
  documents: readonly DocumentChange[],
): Promise<void> {
  const rows = documents.map(({ path, blob, size, modifiedAt: modified_at }) => {
    return { ...common, path, blob, size, modified_at }
  })
  await transaction
    .insertInto('documents')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['corpus', 'path']).doUpdateSet((row) => ({
        seq: row.ref('excluded.seq'),
        change: row.ref('excluded.change'),
        blob: row.ref('excluded.blob'),
        size: row.ref('excluded.size'),
        modified_at: row.ref('excluded.modified_at'),
      })),
    )
    .execute()
}

/** A path cannot be both a document and a folder. */
async function refuseFolderConflicts(
  transaction: TenantTransaction,
  corpus: number,
  paths: readonly string[],
): Promise<void> {
  const folders = new Set(
    paths.flatMap((path) => {
      const segments = path.split('/')
      return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'))
    }),
  )
  // Paths below a folder sort between it with "/" and it with the character after "/".
  const { rows } = await sql<{ path: string }>`
    select path from documents
    where corpus = ${corpus} and blob is not null and path = any(${[...folders]}::text[])
    union all
    select below.path from unnest(${[...paths]}::text[]) as given (path)
    join documents below on below.corpus = ${corpus} and below.blob is not null
      and below.path > (given.path || '/') collate "C" and below.path < (given.path || '0') collate "C"
    limit 1`.execute(transaction)
  if (rows[0] !== undefined)
    throw new ServiceError('CONFLICT', `${rows[0].path} cannot be both a document and a folder`)
}
