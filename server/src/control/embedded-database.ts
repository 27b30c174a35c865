// How does a trial work without a PostgreSQL server? With PGlite in this process (optional): all share one connection in turn.
import type { PGlite } from '@electric-sql/pglite'
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

export interface EmbeddedDatabase {
  /** For migrations and administration. */
  readonly owner: Database
  /** For the service, as the role that owns nothing: row-level security applies as on a server. */
  readonly app: Database
  readonly queues: QueueSource
  close(): Promise<void>
}

/** A transaction keeps the connection until it ends. Resolves with a function that ends the turn. */
type TakeTurn = () => Promise<() => void>

function takeTurns(): TakeTurn {
  let last: Promise<void> = Promise.resolve()
  return async () => {
    const before = last
    const { promise, resolve } = Promise.withResolvers<void>()
    last = promise
    await before
    return resolve
  }
}

/** Gives the connection to one user at a time, in its role. */
function makeDriver(embedded: PGlite, takeTurn: TakeTurn, role: string | null): Driver {
  const enter = async (statement: string): Promise<void> => void (await embedded.exec(statement))
  let end = (): void => {}
  const connection: DatabaseConnection = {
    executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => {
      const { rows, affectedRows } = await embedded.query(sql, [...parameters])
      const counted = affectedRows === undefined ? {} : { numAffectedRows: BigInt(affectedRows) }
      return { rows: rows as R[], ...counted }
    },
    streamQuery: () => {
      throw new Error('results are not streamed from an embedded database')
    },
  }
  return {
    init: async () => {},
    destroy: async () => {},
    acquireConnection: async () => {
      const endTurn = await takeTurn()
      try {
        if (role !== null) await embedded.exec(`set role ${role}`)
        end = endTurn
        return connection
      } catch (error) {
        endTurn()
        throw error
      }
    },
    releaseConnection: async () => {
      try {
        if (role !== null) await embedded.exec('reset role')
      } finally {
        end()
      }
    },
    beginTransaction: () => enter(beginTenant() ?? 'begin'),
    commitTransaction: () => enter('commit'),
    rollbackTransaction: () => enter('rollback'),
  }
}

function openAs(embedded: PGlite, takeTurn: TakeTurn, role: string | null): Database {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => makeDriver(embedded, takeTurn, role),
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
  const embedded = new PGlite(folder, { parsers })
  await embedded.waitReady
  const takeTurn = takeTurns()
  const executeSql = async (text: string, values?: unknown[]): Promise<{ rows: unknown[] }> => {
    const end = await takeTurn()
    try {
      // Several statements come without values.
      if (values !== undefined && values.length > 0) return await embedded.query(text, values)
      return { rows: (await embedded.exec(text)).flatMap(({ rows }) => rows) }
    } finally {
      end()
    }
  }
  return {
    owner: openAs(embedded, takeTurn, null),
    app: openAs(embedded, takeTurn, appRole),
    queues: { db: { executeSql } },
    close: () => embedded.close(),
  }
}
