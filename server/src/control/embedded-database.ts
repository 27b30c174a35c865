// How does a trial work without a PostgreSQL server? With PGlite in this process (optional): all share one connection in turn.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { ServiceError } from '../errors.ts'
import { appRole } from './migrations.ts'
import { beginTenant, type Database } from './open-database.ts'
import type { QueueSource } from './queues.ts'
import type { Tables } from './tables.ts'

/** The used part of PGlite. */
interface Embedded {
  readonly waitReady: Promise<void>
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[]; affectedRows?: number }>
  exec(text: string): Promise<{ rows: unknown[] }[]>
  close(): Promise<void>
}

export interface EmbeddedDatabase {
  /** For migrations and administration. */
  readonly owner: Database
  /** For the service, as the role that owns nothing: row-level security applies as on a server. */
  readonly app: Database
  readonly queues: QueueSource
  close(): Promise<void>
}

/** A transaction keeps the connection until it ends. */
class Turns {
  #last: Promise<void> = Promise.resolve()

  /** Resolves with a function that ends the turn. */
  async take(): Promise<() => void> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    return resolve
  }
}

class TurnConnection implements DatabaseConnection {
  readonly #embedded: Embedded
  readonly end: () => void

  constructor(embedded: Embedded, end: () => void) {
    this.#embedded = embedded
    this.end = end
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, affectedRows } = await this.#embedded.query(sql, [...parameters])
    return {
      rows: rows as R[],
      ...(affectedRows === undefined ? {} : { numAffectedRows: BigInt(affectedRows) }),
    }
  }

  // biome-ignore lint/correctness/useYield: nothing here is streamed.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('results are not streamed from an embedded database')
  }
}

/** Gives the connection to one user at a time, in its role. */
class TurnDriver implements Driver {
  readonly #embedded: Embedded
  readonly #turns: Turns
  readonly #role: string | null

  constructor(embedded: Embedded, turns: Turns, role: string | null) {
    this.#embedded = embedded
    this.#turns = turns
    this.#role = role
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<TurnConnection> {
    const end = await this.#turns.take()
    try {
      if (this.#role !== null) await this.#embedded.exec(`set role ${this.#role}`)
      return new TurnConnection(this.#embedded, end)
    } catch (error) {
      end()
      throw error
    }
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    try {
      if (this.#role !== null) await this.#embedded.exec('reset role')
    } finally {
      ;(connection as TurnConnection).end()
    }
  }

  async beginTransaction(): Promise<void> {
    await this.#embedded.exec(beginTenant() ?? 'begin')
  }

  async commitTransaction(): Promise<void> {
    await this.#embedded.exec('commit')
  }

  async rollbackTransaction(): Promise<void> {
    await this.#embedded.exec('rollback')
  }

  async destroy(): Promise<void> {}
}

function openAs(embedded: Embedded, turns: Turns, role: string | null): Database {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new TurnDriver(embedded, turns, role),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}

/** PostgreSQL's type id of bytea. */
const bytea = 17

/** Opens or creates the database in the folder. Throws UNAVAILABLE if the package is not installed. */
export async function openEmbeddedDatabase(folder: string): Promise<EmbeddedDatabase> {
  const { PGlite } = await import('@electric-sql/pglite').catch((cause: unknown) => {
    throw new ServiceError(
      'UNAVAILABLE',
      'a trial without PostgreSQL needs the package @electric-sql/pglite: npm install @electric-sql/pglite',
      { cause },
    )
  })
  // As in node-postgres, bytes are a Buffer.
  const parsers = { [bytea]: (text: string): Buffer => Buffer.from(text.slice(2), 'hex') }
  const embedded: Embedded = new PGlite(folder, { parsers })
  await embedded.waitReady
  const turns = new Turns()
  const executeSql = async (text: string, values?: unknown[]): Promise<{ rows: unknown[] }> => {
    const end = await turns.take()
    try {
      // Several statements come without values.
      if (values !== undefined && values.length > 0) return await embedded.query(text, values)
      return { rows: (await embedded.exec(text)).flatMap(({ rows }) => rows) }
    } finally {
      end()
    }
  }
  return {
    owner: openAs(embedded, turns, null),
    app: openAs(embedded, turns, appRole),
    queues: { db: { executeSql } },
    close: () => embedded.close(),
  }
}
