// Does a node outlive its database, and start before it? PostgreSQL is killed and started again under load; the node's process stays the same. (T12)
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { createKey } from '../src/control/keys.ts'
import { createOrganisation } from '../src/control/organisations.ts'
import { createDatabase, type TestDatabase } from './databases.ts'
import { NodeProcess } from './processes.ts'
import { Client, keySecret } from './service.ts'
import { startScript } from './start-servers.ts'

interface Killable {
  readonly database: TestDatabase
  kill(): void
  start(): Promise<void>
}

/** A PostgreSQL of the test's own, until the test ends. */
async function startPostgres(): Promise<Killable> {
  const first = await startScript('start-postgres.sh')
  let pid = first.pids[0] as number
  const database = await createDatabase(Number(first.first))
  onTestFinished(async () => {
    await database.close()
    process.kill(pid, 'SIGINT')
  })
  const start = async (): Promise<void> => {
    for (;;)
      try {
        const again = { DATA: first.folder, PORT: first.first }
        pid = (await startScript('start-postgres.sh', again)).pids[0] as number
        return
      } catch {
        // Processes of the old one still hold its memory.
        await sleep(200)
      }
  }
  return { database, kill: () => process.kill(pid, 'SIGKILL'), start }
}

it('answers again within 15 s, and finishes what was accepted', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'yore-restarts-'))
  const postgres = await startPostgres()
  const { database } = postgres
  const organisation = (await createOrganisation(database.owner, 'acme')).id
  const wanted = { name: 'all', access: 'admin', corpora: null, expiresAt: null } as const
  const { text: key } = await createKey(database.owner, organisation, wanted, keySecret)
  const node = new NodeProcess(['--port', '0', '--stale-seconds', '0'], {
    YORE_DATABASE_URL: database.appUrl,
    YORE_STORE: `dir:${path.join(folder, 'store')}`,
    YORE_DATA: path.join(folder, 'data'),
  })
  onTestFinished(async () => {
    if (process.env['YORE_TEST_EVENTS'] !== undefined)
      console.error(node.errors.replaceAll(/.*(?:starting up|accepting connections).*\n/g, '').slice(-3000))
    await node.end('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const client = new Client(/http:\S+/.exec(await node.start())?.[0] ?? '', key)
  await client.call('POST', '/v1/corpora', { name: 'docs' })
  const accepted: string[] = []
  let isOver = false
  const statuses = new Set<number>()
  const load = Promise.all(
    Array.from({ length: 4 }, async (_, lane) => {
      for (let number = 0; !isOver; number++) {
        const { status, body } = await client.upload(`${lane}-${number}.md`, '# x\n', { corpus: 'docs' })
        statuses.add(status)
        if (status === 202) accepted.push(body.id)
        await sleep(150)
      }
    }),
  )
  const waits: number[] = []
  for (let round = 0; round < 3; round++) {
    await sleep(1500)
    postgres.kill()
    await sleep(500)
    await postgres.start()
    const from = performance.now()
    while ((await client.call('GET', '/readyz')).status !== 200) await sleep(50)
    waits.push(Math.round(performance.now() - from))
  }
  isOver = true
  await load
  expect(Math.max(...waits)).toBeLessThan(15_000)
  expect([...statuses].sort()).toEqual([202, 503])
  for (const id of accepted) expect(await client.wait(id, 100_000)).toMatchObject({ state: 'completed' })
  console.log(`${accepted.length} accepted; ready again after ${waits.join(', ')} ms`)
}, 300_000)

it('starts before its database: it says that it waits, and serves once that is there', async () => {
  const postgres = await startPostgres()
  const folder = mkdtempSync(path.join(tmpdir(), 'yore-restarts-'))
  const node = new NodeProcess(['--port', '0'], {
    YORE_DATABASE_URL: postgres.database.appUrl,
    YORE_STORE: `dir:${path.join(folder, 'store')}`,
    YORE_DATA: path.join(folder, 'data'),
  })
  onTestFinished(async () => {
    await node.end('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  postgres.kill()
  const started = node.start()
  const patience = { timeout: 60_000, interval: 100 }
  await expect.poll(() => node.errors, patience).toContain('"event":"waiting for PostgreSQL"')
  await postgres.start()
  const url = /http:\S+/.exec(await started)?.[0] ?? ''
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status, patience).toBe(200)
}, 300_000)
