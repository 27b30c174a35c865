// How are files parsed on all cores? Small jobs stay on this thread; large ones go to a pool, results in order.
import { getCompileCacheDir } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, extname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { deserialize, setFlagsFromString } from 'node:v8'
import type { Tinypool } from 'tinypool'
import { Extractor } from '../../read/extract/extract-text.ts'
import { type AnalyzeResult, type AnalyzeTask, analyzeDocuments, type FileTask } from './analyze-documents.ts'

const BATCH_BYTES = 1024 * 1024
const BATCH_FILES = 512
/** Up to this many batches stay on this thread if only one other would parse: starting it takes as long as 0.3 MB. */
const INLINE_BATCHES = 4
/** Heap for new objects in each thread; the default of 96 MB or more counts towards the limit of 512 MB. */
const YOUNG_MEGABYTES = 16
/** Heap for old objects: a smaller one is collected sooner. A file of 2 MB keeps up to 100 MB alive. */
const OLD_MEGABYTES = 256
const OLD_MEGABYTES_PER_MEGABYTE = 128

/**
 * Stops or allows the growth of the heap for new objects, and of others over their use, in all threads of this process: that
 * of the writer would take 200 MB for garbage. Call it when the threads have grown to what they need.
 */
export function limitHeaps(isLimited: boolean): void {
  setFlagsFromString(`--semi-space-growth-factor=${isLimited ? 1 : 2}`)
  setFlagsFromString(`--heap-growing-percent=${isLimited ? 40 : 0}`)
}

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

/** Pools by heap size, shared by all engines of a process and closed with the last one. */
const shared = new Map<number, { readonly pool: Tinypool; users: number }>()

async function borrowPool(threads: { readonly min: number; readonly max: number }, megabytes: number) {
  const { Tinypool } = await import('tinypool')
  const compiled = getCompileCacheDir()
  const held = shared.get(megabytes) ?? {
    pool: new Tinypool({
      filename: new URL(`./parse-worker${extname(import.meta.url)}`, import.meta.url).href,
      minThreads: threads.min,
      maxThreads: threads.max,
      runtime: 'worker_threads',
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES, maxOldGenerationSizeMb: megabytes },
      // Threads load the modules that this process compiled; they need nothing else of its environment.
      ...(compiled === undefined ? {} : { env: { NODE_COMPILE_CACHE: dirname(compiled) } }),
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

/** Analyses all files, with results in the order of the files. `workers` 0 means one per core but one. */
export async function* analyzeAll(
  task: AnalyzeTask,
  options: { readonly workers: number },
): AsyncGenerator<AnalyzeResult> {
  const cores = availableParallelism()
  // This thread writes the results, and needs a core.
  const threads = options.workers > 0 ? options.workers : Math.max(1, cores - 1)
  const batches = splitBatches(task.files).map((files) => ({ ...task, files }))
  const single = cores === 1 || options.workers === 1
  const isSmall = batches.length <= (threads === 1 ? INLINE_BATCHES : 1)
  // Would parsing one of them block signals for too long, and take too much memory next to the writer?
  if ((single || isSmall) && !task.files.some(({ size }) => size > BATCH_BYTES)) {
    const extractor = new Extractor()
    try {
      for (const batch of batches) {
        yield await analyzeDocuments(batch, extractor)
        await setImmediate() // Lets a stop signal through between two batches.
      }
    } finally {
      await extractor.close()
    }
    return
  }
  const limits = { min: Math.min(threads, batches.length), max: threads }
  const { pool, giveBack } = await borrowPool(limits, heapMegabytes(task.files))
  const ahead: Promise<Uint8Array>[] = []
  try {
    // A few batches ahead of the writer keep the threads busy with bounded memory.
    let next = 0
    while (next < batches.length || ahead.length > 0) {
      while (next < batches.length && ahead.length < threads * 3)
        ahead.push(pool.run(batches[next++]) as Promise<Uint8Array>)
      const result = await (ahead.shift() as Promise<Uint8Array>)
      limitHeaps(true)
      // Ends the threads before writing, because each holds the garbage of its last batch.
      if (next === batches.length && ahead.length === 0) await giveBack()
      yield deserialize(result) as AnalyzeResult
    }
  } finally {
    // When the writer failed, these results are not awaited.
    for (const one of ahead) one.catch(() => {})
    await giveBack()
  }
}
