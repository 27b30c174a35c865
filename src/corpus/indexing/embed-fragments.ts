// How do fragments get their vectors? Known texts reuse a vector by their hash; the rest is embedded in resumable batches.
import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { Surroundings } from '../../model/config/engine-options.ts'
import type { Settings } from '../../model/config/settings.ts'
import { YoreError } from '../../model/errors.ts'
import type { IndexProgress, VectorReport } from '../../model/report.ts'
import type { Embedder } from '../embed/embedder.ts'
import { openEmbedder } from '../embed/open-embedder.ts'
import { quantizeVector } from '../embed/vector-numbers.ts'
import { raiseGeneration } from '../store/rows/meta.ts'
import { type PendingFragment, VectorStore, vectorHashBytes } from '../store/vectors/vector-store.ts'

/** Vectors written in one transaction. */
const BATCH = 512

/** Up to this many keys are compared by their low bits first. */
const FEW = 4096

/** Characters of texts that stay in memory between hashing and embedding. */
const HELD = 24_000_000

interface EmbedReport {
  readonly embedded: number
  readonly reused: number
  readonly total: number
}

/** The embedded text of a fragment: headings first; trailing blank lines are dropped. */
export function embeddedText({ title, headings, text }: PendingFragment): string {
  const names = headings.includes(title) ? headings : [title, ...headings]
  return `${names.join(' > ')}\n${text.trimEnd()}`
}

/** The bytes of a hash as one number, to save memory. */
function keyOf(bytes: Uint8Array, at = 0): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset + at, vectorHashBytes).getBigUint64(0)
}

interface Work {
  readonly id: number
  readonly text: string
  readonly key: bigint
}

function isAmong(sorted: BigUint64Array, key: bigint): boolean {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as bigint) < key) low = middle + 1
    else high = middle
  }
  return sorted[low] === key
}

/** Stored vectors for these keys, including those of dead fragments. */
function findStored(store: VectorStore, model: string, wanted: BigUint64Array): Map<bigint, Int8Array> {
  const found = new Map<bigint, Int8Array>()
  // A changed file needs few of many: the low bits of their keys are compared first, as plain numbers.
  const ends =
    wanted.length > FEW ? null : new Set(Array.from(wanted, (key) => Number(BigInt.asUintN(32, key))))
  const isWanted = (hashes: Uint8Array): boolean => {
    const view = new DataView(hashes.buffer, hashes.byteOffset)
    for (let at = 0; at < hashes.length; at += vectorHashBytes)
      if (ends?.has(view.getUint32(at + 4)) !== false && isAmong(wanted, keyOf(hashes, at))) return true
    return false
  }
  for (const { id, hashes } of store.heads(model)) {
    if (!isWanted(hashes)) continue
    const row = store.row(id)
    for (let index = 0; index < row.fragments.length; index++) {
      const key = keyOf(row.hashes, index * vectorHashBytes)
      if (isAmong(wanted, key))
        found.set(key, row.data.slice(index * row.dimensions, (index + 1) * row.dimensions))
    }
  }
  return found
}

/** A repeated text is embedded once. */
function repeatedIn(sorted: BigUint64Array): Set<bigint> {
  const repeated = new Set<bigint>()
  for (let at = 1; at < sorted.length; at++) {
    const key = sorted[at] as bigint
    if (key === sorted[at - 1]) repeated.add(key)
  }
  return repeated
}

/**
 * Gives every fragment a vector of this model. Each batch is a transaction, so that a killed run can be resumed. Beyond
 * `HELD` characters texts are read twice, to be hashed and to be embedded, to limit memory.
 */
export async function embedFragments(
  db: DatabaseSync,
  embedder: Embedder,
  options: { readonly onProgress?: (done: number, total: number) => void } = {},
): Promise<EmbedReport> {
  const store = new VectorStore(db)
  const { total, ids } = store.pending(embedder.id)
  if (ids.length === 0) return { embedded: 0, reused: 0, total }
  const keys = new BigUint64Array(ids.length)
  const held: string[] = []
  let room = HELD
  let count = 0
  for (const fragment of store.fragments(ids)) {
    const text = embeddedText(fragment)
    keys[count++] = keyOf(hash('sha256', text, 'buffer'))
    room -= text.length
    if (room >= 0) held.push(text)
  }
  const sorted = keys.slice().sort()
  // Also when every fragment is new, because a changed document has mostly the same texts.
  const stored = findStored(store, embedder.id, sorted)
  const repeated = repeatedIn(sorted)
  let reused = 0
  // Reused for each batch, because V8 collects buffers late.
  const { dimensions } = embedder
  const most = Math.min(BATCH, ids.length) * dimensions
  const [vectorRoom, byteRoom, rowRoom] = [new Float32Array(most), new Int8Array(most), new Int8Array(most)]
  for (let at = 0; at < ids.length; at += BATCH) {
    const known = held.slice(at, at + BATCH)
    const others = store.fragments(ids.slice(at + known.length, at + BATCH))
    const batch = [...known, ...Array.from(others, embeddedText)].map(
      (text, index): Work => ({ id: ids[at + index] as number, text, key: keys[at + index] as bigint }),
    )
    const missing = [
      ...new Map(batch.filter(({ key }) => !stored.has(key)).map((one) => [one.key, one])).values(),
    ]
    const texts = missing.map(({ text }) => text)
    const vectors = await embedder.embed(texts, 'passage', undefined, vectorRoom)
    for (const [index, { key }] of missing.entries()) {
      const own = byteRoom.subarray(index * dimensions, (index + 1) * dimensions)
      quantizeVector(vectors[index] as Float32Array, own)
      stored.set(key, repeated.has(key) ? own.slice() : own)
    }
    reused += batch.length - missing.length
    const data = rowRoom.subarray(0, batch.length * dimensions)
    for (const [index, { key }] of batch.entries()) data.set(stored.get(key) as Int8Array, index * dimensions)
    writeBatch(db, store, { batch, data, embedder })
    for (const { key } of batch) if (!repeated.has(key)) stored.delete(key)
    options.onProgress?.(Math.min(at + BATCH, ids.length), ids.length)
    await setImmediate() // Lets a stop signal through between two batches.
  }
  store.sweep(embedder.id, (write) => inTransaction(db, write))
  return { embedded: ids.length - reused, reused, total }
}

interface Batch {
  readonly batch: readonly Work[]
  /** The vectors, one after another. */
  readonly data: Int8Array
  readonly embedder: Embedder
}

function writeBatch(db: DatabaseSync, store: VectorStore, { batch, data, embedder }: Batch): void {
  const { dimensions } = embedder
  const hashes = new Uint8Array(batch.length * vectorHashBytes)
  const view = new DataView(hashes.buffer)
  for (const [index, { key }] of batch.entries()) view.setBigUint64(index * vectorHashBytes, key)
  inTransaction(db, () =>
    store.add(embedder.id, { dimensions, fragments: Uint32Array.from(batch, ({ id }) => id), hashes, data }),
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
  /** `brief` does not wait for an embedding server. */
  readonly embedding?: 'patient' | 'brief'
}

/** Embeds new fragments. If the embedder fails, the index still supports lexical search. */
export async function embedAll(db: DatabaseSync, options: EmbedAllOptions): Promise<VectorReport> {
  const opened = await openEmbedder(options.settings, options.embedding ?? 'patient', options)
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
