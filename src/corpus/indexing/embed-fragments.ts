// How do fragments get their vectors? Those without one are embedded in resumable batches.

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
import { type PendingFragment, VectorStore } from '../store/vectors/vector-store.ts'

/** Vectors written in one transaction. */
const BATCH = 512

/** The embedded text of a fragment: headings first; trailing blank lines are dropped. */
export function embeddedText({ title, headings, text }: PendingFragment): string {
  const names = headings.includes(title) ? headings : [title, ...headings]
  return `${names.join(' > ')}\n${text.trimEnd()}`
}

/** Gives every fragment a vector of this model. Each batch is a transaction, so that a killed run can be resumed. */
export async function embedFragments(
  db: DatabaseSync,
  embedder: Embedder,
  options: { readonly onProgress?: (done: number, total: number) => void } = {},
): Promise<{ readonly embedded: number; readonly total: number }> {
  const store = new VectorStore(db)
  const { id: model, dimensions } = embedder
  const { total, ids } = store.pending(model)
  for (let at = 0; at < ids.length; at += BATCH) {
    const fragments = Uint32Array.from(ids.slice(at, at + BATCH))
    const vectors = await embedder.embed(Array.from(store.fragments(fragments), embeddedText), 'passage')
    const data = Buffer.concat(vectors.map(quantizeVector))
    inTransaction(db, () => store.add(model, { dimensions, fragments, data }))
    options.onProgress?.(at + fragments.length, ids.length)
    await setImmediate() // Lets a stop signal through between two batches.
  }
  if (ids.length > 0) store.sweep(model, (write) => inTransaction(db, write))
  return { embedded: ids.length, total }
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
