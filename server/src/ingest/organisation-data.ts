// What is deleted when an organisation leaves? Everything that it has, with a receipt.
import { deleteCorpus } from '../control/deleted-corpora.ts'
import { asTenant, type Database } from '../control/open-database.ts'
import type { Organisation } from '../control/organisations.ts'
import { enqueuePublish, enqueueSweep } from '../control/queues.ts'
import { deleteBelow } from '../versions/store.ts'
import { blobKey, collectDefaults } from './blobs.ts'
import type { JobContext } from './ingestions.ts'

const tables = [
  'api_keys',
  'corpora',
  'documents',
  'versions',
  'ingestions',
  'checkpoints',
  'blobs',
  'audit',
] as const

/** What was deleted, and what was found afterwards. */
export interface Receipt {
  readonly organisation: Organisation
  readonly deletedAt: string
  readonly rows: Readonly<Record<(typeof tables)[number], number>>
  readonly objects: { readonly versions: number; readonly originals: number }
}

/** The rows of an organisation by table. */
export async function countRows(db: Database, id: string): Promise<Receipt['rows']> {
  return await asTenant(db, id, async (transaction) => {
    const counts: [string, number][] = []
    for (const table of tables) {
      const { rows } = await transaction
        .selectFrom(table)
        .select((count) => count.fn.countAll<number>().as('rows'))
        .where('organisation', '=', id)
        .executeTakeFirstOrThrow()
      counts.push([table, rows])
    }
    return Object.fromEntries(counts) as Receipt['rows']
  })
}

/**
 * Keys first, so that nothing new is accepted. It can be repeated until it succeeds. Jobs come later for objects that
 * a node was writing meanwhile; nodes forget the corpora as they do deleted ones.
 */
export async function deleteOrganisation(
  organisation: Organisation,
  { db, store, boss, now }: Pick<JobContext, 'db' | 'store' | 'boss'> & { readonly now: number },
): Promise<Receipt> {
  const { id } = organisation
  const rows = await countRows(db, id)
  const corpora = await asTenant(db, id, async (transaction) => {
    await transaction.deleteFrom('api_keys').where('organisation', '=', id).execute()
    return await transaction.selectFrom('corpora').select('number').where('organisation', '=', id).execute()
  })
  for (const { number } of corpora)
    await asTenant(db, id, async (transaction) => {
      await deleteCorpus(transaction, number)
      await enqueuePublish(boss, transaction, { organisation: id, corpus: number })
    })
  const objects = { versions: 0, originals: 0 }
  for (const { number } of corpora) objects.versions += await deleteBelow(store, `corpora/${number}/`)
  objects.originals = await deleteBelow(store, blobKey(id, ''))
  await asTenant(db, id, async (transaction) => {
    await transaction.deleteFrom('audit').where('organisation', '=', id).execute()
    await transaction.deleteFrom('organisations').where('id', '=', id).execute()
    await enqueueSweep(boss, transaction, { organisation: id }, collectDefaults.olderThanMs / 1000)
  })
  return { organisation, deletedAt: new Date(now).toISOString(), rows, objects }
}
