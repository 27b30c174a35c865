// Which objects can be deleted? Those that neither the current version nor one in a format of another release names.
import type { ObjectStore } from './store.ts'
import { type Manifest, readPartKey } from './version.ts'

/** The current state in PostgreSQL. */
export interface VersionState {
  readonly current: Manifest
  /** The version number of an empty corpus, which has no parts. */
  readonly version?: number
  /** Versions in another format, for nodes of the release that reads it. */
  readonly former: readonly Manifest[]
}

/**
 * The keys that can be deleted. An object with a later transaction than the current one may be a publication in progress
 * and stays: the next version either names it, or has taken its transaction, and then it is deleted. A
 * base later than the current one may be about to replace deltas, and stays until a later one
 * exists. So no clock decides about objects that are being written.
 */
export function listGarbage(keys: Iterable<string>, { current, version = 0, former }: VersionState) {
  const needed = new Set([current, ...former].flatMap((manifest) => manifest.map(({ key }) => key)))
  const newest = current.at(-1)?.maxTxid ?? version
  const newestBase = current[0]?.maxTxid ?? version
  return [...keys].filter((key) => {
    const part = readPartKey(key)
    if (part === null || needed.has(key)) return false
    return part.maxTxid <= (part.minTxid === 1 ? newestBase : newest)
  })
}

export interface CollectRequest extends VersionState {
  readonly corpus: number
  readonly store: ObjectStore
}

/**
 * Deletes unneeded objects and returns their keys. A node that is fetching an older version finds a part missing, reads
 * the newest manifest and continues with that.
 */
export async function collectVersions({ corpus, store, ...state }: CollectRequest): Promise<string[]> {
  const keys: string[] = []
  for await (const key of store.list(`corpora/${corpus}/`)) keys.push(key)
  const garbage = listGarbage(keys, state)
  for (const key of garbage) await store.delete(key)
  return garbage
}
