// Does the proxy's rule send a corpus to one node? Three API nodes behind a real nginx, with the rule and without it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type Node, serve } from '../src/serve.ts'
import { freePort } from './processes.ts'
import { Client, startService, type TestService } from './service.ts'

const hasNginx = spawnSync('nginx', ['-v']).error === undefined
/** Their number is no multiple of the nodes: in turn, each node is asked for each of them. */
const corpora = Array.from({ length: 13 }, (_, number) => `corpus-${number}`)
const rule = readFileSync(path.join(import.meta.dirname, '../nginx.conf'), 'utf8')

let service: TestService
beforeAll(async () => {
  service = await startService()
  const client = new Client(service.url, service.key)
  for (const name of corpora) {
    await client.call('POST', '/v1/corpora', { name })
    const { body } = await client.upload('a.md', `# Page of ${name}\n`, { corpus: name })
    expect(await client.wait(body.id)).toMatchObject({ state: 'completed' })
  }
})
afterAll(() => service.close())

class Cluster {
  readonly name: string
  readonly nodes: Node[] = []
  client!: Client
  #nginx: ChildProcess | null = null

  constructor(name: string) {
    this.name = name
  }

  #data(at: number): string {
    return path.join(service.folder, this.name, `node-${at}`)
  }

  async start(configuration: string): Promise<void> {
    for (let at = 0; at < 3; at++)
      this.nodes.push(await serve(service.serveOptions({ role: 'api', data: this.#data(at), threads: 1 })))
    const port = await freePort()
    const servers = this.nodes.map(({ url }) => `server ${new URL(url ?? '').host};`).join(' ')
    const folder = path.join(service.folder, this.name, 'nginx')
    mkdirSync(folder, { recursive: true })
    const own = configuration
      .replace(/(?: *server [\w.-]+:7430;\n)+/, `${servers}\n`)
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`,
    )
    writeFileSync(
      path.join(folder, 'nginx.conf'),
      `daemon off; pid ${folder}/pid; error_log stderr; worker_processes 1; events {}
      http { access_log off; ${temporary.join(' ')}\n${own}\n}`,
    )
    this.#nginx = spawn('nginx', ['-p', folder, '-c', path.join(folder, 'nginx.conf')], { stdio: 'ignore' })
    this.client = new Client(`http://127.0.0.1:${port}`, service.key)
    const isUp = (): Promise<boolean> =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
    await expect.poll(isUp, { timeout: 20_000 }).toBe(true)
  }

  async ask(times: number): Promise<void> {
    for (let time = 0; time < times; time++)
      for (const name of corpora) {
        const { status, body } = await this.client.call('POST', `/v1/corpora/${name}/search`, {
          query: 'page',
        })
        expect([status, body.hits?.length]).toEqual([200, 1])
      }
  }

  /** Versions that each node has fetched. */
  fetched(): readonly number[] {
    return this.nodes.map(
      (_, at) =>
        readdirSync(path.join(this.#data(at), 'versions')).filter((name) => name.endsWith('.db')).length,
    )
  }

  async stop(): Promise<void> {
    this.#nginx?.kill()
    for (const node of this.nodes) await node.stop()
  }
}

async function startCluster(name: string, configuration: string): Promise<Cluster> {
  const cluster = new Cluster(name)
  onTestFinished(() => cluster.stop())
  await cluster.start(configuration)
  return cluster
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

it.skipIf(!hasNginx)('fetches each corpus once, and three times without the rule', async () => {
  const plain = await startCluster('plain', rule.replace(/ *hash .*\n/, ''))
  await plain.ask(3)
  expect(sum(plain.fetched())).toBe(3 * corpora.length)
  const hashed = await startCluster('hashed', rule)
  await hashed.ask(3)
  expect(sum(hashed.fetched())).toBe(corpora.length)
  expect(Math.max(...hashed.fetched())).toBeLessThan(corpora.length)
  console.log('fetched by node: without', plain.fetched(), 'with', hashed.fetched())

  // A node goes: its corpora are fetched by the others, and theirs stay where they are.
  const before = hashed.fetched()
  const busiest = before.indexOf(Math.max(...before))
  await hashed.nodes[busiest]?.stop()
  await hashed.ask(2)
  expect(sum(hashed.fetched())).toBe(corpora.length + Math.max(...before))
})
