// How is everything carried to an empty machine? A dump of the database and every object that it names, each known by its hash.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { createAppRole } from './control/migrations.ts'
import { type Database, isTrue, openDatabase } from './control/open-database.ts'
import { ServiceError } from './errors.ts'
import { blobKey } from './ingest/blobs.ts'
import { openDirectoryStore } from './versions/directory-store.ts'
import { hashFile } from './versions/durable-file.ts'
import { type ObjectStore, StoreError } from './versions/store.ts'
import type { VersionPart } from './versions/version.ts'

export interface BackupOptions {
  /** A role that sees every row: a superuser, or one with BYPASSRLS. */
  readonly ownerUrl: string
  readonly store: ObjectStore
  readonly folder: string
  readonly say: (line: string) => void
}

/** An object that the dump names. */
interface Named {
  readonly key: string
  readonly sha256: string
}

/** Lists every object of a backup; a restore checks that all of them are present. */
interface Inventory {
  readonly format: 1
  readonly at: string
  readonly objects: readonly Named[]
}

const dumpFile = 'database.dump'
const inventoryFile = 'inventory.json'
/** A version that was collected while it was copied is not the current one any more: the database is asked again. */
const mostRounds = 5

/** Runs a PostgreSQL program. The password goes through the environment: any user can list the arguments of a process. */
async function run(program: string, ownerUrl: string, args: readonly string[]): Promise<void> {
  const url = URL.parse(ownerUrl)
  const password = decodeURIComponent(url?.password ?? '')
  if (url !== null) url.password = ''
  const child = spawn(program, [`--dbname=${url?.href ?? ownerUrl}`, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...(password === '' ? {} : { PGPASSWORD: password }) },
  })
  let said = ''
  child.stderr.on('data', (piece: Buffer) => {
    said = (said + piece.toString()).slice(-4000)
  })
  const [status] = await once(child, 'close').catch((cause: unknown) => {
    const message = `${program} cannot be run: install PostgreSQL's client programs`
    throw new ServiceError('UNAVAILABLE', message, { cause })
  })
  if (status !== 0) throw new ServiceError('UNAVAILABLE', `${program} ended with ${status}: ${said.trim()}`)
}

/** Row-level security is forced: a role that it restricts would dump no rows, without an error. */
async function requireWholeSight(db: Database): Promise<void> {
  const sees = sql`(select rolsuper or rolbypassrls from pg_roles where rolname = current_user)`
  if (!(await isTrue(db, sees)))
    throw new ServiceError(
      'FORBIDDEN',
      'YORE_OWNER_URL must be a role that sees every row for this: a superuser, or one with BYPASSRLS',
    )
}

/** Dumps one state of the database, and what it names in that state. */
async function dump(db: Database, { ownerUrl, folder }: BackupOptions): Promise<readonly Named[]> {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      const { rows } = await sql<{ id: string }>`select pg_export_snapshot() as id`.execute(transaction)
      const place = path.join(folder, `${dumpFile}.new`)
      const wanted = ['--format=custom', '--no-owner', `--snapshot=${rows[0]?.id}`, `--file=${place}`]
      const dumping = run('pg_dump', ownerUrl, wanted)
      // The snapshot lasts as long as this transaction, which is never idle for long.
      const alive = setInterval(() => void sql`select 1`.execute(transaction).catch(() => {}), 2000)
      try {
        await dumping
      } finally {
        clearInterval(alive)
      }
      return await listNamed(transaction)
    })
}

async function listNamed(db: Database): Promise<readonly Named[]> {
  const blobs = await sql<{ organisation: string; blob: string }>`
    select organisation, blob from documents where blob is not null
    union
    select organisation, blob from ingestions
    where blob is not null and state in ('queued', 'parsing', 'failed', 'cancelled')`.execute(db)
  // The current version of each corpus: from its last base on.
  const parts = await sql<{ part: VersionPart }>`
    select v.part from versions v join corpora c on c.number = v.corpus
    where v.part is not null and v.number <= c.version and v.number >= (
      select max(b.number) from versions b
      where b.corpus = v.corpus and b.number <= c.version and b.kind <> 'delta'
    )
    union all select jsonb_array_elements(former -> 'manifest') from corpora where former is not null`.execute(
    db,
  )
  return [
    ...blobs.rows.map(({ organisation, blob }) => ({ key: blobKey(organisation, blob), sha256: blob })),
    ...parts.rows.map(({ part: { key, sha256 } }) => ({ key, sha256 })),
  ].sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** Copies what is not there yet, its hash checked on the way; how many were copied. Rejects for what is missing. */
async function copyObjects(named: readonly Named[], from: ObjectStore, to: ObjectStore): Promise<number> {
  let copied = 0
  for (const { key, sha256 } of named) {
    if ((await to.head(key)) !== null) continue
    await to.put(key, from.stream(key), { ifAbsent: true, sha256 })
    copied++
  }
  return copied
}

/** Again into the same folder copies only what is new. */
export async function backUp(options: BackupOptions): Promise<void> {
  const { folder, store, say } = options
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const objects = await openDirectoryStore({ directory: path.resolve(folder, 'objects') })
  await using db = openDatabase(options.ownerUrl, { connections: 2 })
  await requireWholeSight(db)
  for (let round = 1; ; round++) {
    const named = await dump(db, options)
    try {
      const copied = await copyObjects(named, store, objects)
      const inventory: Inventory = { format: 1, at: new Date().toISOString(), objects: named }
      await writeFile(path.join(folder, `${inventoryFile}.new`), JSON.stringify(inventory))
      for (const file of [dumpFile, inventoryFile])
        await rename(path.join(folder, `${file}.new`), path.join(folder, file))
      say(`backed up the database and ${named.length} objects, ${copied} of them new, to ${folder}`)
      return
    } catch (error) {
      if (round === mostRounds || !(error instanceof StoreError) || error.fault !== 'missing') throw error
    }
  }
}

/** Every object of the inventory is there and is what it was; throws CONFLICT with the first that is not. */
async function checkObjects(folder: string, { objects }: Inventory): Promise<void> {
  for (const { key, sha256 } of objects) {
    const found = await hashFile(path.join(folder, 'objects', key)).catch(() => 'missing')
    if (found !== sha256)
      throw new ServiceError('CONFLICT', `${key} is ${found === 'missing' ? found : 'damaged'} in the backup`)
  }
}

/** Into an empty database; objects that the store has already stay. */
export async function restore(options: BackupOptions): Promise<void> {
  const { folder, ownerUrl, store, say } = options
  const inventory = JSON.parse(await readFile(path.join(folder, inventoryFile), 'utf8')) as Inventory
  await checkObjects(folder, inventory)
  const objects = await openDirectoryStore({ directory: path.resolve(folder, 'objects') })
  await using db = openDatabase(ownerUrl, { connections: 2 })
  if (await isTrue(db, sql`to_regclass('public.organisations') is not null`))
    throw new ServiceError('CONFLICT', 'the database is not empty: restore into a new one')
  // Objects first: a database that names what is not there would be worse than none.
  const copied = await copyObjects(inventory.objects, objects, store)
  // Roles belong to the server and are in no dump.
  await createAppRole(db)
  const wanted = ['--no-owner', '--exit-on-error', '--single-transaction', path.join(folder, dumpFile)]
  await run('pg_restore', ownerUrl, wanted)
  say(
    `restored the database of ${inventory.at} and ${inventory.objects.length} objects, ${copied} of them new`,
  )
}
