// Which objects does nobody need any more? Those that neither the current version nor a lease on an older one names.
import type { ObjectStore } from './store.ts'
import { type Manifest, readPartKey } from './version.ts'

/** As PostgreSQL says now. */
export interface Standing {
  readonly current: Manifest
  /** Its number, when it has no parts: the corpus is empty. */
  readonly version?: number
  /** Versions that somebody fetches. */
  readonly leased: readonly Manifest[]
}

/**
 * The keys that may go. An object of a later transaction than the current one may be a publication under way and stays:
 * it is either named by the next version, or goes once that version is there, because its transaction is then taken. A
 * base that is later than the current one may be about to take the place of deltas, and stays until a later one is
 * there. So no clock decides about what is written.
 */
export function listGarbage(keys: Iterable<string>, { current, version = 0, leased }: Standing): string[] {
  const needed = new Set([current, ...leased].flatMap((manifest) => manifest.map(({ key }) => key)))
  const newest = current.at(-1)?.maxTxid ?? version
  const newestBase = current[0]?.maxTxid ?? version
  return [...keys].filter((key) => {
    const part = readPartKey(key)
    if (part === null || needed.has(key)) return false
    return part.maxTxid <= (part.minTxid === 1 ? newestBase : newest)
  })
}

export interface CollectRequest extends Standing {
  readonly corpus: number
  readonly store: ObjectStore
}

/**
 * Deletes what nobody needs; the keys of it. A node that took a manifest just before and has no lease yet finds a part
 * missing, asks for the newest manifest and goes on with that.
 */
export async function collectVersions({ corpus, store, ...standing }: CollectRequest): Promise<string[]> {
  const keys: string[] = []
  for await (const key of store.list(`corpora/${corpus}/`)) keys.push(key)
  const garbage = listGarbage(keys, standing)
  for (const key of garbage) await store.delete(key)
  return garbage
}
