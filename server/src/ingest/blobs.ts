// Which uploaded blobs are in the store, and which may be deleted? Each is recorded before it is written; unreferenced old blobs are deleted.
import { createWriteStream } from 'node:fs'
import { mkdir, utimes } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { PgBoss } from 'pg-boss'
import { asTenant, type Database, type TenantTransaction } from '../control/open-database.ts'
import { enqueueSweep, type SweepTask } from '../control/queues.ts'
import { deleteBelow, type ObjectStore } from '../versions/store.ts'

/** Blobs belong to an organisation: neither timing nor answers reveal what another one stores. */
export const blobKey = (organisation: string, sha256: string): string => `blobs/${organisation}/${sha256}`

/**
 * Records blobs before they are written, even if they exist: they are kept long enough to accept the
 * request that names them. Waits for a concurrent deletion, so that the blob is written after it.
 */
export async function noteBlobs(
  transaction: TenantTransaction,
  organisation: string,
  hashes: readonly string[],
): Promise<void> {
  // In a fixed order, so that two transactions on the same blobs do not deadlock.
  const sorted = [...new Set(hashes)].sort()
  await sql`
    insert into blobs (organisation, sha256)
    select ${organisation}::uuid, unnest(${sorted}::text[])
    on conflict (organisation, sha256) do update set noted_at = now()`.execute(transaction)
}

export interface CollectOptions {
  /** Younger blobs are kept: longer than any upload takes to be accepted. None is deleted while a large one is read. */
  readonly olderThanMs: number
  /** A failed ingestion can be retried for this long. */
  readonly retryForMs: number
  readonly most: number
}

/** Checkpoints of large uploads are used for this long. */
export const checkpointMs: number = 12 * 3_600_000

export const collectDefaults: CollectOptions = {
  olderThanMs: 3_600_000,
  retryForMs: 30 * 24 * 3_600_000,
  most: 100,
}

/** Deletes blobs of the organisation that no document and no ingestion names; returns their number. */
export async function collectBlobs(
  db: Database,
  store: ObjectStore,
  organisation: string,
  options: CollectOptions = collectDefaults,
): Promise<number> {
  const before = new Date(Date.now() - options.olderThanMs)
  const failedAfter = new Date(Date.now() - options.retryForMs)
  const isUnnamed = sql`
    noted_at <= ${before}
    and not exists (select from checkpoints where at > ${new Date(Date.now() - checkpointMs)})
    and not exists (select from documents d where d.organisation = blobs.organisation and d.blob = blobs.sha256)
    and not exists (
      select from ingestions i where i.organisation = blobs.organisation and i.blob = blobs.sha256 and (
        i.state in ('queued', 'parsing') or (i.state in ('failed', 'cancelled') and i.updated_at > ${failedAfter})
      )
    )`
  const unnamed = sql<{ sha256: string }>`
    select sha256 from blobs where ${isUnnamed} order by sha256 limit ${options.most}`
  const { rows } = await asTenant(db, organisation, (transaction) => unnamed.execute(transaction))
  let deleted = 0
  for (const { sha256 } of rows)
    await asTenant(db, organisation, async (transaction) => {
      // The row stays locked to the end: a request that records it again waits and writes it afterwards.
      const { numAffectedRows } =
        await sql`delete from blobs where sha256 = ${sha256} and ${isUnnamed}`.execute(transaction)
      if (numAffectedRows !== 1n) return
      await store.delete(blobKey(organisation, sha256))
      deleted++
    })
  return deleted
}

/** Deletes until nothing is left; if some blobs must wait, another job comes for them. */
export async function sweepBlobs(
  { organisation }: SweepTask,
  { db, boss, store }: { readonly db: Database; readonly boss: PgBoss; readonly store: ObjectStore },
): Promise<void> {
  while ((await collectBlobs(db, store, organisation)) > 0);
  const living = await asTenant(db, organisation, (transaction) =>
    transaction.selectFrom('organisations').select('id').where('id', '=', organisation).executeTakeFirst(),
  )
  // A node may have written one while its organisation was deleted.
  if (living === undefined) await deleteBelow(store, blobKey(organisation, ''))
  await asTenant(db, organisation, async (transaction) => {
    const { rows } = await sql<{ is_young: boolean }>`
      select noted_at > ${new Date(Date.now() - collectDefaults.olderThanMs)} or exists (select from checkpoints) as is_young
      from blobs
      where not exists (select from documents d where d.organisation = blobs.organisation and d.blob = blobs.sha256)
      order by noted_at desc limit 1`.execute(transaction)
    // Otherwise they belong to failed uploads, which may be retried for days.
    const wait = rows[0]?.is_young === true ? collectDefaults.olderThanMs / 1000 + 60 : 86_400
    if (rows.length > 0) await enqueueSweep(boss, transaction, { organisation }, wait)
  })
}

/** Writes a blob to a path, atomically, with the modification time of its document. */
export async function fetchBlob(store: ObjectStore, key: string, place: string, modifiedAt: Date) {
  await mkdir(path.dirname(place), { recursive: true })
  await pipeline(store.stream(key), createWriteStream(place))
  await utimes(place, modifiedAt, modifiedAt)
}
