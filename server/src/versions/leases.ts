// Which node is fetching a version? A lease row records it under the corpus's lock, so that its objects are not deleted.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { asTenant, type Database, type TenantTransaction } from '../control/open-database.ts'
import type { VersionState } from './collect-versions.ts'
import { readManifest } from './read-manifest.ts'
import type { FormerVersion, Manifest } from './version.ts'

/** The lease of a dead node ends after this time; longer than any fetch or conversation takes. */
const leaseMinutes = 15

export interface LeasedVersion {
  readonly lease: string
  readonly version: number
  readonly manifest: Manifest
}

/** The current version while the lock is held: a collector waits and then sees the lease. */
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

/** Fetched files are on the node's own disk from then on. */
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
 * The needed versions of a corpus: the current one and those with a valid lease. Deletes rows of older ones and
 * expired leases. Null when the corpus is gone.
 */
export async function forgetVersions(
  transaction: TenantTransaction,
  corpus: number,
): Promise<VersionState | null> {
  const row = await transaction
    .selectFrom('corpora')
    .select(['version', 'former'])
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
  const former = row.former as FormerVersion | null
  const leased: Manifest[] = former === null ? [] : [former.manifest]
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
