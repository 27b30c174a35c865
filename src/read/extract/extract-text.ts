// How is a file extracted that may be hostile? In a thread with a limit of memory and time; what breaks is only the thread.
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { SkippedFile } from '../../model/source-file.ts'
import type { ExtractReply, ExtractRequest } from './extract-worker.ts'
import type { Extraction } from './format.ts'

export interface ExtractLimits {
  /** Of processor time, for any file and for each megabyte of it in addition: a busy machine loses no document. */
  readonly milliseconds: number
  readonly millisecondsPerMegabyte: number
  /** Of the JavaScript heap; what a format holds beside it, it limits itself. */
  readonly heapMegabytes: number
}

/** A bomb is small: it ends within ten seconds. A real manual of 10 MB gets the time that it takes. */
export const extractDefaults: ExtractLimits = {
  milliseconds: 8_000,
  millisecondsPerMegabyte: 2_000,
  heapMegabytes: 224,
}

/** Room for new objects; the default counts against the 512 MB that indexing may take. */
const YOUNG_MEGABYTES = 16
const STACK_MEGABYTES = 4

export type ExtractOutcome = { readonly extraction: Extraction } | Pick<SkippedFile, 'reason' | 'detail'>

const megabyte = 1024 * 1024
/** By the clock a file may take so many times as long. */
const PATIENCE = 10
/** So long a thread has to say how much time it took. */
const ANSWER_MILLISECONDS = 1_000

/** Milliseconds that a thread has worked; without end for one that does not answer. */
async function processorTime(worker: Worker): Promise<number> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, ANSWER_MILLISECONDS, null))
  const used = await Promise.race([worker.cpuUsage().catch(() => null), late])
  return used === null ? Number.POSITIVE_INFINITY : (used.user + used.system) / 1000
}

/** One thread that is started with the first file, used for all, and replaced when a file broke it. */
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
        // A thread that was ended may still report it: an error nobody hears would end this process.
        worker.removeAllListeners('error').on('error', () => {})
        if (isBroken) void this.close().then(() => resolve(outcome))
        else resolve(outcome)
      }
      const fail = (detail: string): void => settle({ reason: 'parse-failed', detail }, true)
      const overtime = (): void => fail(`it takes longer than ${Math.round(most / 1000)} s to read`)
      const end = performance.now() + PATIENCE * most
      // The thread has read other files before.
      const earlier = processorTime(worker).then((time) => (Number.isFinite(time) ? time : 0))
      const look = async (): Promise<void> => {
        const left = performance.now() > end ? 0 : most - (await processorTime(worker)) + (await earlier)
        if (isSettled) return
        if (left <= 0) overtime()
        else timer = setTimeout(look, left)
      }
      let timer = setTimeout(look, most)
      worker.on('message', (reply: ExtractReply) => settle(reply, false))
      worker.on('error', (error: Error & { code?: string }) =>
        fail(
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? `it takes more than ${this.#limits.heapMegabytes} MB of memory to read`
            : `it cannot be read: ${error.message.split('\n', 1)[0]}`,
        ),
      )
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
      // What a reader prints is nobody's.
      stdout: true,
      stderr: true,
    })
    return this.#worker
  }

  /** Ends the thread, whatever it does. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate()
  }
}
