// How does work reach the workers? Two queues of pg-boss in the same PostgreSQL, so that a job is as durable as its row.

import { sql } from 'kysely'
import { type ConstructorOptions, fromKysely, type Job, PgBoss } from 'pg-boss'
import { schemaVersion } from '../yore.ts'
import { mostNamed } from './limits.ts'
import { appRole } from './migrations.ts'
import { type Database, isTrue, type TenantTransaction } from './open-database.ts'

/** One job per upload; its file is read in a process that may be killed. */
export const parseQueue = 'parse'
/** Jobs that failed repeatedly: their ingestion is marked, and may be retried. */
export const deadQueue = 'parse-dead'
/** One waiting job per corpus, and one running (`publishOneAtATime`). */
export const publishQueue = 'publish'

/**
 * Checked when a job is fetched. The policies `stately` and `singleton` of pg-boss use queue statistics that are up to
 * two seconds old, and would delay a second upload to a corpus as long.
 */
export const publishOneAtATime = { groupConcurrency: 1 } as const

/** Deletes originals that nothing names any more: one waiting job per organisation and time. */
export const sweepQueue = 'sweep'

/** Brings corpora to the format of this release: each release has a queue of its own. */
export const rebuildQueue: string = `rebuild-${schemaVersion}`
/** Of a corpus that no question has asked for. */
const later = -1000

export interface SweepTask {
  readonly organisation: string
}

export interface ParseTask extends SweepTask {
  readonly ingestion: string
}

export interface PublishTask extends SweepTask {
  readonly corpus: number
}

export interface QueueOptions {
  /** Workers poll and listen; an API node only sends. */
  readonly works: boolean
  readonly onError: (error: unknown) => void
}

/** A server, or a database in this process. */
export type QueueSource =
  | { readonly connectionString: string }
  | { readonly db: NonNullable<ConstructorOptions['db']> }

/** At most one waits for each key. */
const publishPolicy = 'short'

/** Creates the queues as the owner; the restricted role may use them. */
export async function createQueues(db: Database, source: QueueSource): Promise<void> {
  const boss = new PgBoss({ ...source, supervise: false, schedule: false, max: 2 })
  boss.on('error', () => {})
  await boss.start()
  try {
    const lasting = {
      // A process without progress is ended by the worker: a job may take as long as it makes some.
      expireInSeconds: 6 * 3600,
      // Seconds without a heartbeat after which a worker counts as dead: long enough for a busy machine.
      heartbeatSeconds: 20,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 30,
      notify: true,
      // Finished jobs; unfinished ones are kept, however long the store is unavailable.
      deleteAfterSeconds: 3600,
      retentionSeconds: 10 * 365 * 86_400,
    } as const
    const queues = {
      [deadQueue]: { retryLimit: 20, ...lasting },
      // Enough for a night without a store; a file that crashes its reader is given up long before.
      [parseQueue]: { retryLimit: 1000, deadLetter: deadQueue, ...lasting },
      // Accepted uploads are published, however long the store is unavailable.
      [publishQueue]: { retryLimit: 1_000_000, ...lasting },
      [sweepQueue]: { retryLimit: 1_000_000, ...lasting },
      [rebuildQueue]: { retryLimit: 1_000_000, ...lasting },
    }
    for (const [name, options] of Object.entries(queues)) {
      const isKeyed = name === publishQueue || name === sweepQueue || name === rebuildQueue
      await boss.createQueue(name, isKeyed ? { policy: publishPolicy, ...options } : options)
      // An existing queue keeps its policy.
      await boss.updateQueue(name, options)
    }
    await sql`update pgboss.queue set policy = ${publishPolicy} where name = ${publishQueue}`.execute(db)
  } finally {
    await boss.stop({ graceful: false })
  }
  for (const statement of [
    `grant usage on schema pgboss to ${appRole}`,
    `grant select, insert, update, delete on all tables in schema pgboss to ${appRole}`,
    `grant usage, select on all sequences in schema pgboss to ${appRole}`,
    `grant execute on all functions in schema pgboss to ${appRole}`,
  ])
    await sql.raw(statement).execute(db)
}

export async function openQueues(source: QueueSource, options: QueueOptions): Promise<PgBoss> {
  const boss = new PgBoss({
    ...source,
    max: options.works ? 6 : 2,
    migrate: false,
    createSchema: false,
    schedule: false,
    supervise: options.works,
    superviseIntervalSeconds: 1,
    // Interval at which dead workers are searched.
    monitorIntervalSeconds: 2,
    // Jobs of an older policy are skipped while the statistics call them busy; by default for a minute.
    queueCacheIntervalSeconds: 1,
    reindex: false,
    monitorVacuum: false,
    useListenNotify: options.works && 'connectionString' in source,
  })
  boss.on('error', options.onError)
  await boss.start()
  return boss
}

/** How long a publication waits for the worker that it prefers, in seconds. */
const patienceSeconds = 3
/** Above every other priority: only the worker that raised it fetches the job. */
const own = 1_000_000

/** The next job that prefers this worker, before the time at which any worker may take it; null without one. */
export async function takePreferred(db: Database, boss: PgBoss, worker: string) {
  const next = sql`
    select id from pgboss.job as waiting
    where name = ${publishQueue} and state = 'created' and group_tier = ${worker}
      and start_after <= now() + make_interval(secs => ${patienceSeconds})
      and not exists (
        select from pgboss.job as busy
        where busy.name = ${publishQueue} and busy.state = 'active' and busy.group_id = waiting.group_id
      )
    order by priority desc, created_on limit 1`
  if ((await next.execute(db)).rows.length === 0) return null
  return await db.transaction().execute(async (transaction) => {
    const { rows } = await sql`
      update pgboss.job set start_after = now(), priority = ${own}
      where name = ${publishQueue} and id = (${next} for update skip locked) returning id`.execute(
      transaction,
    )
    if (rows.length === 0) return null
    const options = { ...publishOneAtATime, minPriority: own, db: fromKysely(transaction) }
    const [job] = await boss.fetch<PublishTask>(publishQueue, options)
    // Rolls back what was raised.
    if (job === undefined) throw new Error('the preferred job was not fetched')
    return job
  })
}

/** Maximum jobs to count. */
const mostCounted = 10_000

/**
 * The priority of a job falls with the order of magnitude of the organisation's waiting uploads, so that one upload
 * does not wait for ten thousand of another.
 */
async function readPriority(transaction: TenantTransaction): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from (
      select from ingestions where state in ('queued', 'parsing') limit ${mostCounted}
    ) as ahead`.execute(transaction)
  return -Math.floor(Math.log2(Math.max(1, rows[0]?.waiting ?? 1)))
}

/** Inside the transaction, so that the job exists exactly when its ingestion does. */
export async function enqueueParse(boss: PgBoss, transaction: TenantTransaction, task: ParseTask) {
  const priority = await readPriority(transaction)
  await boss.send(parseQueue, task, { db: fromKysely(transaction), priority })
}

/** How long a publication waits for the other uploads of its corpus, in seconds. */
const gatherSeconds = 4

/**
 * The transaction holds the lock of the corpus's row. A job that waits already will see this change, because a
 * publisher takes the same lock first. While other uploads of the corpus are being read, the job waits for them; the
 * last of them starts it. A preferred worker takes it at once, any other after a short wait.
 */
export async function enqueuePublish(
  boss: PgBoss,
  transaction: TenantTransaction,
  task: PublishTask,
  worker: string | null = null,
): Promise<void> {
  const key = String(task.corpus)
  const unread = sql`select from ingestions where corpus = ${task.corpus} and state in ('queued', 'parsing')`
  const more = await isTrue(transaction, sql`exists (${unread})`)
  await boss.send(publishQueue, task, {
    db: fromKysely(transaction),
    singletonKey: key,
    priority: await readPriority(transaction),
    group: worker === null ? { id: key } : { id: key, tier: worker },
    startAfter: (more ? gatherSeconds : 0) + (worker === null ? 0 : patienceSeconds),
  })
  if (more) return
  const starts = sql`now() + case when group_tier is null then interval '0' else make_interval(secs => ${patienceSeconds}) end`
  await sql`
    update pgboss.job set start_after = ${starts}
    where name = ${publishQueue} and singleton_key = ${key} and state = 'created' and start_after > ${starts}
  `.execute(transaction)
}

/** A corpus that was asked for precedes those that are only rebuilt in the background. */
export async function enqueueRebuild(
  boss: PgBoss,
  db: Database,
  { organisation, corpus }: PublishTask,
  when: 'asked' | 'later',
): Promise<void> {
  const key = String(corpus)
  const priority = when === 'asked' ? 0 : later
  const options = { singletonKey: key, group: { id: key }, priority, db: fromKysely(db) }
  const sent = await boss.send(rebuildQueue, { organisation, corpus }, options)
  if (sent === null && when === 'asked')
    await sql`
      update pgboss.job set priority = 0 where name = ${rebuildQueue} and singleton_key = ${key}
        and state = 'created' and priority < 0`.execute(db)
}

/** Corpora that wait for a rebuild at once; the others follow. */
const mostRebuilds = 100

/** Enqueues some of the corpora in other formats; returns their number. */
export async function enqueueRebuilds(boss: PgBoss, db: Database): Promise<number> {
  const { rows } = await sql<PublishTask>`
    select corpus, organisation from formats
    where (format < ${schemaVersion} or format > ${schemaVersion}) and not exists (
      select from pgboss.job where name = ${rebuildQueue} and singleton_key = corpus::text and state < 'completed'
    )
    limit greatest(0, ${mostRebuilds} - (
      select count(*) from pgboss.job where name = ${rebuildQueue} and state < 'active'
    ))`.execute(db)
  for (const task of rows) await enqueueRebuild(boss, db, task, 'later')
  return rows.length
}

/** How far corpora are rebuilt. */
export async function readUpgrade(db: Database) {
  const formats = sql<{ format: number; corpora: number }>`
    select format, count(*) as corpora from formats group by format order by format`
  const jobs = sql<{ waiting: number; active: number }>`
    select count(*) filter (where state < 'active') as waiting, count(*) filter (where state = 'active') as active
    from pgboss.job where name = ${rebuildQueue}`
  const workers = sql<{ format: number; count: number }>`
    select format, count(*) as count from workers where seen_at > now() - interval '10 seconds'
    group by format order by format`
  const { rows } = await jobs.execute(db)
  return {
    formats: (await formats.execute(db)).rows,
    jobs: rows[0] ?? { waiting: 0, active: 0 },
    workers: (await workers.execute(db)).rows,
  }
}

/** `soon` gathers what many publications leave over; a number is a time in seconds from now. */
export async function enqueueSweep(
  boss: PgBoss,
  transaction: TenantTransaction,
  task: SweepTask,
  when: 'now' | 'soon' | number,
): Promise<void> {
  // Of a job that is done, PostgreSQL keeps the row for an hour: it holds no path.
  const { organisation } = task
  const startAfter = when === 'now' ? 0 : when === 'soon' ? 60 : when
  const singletonKey = `${organisation} ${typeof when === 'number' ? 'later' : when}`
  await boss.send(sweepQueue, { organisation }, { db: fromKysely(transaction), singletonKey, startAfter })
}

/**
 * Does another job of the corpus wait, which also does the work of a failed one? While the store is unavailable each
 * upload adds a job.
 */
export async function hasAnotherPublication(
  db: Database,
  { id, data }: Pick<Job<PublishTask>, 'id' | 'data'>,
): Promise<boolean> {
  const exists = sql`exists (
    select from pgboss.job where name = ${publishQueue} and singleton_key = ${String(data.corpus)}
      and state in ('created', 'retry') and id <> ${id}
  )`
  return await isTrue(db, exists)
}

export interface OpenJobs {
  readonly jobs: number
  /** How long the oldest has run, or waited since it could have begun. */
  readonly seconds: number
  /** Null for those with most uploads that wait, which have an organisation. */
  readonly queue: string | null
  readonly state: string
  readonly organisation: string
}

/** The jobs that are not done: of each queue and state, and of the organisations with most uploads among them. */
export async function readQueues(db: Database): Promise<readonly OpenJobs[]> {
  const { rows } = await sql<OpenJobs>`
    with open as materialized (
      select name, state::text, data ->> 'organisation' as organisation,
        case when state = 'active' then started_on else greatest(created_on, start_after) end as since
      from pgboss.job where state in ('created', 'retry', 'active')
        and name in (${sql.join([parseQueue, publishQueue, sweepQueue, deadQueue, rebuildQueue])})
    )
    select name as queue, state, '' as organisation, count(*) as jobs,
      greatest(0, extract(epoch from now() - min(since)))::float8 as seconds
    from open group by name, state
    union all (
      select null, '', organisation, count(*) as jobs, 0 from open where name in (${parseQueue}, ${publishQueue})
      group by organisation order by jobs desc, organisation limit ${mostNamed}
    )`.execute(db)
  return rows
}
