// What does a worker do? It takes jobs from both queues until it is stopped, and finishes what it started.
import { mkdirSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job, WorkOptions } from 'pg-boss'
import type { Deleted } from '../control/deleted-corpora.ts'
import { joinWorkers } from '../control/live-workers.ts'
import type { NodeLimits } from '../control/node-limits.ts'
import { pruneRows } from '../control/prune-rows.ts'
import {
  deadQueue,
  enqueueRebuilds,
  hasAnotherPublication,
  type ParseTask,
  type PublishTask,
  parseQueue,
  publishOneAtATime,
  publishQueue,
  rebuildQueue,
  type SweepTask,
  sweepQueue,
  takePreferred,
} from '../control/queues.ts'
import { findMachineFault } from '../errors.ts'
import type { NodeMetrics } from '../metrics.ts'
import { schemaVersion } from '../yore.ts'
import { sweepBlobs } from './blobs.ts'
import { dropFormers } from './former-versions.ts'
import type { JobContext } from './ingestions.ts'
import { KillableProcesses } from './killable-process.ts'
import { buryUpload, parseUpload } from './parse-upload.ts'
import { publishCorpus } from './publish-corpus.ts'
import { openWorkingCopies } from './working-copies.ts'

export interface WorkerOptions
  extends Pick<JobContext, 'db' | 'boss' | 'store' | 'directory' | 'idleMs' | 'archives'> {
  /** Of working copies on disk. */
  readonly maxBytes: number
  readonly retention: Pick<NodeLimits, 'ingestionDays' | 'auditDays'>
  readonly metrics: NodeMetrics
  readonly onEvent: (event: string, details: Readonly<Record<string, unknown>>) => void
}

/** Several workers on one machine each use a folder of their own, guarded by a lock that ends with the process. */
function takeSlot(directory: string): { readonly directory: string; release(): void } {
  for (let number = 1; ; number++) {
    const slot = path.join(directory, `worker-${number}`)
    mkdirSync(slot, { recursive: true })
    const lock = new DatabaseSync(path.join(slot, 'lock.db'), { timeout: 0 })
    try {
      // A journal on disk would need space, which a worker that starts on a full disk does not have.
      lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
      return { directory: slot, release: () => lock.close() }
    } catch (error) {
      lock.close()
      // SQLITE_BUSY: another worker holds it.
      if ((error as { readonly errcode?: number }).errcode !== 5) throw error
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
function workBeside(onFault: (corpus: number, error: unknown) => void) {
  const underWay = new Map<number, Promise<void>>()
  return {
    begin: (corpus: number, work: () => Promise<void>): void => {
      if (underWay.has(corpus)) return
      const mine = work()
        .catch((error: unknown) => onFault(corpus, error))
        .finally(() => underWay.delete(corpus))
      underWay.set(corpus, mine)
    },
    ended: () => Promise.all(underWay.values()),
  }
}

/** Can files be written here again? As many bytes and open files as a small job needs. */
async function canWrite(directory: string): Promise<boolean> {
  const probe = path.join(directory, 'probe')
  const handles: FileHandle[] = []
  try {
    for (let file = 0; file < 32; file++) handles.push(await open(probe, 'w'))
    await handles[0]?.writeFile(new Uint8Array(probeBytes))
    await handles[0]?.sync()
    return true
  } catch {
    return false
  } finally {
    for (const handle of handles) await handle.close()
    await rm(probe, { force: true })
  }
}

const probeBytes = 8 << 20
const probeEveryMs = 2000
const pruneEveryMs = 3_600_000
/** A publication that prefers this worker is found after half of this time. */
const preferredEveryMs = 250
const touchEveryMs = 5000
const keepEveryMs = 5000

export async function runWorker(options: WorkerOptions) {
  const { db, boss, onEvent } = options
  const slot = takeSlot(options.directory)
  const copies = await openWorkingCopies(slot.directory, options.maxBytes)
  const live = joinWorkers(db, { directory: slot.directory, format: schemaVersion })
  const processes = new KillableProcesses()
  processes.warm()
  const background = workBeside((corpus, error) => onEvent('base failed', { corpus, error: String(error) }))
  const begin: JobContext['background'] = (corpus, work) =>
    background.begin(corpus, () => copies.hold(corpus, work))
  const stopping = new AbortController()
  const shared = {
    ...options,
    ...{ processes, directory: slot.directory, background: begin, stopping: stopping.signal },
    ...{ choose: live.choose, worker: live.id },
    onStart: (from: 'copy' | 'version' | 'originals') => options.metrics.count('publications', { from }),
  }
  const inTurn = takeTurns()
  const polling = {
    pollingIntervalSeconds: 0.5,
    notifyPollingIntervalSeconds: 1,
    // While several jobs wait, the next one is fetched at once.
    burstWhenReadyExceeds: 1,
    batchSize: 1,
  } as const
  const work = <T>(queue: string, pace: WorkOptions, handle: (job: Job<T>) => Promise<void>) =>
    boss.work<T>(queue, { ...polling, ...pace }, async ([job]) => {
      if (job !== undefined) await handle(job)
    })
  let fault: string | null = null
  let recovery: Promise<void> = Promise.resolve()

  /** Other workers take the jobs until this machine can work again. */
  const pause = (found: string | null): void => {
    if (found === null || fault !== null || stopping.signal.aborted) return
    fault = found
    void live.pause(true)
    onEvent('worker paused', { fault })
    recovery = recover().catch((error: unknown) => onEvent('worker not resumed', { error: String(error) }))
  }
  const recover = async (): Promise<void> => {
    for (const queue of [parseQueue, publishQueue, rebuildQueue]) await boss.offWork(queue, { wait: false })
    do {
      await copies.makeRoom().catch(() => {})
      await sleep(probeEveryMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
    } while (!(await canWrite(slot.directory)))
    fault = null
    await live.pause(false)
    onEvent('worker resumed', {})
    await takeJobs()
  }

  const takeJobs = async (): Promise<void> => {
    await work<ParseTask>(parseQueue, { localConcurrency: 2 }, async (job) => {
      try {
        const outcome = await parseUpload(job.data, shared)
        options.metrics.count('uploads', { outcome })
      } catch (error) {
        options.metrics.count('uploads', { outcome: 'retried' })
        onEvent('parse failed', { ingestion: job.data.ingestion, error: String(error) })
        pause(findMachineFault(error))
        throw error
      }
    })
    await work(publishQueue, { ...publishOneAtATime, localConcurrency: 2 }, publish)
    const pace = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2, includeMetadata: true }
    await work<PublishTask>(rebuildQueue, { ...publishOneAtATime, ...pace }, async (job) => {
      const started = performance.now()
      await publish(job, rebuildQueue)
      // In the background it takes half of the time at most.
      const rest = (job as { readonly priority?: number }).priority === 0 ? 0 : performance.now() - started
      await sleep(rest, undefined, { signal: stopping.signal }).catch(() => {})
    })
  }
  const publish = async (job: Job<PublishTask>, queue = publishQueue): Promise<void> => {
    const { corpus } = job.data
    const started = performance.now()
    try {
      // Its files have been read before: it may be slow, and is repeated until it succeeds.
      const context = { ...shared, idleMs: 10 * options.idleMs }
      const outcome = await inTurn(corpus, () =>
        copies.hold(corpus, () => publishCorpus(job, context, queue)),
      )
      const took = performance.now() - started
      options.metrics.time('publishing', { outcome }, took)
      onEvent(queue === rebuildQueue ? 'rebuild' : 'publish', { corpus, outcome, ms: Math.round(took) })
    } catch (error) {
      options.metrics.time('publishing', { outcome: 'failed' }, performance.now() - started)
      onEvent('publish failed', { corpus, error: String(error) })
      pause(findMachineFault(error))
      if (queue === rebuildQueue || !(await hasAnotherPublication(db, job))) throw error
    }
  }
  /** One at a time: what comes meanwhile waits for this worker a little, and then for any. */
  const publishPreferred = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const isAlone = !live.hasOthers() || fault !== null
      const job = isAlone ? null : await takePreferred(db, boss, live.id).catch(() => null)
      if (job === null) {
        await sleep(preferredEveryMs, undefined, { signal: stopping.signal }).catch(() => {})
        continue
      }
      using _touching = setInterval(() => void boss.touch(publishQueue, job.id).catch(() => {}), touchEveryMs)
      try {
        await publish(job)
        await boss.complete(publishQueue, job.id)
      } catch (error) {
        // Without a heartbeat, another worker takes it as that of a dead one.
        await boss.fail(publishQueue, job.id, { message: String(error) }).catch(() => {})
      }
    }
  }
  await takeJobs()
  const preferred = publishPreferred()
  await work<SweepTask>(sweepQueue, {}, ({ data }) => sweepBlobs(data, options))
  await work<ParseTask>(deadQueue, {}, ({ data }) => buryUpload(data, db))
  let pruneAt = 0
  /** One worker deletes old rows and finds what is to rebuild: one of the newest release, as others would rebuild it back. */
  const keepUp = async (): Promise<void> => {
    if (!live.isFirst()) return
    await enqueueRebuilds(boss, db)
    await dropFormers(options)
    if (performance.now() < pruneAt) return
    pruneAt = performance.now() + pruneEveryMs
    await pruneRows(db, options.retention)
  }
  let keeping: Promise<void> = Promise.resolve()
  const keepTimer = setInterval(() => {
    keeping = keeping
      .then(keepUp)
      .catch((error: unknown) => onEvent('upkeep failed', { error: String(error) }))
  }, keepEveryMs)
  return {
    /** What is wrong with this machine while the worker takes no jobs; null while it does. */
    fault: () => fault,
    /** Removes the working copies of deleted corpora. */
    forget: (corpora: Deleted) => copies.forget(corpora),
    /** Takes no more jobs; resolves when the running ones are done, or left to others after their last checkpoint. */
    stop: async (): Promise<void> => {
      stopping.abort()
      clearInterval(keepTimer)
      await keeping
      await recovery
      await live.stop()
      await preferred
      for (const queue of [parseQueue, deadQueue, publishQueue, rebuildQueue, sweepQueue])
        await boss.offWork(queue, { wait: true })
      await background.ended()
      processes.close()
      slot.release()
    },
  }
}
