// Where does yore-server start? One program for administration, API nodes and workers.
import { once } from 'node:events'
import { Command, InvalidArgumentError, Option } from 'commander'
import { createKey, revokeKey } from './control/keys.ts'
import { type LimitName, limitNames, setLimits } from './control/limits.ts'
import { type NodeLimits, nodeLimits } from './control/node-limits.ts'
import { type Database, migrate, openDatabase, setAppPassword } from './control/open-database.ts'
import { createOrganisation, findOrganisation, listOrganisations } from './control/organisations.ts'
import { createQueues, openQueues, readUpgrade } from './control/queues.ts'
import { readVariable, variables } from './control/read-environment.ts'
import type { Access } from './control/tables.ts'
import { ServiceError } from './errors.ts'
import { countRows, deleteOrganisation } from './ingest/organisation-data.ts'
import { type Node, type ServeOptions, serve, serveDefaults } from './serve.ts'
import { openStore } from './versions/open-store.ts'
import { locateDocs, schemaVersion, YoreError, yoreVersion } from './yore.ts'

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const ownerUrl = (): string => readVariable(process.env, 'YORE_OWNER_URL')

/** An action that runs as the owner, and hangs up. */
function asOwner<Given extends readonly unknown[]>(work: (db: Database, ...given: Given) => Promise<void>) {
  return async (...given: Given): Promise<void> => {
    await using db = openDatabase(ownerUrl(), { connections: 2 })
    await work(db, ...given)
  }
}

/** Gives the restricted role the password of YORE_APP_PASSWORD, if there is one. */
async function givePassword(db: Database): Promise<void> {
  const password = process.env['YORE_APP_PASSWORD'] ?? ''
  if (password !== '') await setAppPassword(db, password)
}

function readWhole(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const count = Number(text)
    if (Number.isSafeInteger(count) && count >= least && count <= most) return count
    throw new InvalidArgumentError(`must be a whole number from ${least} to ${most}`)
  }
}
const [readCount, readSome, readPort] = [readWhole(0), readWhole(1), readWhole(0, 65_535)]

interface KeyGiven {
  readonly name: string
  readonly access: Access
  readonly days?: number
  readonly corpus?: readonly string[]
}

const migrateAll = asOwner(async (db) => {
  const ran = await migrate(db)
  await createQueues(db, { connectionString: ownerUrl() })
  await givePassword(db)
  say(ran.length === 0 ? 'the tables are up to date' : ran.map((name) => `ran ${name}`).join('\n'))
})

const showUpgrade = asOwner(async (db) => {
  const { formats, jobs, workers } = await readUpgrade(db)
  for (const { format, corpora } of formats) {
    const toDo = format === schemaVersion ? '' : ' to rebuild'
    say(`format ${format === 0 ? 'unknown' : format}: ${corpora} corpora${toDo}`)
  }
  say(`rebuilds: ${jobs.waiting} waiting, ${jobs.active} active`)
  for (const { format, count } of workers) say(`workers of format ${format}: ${count}`)
})

const printKey = asOwner(async (db, organisation: string, given: KeyGiven) => {
  const { id } = await findOrganisation(db, organisation)
  const expiresAt = given.days === undefined ? null : new Date(Date.now() + given.days * 86_400_000)
  const corpora = given.corpus?.map(Number) ?? null
  const { name, access } = given
  const wanted = { name, access, corpora, expiresAt }
  const key = await createKey(db, id, wanted, readVariable(process.env, 'YORE_KEY_SECRET'))
  process.stderr.write(`key ${key.id} for ${organisation}, ${access} access; it is shown once:\n`)
  say(key.text)
})

const changeLimits = asOwner(async (db, organisation: string, given: Readonly<Record<string, number>>) => {
  const { id } = await findOrganisation(db, organisation)
  const changes = Object.entries(given).map(([name, value]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ])
  const held = await setLimits(db, id, Object.fromEntries(changes))
  for (const [name, what] of Object.entries(limitNames)) {
    const value = String(held[name as LimitName]).padStart(14)
    say(`${name.replaceAll('_', '-').padEnd(22)} ${value}  ${what}`)
  }
})

const deleteAll = asOwner(async (db, name: string, { yes }: { readonly yes: boolean }) => {
  const organisation = await findOrganisation(db, name)
  if (!yes) {
    say(JSON.stringify(await countRows(db, organisation.id), null, 2))
    throw new ServiceError('BAD_REQUEST', 'nothing was deleted: add --yes to delete these rows')
  }
  const store = await openStore(readVariable(process.env, 'YORE_STORE'), process.env)
  const onError = (error: unknown): void => writeEvent('queue', { error: String(error) })
  const boss = await openQueues({ connectionString: ownerUrl() }, { works: false, onError })
  const receipt = await deleteOrganisation(organisation, { db, store, boss, now: Date.now() })
  await boss.stop({ graceful: false })
  say(JSON.stringify(receipt, null, 2))
})

const revoke = asOwner(async (db, organisation: string, key: string) => {
  const { id } = await findOrganisation(db, organisation)
  if ((await revokeKey(db, id, key)) === null) throw new ServiceError('NOT_FOUND', `no living key ${key}`)
  say(`revoked key ${key}`)
})

/** Of the database and every object that it names. */
async function copyAll(direction: 'backup' | 'restore', folder: string): Promise<void> {
  const { backUp, restore } = await import('./backup.ts')
  const store = await openStore(readVariable(process.env, 'YORE_STORE'), process.env)
  const options = { ownerUrl: ownerUrl(), store, folder, say }
  if (direction === 'backup') return await backUp(options)
  await restore(options)
  // A restored role has no password.
  await asOwner(givePassword)()
}

function addAdministration(program: Command): void {
  const admin = program.command('admin').description('Prepare the database; create organisations and keys.')
  const add = (usage: string, what: string): Command => admin.command(usage).description(what)
  add('migrate', 'Bring the tables and queues up to date.').action(migrateAll)
  add('upgrade', 'Show how far corpora are rebuilt for the format of this release; workers rebuild them.')
    .requiredOption('--status', 'print formats, jobs and workers')
    .action(showUpgrade)
  add('organisations', 'List the organisations.').action(
    asOwner(async (db) => {
      for (const { id, name } of await listOrganisations(db)) say(`${id}  ${name}`)
    }),
  )
  add('create-organisation <name>', 'Create an organisation.').action(
    asOwner(async (db, name: string) => {
      const { id } = await createOrganisation(db, name)
      say(`created organisation ${name} (${id})`)
    }),
  )
  const access = new Option('--access <access>', 'what it may do').choices(['read', 'write', 'admin'])
  add('create-key <organisation>', 'Create an API key and print it, once.')
    .option('--name <name>', 'what it is for', 'key')
    .addOption(access.default('read'))
    .option('--days <n>', 'how long it holds; without, until it is revoked', readSome)
    .option('--corpus <number...>', 'only these corpora, by number')
    .action(printKey)
  const show = 'Show what an organisation may have and do, after changing what is given.'
  const limits = add('limits <organisation>', show).action(changeLimits)
  for (const [name, what] of Object.entries(limitNames))
    limits.option(`--${name.replaceAll('_', '-')} <n>`, what, readCount)
  add(
    'backup <folder>',
    'Copy the database and every object that it names into a folder; again copies only what is new.',
  ).action((folder: string) => copyAll('backup', folder))
  add('restore <folder>', 'Bring a backup into an empty database and the store.').action((folder: string) =>
    copyAll('restore', folder),
  )
  add(
    'delete-organisation <organisation>',
    'Delete an organisation with all that it has, and print a receipt as JSON.',
  )
    .option('--yes', 'delete it; without, only count its rows', false)
    .action(deleteAll)
  add('revoke-key <organisation> <id>', 'Revoke an API key at once.').action(revoke)
}

/** One line of JSON each, for whatever collects logs. No text of documents or questions. */
function writeEvent(event: string, details: Readonly<Record<string, unknown>>): void {
  unwritten += `${JSON.stringify({ at: new Date().toISOString(), event, ...details })}\n`
  // Writing a line takes a fifth of what a request takes here: those of requests are written together.
  if (event !== 'request') writeEvents()
  else writing ??= setTimeout(writeEvents, 100)
}

let unwritten = ''
let writing: NodeJS.Timeout | null = null
function writeEvents(): void {
  if (unwritten !== '') process.stderr.write(unwritten)
  unwritten = ''
  clearTimeout(writing ?? undefined)
  writing = null
}
process.once('exit', writeEvents)

interface ServeGiven extends NodeLimits, Pick<ServeOptions, 'role' | 'host' | 'port' | 'threads'> {
  readonly healthPort?: number
  readonly drain: number
}

function addServing(program: Command): void {
  const role = new Option('--role <role>', 'what this node does').choices(['api', 'worker', 'all'])
  const command = program
    .command('serve')
    .description('Serve the API, work on uploads, or both, until told to stop by SIGTERM or SIGINT.')
    .addOption(role.default(serveDefaults.role))
    .option('--host <address>', 'address to listen on', serveDefaults.host)
    .option('--port <n>', 'port to listen on; 0 takes a free one', readPort, serveDefaults.port)
    .option(
      '--threads <n>',
      'threads that answer questions; 0 for one per core',
      readCount,
      serveDefaults.threads,
    )
    .option('--drain <ms>', 'how long to stay reachable while not ready', readCount, serveDefaults.drainMs)
    .option('--health-port <n>', 'port for /healthz, /readyz and /metrics; none without', readPort)
  for (const { name, flag, help } of nodeLimits) {
    const read = name === 'staleSeconds' ? readCount : readSome
    command.option(`--${flag} <n>`, help, read, serveDefaults.limits[name])
  }
  command.action(async (given: ServeGiven) => {
    const publicUrl = process.env['YORE_PUBLIC_URL']
    const node = await serve({
      ...serveDefaults,
      ...given,
      drainMs: given.drain,
      limits: given,
      databaseUrl: readVariable(process.env, 'YORE_DATABASE_URL'),
      keySecret: readVariable(process.env, 'YORE_KEY_SECRET'),
      store: readVariable(process.env, 'YORE_STORE'),
      data: readVariable(process.env, 'YORE_DATA'),
      ...(publicUrl === undefined || publicUrl === '' ? {} : { publicUrl }),
      environment: process.env,
      onEvent: writeEvent,
    })
    say(node.url === null ? 'working' : `listening on ${node.url}`)
    await runUntilStopped(node)
  })
}

/** Until told to stop. */
async function runUntilStopped(node: Node): Promise<void> {
  await Promise.race(['SIGTERM', 'SIGINT'].map((signal) => once(process, signal)))
  await node.stop()
  process.exit(0)
}

function addTrial(program: Command): void {
  program
    .command('dev')
    .description('Try everything on this machine: one process, one folder, no PostgreSQL, no set-up.')
    .option('--folder <path>', 'where everything is kept; remove it to start from scratch', 'yore-dev')
    .option('--port <n>', 'port to listen on; 0 takes a free one', readPort, serveDefaults.port)
    .action(async (given: { folder: string; port: number }) => {
      const { serveDev } = await import('./dev.ts')
      process.stderr.write('starting, which takes some seconds …\n')
      const around = { environment: process.env, onEvent: writeEvent }
      const node = await serveDev({ ...serveDefaults, ...given, ...around })
      say(`listening on ${node.url}, everything in ${given.folder}`)
      say(`
  export KEY=${node.key}
  curl -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{"name": "docs"}' ${node.url}/v1/corpora
  curl -H "Authorization: Bearer $KEY" -F file=@README.md '${node.url}/v1/ingest/file?corpus=docs'
  until curl -sf -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{"question": "What is this?"}' ${node.url}/v1/corpora/docs/assemble; do sleep 0.5; done
`)
      const guide = '{docs}/guides/run-the-service.md says how to run it for others.'
      say(locateDocs(`This is a trial for one machine; ${guide}`))
      await runUntilStopped(node)
    })
}

const environment = Object.entries(variables).map(([name, what]) => `  ${name.padEnd(18)} ${what}`)
const program = new Command('yore-server')
  .description('yore for many corpora and tenants.')
  .addHelpText('after', `\nEnvironment:\n${environment.join('\n')}`)
  .version(yoreVersion)
addAdministration(program)
addServing(program)
addTrial(program)
try {
  await program.parseAsync(process.argv)
} catch (error) {
  const isOurs = error instanceof ServiceError || error instanceof YoreError
  const text = isOurs ? error.message : String((error as Error).stack ?? error)
  process.stderr.write(`error: ${text}\n`)
  // What a node has opened before it failed would keep the process.
  process.exit(1)
}
