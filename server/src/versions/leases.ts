// Who fetches a version just now? A row says so, taken under the corpus's lock, so that nobody collects what it names meanwhile.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { asTenant, type Database, type TenantTransaction } from '../control/open-database.ts'
import type { Standing } from './collect-versions.ts'
import { readManifest } from './read-manifest.ts'
import type { Manifest } from './version.ts'

/** A node that dies holds its versions for so long; longer than any fetch or conversation takes. */
const leaseMinutes = 15

export interface LeasedVersion {
  readonly lease: string
  readonly version: number
  readonly manifest: Manifest
}

/** The version that is current while the lock is held: whoever collects waits, and then sees the lease. */
export async function leaseVersion(
  transaction: TenantTransaction,
  organisation: string,
  corpus: number,
): Promise<LeasedVersion | null> {
  const row = await transaction
    .selectFrom('corpora')
    .select('version')
    .where('number', '=', corpus)
    .forShare()
    .executeTakeFirst()
  if (row === undefined) return null
  const { version } = row
  const manifest = await readManifest(transaction, corpus, version)
  const lease = randomUUID()
  if (manifest.length > 0)
    await transaction
      .insertInto('leases')
      .values({
        id: lease,
        organisation,
        corpus,
        version,
        until: sql<Date>`now() + ${`${leaseMinutes} minutes`}::interval`,
      })
      .execute()
  return { lease, version, manifest }
}

/** What was fetched lies on the node's own disk from then on. */
export async function endLeases(
  db: Database,
  organisation: string,
  leases: readonly string[],
): Promise<void> {
  if (leases.length > 0)
    await asTenant(db, organisation, (transaction) =>
      transaction.deleteFrom('leases').where('id', 'in', leases).execute(),
    )
}

/**
 * What of a corpus is needed: its current version, and those that living leases name. Rows of older ones are deleted, and
 * leases whose time is over. Null when the corpus is gone.
 */
export async function forgetVersions(
  transaction: TenantTransaction,
  corpus: number,
): Promise<Standing | null> {
  const row = await transaction
    .selectFrom('corpora')
    .select('version')
    .where('number', '=', corpus)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return null
  const { version } = row
  await transaction
    .deleteFrom('leases')
    .where('corpus', '=', corpus)
    .where('until', '<=', sql<Date>`now()`)
    .execute()
  const read = await transaction
    .selectFrom('leases')
    .select('version')
    .distinct()
    .where('corpus', '=', corpus)
    .orderBy('version')
    .execute()
  const leased: Manifest[] = []
  for (const lease of read) leased.push(await readManifest(transaction, corpus, lease.version))
  const current = await readManifest(transaction, corpus, version)
  const oldest = Math.min(version, ...read.map((lease) => lease.version))
  await transaction
    .deleteFrom('versions')
    .where('corpus', '=', corpus)
    .where('number', '<', (from) =>
      from
        .selectFrom('versions')
        .select((max) => max.fn.max('number').as('number'))
        .where('corpus', '=', corpus)
        .where('number', '<=', oldest)
        .where('kind', 'in', ['base', 'empty']),
    )
    .execute()
  return { current, version, leased }
}
