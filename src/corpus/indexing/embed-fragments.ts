// How do fragments get their vectors? What was embedded before is reused by its hash; the rest in batches that survive a kill.
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

/** Up to so many keys are looked up by their ends. */
const FEW = 4096

/** Characters of texts that are kept from the reading for their keys until they are embedded. */
const HELD = 24_000_000

interface EmbedReport {
  readonly embedded: number
  readonly reused: number
  readonly total: number
}

/** What is embedded for a fragment: where it stands says what it is about; blank lines before the next one say nothing. */
export function embeddedText({ title, headings, text }: PendingFragment): string {
  const names = headings.includes(title) ? headings : [title, ...headings]
  return `${names.join(' > ')}\n${text.trimEnd()}`
}

/** Bytes of a hash as one number: a list of a million fragments holds nothing larger than these. */
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

/** Vectors that are stored already for these keys, from rows that living fragments may no longer use. */
function findStored(store: VectorStore, model: string, wanted: BigUint64Array): Map<bigint, Int8Array> {
  const found = new Map<bigint, Int8Array>()
  // A changed file wants few of very many: the ends of their keys are compared first, as plain numbers.
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

/** Texts that stand in several places are embedded once; vectors of the others are forgotten when they are written. */
function repeatedIn(sorted: BigUint64Array): Set<bigint> {
  const repeated = new Set<bigint>()
  for (let at = 1; at < sorted.length; at++) {
    const key = sorted[at] as bigint
    if (key === sorted[at - 1]) repeated.add(key)
  }
  return repeated
}

/**
 * Gives every fragment a vector of this model. Each batch is a transaction: a killed run goes on where it stopped. Beyond
 * `HELD` texts are read twice, for their keys and to be embedded: a corpus has more of them than memory should hold.
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
  // Also when every fragment is new: a document that is indexed again has new fragments with mostly the old text.
  const stored = findStored(store, embedder.id, sorted)
  const repeated = repeatedIn(sorted)
  let reused = 0
  // Reused for each batch: V8 collects buffers late, and those of a large corpus would pile up.
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
    await setImmediate() // A signal to stop is heard between two batches.
  }
  store.sweep(embedder.id, (write) => inTransaction(db, write))
  return { embedded: ids.length - reused, reused, total }
}

interface Batch {
  readonly batch: readonly Work[]
  /** Their vectors, one behind the other. */
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

/** Writes, and lets readers see that something changed. */
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
  /** Somebody who waits for an answer does not wait for an embedding server. */
  readonly embedding?: 'patient' | 'brief'
}

/** Vectors for what is new. An embedder that fails leaves an index that searches by words. */
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
