// Which corpora were deleted? Every node learns their numbers, and removes what its disk has of them.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database, TenantTransaction } from './open-database.ts'

/** Deletes a corpus with its documents, and tells all nodes. */
export async function deleteCorpus(transaction: TenantTransaction, number: number): Promise<void> {
  await transaction.deleteFrom('corpora').where('number', '=', number).execute()
  await transaction.insertInto('deleted_corpora').values({ number }).execute()
}

/** Repeated for a while: what was being fetched when a corpus was deleted is found later. */
const repeatedMinutes = 10

/** Calls `forget` with every deletion when it starts, then with the recent ones. Returns a function that ends it. */
export function followDeletions(
  db: Database,
  forget: (corpora: ReadonlySet<number>) => Promise<void>,
  options: { readonly everyMs: number; readonly onError: (error: unknown) => void },
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
