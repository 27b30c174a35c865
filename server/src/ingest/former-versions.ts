// Which versions are not current any more, and when are they deleted? Old ones at once, those in another format after a day.
import { sql } from 'kysely'
import { asTenant, type TenantTransaction } from '../control/open-database.ts'
import type { PublishTask } from '../control/queues.ts'
import { collectVersions, type VersionState } from '../versions/collect-versions.ts'
import { baseOf, readManifest } from '../versions/read-manifest.ts'
import type { FormerVersion } from '../versions/version.ts'
import { schemaVersion } from '../yore.ts'
import type { JobContext } from './ingestions.ts'

/** The format that a corpus is in from now on. */
export async function noteFormat(transaction: TenantTransaction, corpus: PublishTask, hasFormer: boolean) {
  const noted = { format: schemaVersion, at: sql<Date>`now()`, ...(hasFormer ? { has_former: true } : {}) }
  await transaction
    .insertInto('formats')
    .values({ ...corpus, ...noted })
    .onConflict((conflict) => conflict.column('corpus').doUpdateSet(noted))
    .execute()
}

/** Versions in another format are kept for this time, for nodes of the release that reads them. */
const formerHours = 24

/** Deletes versions in other formats whose time is over. */
export async function dropFormers(context: Pick<JobContext, 'db' | 'store'>): Promise<void> {
  const { db } = context
  const rows = await db
    .selectFrom('formats')
    .select(['corpus', 'organisation'])
    .where('has_former', '=', true)
    .where('at', '<', sql<Date>`now() - make_interval(hours => ${formerHours})`)
    .limit(100)
    .execute()
  for (const { corpus, organisation } of rows) {
    await asTenant(db, organisation, async (transaction) => {
      await transaction.updateTable('corpora').set({ former: null }).where('number', '=', corpus).execute()
      await transaction
        .updateTable('formats')
        .set({ has_former: false })
        .where('corpus', '=', corpus)
        .execute()
    })
    await collectOld({ corpus, organisation }, context)
  }
}

/** A base or an empty corpus ends a generation: older rows and objects are deleted. */
export async function collectOld(
  { corpus, organisation }: PublishTask,
  { db, store }: Pick<JobContext, 'db' | 'store'>,
): Promise<void> {
  const state = await asTenant(db, organisation, (transaction) => forgetVersions(transaction, corpus))
  if (state !== null) await collectVersions({ corpus, store, ...state })
}

/** The needed versions of a corpus. Deletes rows of older ones. Null when the corpus is gone. */
async function forgetVersions(transaction: TenantTransaction, corpus: number): Promise<VersionState | null> {
  const row = await transaction
    .selectFrom('corpora')
    .select(['version', 'former'])
    .where('number', '=', corpus)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return null
  const { version } = row
  const former = row.former as FormerVersion | null
  const current = await readManifest(transaction, corpus, version)
  await transaction
    .deleteFrom('versions')
    .where('corpus', '=', corpus)
    .where('number', '<', baseOf(corpus, version))
    .execute()
  return { current, version, former: former === null ? [] : [former.manifest] }
}
