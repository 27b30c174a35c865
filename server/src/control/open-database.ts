// How is PostgreSQL accessed? With one pool, and a tenant that is set inside a transaction only.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  CompiledQuery,
  type Insertable,
  Kysely,
  PostgresDialect,
  PostgresDriver,
  type RawBuilder,
  sql,
  type Transaction,
} from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { ServiceError } from '../errors.ts'
import { appRole, migrations } from './migrations.ts'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>
export type TenantTransaction = Transaction<Tables>

const int8 = 20

/** Reads bigint as a number; one that does not fit is an error. */
function readBigInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`${text} is not a safe integer`)
  return value
}

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === int8) return readBigInteger
    // bigint[]
    if (oid === 1016)
      return (text: string) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(readBigInteger))
    return pg.types.getTypeParser(oid, format as 'text')
  },
} as pg.CustomTypesConfig

export function openDatabase(url: string, options: { readonly connections?: number } = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connections ?? 10,
    connectionTimeoutMillis: 10_000,
    // A response that never comes is an error, even when the server is cut off.
    query_timeout: 30_000,
    statement_timeout: 30_000,
    // A process that is frozen or cut off inside a transaction loses it, with the locks that others wait for.
    idle_in_transaction_session_timeout: 4000,
    keepAlive: true,
    types,
  })
  // A broken connection is replaced, and its query rejects; without a listener it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const dialect = new PostgresDialect({ pool })
  dialect.createDriver = () => new TenantDriver({ pool })
  return new Kysely<Tables>({ dialect })
}

/** The organisation of the transaction that is about to begin; taken by the first one. */
const tenants = new AsyncLocalStorage<string[]>()

/** Begins a transaction of asTenant in one round trip; null for another one. */
export function beginTenant(): string | null {
  const organisation = tenants.getStore()?.pop()
  if (organisation === undefined) return null
  return `begin; select set_config('yore.organisation', ${pg.escapeLiteral(organisation)}, true)`
}

class TenantDriver extends PostgresDriver {
  override async beginTransaction(...[connection, settings]: Beginning): Promise<void> {
    const statement = beginTenant()
    if (statement === null) return await super.beginTransaction(connection, settings)
    try {
      await connection.executeQuery(CompiledQuery.raw(statement))
    } catch (error) {
      // Its second half may have failed inside of the transaction; a connection that cannot go back is discarded.
      await this.rollbackTransaction(connection as PostgresConnection).catch(() => {})
      throw error
    }
  }
}
type Beginning = Parameters<PostgresDriver['beginTransaction']>
type PostgresConnection = Parameters<PostgresDriver['rollbackTransaction']>[0]

/**
 * Runs in one transaction that only sees and writes rows of one organisation. The setting ends with the transaction; a
 * setting of the session would reach the next user of the connection.
 */
export async function asTenant<T>(
  db: Database,
  organisation: string,
  use: (transaction: TenantTransaction) => Promise<T>,
): Promise<T> {
  return await tenants.run([organisation], () => db.transaction().execute(use))
}

/** Whether a condition holds in PostgreSQL. */
export async function isTrue(db: Database, condition: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ holds: boolean }>`select ${condition} as holds`.execute(db)
  return rows[0]?.holds === true
}

/** Records an administrative action in the transaction that performs it. */
export async function writeAudit(transaction: TenantTransaction, entry: Insertable<Tables['audit']>) {
  await transaction.insertInto('audit').values(entry).execute()
}

/** Runs pending migrations as the owner of the database, and returns their names. */
export async function migrate(db: Database): Promise<readonly string[]> {
  const { error, results } = await new Migrator({ db, provider: migrations }).migrateToLatest()
  if (error !== undefined) throw error
  return (results ?? []).map(({ migrationName }) => migrationName)
}

/** Lets the restricted role log in where PostgreSQL requires a password. */
export async function setAppPassword(db: Database, password: string): Promise<void> {
  await sql`alter role ${sql.raw(appRole)} password ${sql.lit(password)}`.execute(db)
}

/** Throws if row-level security does not apply to the connected role. */
export async function requireRestrictedRole(db: Database): Promise<void> {
  const isRestricted = sql`(
    not (select rolsuper or rolbypassrls from pg_roles where rolname = current_user)
    and not exists (
      select from pg_class where relname in ('corpora', 'api_keys') and pg_get_userbyid(relowner) = current_user
    )
  )`
  if (!(await isTrue(db, isRestricted)))
    throw new ServiceError(
      'UNAVAILABLE',
      'the database role could read every tenant: connect as yore_app, or another role that owns nothing',
    )
}
