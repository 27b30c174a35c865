// Which documents does an ingestion remove? A list in the store, and one row that names it.
import { hash } from 'node:crypto'
import type { ObjectStore } from '../versions/store.ts'
import type { DocumentChange, IngestionRow } from './accept-ingestion.ts'
import { blobKey } from './blobs.ts'

/** The list as it is stored, and its hash. */
export function writeRemovals(paths: readonly string[]): {
  readonly bytes: Uint8Array
  readonly sha256: string
} {
  const bytes = Buffer.from(JSON.stringify([...new Set(paths)].sort()))
  return { bytes, sha256: hash('sha256', bytes) }
}

/** The target of a deletion: one document by its path, or those of a list. */
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
