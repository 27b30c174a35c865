// Does a node behave while it stops, while it is flooded and while a worker is frozen? Real processes and signals.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createKey } from '../src/control/keys.ts'
import { createOrganisation } from '../src/control/organisations.ts'
import { createDatabase, type TestDatabase } from './databases.ts'
import { NodeProcess } from './processes.ts'
import { type Answer, Client, keySecret } from './service.ts'
import { makeTarGz } from './support/archives.ts'

let database: TestDatabase
let folder: string
let env: Record<string, string>
let key: string
/** Of another organisation. */
let otherKey: string
beforeAll(async () => {
  database = await createDatabase()
  folder = mkdtempSync(path.join(tmpdir(), 'yore-operation-'))
  const organisation = (await createOrganisation(database.owner, 'acme')).id
  const neighbours = (await createOrganisation(database.owner, 'neighbours')).id
  const wanted = { name: 'all', access: 'admin', corpora: null, expiresAt: null } as const
  key = (await createKey(database.owner, organisation, wanted, keySecret)).text
  otherKey = (await createKey(database.owner, neighbours, wanted, keySecret)).text
  env = {
    YORE_DATABASE_URL: database.appUrl,
    YORE_STORE: `dir:${path.join(folder, 'store')}`,
    YORE_DATA: path.join(folder, 'data'),
  }
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The address that a node says when it serves. */
const addressIn = (line: string): string => /http:\S+/.exec(line)?.[0] ?? ''

it('says that it is not ready first, ends within 10 s, and burns no attempt of what it was doing', async () => {
  const node = new NodeProcess(['--port', '0', '--drain', '1500'], env)
  const client = new Client(addressIn(await node.start()), key)
  await client.call('POST', '/v1/corpora', { name: 'stopped' })
  expect((await client.call('GET', '/readyz')).status).toBe(200)
  const uploads: string[] = []
  for (let number = 0; number < 12; number++)
    uploads.push((await client.upload(`${number}.md`, `# ${number}\n`, { corpus: 'stopped' })).body.id)
  const late = connect(Number(new URL(client.url).port), '127.0.0.1')
  late.write('GET /healthz HTTP/1.1\r\nHost: node\r\n')
  const started = performance.now()
  const ended = node.end('SIGTERM')
  await sleep(300)
  const [ready, healthy] = [await client.call('GET', '/readyz'), await client.call('GET', '/healthz')]
  expect([ready.status, healthy.status]).toEqual([503, 200])
  // No connection is accepted any more, and a request on an open one is answered.
  await sleep(1700)
  late.write('\r\n')
  expect(String((await once(late, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
  expect(await ended).toBe(0)
  expect(performance.now() - started).toBeLessThan(10_000)

  const next = new NodeProcess(['--port', '0'], env)
  const again = new Client(addressIn(await next.start()), key)
  try {
    for (const id of uploads) expect(await again.wait(id)).toMatchObject({ state: 'completed', attempts: 1 })
  } finally {
    await next.end('SIGKILL')
  }
})

it('publishes soon what the queue’s statistics still call busy', async () => {
  const node = new NodeProcess(['--role', 'api', '--port', '0'], env)
  const client = new Client(addressIn(await node.start()), key)
  const worker = new NodeProcess(['--role', 'worker'], env)
  try {
    await client.call('POST', '/v1/corpora', { name: 'busy' })
    const seen = sql`select number from corpora where name = 'busy'`
    await sql`update pgboss.queue set singletons_active = array(${seen})::text[] where name = 'publish'`.execute(
      database.owner,
    )
    await worker.start()
    const { id } = (await client.upload('a.md', '# A\n', { corpus: 'busy' })).body
    expect(await client.wait(id, 40_000)).toMatchObject({ state: 'completed' })
  } finally {
    await Promise.all([node.end('SIGKILL'), worker.end('SIGKILL')])
  }
})

it('refuses a flood with Retry-After, and answers others meanwhile', async () => {
  const node = new NodeProcess(['--port', '0', '--threads', '1'], env)
  const client = new Client(addressIn(await node.start()), key)
  try {
    await client.call('POST', '/v1/corpora', { name: 'flooded' })
    const text = Array.from(
      { length: 300 },
      (_, number) => `## Part ${number}\n\nretry policy ${number}\n`,
    ).join('\n')
    await client.wait((await client.upload('long.md', `# Long\n\n${text}`, { corpus: 'flooded' })).body.id)
    const ask = (): Promise<Answer> =>
      client.call('POST', '/v1/corpora/flooded/assemble', { question: 'What is the retry policy?' })
    const flood = Array.from({ length: 400 }, ask)
    const waits: number[] = []
    for (let turn = 0; turn < 20; turn++) {
      const from = performance.now()
      expect((await client.call('GET', '/healthz')).status).toBe(200)
      waits.push(performance.now() - from)
    }
    // The flood has its share; what is not there is answered by the database alone, after admission.
    const neighbour = new Client(client.url, otherKey)
    expect((await neighbour.call('POST', '/v1/corpora/none/search', { query: 'x' })).status).toBe(404)
    const answers = await Promise.all(flood)
    // Its own share is full before the whole is: room is left for others.
    const refused = answers.filter(({ status }) => status === 429 || status === 503)
    expect(refused.some(({ status }) => status === 429)).toBe(true)
    expect(refused.every(({ headers }) => Number(headers.get('retry-after')) >= 1)).toBe(true)
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(50)
    expect(answers.every(({ status }) => [200, 429, 503].includes(status))).toBe(true)
    expect((await ask()).status).toBe(200)
    console.log(`healthz under flood: median ${Math.round(waits.sort((a, b) => a - b)[10] ?? 0)} ms`)
  } finally {
    await node.end('SIGKILL')
  }
})

it('goes on with a large archive when its worker is killed, on a worker that knows nothing of it', async () => {
  const api = new NodeProcess(['--role', 'api', '--port', '0'], env)
  const client = new Client(addressIn(await api.start()), key)
  const killed = new NodeProcess(['--role', 'worker'], env)
  const other = new NodeProcess(['--role', 'worker'], { ...env, YORE_DATA: path.join(folder, 'elsewhere') })
  try {
    await killed.start()
    await client.call('POST', '/v1/corpora', { name: 'archived' })
    const files = Array.from({ length: 4100 }, (_, at) => ({ name: `${at}.md`, content: '# Page\n' }))
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(makeTarGz(files))]), 'a.tgz')
    const { body } = await client.call('POST', '/v1/ingest/archive?corpus=archived', form)
    const countCheckpoints = async (): Promise<number> =>
      (await sql<{ count: number }>`select count(*)::int as count from checkpoints`.execute(database.owner))
        .rows[0]?.count ?? 0
    await expect.poll(countCheckpoints, { timeout: 60_000, interval: 20 }).toBeGreaterThan(0)
    await killed.end('SIGKILL')
    await other.start()
    expect(await client.wait(body.id, 110_000)).toMatchObject({ state: 'completed', attempts: 2 })
    expect(await countCheckpoints()).toBe(0)
  } finally {
    for (const node of [api, killed, other]) await node.end('SIGKILL')
  }
}, 240_000)

it('takes the work of a frozen worker over, and refuses what that one writes when it wakes', async () => {
  const api = new NodeProcess(['--role', 'api', '--port', '0'], env)
  const client = new Client(addressIn(await api.start()), key)
  const frozen = new NodeProcess(['--role', 'worker'], env)
  await frozen.start()
  await client.call('POST', '/v1/corpora', { name: 'thawed' })
  const first = await client.upload('first.md', '# First\n', { corpus: 'thawed' })
  await client.wait(first.body.id)
  const second = await client.upload('second.md', '# Second\n', { corpus: 'thawed' })
  process.kill(frozen.pid, 'SIGSTOP')
  const other = new NodeProcess(['--role', 'worker'], env)
  await other.start()
  try {
    const third = await client.upload('third.md', '# Third\n', { corpus: 'thawed' })
    // The lease of the frozen one has to run out first.
    expect(await client.wait(second.body.id, 100_000)).toMatchObject({ state: 'completed' })
    expect(await client.wait(third.body.id, 100_000)).toMatchObject({ state: 'completed' })
    const { body: before } = await client.call('GET', '/v1/corpora/thawed')
    process.kill(frozen.pid, 'SIGCONT')
    await sleep(3000)
    const { body: after } = await client.call('GET', '/v1/corpora/thawed')
    expect(after.version).toBe(before.version)
    const { body } = await client.call('GET', '/v1/corpora/thawed/documents')
    expect(body.items.map((item: { path: string }) => item.path)).toEqual([
      'first.md',
      'second.md',
      'third.md',
    ])
  } finally {
    for (const node of [api, frozen, other]) await node.end('SIGKILL')
  }
})
