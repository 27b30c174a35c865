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
export class LiveWorkers {
  readonly id: string
  readonly #db: Database
  readonly #format: number
  readonly #timer: NodeJS.Timeout
  #live: readonly { readonly id: string; readonly format: number }[] = []
  #isPaused = false
  #beating: Promise<void>

  constructor(db: Database, options: { readonly directory: string; readonly format: number }) {
    this.#db = db
    this.#format = options.format
    this.id = readId(options.directory)
    this.#beating = this.#beat()
    this.#timer = setInterval(() => {
      this.#beating = this.#beating.then(() => this.#beat())
    }, beatEveryMs)
  }

  /** Who publishes a corpus first; null when this worker is alone. */
  readonly choose = (corpus: number): string | null => {
    const ids = this.#live.map(({ id }) => id)
    return ids.length < 2 ? null : chooseWorker(ids, corpus)
  }

  /** Of the living workers with the newest format, one is the first: the others leave upgrades to it. */
  get isFirst(): boolean {
    const isBefore = ({ id, format }: { readonly id: string; readonly format: number }): boolean =>
      format > this.#format || (format === this.#format && id < this.id)
    return this.#live.length > 0 && !this.#live.some(isBefore)
  }

  get hasOthers(): boolean {
    return this.#live.length > 1
  }

  /** Others take its jobs. */
  async pause(isPaused: boolean): Promise<void> {
    this.#isPaused = isPaused
    await this.#beating
    if (isPaused) await sql`delete from workers where id = ${this.id}`.execute(this.#db).catch(() => {})
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.pause(true)
  }

  async #beat(): Promise<void> {
    if (this.#isPaused) return
    try {
      const { rows } = await sql<{ id: string; format: number }>`
        with mine as (
          insert into workers (id, format, seen_at) values (${this.id}, ${this.#format}, now())
          on conflict (id) do update set format = excluded.format, seen_at = excluded.seen_at
        ), gone as (delete from workers where seen_at < now() - interval '1 day')
        select id, format from workers
        where id <> ${this.id} and seen_at > now() - make_interval(secs => ${aliveSeconds})`.execute(this.#db)
      this.#live = [...rows, { id: this.id, format: this.#format }]
    } catch {
      // What was known holds until PostgreSQL answers.
    }
  }
}
