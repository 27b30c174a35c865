// How are files parsed on all cores? Small jobs stay on this thread; large ones go to a pool, results in order.
import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { deserialize } from 'node:v8'
import type { Tinypool } from 'tinypool'
import { Extractor } from '../../read/extract/extract-text.ts'
import { type AnalyzeResult, type AnalyzeTask, analyzeDocuments, type FileTask } from './analyze-documents.ts'

/** A job below this size is done before a thread has started. */
const INLINE_BYTES = 512 * 1024
const BATCH_BYTES = 1024 * 1024
const BATCH_FILES = 512
/** Room for new objects in each thread; the default of 96 or more counts against the 512 MB that indexing may take. */
const YOUNG_MEGABYTES = 16
/** Room for all others: the smaller it is, the sooner V8 collects garbage. A file of 2 MB keeps up to 100 MB alive. */
const OLD_MEGABYTES = 256
const OLD_MEGABYTES_PER_MEGABYTE = 128

function heapMegabytes(files: readonly FileTask[]): number {
  const largest = files.reduce((most, { size }) => Math.max(most, size), 0)
  return Math.max(OLD_MEGABYTES, Math.ceil(largest / 2 ** 20) * OLD_MEGABYTES_PER_MEGABYTE)
}

function splitBatches(files: readonly FileTask[]): FileTask[][] {
  const batches: FileTask[][] = []
  let batch: FileTask[] = []
  let bytes = 0
  for (const file of files) {
    batch.push(file)
    bytes += file.size
    if (bytes < BATCH_BYTES && batch.length < BATCH_FILES) continue
    batches.push(batch)
    batch = []
    bytes = 0
  }
  if (batch.length > 0) batches.push(batch)
  return batches
}

/** Does a file take so long that this thread would not hear a signal to stop? */
function hasLargeFile(files: readonly FileTask[]): boolean {
  return files.some(({ size }) => size > 2 * BATCH_BYTES)
}

/** By the heap of each: the threads that parse for all engines of a process, however many index at once; gone with the last of them. */
const shared = new Map<number, { readonly pool: Tinypool; users: number }>()

async function borrowPool(
  threads: { readonly min: number; readonly max: number },
  megabytes: number,
): Promise<{ readonly pool: Tinypool; giveBack(): Promise<void> }> {
  const { Tinypool } = await import('tinypool')
  const held = shared.get(megabytes) ?? {
    pool: new Tinypool({
      filename: new URL(`./parse-worker${extname(import.meta.url)}`, import.meta.url).href,
      minThreads: threads.min,
      maxThreads: threads.max,
      runtime: 'worker_threads',
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES, maxOldGenerationSizeMb: megabytes },
    }),
    users: 0,
  }
  shared.set(megabytes, held)
  held.users++
  let isGivenBack = false
  const giveBack = async (): Promise<void> => {
    if (isGivenBack) return
    isGivenBack = true
    if (--held.users > 0) return
    shared.delete(megabytes)
    await held.pool.destroy()
  }
  return { pool: held.pool, giveBack }
}

/** Analyses all files, giving the results in the order of the files. `workers` 0 means one per core but one. */
export async function* analyzeAll(
  task: AnalyzeTask,
  options: { readonly workers: number },
): AsyncGenerator<AnalyzeResult> {
  const bytes = task.files.reduce((sum, file) => sum + file.size, 0)
  const cores = availableParallelism()
  // This thread writes what the others parsed, and needs a core for it.
  const threads = options.workers > 0 ? options.workers : Math.max(1, cores - 1)
  const batches = splitBatches(task.files).map((files) => ({ ...task, files }))
  const single = cores === 1 || options.workers === 1
  if (bytes < INLINE_BYTES || (single && !hasLargeFile(task.files))) {
    const extractor = new Extractor()
    try {
      for (const batch of batches) {
        yield await analyzeDocuments(batch, extractor)
        await setImmediate() // A signal to stop is heard between two batches.
      }
    } finally {
      await extractor.close()
    }
    return
  }
  const { pool, giveBack } = await borrowPool(
    { min: Math.min(threads, batches.length), max: threads },
    heapMegabytes(task.files),
  )
  const ahead: Promise<Uint8Array>[] = []
  try {
    // A few batches ahead of the writer: enough to keep the threads busy, bounded in memory.
    let next = 0
    while (next < batches.length || ahead.length > 0) {
      while (next < batches.length && ahead.length < threads * 3)
        ahead.push(pool.run(batches[next++]) as Promise<Uint8Array>)
      const result = await (ahead.shift() as Promise<Uint8Array>)
      // A thread keeps the garbage of its last batch: what is written now would come on top of it.
      if (next === batches.length && ahead.length === 0) await giveBack()
      yield deserialize(result) as AnalyzeResult
    }
  } finally {
    // Nobody waits for these any more when the writer failed.
    for (const one of ahead) one.catch(() => {})
    await giveBack()
  }
}
