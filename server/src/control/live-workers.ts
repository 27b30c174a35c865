// Which workers are alive, and which of them should publish a corpus? The one that published it before has its copy.
import { hash, randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import type { Database } from './open-database.ts'

const beatEveryMs = 2000
/** A worker that is silent for longer is not waited for. */
const aliveSeconds = 7

/** By rendezvous hashing: when a worker comes or goes, only its own corpora move. */
export function chooseWorker(workers: readonly string[], corpus: number): string | null {
  const weigh = (worker: string): string => hash('sha256', `${worker} ${corpus}`)
  return workers.reduce<string | null>(
    (best, worker) => (best === null || weigh(worker) > weigh(best) ? worker : best),
    null,
  )
}

/** The id of a worker's folder: a worker that starts again there has the copies of the one before. */
function readId(directory: string): string {
  const file = path.join(directory, 'id')
  try {
    return readFileSync(file, 'utf8')
  } catch {
    const id = randomUUID()
    try {
      writeFileSync(file, id)
    } catch {
      // A full disk: the id holds for this process.
    }
    return id
  }
}

/** Says that this worker is alive, and knows which others are. */
export function joinWorkers(
  db: Database,
  { directory, format }: { readonly directory: string; readonly format: number },
) {
  let live: readonly { readonly id: string; readonly format: number }[] = []
  let isPaused = false
  const id = readId(directory)
  let beating = beat()
  const timer = setInterval(() => {
    beating = beating.then(() => beat())
  }, beatEveryMs)

  /** Who publishes a corpus first; null when this worker is alone. */
  const choose = (corpus: number): string | null => {
    const ids = live.map(({ id }) => id)
    return ids.length < 2 ? null : chooseWorker(ids, corpus)
  }

  /** Of the living workers with the newest format, one is the first: the others leave upgrades to it. */
  const isFirst = (): boolean =>
    live.length > 0 &&
    !live.some((other) => other.format > format || (other.format === format && other.id < id))
  const hasOthers = (): boolean => live.length > 1

  /** Others take its jobs. */
  async function pause(isAbsent: boolean): Promise<void> {
    isPaused = isAbsent
    await beating
    if (isAbsent) await sql`delete from workers where id = ${id}`.execute(db).catch(() => {})
  }

  async function stop(): Promise<void> {
    clearInterval(timer)
    await pause(true)
  }

  async function beat(): Promise<void> {
    if (isPaused) return
    try {
      const { rows } = await sql<{ id: string; format: number }>`
        with mine as (
          insert into workers (id, format, seen_at) values (${id}, ${format}, now())
          on conflict (id) do update set format = excluded.format, seen_at = excluded.seen_at
        ), gone as (delete from workers where seen_at < now() - interval '1 day')
        select id, format from workers
        where id <> ${id} and seen_at > now() - make_interval(secs => ${aliveSeconds})`.execute(db)
      live = [...rows, { id, format }]
    } catch {
      // What was known holds until PostgreSQL answers.
    }
  }

  return { id, choose, isFirst, hasOthers, pause, stop }
}
