// How do fragments get their vectors? Known texts reuse a vector by their hash; the rest is embedded in resumable batches.

import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { Surroundings } from '../../model/config/engine-options.ts'
import type { Settings } from '../../model/config/settings.ts'
import { YoreError } from '../../model/errors.ts'
import { largest } from '../../model/largest.ts'
import type { IndexProgress, VectorReport } from '../../model/report.ts'
import type { Embedder } from '../embed/embedder.ts'
import { openEmbedder } from '../embed/open-embedder.ts'
import { quantizeVector, vectorBytes } from '../embed/vector-numbers.ts'
import { raiseGeneration } from '../store/rows/meta.ts'
import { type PendingFragment, VectorStore, vectorHashBytes } from '../store/vectors/vector-store.ts'

/** Vectors written in one transaction. */
const BATCH = 512

/** The embedded text of a fragment: headings first; trailing blank lines are dropped. */
export function embeddedText({ title, headings, text }: PendingFragment): string {
  const names = headings.includes(title) ? headings : [title, ...headings]
  return `${names.join(' > ')}\n${text.trimEnd()}`
}

/** The bytes of a hash as one number, to save memory. */
function keyOf(bytes: Uint8Array, at = 0): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset + at, vectorHashBytes).getBigUint64(0)
}

function isAmong(sorted: BigUint64Array, key: bigint): boolean {
  return sorted[largest(sorted.length, (count) => (sorted[count - 1] as bigint) < key)] === key
}

/** Stored vectors for these keys, including those of dead fragments. */
function findStored(store: VectorStore, model: string, wanted: BigUint64Array): Map<bigint, Uint8Array> {
  const found = new Map<bigint, Uint8Array>()
  const isWanted = (hashes: Uint8Array): boolean => {
    for (let at = 0; at < hashes.length; at += vectorHashBytes)
      if (isAmong(wanted, keyOf(hashes, at))) return true
    return false
  }
  for (const { id, hashes } of store.heads(model)) {
    if (!isWanted(hashes)) continue
    const row = store.row(id)
    const size = vectorBytes(row.dimensions)
    for (let index = 0; index < row.fragments.length; index++) {
      const key = keyOf(row.hashes, index * vectorHashBytes)
      if (isAmong(wanted, key)) found.set(key, row.data.slice(index * size, (index + 1) * size))
    }
  }
  return found
}

/**
 * Gives every fragment a vector of this model. Each batch is a transaction, so that a killed run can be resumed. Texts are
 * read twice, to be hashed and to be embedded, to limit memory.
 */
export async function embedFragments(
  db: DatabaseSync,
  embedder: Embedder,
  options: { readonly onProgress?: (done: number, total: number) => void } = {},
): Promise<{ readonly embedded: number; readonly reused: number; readonly total: number }> {
  const store = new VectorStore(db)
  const { total, ids } = store.pending(embedder.id)
  if (ids.length === 0) return { embedded: 0, reused: 0, total }
  const keys = new BigUint64Array(ids.length)
  let count = 0
  for (const fragment of store.fragments(ids))
    keys[count++] = keyOf(hash('sha256', embeddedText(fragment), 'buffer'))
  // Also when every fragment is new, because a changed document has mostly the same texts.
  const stored = findStored(store, embedder.id, keys.slice().sort())
  const size = vectorBytes(embedder.dimensions)
  let reused = 0
  for (let at = 0; at < ids.length; at += BATCH) {
    const batch = ids.slice(at, at + BATCH)
    const own = keys.subarray(at, at + BATCH)
    const texts = Array.from(store.fragments(batch), embeddedText)
    const missing = new Map<bigint, string>()
    for (const [index, key] of own.entries()) if (!stored.has(key)) missing.set(key, texts[index] as string)
    const vectors = await embedder.embed([...missing.values()], 'passage')
    for (const [index, key] of [...missing.keys()].entries())
      stored.set(key, quantizeVector(vectors[index] as Float32Array))
    reused += batch.length - missing.size
    const data = new Uint8Array(batch.length * size)
    for (const [index, key] of own.entries()) data.set(stored.get(key) as Uint8Array, index * size)
    writeBatch(db, store, { ids: batch, keys: own, data, embedder })
    for (const key of missing.keys()) stored.delete(key)
    options.onProgress?.(at + batch.length, ids.length)
    await setImmediate() // Lets a stop signal through between two batches.
  }
  store.sweep(embedder.id, (write) => inTransaction(db, write))
  return { embedded: ids.length - reused, reused, total }
}

interface Batch {
  readonly ids: readonly number[]
  readonly keys: BigUint64Array
  /** The vectors, one after another. */
  readonly data: Uint8Array
  readonly embedder: Embedder
}

function writeBatch(db: DatabaseSync, store: VectorStore, { ids, keys, data, embedder }: Batch): void {
  const { dimensions } = embedder
  const hashes = new Uint8Array(ids.length * vectorHashBytes)
  const view = new DataView(hashes.buffer)
  for (const [index, key] of keys.entries()) view.setBigUint64(index * vectorHashBytes, key)
  inTransaction(db, () =>
    store.add(embedder.id, { dimensions, fragments: Uint32Array.from(ids), hashes, data }),
  )
}

/** Writes, and tells readers that the index changed. */
function inTransaction(db: DatabaseSync, write: () => void): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    write()
    raiseGeneration(db)
    db.exec('COMMIT')
  } catch (cause) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw cause
  }
}

export interface EmbedAllOptions extends Surroundings {
  readonly settings: Settings
  readonly onProgress?: (progress: IndexProgress) => void
}

/** Embeds new fragments. If the embedder fails, the index still supports lexical search. */
export async function embedAll(db: DatabaseSync, options: EmbedAllOptions): Promise<VectorReport> {
  const opened = await openEmbedder(options.settings)
  if ('missing' in opened) return { model: null, embedded: 0, total: 0, note: opened.missing }
  const { embedder } = opened
  try {
    const onProgress = (done: number, total: number): void =>
      options.onProgress?.({ phase: 'embedding', done, total, bytesDone: 0, bytesTotal: 0 })
    const { total } = await embedFragments(db, embedder, { onProgress })
    return { model: embedder.id, embedded: total, total, note: null }
  } catch (cause) {
    if (!(cause instanceof YoreError)) throw cause
    const { total, ids } = new VectorStore(db).pending(embedder.id)
    return { model: embedder.id, embedded: total - ids.length, total, note: cause.message }
  } finally {
    embedder.close()
  }
}
