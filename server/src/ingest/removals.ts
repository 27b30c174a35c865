// Which documents does one ingestion take out? A list in the store, as large as it is, and one row that names it.
import { hash } from 'node:crypto'
import type { Database } from '../control/open-database.ts'
import type { ObjectStore } from '../versions/store.ts'
import type { IngestionRow } from './accept-ingestion.ts'
import { blobKey, noteBlobs } from './blobs.ts'
import type { DocumentChange } from './ingestions.ts'

/** The hash under which the list is stored. */
export async function storeRemovals(
  { db, store }: { readonly db: Database; readonly store: ObjectStore },
  organisation: string,
  paths: readonly string[],
): Promise<string> {
  const bytes = Buffer.from(JSON.stringify([...new Set(paths)].sort()))
  const sha256 = hash('sha256', bytes)
  await noteBlobs(db, organisation, [sha256])
  await store.put(blobKey(organisation, sha256), bytes, { ifAbsent: true, sha256 })
  return sha256
}

/** Of a deletion: one document by its path, or those of a list. */
export async function readRemovals(
  { path, blob, organisation, modified_at: modifiedAt }: IngestionRow,
  store: ObjectStore,
): Promise<readonly DocumentChange[]> {
  const removed = (name: string): DocumentChange => ({ path: name, blob: null, size: 0, modifiedAt })
  if (blob === null) return [removed(path)]
  const pieces: Uint8Array[] = []
  for await (const piece of store.stream(blobKey(organisation, blob))) pieces.push(piece)
  return (JSON.parse(Buffer.concat(pieces).toString()) as readonly string[]).map(removed)
}
