// Which database does a test use? One of its own on the run's server, migrated, with both roles.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { type Database, migrate, openDatabase } from '../src/control/open-database.ts'
import { createQueues } from '../src/control/queues.ts'

export interface TestDatabase {
  /** For migrations and administration. */
  readonly ownerUrl: string
  /** For the service: a role that owns nothing. */
  readonly appUrl: string
  readonly owner: Database
  readonly app: Database
  close(): Promise<void>
}

/** Migrated once in a run; each test gets a copy. */
const templateName = 'yore_template'

async function create(port: number, what: string): Promise<void> {
  const admin = new pg.Client({ host: '127.0.0.1', port, user: 'yore_owner', database: 'postgres' })
  await admin.connect()
  await admin.query(`create database ${what}`)
  await admin.end()
}

async function prepare(owner: Database, ownerUrl: string): Promise<void> {
  await migrate(owner)
  await createQueues(owner, { connectionString: ownerUrl })
}

export async function createTemplate(port: number): Promise<void> {
  await create(port, templateName)
  const url = `postgres://yore_owner@127.0.0.1:${port}/${templateName}`
  const owner = openDatabase(url, { connections: 2 })
  await prepare(owner, url)
  await owner.destroy()
}

export async function createDatabase(
  port: number = inject('postgresPort'),
  user = 'yore_owner',
): Promise<TestDatabase> {
  const name = `yore_${randomBytes(6).toString('hex')}`
  // Benchmarks have no template.
  const isCopied =
    process.env['VITEST'] !== undefined && port === inject('postgresPort') && user === 'yore_owner'
  await create(port, `${name} ${isCopied ? `template ${templateName}` : `owner ${user}`}`)
  const ownerUrl = `postgres://${user}@127.0.0.1:${port}/${name}`
  const appUrl = `postgres://yore_app@127.0.0.1:${port}/${name}`
  const owner = openDatabase(ownerUrl, { connections: 2 })
  if (!isCopied) await prepare(owner, ownerUrl)
  const app = openDatabase(appUrl)
  return {
    ownerUrl,
    appUrl,
    owner,
    app,
    close: async () => {
      await app.destroy()
      await owner.destroy()
    },
  }
}

/** Closed when the test ends. */
export async function useDatabase(): Promise<TestDatabase> {
  const database = await createDatabase()
  onTestFinished(() => database.close())
  return database
}
