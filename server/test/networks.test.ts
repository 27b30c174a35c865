// Do only requests in flight fail when nodes die or are cut off? Two API nodes and two workers, each in a network of its own. (YORE_SLOW)
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { createKey } from '../src/control/keys.ts'
import { setLimits } from '../src/control/limits.ts'
import { createOrganisation } from '../src/control/organisations.ts'
import { createDatabase } from './databases.ts'
import { Networks } from './networks.ts'
import { NodeProcess } from './processes.ts'
import { type Answer, Client, keySecret } from './service.ts'
import { startScript } from './start-servers.ts'
import { makeTarGz } from './support/archives.ts'
import { createBucket, keys } from './support/versions.ts'

const corpora = ['one', 'two', 'three']
const port = 7000
/** A client gives up after this. */
const patienceMs = 15_000
const senders = 6
const askers = 4

/** Why it cannot run here; null where it can. */
function findObstacle(): string | null {
  if (process.env['YORE_SLOW'] === undefined) return 'it takes minutes: set YORE_SLOW'
  if (process.env['YORE_TEST_S3'] === undefined)
    return 'it wants a store that is reached over a network: set YORE_TEST_S3'
  try {
    new Networks().remove()
    return null
  } catch (error) {
    return `network namespaces are not permitted: ${(error as Error).message.trim()}`
  }
}

const obstacle = findObstacle()

interface Request {
  readonly kind: 'upload' | 'question'
  readonly node: string
  readonly from: number
  readonly until: number
  /** Null for one that was answered. */
  readonly failure: string | null
}

/** A node with its network, and when it was away: dead or cut off, until it was seen to be ready again. */
class Machine {
  readonly name: string
  readonly node: NodeProcess
  readonly network: ReturnType<Networks['add']>
  readonly client: Client
  readonly away: { readonly from: number; until: number }[] = []
  isReady = false

  constructor(
    name: string,
    networks: Networks,
    given: { readonly env: Record<string, string>; key: string },
  ) {
    this.name = name
    this.network = networks.add()
    const role = name.startsWith('api') ? 'api' : 'worker'
    const stale = ['--stale-seconds', '0']
    const listening = role === 'api' ? ['--host', this.network.address, '--port', String(port), ...stale] : []
    const env = { ...given.env, YORE_DATA: path.join(given.env['YORE_DATA'] ?? '', name) }
    this.node = new NodeProcess(['--role', role, ...listening], env, [
      'ip',
      'netns',
      'exec',
      this.network.name,
    ])
    this.client = new Client(`http://${this.network.address}:${port}`, given.key, patienceMs)
  }

  leave(): void {
    this.away.push({ from: performance.now(), until: Number.POSITIVE_INFINITY })
  }

  /** As a balancer looks. */
  async look(): Promise<void> {
    const probe = new Client(this.client.url, '', 1000)
    this.isReady = await probe.call('GET', '/readyz').then(
      ({ status }) => status === 200,
      () => false,
    )
    const last = this.away.at(-1)
    if (this.isReady && last !== undefined) last.until = Math.min(last.until, performance.now())
  }
}

/** Sends each request to a node that was ready a moment ago, in turn, and writes down what became of it. */
class Balancer {
  readonly requests: Request[] = []
  readonly #nodes: readonly Machine[]
  #turn = 0
  #isOpen = true

  constructor(nodes: readonly Machine[]) {
    this.#nodes = nodes
    for (const node of nodes) void this.#watch(node)
  }

  async #watch(node: Machine): Promise<void> {
    while (this.#isOpen) {
      await node.look()
      await sleep(200)
    }
  }

  close(): void {
    this.#isOpen = false
  }

  /** Null when it failed. */
  async send(kind: Request['kind'], call: (client: Client) => Promise<Answer>): Promise<Answer | null> {
    const ready = this.#nodes.filter(({ isReady }) => isReady)
    const node = ready[this.#turn++ % Math.max(1, ready.length)]
    if (node === undefined) {
      await sleep(50)
      return null
    }
    const from = performance.now()
    const note = (failure: string | null): void => {
      this.requests.push({ kind, node: node.name, from, until: performance.now(), failure })
    }
    try {
      const answer = await call(node.client)
      note(answer.status < 500 ? null : String(answer.status))
      return answer.status < 500 ? answer : null
    } catch (error) {
      node.isReady = false
      note(String((error as Error).cause ?? error))
      return null
    }
  }
}

async function startEverything(): Promise<{
  readonly machine: (name: string) => Machine
  readonly database: Awaited<ReturnType<typeof createDatabase>>
}> {
  const folder = mkdtempSync(path.join(tmpdir(), 'yore-networks-'))
  const networks = new Networks()
  onTestFinished(() => networks.remove())
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [postgres, s3] = await Promise.all(
    ['start-postgres.sh', 'start-s3.sh'].map((script) => startScript(script, { LISTEN: networks.gateway })),
  )
  if (postgres === undefined || s3 === undefined) throw new Error('no servers')
  onTestFinished(() => {
    for (const pid of postgres.pids) process.kill(pid, 'SIGINT')
    for (const pid of s3.pids) process.kill(pid, 'SIGTERM')
    for (const data of [postgres.folder, s3.folder]) rmSync(data, { recursive: true, force: true })
  })
  await createBucket({ endpoint: s3.first, bucket: 'networks' })
  const database = await createDatabase(Number(postgres.first))
  onTestFinished(() => database.close())
  const organisation = (await createOrganisation(database.owner, 'acme')).id
  await setLimits(database.owner, organisation, { requests_per_minute: 1_000_000 })
  const wanted = { name: 'all', access: 'admin', corpora: null, expiresAt: null } as const
  const key = (await createKey(database.owner, organisation, wanted, keySecret)).text
  const env = {
    YORE_DATABASE_URL: database.appUrl.replace('127.0.0.1', networks.gateway),
    YORE_STORE: `s3:${s3.first}/networks`,
    ...keys,
    YORE_DATA: folder,
  }
  const machine = (name: string): Machine => {
    const made = new Machine(name, networks, { env, key })
    onTestFinished(async () => {
      await made.node.end('SIGKILL')
    })
    return made
  }
  return { machine, database }
}

it.skipIf(obstacle !== null)(
  `goes on when an API node and a worker are killed and others are cut off${obstacle === null ? '' : ` (not here: ${obstacle})`}`,
  async () => {
    const { machine, database } = await startEverything()
    const [api1, api2, worker1, worker2] = ['api-1', 'api-2', 'worker-1', 'worker-2'].map(machine) as [
      Machine,
      Machine,
      Machine,
      Machine,
    ]
    await Promise.all([api1, api2, worker1, worker2].map(({ node }) => node.start()))
    const balancer = new Balancer([api1, api2])
    onTestFinished(() => balancer.close())
    for (const name of [...corpora, 'large'])
      expect((await api1.client.call('POST', '/v1/corpora', { name })).status).toBe(201)
    for (const corpus of corpora) {
      const { body } = await api1.client.upload('first.md', '# First\n\nThe harbour opens at dawn.\n', {
        corpus,
      })
      expect((await api1.client.wait(body.id)).state).toBe('completed')
    }

    // The load: uploads until each is acknowledged, twice, and questions that have an answer.
    const accepted = new Map<string, string>()
    const corpusOf = (name: string): string =>
      corpora[Number(/\d+/.exec(name)?.[0]) % corpora.length] as string
    let isOver = false
    let next = 0
    const upload = async (name: string): Promise<void> => {
      const [words, corpus] = [name.replace('.md', 'x'), corpusOf(name)]
      for (let twice = 0; twice < 2; ) {
        const answer = await balancer.send('upload', (client) =>
          client.upload(name, `# ${name}\n\n${words}\n`, { corpus }, { 'idempotency-key': name }),
        )
        if (answer === null) continue
        expect(answer.status).toBe(202)
        expect(accepted.get(name) ?? answer.body.id).toBe(answer.body.id)
        accepted.set(name, answer.body.id)
        twice++
      }
    }
    const load = Promise.all([
      ...Array.from({ length: senders }, async () => {
        while (!isOver) {
          await upload(`document${next++}.md`)
          await sleep(500)
        }
      }),
      ...Array.from({ length: askers }, async (_, at) => {
        while (!isOver) {
          const answer = await balancer.send('question', (client) =>
            client.call('POST', `/v1/corpora/${corpora[at % 3]}/search`, {
              query: 'harbour',
              mode: 'lexical',
            }),
          )
          if (answer !== null) expect(answer.body.hits[0]?.path).toBe('first.md')
          await sleep(100)
        }
      }),
    ])
    await sleep(4000)

    // One of each is killed; what is left goes on.
    api1.leave()
    await api1.node.end('SIGKILL')
    await sleep(1000)
    await worker1.node.end('SIGKILL')
    await sleep(4000)

    // The only worker has claimed a large corpus and builds it: now its cable is pulled.
    const archive = makeTarGz(
      Array.from({ length: 300 }, (_, at) => ({
        name: `large/${at}.md`,
        content: `# Large ${at}\n\n${Array.from({ length: 60 }, (_, word) => `w${at}y${word}`).join(' ')}\n`,
      })),
    )
    let large: Answer | null = null
    while (large === null)
      large = await balancer.send('upload', (client) => {
        const form = new FormData()
        form.append('file', new Blob([new Uint8Array(archive)]), 'large.tar.gz')
        return client.call('POST', '/v1/ingest/archive?corpus=large&strip=1', form, {
          'idempotency-key': 'large',
        })
      })
    expect(large.status).toBe(202)
    const readCorpus = async (): Promise<{ readonly epoch: number; readonly version: number }> => {
      const { rows } = await sql<{ epoch: number; version: number }>`
        select epoch::int, version::int from corpora where name = 'large'`.execute(database.owner)
      return rows[0] as { epoch: number; version: number }
    }
    while ((await readCorpus()).epoch === 0) await sleep(10)
    worker2.network.cut()
    expect(await readCorpus()).toEqual({ epoch: 1, version: 0 })
    const cutAt = performance.now()

    await worker1.node.start()
    await api1.node.start()
    expect(await api1.client.wait(large.body.id, 120_000)).toMatchObject({ state: 'completed', version: 1 })
    const takenOver = performance.now() - cutAt
    const published = await readCorpus()
    expect(published.version).toBe(1)

    // Back again, it is told that it was overtaken, or has noticed itself; what it built counts nowhere.
    worker2.network.join()
    const { number } = (await api1.client.call('GET', '/v1/corpora/large')).body
    const outcomesOf = ({ node }: Machine): string[] =>
      node.errors
        .split('\n')
        .filter((line) => line.includes(`"corpus":${number},`))
        .map((line) => JSON.parse(line))
        .map(({ event, outcome, error }) => outcome ?? `${event}: ${error}`)
    await expect.poll(() => outcomesOf(worker2), { timeout: 180_000, interval: 200 }).not.toEqual([])
    expect(await readCorpus()).toEqual(published)
    const fenced = outcomesOf(worker2)
    expect(fenced.every((outcome) => outcome === 'overtaken' || outcome.startsWith('publish failed'))).toBe(
      true,
    )
    // And it works again, without being started again.
    const publications = (): number => worker2.node.errors.split('"outcome":"published"').length
    const before = publications()
    await expect.poll(publications, { timeout: 180_000, interval: 200 }).toBeGreaterThan(before)

    // An API node is cut off and comes back, too.
    const { pid } = api2.node
    api2.leave()
    api2.network.cut()
    await sleep(8000)
    api2.network.join()
    await expect.poll(() => api2.isReady, { timeout: 120_000, interval: 100 }).toBe(true)
    await sleep(3000)
    isOver = true
    await load
    expect(api2.node.pid).toBe(pid)

    // Everything that was acknowledged is there, once, and both nodes show it.
    for (const id of accepted.values())
      expect(await api2.client.wait(id, 120_000)).toMatchObject({ state: 'completed' })
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from ingestions`.execute(
      database.owner,
    )
    expect(rows[0]?.count).toBe(accepted.size + corpora.length + 1)
    for (const { client } of [api1, api2]) {
      for (const corpus of corpora) {
        const { body } = await client.call('GET', `/v1/corpora/${corpus}/documents?limit=1000`)
        const expected = [...accepted.keys()].filter((name) => corpusOf(name) === corpus)
        expect(body.items.map((item: { path: string }) => item.path).sort()).toEqual(
          [...expected, 'first.md'].sort(),
        )
      }
      for (const name of accepted.keys()) {
        const asked = { query: name.replace('.md', 'x'), mode: 'lexical' }
        const { body } = await client.call('POST', `/v1/corpora/${corpusOf(name)}/search`, asked)
        expect(body.hits.map((hit: { path: string }) => hit.path)).toEqual([name])
      }
      const { body } = await client.call('GET', '/v1/corpora/large/documents?limit=1000')
      expect(body.items).toHaveLength(300)
    }

    // Whatever failed was on its way to, or at, a node while that was away; others did not wait for it either.
    const nodes = { 'api-1': api1, 'api-2': api2 } as Record<string, Machine>
    const isTouched = ({ node, from, until }: Request): boolean =>
      nodes[node]?.away.some((gone) => gone.from <= until && from <= gone.until) ?? false
    const failed = balancer.requests.filter(({ failure }) => failure !== null)
    expect(failed.filter((request) => !isTouched(request))).toEqual([])
    const slowest = (kind: Request['kind']): number =>
      Math.max(
        ...balancer.requests
          .filter((request) => request.kind === kind && !isTouched(request))
          .map(({ from, until }) => Math.round(until - from)),
      )
    console.log({
      uploads: accepted.size,
      requests: balancer.requests.length,
      failedAt: Object.fromEntries(
        Object.keys(nodes).map((name) => [name, failed.filter(({ node }) => node === name).length]),
      ),
      failures: [...new Set(failed.map(({ failure }) => failure))],
      slowestElsewhereMs: { question: slowest('question'), upload: slowest('upload') },
      takenOverAfterMs: Math.round(takenOver),
      cutOffPublisher: fenced,
    })
  },
  900_000,
)
