// How far is an ingestion, and can it be stopped or tried again? Its row says so; every step is one transaction.
import type { PgBoss } from 'pg-boss'
import { notFound } from '../control/corpora.ts'
import { type Caller, mayUse } from '../control/keys.ts'
import { asTenant, type Database, type TenantTransaction } from '../control/open-database.ts'
import { enqueueParse, enqueuePublish } from '../control/queues.ts'
import { type ProblemCode, ServiceError } from '../errors.ts'
import type { IngestionRow } from './accept-ingestion.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export async function findIngestion(
  transaction: TenantTransaction,
  caller: Caller,
  id: string,
  options: { readonly lock?: boolean } = {},
): Promise<IngestionRow> {
  if (!uuid.test(id)) throw notFound('ingestion')
  const query = transaction.selectFrom('ingestions').selectAll().where('id', '=', id)
  const row = await (options.lock === true ? query.forUpdate() : query).executeTakeFirst()
  if (row === undefined || !mayUse(caller, row.corpus)) throw notFound('ingestion')
  return row
}

/** Before its document is part of the corpus; afterwards it is deleted instead. */
export async function cancelIngestion(db: Database, caller: Caller, id: string): Promise<IngestionRow> {
  return await asTenant(db, caller.organisation, async (transaction) => {
    const row = await findIngestion(transaction, caller, id, { lock: true })
    if (row.state === 'cancelled') return row
    if (row.state !== 'queued' && row.state !== 'parsing' && row.state !== 'failed')
      throw new ServiceError('CONFLICT', `the ingestion is ${row.state}: delete the document instead`)
    return await setState(transaction, id, { state: 'cancelled' })
  })
}

/** What failed or was cancelled begins again, with its old place in the order. */
export async function retryIngestion(
  db: Database,
  boss: PgBoss,
  caller: Caller,
  id: string,
): Promise<IngestionRow> {
  return await asTenant(db, caller.organisation, async (transaction) => {
    const row = await findIngestion(transaction, caller, id, { lock: true })
    if (row.state !== 'failed' && row.state !== 'cancelled')
      throw new ServiceError('CONFLICT', `the ingestion is ${row.state}`)
    await enqueueParse(boss, transaction, { organisation: caller.organisation, ingestion: id })
    return await setState(transaction, id, { state: 'queued', error_code: null, error: null })
  })
}

export async function setState(
  transaction: TenantTransaction,
  id: string,
  values: Partial<Pick<IngestionRow, 'state' | 'error_code' | 'error' | 'attempts' | 'change' | 'version'>>,
): Promise<IngestionRow> {
  return await transaction
    .updateTable('ingestions')
    .set({ ...values, updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The end of an ingestion that cannot go on; nothing of its document is part of the corpus. */
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
}

/** One document that an ingestion brings, or takes away. */
export interface DocumentChange {
  readonly path: string
  readonly blob: string | null
  readonly size: number
  readonly modifiedAt: Date
}

/**
 * Makes what an ingestion brings part of the corpus: its documents change together, and the next version shows it.
 * Where a later ingestion wrote the same path already, that one stays.
 */
export async function applyDocuments(
  transaction: TenantTransaction,
  boss: PgBoss,
  ingestion: IngestionRow,
  documents: readonly DocumentChange[],
): Promise<void> {
  const { corpus, organisation, seq } = ingestion
  const { change, bytes } = await transaction
    .selectFrom('corpora')
    .select(['change', 'bytes'])
    .where('number', '=', corpus)
    .forUpdate()
    .executeTakeFirstOrThrow()
  let grown = 0
  for (const document of documents) {
    const before = await transaction
      .selectFrom('documents')
      .select(['seq', 'size'])
      .where('corpus', '=', corpus)
      .where('path', '=', document.path)
      .executeTakeFirst()
    if (before !== undefined && before.seq > seq) continue
    if (document.blob !== null) await refuseFolderConflict(transaction, corpus, document.path)
    const values = {
      seq,
      change: change + 1,
      blob: document.blob,
      size: document.size,
      modified_at: document.modifiedAt,
    }
    await transaction
      .insertInto('documents')
      .values({ corpus, organisation, path: document.path, ...values })
      .onConflict((conflict) => conflict.columns(['corpus', 'path']).doUpdateSet(values))
      .execute()
    grown += document.size - (before?.size ?? 0)
  }
  await transaction
    .updateTable('corpora')
    .set({ change: change + 1, bytes: bytes + grown })
    .where('number', '=', corpus)
    .execute()
  await setState(transaction, ingestion.id, { state: 'indexing', change: change + 1 })
  await enqueuePublish(boss, transaction, { organisation, corpus })
}

/** A path cannot be a document and a folder of others. */
async function refuseFolderConflict(
  transaction: TenantTransaction,
  corpus: number,
  path: string,
): Promise<void> {
  const segments = path.split('/')
  const folders = segments.slice(0, -1).map((_, index) => segments.slice(0, index + 1).join('/'))
  const found = await transaction
    .selectFrom('documents')
    .select('path')
    .where('corpus', '=', corpus)
    .where('blob', 'is not', null)
    .where((row) =>
      row.or([
        ...(folders.length === 0 ? [] : [row('path', 'in', folders)]),
        row.and([row('path', '>=', `${path}/`), row('path', '<', `${path}0`)]),
      ]),
    )
    .executeTakeFirst()
  if (found !== undefined)
    throw new ServiceError('CONFLICT', `${path} and ${found.path} cannot both be documents`)
}
