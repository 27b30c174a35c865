// How does a node run? As API, as worker or as both; told to stop, it first says that it is not ready, then finishes.
import { mkdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Deleted, followDeletions } from './control/deleted-corpora.ts'
import type { EmbeddedDatabase } from './control/embedded-database.ts'
import { KeyGate } from './control/keys.ts'
import { limitRequests, makeAllowance } from './control/limits.ts'
import { LookupCache } from './control/lookup-cache.ts'
import { megabyte, type NodeLimits, nodeLimitDefaults } from './control/node-limits.ts'
import { type Database, openDatabase, requireRestrictedRole } from './control/open-database.ts'
import { type OpenJobs, openQueues, readQueues } from './control/queues.ts'
import { isConnectionFault, ServiceError } from './errors.ts'
import { openCorpora } from './http/ask-corpora.ts'
import { serveHealth } from './http/health.ts'
import { makeApp } from './http/make-app.ts'
import { runWorker } from './ingest/run-worker.ts'
import { openMetrics } from './metrics.ts'
import { openStore } from './versions/open-store.ts'
import { serveTools } from './yore.ts'

export type Role = 'api' | 'worker' | 'all'

export interface ServeOptions {
  readonly role: Role
  readonly databaseUrl: string
  /** A database in this process instead. */
  readonly embedded?: Pick<EmbeddedDatabase, 'app' | 'queues'>
  readonly keySecret: string
  readonly store: string
  readonly data: string
  readonly host: string
  readonly port: number
  /** Where clients reach the service, when that is not where it listens. */
  readonly publicUrl?: string
  /** How long a node stays reachable after it said that it is not ready; balancers look every few seconds. */
  readonly drainMs: number
  /** How long what is at work may take to end. */
  readonly graceMs: number
  readonly limits: NodeLimits
  /** Where probes and monitoring look; null for nowhere. */
  readonly healthPort: number | null
  /** That answer questions; 0 for one per core. */
  readonly threads: number
  /** The time that answers assume. */
  readonly now: () => number
  readonly environment: NodeJS.ProcessEnv
  readonly onEvent: (event: string, details: Readonly<Record<string, unknown>>) => void
}

export const serveDefaults = {
  role: 'all',
  host: '127.0.0.1',
  port: 7430,
  drainMs: 0,
  graceMs: 7000,
  limits: nodeLimitDefaults,
  healthPort: null,
  threads: 0,
  now: () => Date.now(),
} as const

/** That lie on a node's disk until they are in the store. */
const uploadBytes = 4096 * megabyte
/** Of one document, as on a laptop. */
const fileBytes = 2 * megabyte

export interface Node {
  /** Null for a worker. */
  readonly url: string | null
  /** Where probes and monitoring look; null without a health port. */
  readonly healthUrl: string | null
  stop(): Promise<void>
}

const databaseEveryMs = 2000

/** A machine may start its services in any order. */
async function waitForDatabase(db: Database, onEvent: ServeOptions['onEvent']): Promise<void> {
  for (;;)
    try {
      return await requireRestrictedRole(db)
    } catch (error) {
      if (error instanceof ServiceError || !isConnectionFault(error)) throw error
      onEvent('waiting for PostgreSQL', { error: String((error as Error).message || error) })
      await sleep(databaseEveryMs)
    }
}

export async function serve(options: ServeOptions): Promise<Node> {
  const { role, limits } = options
  const metrics = openMetrics()
  const onEvent: ServeOptions['onEvent'] = (event, details) => {
    if (event.endsWith(' failed')) metrics.count('failures', { event })
    options.onEvent(event, details)
  }
  const totalBytes = limits.unpackedMegabytes * megabyte
  const archives = { fileBytes, totalBytes, entries: limits.archiveFiles }
  await mkdir(options.data, { recursive: true })
  // Indexes that are built here are known by marks in the state folder: it is kept with them.
  process.env['XDG_STATE_HOME'] = path.join(options.data, 'state')
  const db = options.embedded?.app ?? openDatabase(options.databaseUrl)
  await waitForDatabase(db, onEvent)
  const store = metrics.timeStore(await openStore(options.store, options.environment))
  const works = role !== 'api'
  const queues = options.embedded?.queues ?? { connectionString: options.databaseUrl }
  const boss = await openQueues(queues, {
    works,
    onError: (error) => onEvent('queue', { error: (error as Partial<Error>).message ?? String(error) }),
  })
  const shared = { db, boss, store, metrics, onEvent }
  const worker = works
    ? await runWorker({
        ...shared,
        directory: path.join(options.data, 'work'),
        idleMs: limits.idleSeconds * 1000,
        archives,
        maxBytes: limits.workMegabytes * megabyte,
        retention: limits,
      })
    : null
  const fault = (): string | null => worker?.fault() ?? null
  const questions =
    role === 'worker'
      ? null
      : await openCorpora({
          store,
          directory: path.join(options.data, 'versions'),
          maxBytes: limits.versionMegabytes * megabyte,
          mostOpen: 200,
          threads: options.threads,
          now: options.now,
          metrics,
        })
  const lookups = new LookupCache(
    questions === null || options.embedded !== undefined ? null : options.databaseUrl,
    { staleMs: limits.staleSeconds * 1000 },
  )
  const requests = limitRequests(db, lookups)
  const tools = serveTools((error) => onEvent('agent', { error: error.message }))
  let url: string | null = null
  const app =
    questions === null
      ? null
      : await makeApp({
          ...shared,
          questions,
          tools,
          requests,
          lookups,
          uploads: makeAllowance('bytes of uploads', () => uploadBytes),
          publicUrl: () => options.publicUrl?.replace(/\/+$/, '') ?? url ?? '',
          directory: path.join(options.data, 'spool'),
          limits: { fileBytes, archiveBytes: limits.archiveMegabytes * megabyte },
          keySecret: options.keySecret,
          gate: new KeyGate(),
          worker: worker?.fault ?? null,
        })
  // One query for all gauges of a scrape.
  let reading: ReturnType<typeof readQueues> | null = null
  const gaugeJobs = (
    name: string,
    help: string,
    labels: readonly (keyof OpenJobs)[],
    value: 'jobs' | 'seconds',
  ): void =>
    metrics.gauge(name, help, labels, async () => {
      reading ??= readQueues(db).finally(() => {
        reading = null
      })
      const rows = (await reading).filter(({ queue }) => (queue === null) === (labels[0] === 'organisation'))
      const labelsOf = (row: OpenJobs) =>
        Object.fromEntries(labels.map((label) => [label, String(row[label])]))
      return rows.map((row) => [labelsOf(row), row[value]])
    })
  gaugeJobs('yore_jobs', 'Jobs by queue and state.', ['queue', 'state'], 'jobs')
  gaugeJobs('yore_oldest_job_seconds', 'Age of the oldest job by queue.', ['queue', 'state'], 'seconds')
  const busiest = 'of the ten organisations with most.'
  gaugeJobs('yore_organisation_jobs', `Waiting and running uploads ${busiest}`, ['organisation'], 'jobs')
  metrics.gauge('yore_organisation_requests', `Requests to this node ${busiest}`, ['organisation'], () =>
    requests.busiest().map(([organisation, count]) => [{ organisation }, count]),
  )
  metrics.gauge('yore_worker_paused', '1 while the worker takes no jobs.', [], () => [
    [{}, fault() === null ? 0 : 1],
  ])
  const { host, healthPort } = options
  const health = healthPort === null ? null : await serveHealth({ host, port: healthPort }, fault, metrics)
  const forget = async (corpora: Deleted): Promise<void> => {
    await questions?.forget(corpora)
    await worker?.forget(corpora)
  }
  const endFollowing = followDeletions(db, forget, {
    everyMs: 5000,
    mark: path.join(options.data, 'followed'),
    onError: (error) => onEvent('deletions', { error: String(error) }),
  })
  await app?.server.listen({ host, port: options.port })
  const address = app?.server.server.address() as AddressInfo | undefined
  url = address === undefined ? null : `http://${host}:${address.port}`
  return {
    url,
    healthUrl: health === null ? null : `http://${host}:${health.port}`,
    stop: async () => {
      app?.drain()
      health?.close()
      await endFollowing()
      if (app !== null) await sleep(options.drainMs)
      const cut = setTimeout(() => app?.server.server.closeAllConnections(), options.graceMs)
      await Promise.all([app?.server.close(), worker?.stop()])
      clearTimeout(cut)
      await tools.close()
      await questions?.close()
      await lookups.close()
      await boss.stop({ graceful: false })
      await db.destroy()
    },
  }
}
