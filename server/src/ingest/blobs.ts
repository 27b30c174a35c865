// Which uploaded bytes are in the store, and which may go? Each is noted before it is written; what nothing names for long is deleted.
import { createWriteStream } from 'node:fs'
import { mkdir, utimes } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { asTenant, type Database, type TenantTransaction } from '../control/open-database.ts'
import type { ObjectStore } from '../versions/store.ts'

/** Blobs belong to their organisation: neither time nor answers tell what another one holds. */
export function blobKey(organisation: string, sha256: string): string {
  return `blobs/${organisation}/${sha256}`
}

/**
 * Before bytes are written, also when they are there already: from now on they stay for as long as it may take to accept
 * what names them. Waits for whoever deletes one of them in this moment, so that they are written after.
 */
export async function noteBlobs(
  transaction: TenantTransaction,
  organisation: string,
  hashes: readonly string[],
): Promise<void> {
  // In one order, so that two that note the same do not wait for each other.
  const sorted = [...new Set(hashes)].sort()
  await sql`
    insert into blobs (organisation, sha256)
    select ${organisation}::uuid, unnest(${sorted}::text[])
    on conflict (organisation, sha256) do update set noted_at = now()`.execute(transaction)
}

export interface CollectOptions {
  /** Nothing younger goes: longer than any upload takes to be accepted. */
  readonly olderThanMs: number
  /** An ingestion that failed may be tried again for so long. */
  readonly retryForMs: number
  readonly most: number
}

export const collectDefaults: CollectOptions = {
  olderThanMs: 24 * 3_600_000,
  retryForMs: 30 * 24 * 3_600_000,
  most: 100,
}

/** Deletes bytes of the organisation that neither a document nor an ingestion names; how many. */
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
    and not exists (select from documents d where d.organisation = blobs.organisation and d.blob = blobs.sha256)
    and not exists (
      select from ingestions i where i.organisation = blobs.organisation and i.blob = blobs.sha256 and (
        i.state in ('queued', 'parsing') or (i.state in ('failed', 'cancelled') and i.updated_at > ${failedAfter})
      )
    )`
  const { rows } = await asTenant(db, organisation, (transaction) =>
    sql<{
      sha256: string
    }>`select sha256 from blobs where ${isUnnamed} order by sha256 limit ${options.most}`.execute(
      transaction,
    ),
  )
  let deleted = 0
  for (const { sha256 } of rows)
    await asTenant(db, organisation, async (transaction) => {
      // Its row is locked from here to the end: who notes it again waits, and writes it anew afterwards.
      const { numAffectedRows } =
        await sql`delete from blobs where sha256 = ${sha256} and ${isUnnamed}`.execute(transaction)
      if (numAffectedRows !== 1n) return
      await store.delete(blobKey(organisation, sha256))
      deleted++
    })
  return deleted
}

/** Brings a blob to a place, whole or not at all, with the time that its document has. */
export async function fetchBlob(
  store: ObjectStore,
  key: string,
  place: string,
  modifiedAt: Date,
): Promise<void> {
  await mkdir(path.dirname(place), { recursive: true })
  await pipeline(Readable.from(store.stream(key)), createWriteStream(place))
  await utimes(place, modifiedAt, modifiedAt)
}
