// When is an upload acknowledged? When its bytes are in the store and one transaction has stored its row and its job.
import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { PgBoss } from 'pg-boss'
import { createCorpus, findCorpus, requireCreation } from '../control/corpora.ts'
import type { Caller } from '../control/keys.ts'
import { checkUploadRoom, type UploadRoom, uploadRoom } from '../control/limits.ts'
import { asTenant, type Database, type TenantTransaction } from '../control/open-database.ts'
import { enqueueParse } from '../control/queues.ts'
import type { IngestionKind, Tables } from '../control/tables.ts'
import { ServiceError } from '../errors.ts'
import type { ObjectSource, ObjectStore } from '../versions/store.ts'
import { blobKey, collectDefaults, noteBlobs } from './blobs.ts'

export type IngestionRow = Selectable<Tables['ingestions']>

/** One document that an ingestion adds or removes. */
export interface DocumentChange {
  readonly path: string
  /** Null for a deletion. */
  readonly blob: string | null
  readonly size: number
  readonly modifiedAt: Date
}

export interface IngestionRequest extends DocumentChange {
  readonly kind: IngestionKind
  /** Name of the corpus; null creates one that is named by the ingestion (record 0030 in docs/decisions). */
  readonly corpus: string | null
  readonly idempotencyKey: string | null
}

/** Characters that both PostgreSQL and file systems accept. */
export const isKeptTime = (time: Date): boolean => time.getTime() >= 0 && time.getUTCFullYear() < 10_000

/**
 * Stores the bytes of a request and accepts it. Refusals happen before anything is
 * stored, and a repeated request stores nothing again.
 */
export async function storeAndAccept(
  service: { readonly db: Database; readonly boss: PgBoss; readonly store: ObjectStore },
  caller: Caller,
  { bytes, ...request }: IngestionRequest & { readonly blob: string; readonly bytes: () => ObjectSource },
): Promise<IngestionRow> {
  const { organisation } = caller
  const before = await asTenant(service.db, organisation, async (transaction) => {
    const earlier = await findEarlier(transaction, caller, request)
    if (earlier !== null) return earlier
    if (request.corpus === null) await requireCreation(transaction, caller)
    else await findCorpus(transaction, caller, request.corpus)
    await requireRoom(transaction, request)
    await noteBlobs(transaction, organisation, [request.blob])
    return null
  })
  if (before !== null) return before
  await service.store.put(blobKey(organisation, request.blob), bytes(), {
    ifAbsent: true,
    sha256: request.blob,
  })
  return await acceptIngestion(service.db, service.boss, caller, request)
}

/** Throws RATE_LIMITED when too many uploads wait, QUOTA when the bytes would exceed the quota. */
async function requireRoom(transaction: TenantTransaction, { kind, size }: IngestionRequest): Promise<void> {
  if (kind === 'delete') return
  const after = new Date(Date.now() - collectDefaults.retryForMs)
  const { rows } = await sql<UploadRoom & { room: number; pending: number }>`
    select ${uploadRoom}, ${quotaLeft} as room, quota_bytes - coalesce((
      select sum(size) from ingestions
      where state in ('queued', 'parsing', 'failed', 'cancelled') and updated_at > ${after}
    ), 0)::bigint as pending from organisations`.execute(transaction)
  const { room = 0, pending = 0, most = 0, waiting = 0 } = rows[0] ?? {}
  checkUploadRoom({ most, waiting })
  requireBytes(size, room)
  if (pending < size)
    throw new ServiceError(
      'QUOTA',
      'pending, failed and cancelled uploads use the whole quota: wait, or delete their corpora',
    )
}

/** The blob must already be durable. A repeated idempotency key has no effect. */
export async function acceptIngestion(db: Database, boss: PgBoss, caller: Caller, request: IngestionRequest) {
  return await asTenant(db, caller.organisation, async (transaction) => {
    const before = await findEarlier(transaction, caller, request)
    if (before !== null) return before
    const id = randomUUID()
    const corpus =
      request.corpus === null
        ? await createCorpus(transaction, caller, id)
        : await findCorpus(transaction, caller, request.corpus)
    await requireRoom(transaction, request)
    // Locks the row of the corpus, so that its ingestions get consecutive numbers.
    const { seq } = await transaction
      .updateTable('corpora')
      .set((row) => ({ seq: row('seq', '+', 1) }))
      .where('number', '=', corpus.number)
      .returning('seq')
      .executeTakeFirstOrThrow()
    const { organisation, key: api_key } = caller
    const { kind, path, blob, size, modifiedAt: modified_at, idempotencyKey: idempotency_key } = request
    const named = { id, organisation, corpus: corpus.number, seq, kind, path }
    const action = kind === 'delete' ? 'documents.delete' : `upload.${kind}`
    const ingestion = await transaction
      .with('noted', (db) => db.insertInto('audit').values({ organisation, api_key, action, subject: id }))
      .insertInto('ingestions')
      .values({ ...named, blob, size, modified_at, state: 'queued', idempotency_key })
      .returningAll()
      .executeTakeFirstOrThrow()
    await enqueueParse(boss, transaction, { organisation, ingestion: id })
    return ingestion
  })
}

/** The ingestion that this key started, if the request is the same. */
async function findEarlier(transaction: TenantTransaction, caller: Caller, request: IngestionRequest) {
  const { idempotencyKey } = request
  if (idempotencyKey === null) return null
  // Of two concurrent requests with one key, the second waits here and finds the first.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${caller.organisation} ${idempotencyKey}`}, 0))`.execute(
    transaction,
  )
  const before = await transaction
    .selectFrom('ingestions')
    .selectAll()
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst()
  if (before === undefined) return null
  const corpus = await findCorpus(transaction, caller, before.corpus)
  const isSame =
    before.kind === request.kind &&
    before.path === request.path &&
    before.blob === request.blob &&
    corpus.name === (request.corpus ?? before.id)
  if (!isSame) throw new ServiceError('KEY_REUSED', 'this Idempotency-Key belongs to another request')
  return before
}

/** Bytes of documents that the organisation may still add. */
const quotaLeft = sql`quota_bytes - coalesce((select sum(bytes) from corpora), 0)::bigint`

function requireBytes(size: number, room: number): void {
  if (room < size)
    throw new ServiceError('QUOTA', 'the documents of this organisation would exceed its quota')
}

/** Throws QUOTA if the added bytes would exceed the quota. */
export async function requireQuota(transaction: TenantTransaction, size: number): Promise<void> {
  const { rows } = await sql<{ room: number }>`select ${quotaLeft} as room from organisations`.execute(
    transaction,
  )
  requireBytes(size, rows[0]?.room ?? 0)
}
