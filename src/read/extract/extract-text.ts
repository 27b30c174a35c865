// How is text extracted from a hostile file? In a thread with limits on memory and time; a failure ends only the thread.
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { SkippedFile } from '../../model/source-file.ts'
import type { ExtractReply, ExtractRequest } from './extract-worker.ts'
import type { Extraction } from './format.ts'

export interface ExtractLimits {
  /** Limits on CPU time, per file and per megabyte, so that a busy machine loses no document. */
  readonly milliseconds: number
  readonly millisecondsPerMegabyte: number
  /** Limit on the JavaScript heap; formats limit other memory themselves. */
  readonly heapMegabytes: number
}

/** A bomb is small and ends within ten seconds. A real manual of 10 MB gets the time that it needs. */
export const extractDefaults: ExtractLimits = {
  milliseconds: 8_000,
  millisecondsPerMegabyte: 2_000,
  heapMegabytes: 224,
}

/** Space for new objects; the default counts against the 512 MB that indexing may use. */
const YOUNG_MEGABYTES = 16
const STACK_MEGABYTES = 4

export type ExtractOutcome = { readonly extraction: Extraction } | Pick<SkippedFile, 'reason' | 'detail'>

const megabyte = 1024 * 1024
/** A file may take this many times as long by the clock. */
const PATIENCE = 10
/** How long a thread has to report its CPU time. */
const ANSWER_MILLISECONDS = 1_000

/** CPU time of a thread in milliseconds; infinite if it does not answer. */
async function processorTime(worker: Worker): Promise<number> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, ANSWER_MILLISECONDS, null))
  const used = await Promise.race([worker.cpuUsage().catch(() => null), late])
  return used === null ? Number.POSITIVE_INFINITY : (used.user + used.system) / 1000
}

/** A thread that is started for the first file, reused, and replaced after a failure. */
export class Extractor {
  readonly #limits: ExtractLimits
  #worker: Worker | null = null

  constructor(limits: Partial<ExtractLimits> = {}) {
    this.#limits = { ...extractDefaults, ...limits }
  }

  /** Never throws. One file at a time. */
  async extract(format: string, bytes: Uint8Array): Promise<ExtractOutcome> {
    const { milliseconds, millisecondsPerMegabyte } = this.#limits
    const most = milliseconds + Math.floor((bytes.length / megabyte) * millisecondsPerMegabyte)
    const worker = this.#open()
    worker.ref()
    const outcome = await this.#ask(worker, { format, bytes }, most)
    worker.unref()
    return outcome
  }

  #ask(worker: Worker, request: ExtractRequest, most: number): Promise<ExtractOutcome> {
    return new Promise((resolve) => {
      let isSettled = false
      const settle = (outcome: ExtractOutcome, isBroken: boolean): void => {
        isSettled = true
        clearTimeout(timer)
        for (const event of ['message', 'exit'] as const) worker.removeAllListeners(event)
        // An ended thread may still report an error, which would end this process if unhandled.
        worker.removeAllListeners('error').on('error', () => {})
        if (isBroken) void this.close().then(() => resolve(outcome))
        else resolve(outcome)
      }
      const fail = (detail: string): void => settle({ reason: 'parse-failed', detail }, true)
      const overtime = (): void => fail(`it takes longer than ${Math.round(most / 1000)} s to read`)
      const end = performance.now() + PATIENCE * most
      // The thread has already read other files.
      const earlier = processorTime(worker).then((time) => (Number.isFinite(time) ? time : 0))
      const look = async (): Promise<void> => {
        const left = performance.now() > end ? 0 : most - (await processorTime(worker)) + (await earlier)
        if (isSettled) return
        if (left <= 0) overtime()
        else timer = setTimeout(look, left)
      }
      let timer = setTimeout(look, most)
      worker.on('message', (reply: ExtractReply) => settle(reply, false))
      worker.on('error', ({ code, message }: Error & { code?: string }) => {
        const tooLarge = `it takes more than ${this.#limits.heapMegabytes} MB of memory to read`
        const isFull = code === 'ERR_WORKER_OUT_OF_MEMORY'
        fail(isFull ? tooLarge : `it cannot be read: ${message.split('\n', 1)[0]}`)
      })
      worker.on('exit', () => fail('its reader ended unexpectedly'))
      worker.postMessage(request)
    })
  }

  #open(): Worker {
    this.#worker ??= new Worker(new URL(`./extract-worker${extname(import.meta.url)}`, import.meta.url), {
      resourceLimits: {
        maxOldGenerationSizeMb: this.#limits.heapMegabytes,
        maxYoungGenerationSizeMb: YOUNG_MEGABYTES,
        stackSizeMb: STACK_MEGABYTES,
      },
      // Ignore the output of readers.
      stdout: true,
      stderr: true,
    })
    return this.#worker
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate()
  }
}
