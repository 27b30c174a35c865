// How does work reach the workers? Two queues of pg-boss in the same PostgreSQL, so that a job is as durable as its row.

import { sql } from 'kysely'
import { type ConstructorOptions, fromKysely, type Job, PgBoss } from 'pg-boss'
import { appRole } from './migrations.ts'
import type { Database, TenantTransaction } from './open-database.ts'

/** One per upload; its file is read in a process that may be killed. */
export const parseQueue = 'parse'
/** What failed again and again: its ingestion is marked, and may be retried. */
export const deadQueue = 'parse-dead'
/** One waiting per corpus, and one at work (`publishOneAtATime`). */
export const publishQueue = 'publish'

/**
 * Whether a corpus is at work is asked when a job is fetched. The policies of pg-boss that say the same (`stately`,
 * `singleton`) pass over what the last statistics of the queue saw at work, which are up to two seconds old: a second
 * upload to a corpus waited that long.
 */
export const publishOneAtATime = { groupConcurrency: 1 } as const

export interface ParseTask {
  readonly organisation: string
  readonly ingestion: string
}

export interface PublishTask {
  readonly organisation: string
  readonly corpus: number
}

export interface QueueOptions {
  /** Workers poll and listen; an API node only sends. */
  readonly works: boolean
  readonly onError: (error: unknown) => void
}

/** Where the queues are: a server, or a database in this process. */
export type QueueSource =
  | { readonly connectionString: string }
  | { readonly db: NonNullable<ConstructorOptions['db']> }

/** At most one waits for each key. */
const publishPolicy = 'short'

/** Created by the owner, once; the restricted role may use them and create none. */
export async function createQueues(db: Database, source: QueueSource): Promise<void> {
  const boss = new PgBoss({ ...source, supervise: false, schedule: false, max: 2 })
  boss.on('error', () => {})
  await boss.start()
  try {
    // A worker that says nothing for so long is taken for dead: long enough for a machine that has too much to do.
    const heartbeatSeconds = 20
    const lasting = {
      heartbeatSeconds,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 30,
      notify: true,
    } as const
    const queues = {
      [deadQueue]: { retryLimit: 20, ...lasting },
      // For a night without a store; a file that fells its reader is given up long before that.
      [parseQueue]: {
        retryLimit: 1000,
        expireInSeconds: 120,
        deadLetter: deadQueue,
        ...lasting,
      },
      // What was accepted is published, however long the store is away.
      [publishQueue]: { retryLimit: 1_000_000, expireInSeconds: 600, ...lasting },
    }
    for (const [name, options] of Object.entries(queues)) {
      await boss.createQueue(name, name === publishQueue ? { policy: publishPolicy, ...options } : options)
      // One that is there already keeps its policy, and gets the rest.
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
    // How often workers that went silent are looked for.
    monitorIntervalSeconds: 2,
    // What the statistics call busy is passed over (jobs of a policy from before an upgrade), by default for a minute.
    queueCacheIntervalSeconds: 1,
    reindex: false,
    monitorVacuum: false,
    useListenNotify: options.works && 'connectionString' in source,
  })
  boss.on('error', options.onError)
  await boss.start()
  return boss
}

/** More are not counted: their turn comes late enough. */
const mostCounted = 10_000

/**
 * Inside the transaction: the job exists exactly when what it is about does. Its turn is the later the more of the
 * organisation wait already, by their order of magnitude: who sends one upload does not wait for ten thousand of another.
 */
export async function enqueueParse(
  boss: PgBoss,
  transaction: TenantTransaction,
  task: ParseTask,
): Promise<void> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from (
      select from ingestions where state in ('queued', 'parsing') limit ${mostCounted}
    ) as ahead`.execute(transaction)
  const priority = -Math.floor(Math.log2(Math.max(1, rows[0]?.waiting ?? 1)))
  await boss.send(parseQueue, task, { db: fromKysely(transaction), priority })
}

/**
 * The transaction holds the lock of the corpus's row. One that waits already will see this change: a publisher begins
 * by taking the same lock.
 */
export async function enqueuePublish(
  boss: PgBoss,
  transaction: TenantTransaction,
  task: PublishTask,
): Promise<void> {
  const key = String(task.corpus)
  await boss.send(publishQueue, task, {
    db: fromKysely(transaction),
    singletonKey: key,
    group: { id: key },
  })
}

/**
 * Whether another job of the corpus waits, which does the work of one that failed, too. While the store is away each
 * upload brings a job, and each would be tried again for itself.
 */
export async function hasAnotherPublication(
  db: Database,
  { id, data }: Pick<Job<PublishTask>, 'id' | 'data'>,
): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (
      select from pgboss.job where name = ${publishQueue} and singleton_key = ${String(data.corpus)}
        and state in ('created', 'retry') and id <> ${id}
    ) as has`.execute(db)
  return rows[0]?.has === true
}

/** The job ends with the transaction that did its work. */
export async function completeJob(
  boss: PgBoss,
  queue: string,
  job: Job<unknown>,
  transaction: TenantTransaction,
): Promise<void> {
  await boss.complete(queue, job.id, null, { db: fromKysely(transaction) })
}
