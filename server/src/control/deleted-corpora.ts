// Which corpora were deleted? Every node learns their numbers, and removes what its disk has of them.
import { stat, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database, TenantTransaction } from './open-database.ts'
import { deletionDays } from './prune-rows.ts'

/** Deletes a corpus with its documents, and tells all nodes. */
export async function deleteCorpus(transaction: TenantTransaction, number: number): Promise<void> {
  await transaction.deleteFrom('corpora').where('number', '=', number).execute()
  await transaction.insertInto('deleted_corpora').values({ number }).execute()
}

/** Repeated for a while: what was being fetched when a corpus was deleted is found later. */
const repeatedMinutes = 10

/** Numbers of corpora to forget. */
export type Deleted = Pick<ReadonlySet<number>, 'has'>

const dayMs = 86_400_000
const all: Deleted = { has: () => true }

/**
 * Calls `forget` with every deletion when it starts, then with the recent ones. A node that was stopped for longer than
 * deletions are remembered forgets every corpus: its copies are a cache. Returns a function that ends it.
 */
export function followDeletions(
  db: Database,
  forget: (corpora: Deleted) => Promise<void>,
  options: {
    readonly everyMs: number
    /** Its modification time is that of the last look. */
    readonly mark: string
    readonly onError: (error: unknown) => void
  },
): () => Promise<void> {
  const stopping = new AbortController()
  let isFirst = true
  const follow = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const since = isFirst
          ? sql<Date>`'-infinity'`
          : sql<Date>`now() - make_interval(mins => ${repeatedMinutes})`
        const rows = await db.selectFrom('deleted_corpora').select('number').where('at', '>', since).execute()
        const looked = (await stat(options.mark).catch(() => null))?.mtimeMs
        const agoDays = looked === undefined ? 0 : (Date.now() - looked) / dayMs
        if (agoDays >= deletionDays - 1) await forget(all)
        if (looked === undefined || agoDays > 1 / 24) await writeFile(options.mark, '')
        if (rows.length > 0) await forget(new Set(rows.map(({ number }) => number)))
        isFirst = false
      } catch (error) {
        options.onError(error)
      }
      await sleep(options.everyMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const ended = follow()
  return async () => {
    stopping.abort()
    await ended
  }
}
