// What does a node know of PostgreSQL without asking? Rows that questions need, until a notification or a silence of one second.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isConnectionFault, ServiceError } from '../errors.ts'
import { notifyChannel } from './migrations.ts'

/** Together the longest time that a row is used after it has changed, when its notification does not arrive. */
const beatEveryMs = 300
const patienceMs = 700
/** How long a request waits for a silent server, and for how long one is silent before no request waits for it. */
const budgetMs = 1000
const surelySilentMs = 2000
/** A connection that is silent for longer is replaced. */
const giveUpMs = 5000
const mostEntries = 100_000

/** Names of cached rows, as the notifications of the tables write them. */
export const rowNames = {
  key: (prefix: string): string => `key ${prefix}`,
  corpus: (organisation: string, number: number): string => `corpus ${organisation} ${number}`,
  /** The number of a named corpus. */
  name: (organisation: string, name: string): string => `name ${organisation} ${name}`,
  limits: (organisation: string): string => `limits ${organisation}`,
} as const

const silent = (): ServiceError =>
  new ServiceError('UNAVAILABLE', 'the database does not answer', { retryAfter: 1 })

/**
 * Listens on one connection and asks it for a sign of life. While the connection is lost, every row is read from
 * PostgreSQL; while the server is silent, reading a row fails after a second, and later at once. Rows that were known
 * before are then used for a limited time; what this node has heard of their changes counts.
 */
export class LookupCache {
  readonly #entries = new Map<string, Promise<unknown>>()
  /** Rejects what has waited longer than its budget for a server that is not known to be silent. */
  readonly #waiting = new Set<(error: Error) => void>()
  readonly #stopping = new AbortController()
  readonly #listening: Promise<void>
  #client: pg.Client | null = null
  #state: 'live' | 'lost' | 'silent' = 'lost'
  #silentSince = Number.POSITIVE_INFINITY
  readonly #staleMs: number
  /** When reading failed first since it last succeeded. */
  #failingSince = Number.POSITIVE_INFINITY

  /** Without an address, it caches nothing. */
  constructor(url: string | null, options: { readonly staleMs?: number } = {}) {
    this.#staleMs = options.staleMs ?? 0
    this.#listening = url === null ? Promise.resolve() : this.#listen(url)
  }

  /** The row under its name, read once until it changes. Throws UNAVAILABLE when PostgreSQL is silent. */
  async read<T>(name: string, load: () => Promise<T>): Promise<T> {
    const known = this.#entries.get(name) as Promise<T> | undefined
    if (known !== undefined && this.#state === 'live') return await known
    const isSilent =
      this.#state === 'silent' &&
      ((known !== undefined && this.#staleMs > 0) || performance.now() - this.#silentSince > surelySilentMs)
    const loaded = isSilent ? Promise.reject<T>(silent()) : this.#unlessSilent(load())
    if (this.#state !== 'live') return await this.#orKnown(loaded, known)
    this.#entries.set(name, loaded)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > mostEntries && oldest !== undefined) this.#entries.delete(oldest)
    // A missing row is not cached: there is no notification of new ones.
    const found = await loaded.catch(() => undefined)
    if (found === undefined && this.#entries.get(name) === loaded) this.#entries.delete(name)
    return await loaded
  }

  /** Whether it answers for PostgreSQL while that is away. */
  get isStale(): boolean {
    return this.#entries.size > 0 && performance.now() - this.#failingSince < this.#staleMs
  }

  /** Whether the last row was read in vain. */
  get isAway(): boolean {
    return this.#failingSince !== Number.POSITIVE_INFINITY
  }

  async #orKnown<T>(loaded: Promise<T>, known: Promise<T> | undefined): Promise<T> {
    try {
      const found = await loaded
      this.#failingSince = Number.POSITIVE_INFINITY
      return found
    } catch (error) {
      const isAway = error instanceof ServiceError ? error.code === 'UNAVAILABLE' : isConnectionFault(error)
      if (!isAway) throw error
      this.#failingSince = Math.min(this.#failingSince, performance.now())
      if (known === undefined || !this.isStale) throw error
      return await known
    }
  }

  /** For changes that this node makes or shows itself, before their notification arrives. */
  forget(name: string): void {
    this.#entries.delete(name)
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    void this.#client?.end().catch(() => {})
    await this.#listening
  }

  #unlessSilent<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const budget = setTimeout(() => {
        if (this.#state === 'silent') reject(silent())
        else this.#waiting.add(reject)
      }, budgetMs)
      answer.then(resolve, reject).finally(() => {
        clearTimeout(budget)
        this.#waiting.delete(reject)
      })
    })
  }

  async #listen(connectionString: string): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const client = new pg.Client({
        connectionString,
        connectionTimeoutMillis: giveUpMs,
        query_timeout: giveUpMs,
      })
      this.#client = client
      client.on('error', () => this.#enter('lost'))
      client.on('notification', ({ payload = '' }) => this.forget(payload))
      try {
        await this.#hear(client.connect())
        await this.#hear(client.query(`listen ${notifyChannel}`))
        const { rows } = await client.query(
          "select to_regproc('notify_change') is not null as notifies, pg_backend_pid() as pid",
        )
        // The tables of an earlier version notify of nothing, and a pooler's connection may lose what it listens to.
        const hears =
          rows[0]?.notifies === true && rows[0].pid === (client as { processID?: number }).processID
        // Notifications may have been missed before this connection, but none on it.
        this.#entries.clear()
        while (!this.#stopping.signal.aborted) {
          this.#enter(hears ? 'live' : 'lost')
          await this.#pause()
          await this.#hear(client.query('select 1'))
        }
      } catch {
        this.#enter('lost')
        await this.#pause()
      }
      void client.end().catch(() => {})
    }
  }

  #pause(): Promise<void> {
    return sleep(beatEveryMs, undefined, { signal: this.#stopping.signal }).catch(() => {})
  }

  async #hear(answer: Promise<unknown>): Promise<void> {
    let isLate = true
    // What has arrived meanwhile is read first: this process may have been busy.
    const late = setTimeout(() => setImmediate(() => isLate && this.#enter('silent')), patienceMs)
    try {
      await answer
    } finally {
      isLate = false
      clearTimeout(late)
    }
  }

  #enter(state: 'live' | 'lost' | 'silent'): void {
    if (state !== 'live' && this.#staleMs === 0) this.#entries.clear()
    if (state === 'live') this.#failingSince = Number.POSITIVE_INFINITY
    this.#state = state
    if (state !== 'silent') this.#silentSince = Number.POSITIVE_INFINITY
    else this.#silentSince = Math.min(this.#silentSince, performance.now())
    if (state === 'silent') for (const reject of this.#waiting) reject(silent())
  }
}
