// What does a worker do? It takes jobs from both queues until it is stopped, and finishes what it started.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { PgBoss } from 'pg-boss'
import type { Database } from '../control/open-database.ts'
import {
  deadQueue,
  hasAnotherPublication,
  type ParseTask,
  type PublishTask,
  parseQueue,
  publishOneAtATime,
  publishQueue,
} from '../control/queues.ts'
import { traced } from '../tracing.ts'
import type { ObjectStore } from '../versions/store.ts'
import type { FetchLimits } from '../yore.ts'
import type { JobContext } from './ingestions.ts'
import { KillableProcesses } from './killable-process.ts'
import { buryUpload, parseUpload } from './parse-upload.ts'
import { publishCorpus } from './publish-corpus.ts'

export interface WorkerOptions {
  readonly db: Database
  readonly boss: PgBoss
  readonly store: ObjectStore
  readonly directory: string
  /** How long reading an upload may be without progress. */
  readonly idleMs: number
  readonly archives: JobContext['archives']
  /** Null if repositories are not fetched. */
  readonly git: FetchLimits | null
  readonly onEvent: (event: string, details: Readonly<Record<string, unknown>>) => void
}

export interface Worker {
  /** Takes no more jobs; resolves when the running ones are done. */
  stop(): Promise<void>
}

/** Several workers on one machine each use a folder of their own, guarded by a lock that ends with the process. */
function takeSlot(directory: string): { readonly directory: string; release(): void } {
  for (let number = 1; ; number++) {
    const slot = path.join(directory, `worker-${number}`)
    mkdirSync(slot, { recursive: true })
    const lock = new DatabaseSync(path.join(slot, 'lock.db'), { timeout: 0 })
    try {
      lock.exec('BEGIN EXCLUSIVE')
      return { directory: slot, release: () => lock.close() }
    } catch {
      lock.close()
    }
  }
}

/** Two jobs of one corpus that were fetched at the same time would share its working copy. */
function takeTurns(): <T>(corpus: number, work: () => Promise<T>) => Promise<T> {
  const last = new Map<number, Promise<unknown>>()
  return async (corpus, work) => {
    const mine = (last.get(corpus) ?? Promise.resolve()).then(work, work)
    last.set(corpus, mine)
    try {
      return await mine
    } finally {
      if (last.get(corpus) === mine) last.delete(corpus)
    }
  }
}

/** Background work: one at a time per corpus; stopping waits for all of it. */
function workBeside(onFault: (corpus: number, error: unknown) => void): {
  readonly begin: JobContext['background']
  ended(): Promise<unknown>
} {
  const underWay = new Map<number, Promise<void>>()
  return {
    begin: (corpus, work) => {
      if (underWay.has(corpus)) return
      const mine = work()
        .catch((error: unknown) => onFault(corpus, error))
        .finally(() => underWay.delete(corpus))
      underWay.set(corpus, mine)
    },
    ended: () => Promise.all(underWay.values()),
  }
}

export async function runWorker(options: WorkerOptions): Promise<Worker> {
  const { db, boss, onEvent } = options
  const slot = takeSlot(options.directory)
  const processes = new KillableProcesses()
  processes.warm()
  const background = workBeside((corpus, error) => onEvent('base failed', { corpus, error: String(error) }))
  const shared = { ...options, processes, directory: slot.directory, background: background.begin }
  const inTurn = takeTurns()
  const polling = {
    pollingIntervalSeconds: 0.5,
    notifyPollingIntervalSeconds: 1,
    burstWhenBatchFull: true,
    batchSize: 1,
  } as const
  await boss.work<ParseTask>(parseQueue, { ...polling, localConcurrency: 2 }, async ([job]) => {
    if (job === undefined) return
    try {
      await traced('parse upload', {}, () => parseUpload(job.data, shared))
    } catch (error) {
      onEvent('parse failed', { ingestion: job.data.ingestion, error: String(error) })
      throw error
    }
  })
  await boss.work<ParseTask>(deadQueue, polling, async ([job]) => {
    if (job !== undefined) await buryUpload(job.data, db)
  })
  const publishing = { ...polling, ...publishOneAtATime, localConcurrency: 2 }
  await boss.work<PublishTask>(publishQueue, publishing, async ([job]) => {
    if (job === undefined) return
    const started = performance.now()
    try {
      // Its files have been read before: it may be slow, and is repeated until it succeeds.
      const context = { ...shared, idleMs: 10 * options.idleMs }
      const outcome = await traced('publish corpus', { 'yore.corpus': job.data.corpus }, () =>
        inTurn(job.data.corpus, () => publishCorpus(job, context)),
      )
      onEvent('publish', { corpus: job.data.corpus, outcome, ms: Math.round(performance.now() - started) })
    } catch (error) {
      onEvent('publish failed', { corpus: job.data.corpus, error: String(error) })
      if (!(await hasAnotherPublication(db, job))) throw error
    }
  })
  return {
    stop: async () => {
      for (const queue of [parseQueue, deadQueue, publishQueue]) await boss.offWork(queue, { wait: true })
      await background.ended()
      processes.close()
      slot.release()
    },
  }
}
