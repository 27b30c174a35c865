// What do 20 ms to PostgreSQL and the object store cost? Three API nodes in networks of their own behind nginx, and a worker.
//
// Run as root: node lab/bench/latency.ts [--quick]. Needs nginx and server/test/install-servers.sh. Small proxies on the
// gateway hold back every piece by half of the delay in each direction, and a new connection by the whole delay. They count
// round trips: the times that a connection turns from sending to receiving, without the nodes' signs of life.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKey } from '../../server/src/control/keys.ts'
import { setLimits } from '../../server/src/control/limits.ts'
import { createOrganisation } from '../../server/src/control/organisations.ts'
import { createDatabase } from '../../server/test/databases.ts'
import { Networks } from '../../server/test/networks.ts'
import { NodeProcess } from '../../server/test/processes.ts'
import { Client, keySecret } from '../../server/test/service.ts'
import { startScript } from '../../server/test/start-servers.ts'
import { createBucket, keys } from '../../server/test/support/versions.ts'
import { type Latency, latency } from './measure.ts'
import { writeRun } from './write-run.ts'

const quick = process.argv.includes('--quick')
const corpora = Array.from({ length: quick ? 4 : 6 }, (_, at) => `corpus-${at}`)
const coldRounds = quick ? 2 : 3
const warmRounds = quick ? 10 : 20
const uploads = quick ? 8 : 20
const delayMs = 20
const root = join(import.meta.dirname, '../..')

let delay = 0
const trips = { apiPostgres: 0, apiStore: 0, workerPostgres: 0, workerStore: 0 }
type Way = keyof typeof trips

/** Pieces keep their order: timers of the same delay do. */
function pass(from: Socket, to: Socket, onPiece: (piece: Buffer) => number): void {
  let last = 0
  from.on('data', (piece: Buffer) => {
    const at = Math.max(last, performance.now() + onPiece(piece))
    last = at
    setTimeout(() => to.write(piece), Math.max(0, at - performance.now()))
  })
  from.on('end', () => setTimeout(() => to.end(), delay))
  from.on('error', () => to.destroy())
  from.on('close', () => setTimeout(() => to.destroy(), 2 * delay))
}

/** Resolves with the port of the proxy. */
function startProxy(way: Way, host: string, target: number): Promise<number> {
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ host: '127.0.0.1', port: target, noDelay: true })
    let isAsking = false
    let isNew = true
    pass(client, upstream, (piece) => {
      if (!isAsking && !piece.includes('select 1\0')) trips[way]++
      isAsking = true
      const handshake = isNew ? delay : 0
      isNew = false
      return handshake + delay / 2
    })
    pass(upstream, client, () => {
      isAsking = false
      return delay / 2
    })
  })
  return new Promise((resolve) => {
    server.listen(0, host, () => resolve((server.address() as { port: number }).port)).unref()
  })
}

interface Measured {
  readonly milliseconds: Latency
  /** For one of them, without what the nodes ask anyway in that time. */
  readonly trips: Readonly<Record<Way, number>>
}

let idle: Readonly<Record<Way, number>> = { ...trips }

/** Round trips per millisecond while nothing is asked. */
async function measureIdle(): Promise<void> {
  const [before, start] = [{ ...trips }, performance.now()]
  await sleep(10_000)
  const took = performance.now() - start
  idle = mapWays((way) => (trips[way] - before[way]) / took)
}

const mapWays = (count: (way: Way) => number): Record<Way, number> =>
  Object.fromEntries((Object.keys(trips) as Way[]).map((way) => [way, count(way)])) as Record<Way, number>

async function measure(times: number, work: (at: number) => Promise<number | undefined>): Promise<Measured> {
  const [before, start] = [{ ...trips }, performance.now()]
  const taken: number[] = []
  for (let at = 0; at < times; at++) {
    const from = performance.now()
    const own = await work(at)
    taken.push(own ?? performance.now() - from)
  }
  const took = performance.now() - start
  return {
    milliseconds: latency(taken),
    trips: mapWays((way) => Math.max(0, trips[way] - before[way] - idle[way] * took) / times),
  }
}

function startNginx(folder: string, nodes: readonly string[], listen: string): () => void {
  mkdirSync(folder)
  const rule = readFileSync(join(root, 'server/nginx.conf'), 'utf8')
    .replace(/(?: *server [\w.-]+:7430;\n)+/, nodes.map((node) => `server ${node};\n`).join(''))
    .replace('listen 80;', `listen ${listen};`)
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const temporary = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; pid ${folder}/pid; error_log stderr; events {}\nhttp { access_log off; ${temporary}\n${rule}\n}`,
  )
  const nginx = spawn('nginx', ['-p', folder, '-c', file], { stdio: 'ignore' })
  return () => nginx.kill()
}

const ends: (() => unknown)[] = []
try {
  const folder = mkdtempSync(join(tmpdir(), 'yore-latency-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  const networks = new Networks()
  ends.push(() => networks.remove())
  const postgres = await startScript('start-postgres.sh')
  ends.push(() => process.kill(postgres.pids[0] as number, 'SIGINT'))
  const s3 = await startScript('start-s3.sh')
  for (const pid of s3.pids) ends.push(() => process.kill(pid, 'SIGTERM'))
  await createBucket({ endpoint: s3.first, bucket: 'latency' })
  const database = await createDatabase(Number(postgres.first))
  ends.push(() => database.close())
  const organisation = (await createOrganisation(database.owner, 'bench')).id
  await setLimits(database.owner, organisation, { requests_per_minute: 1_000_000 })
  const wanted = { name: 'bench', access: 'admin', corpora: null, expiresAt: null } as const
  const { text: key } = await createKey(database.owner, organisation, wanted, keySecret)
  const envOf = async (role: 'api' | 'worker', name: string): Promise<Record<string, string>> => {
    const toPostgres = await startProxy(`${role}Postgres`, networks.gateway, Number(postgres.first))
    const toStore = await startProxy(`${role}Store`, networks.gateway, Number(new URL(s3.first).port))
    return {
      YORE_DATABASE_URL: database.appUrl.replace(/127\.0\.0\.1:\d+/, `${networks.gateway}:${toPostgres}`),
      YORE_STORE: `s3:http://${networks.gateway}:${toStore}/latency`,
      ...keys,
      YORE_DATA: join(folder, name),
    }
  }
  const within = (name: string): string[] => ['ip', 'netns', 'exec', name]
  const worker = new NodeProcess(
    ['--role', 'worker'],
    await envOf('worker', 'worker'),
    within(networks.add().name),
  )
  await worker.start()
  ends.push(() => worker.end('SIGKILL'))
  const places = [networks.add(), networks.add(), networks.add()]
  let generation = 0
  let nodes: NodeProcess[] = []
  ends.push(() => Promise.all(nodes.map((node) => node.end('SIGKILL'))))
  /** With empty disks. */
  const startNodes = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.end('SIGKILL')))
    generation++
    nodes = []
    for (const [at, { name, address }] of places.entries()) {
      const args = ['--role', 'api', '--host', address, '--port', '7000', '--threads', '1']
      nodes.push(new NodeProcess(args, await envOf('api', `api-${generation}-${at}`), within(name)))
    }
    await Promise.all(nodes.map((node) => node.startPatiently()))
  }
  await startNodes()
  const listen = `${networks.gateway}:7080`
  ends.push(
    startNginx(
      join(folder, 'nginx'),
      places.map(({ address }) => `${address}:7000`),
      listen,
    ),
  )
  const client = new Client(`http://${listen}`, key)
  const archive = join(folder, 'docs.tgz')
  execFileSync('tar', ['-czf', archive, '-C', root, 'docs/decisions'])
  while ((await client.call('GET', '/readyz').catch(() => null))?.status !== 200) await sleep(200)
  for (const name of corpora) {
    await client.call('POST', '/v1/corpora', { name })
    const form = new FormData()
    form.append('file', new Blob([readFileSync(archive)]), 'docs.tgz')
    const { body } = await client.call('POST', `/v1/ingest/archive?corpus=${name}`, form)
    const { state } = await client.wait(body.id, 600_000)
    if (state !== 'completed') throw new Error(`${name}: ${state}`)
  }
  console.log('corpora are published')

  const ask = async (corpus: string, query: string): Promise<string> => {
    const { status, body } = await client.call('POST', `/v1/corpora/${corpus}/search`, { query })
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body.hits[0]?.path ?? ''
  }
  const corpusAt = (at: number): string => corpora[at % corpora.length] as string
  const question = 'How does a deployed service keep the versions of a corpus?'
  let page = 0
  const upload = async (at: number): Promise<readonly [accepted: number, searchable: number]> => {
    const [word, from] = [`uploaded${++page}x`, performance.now()]
    const { status, body } = await client.upload(`${word}.md`, `# ${word}\n`, { corpus: corpusAt(at) })
    if (status !== 202) throw new Error(JSON.stringify(body))
    const accepted = performance.now() - from
    // Asked outside of the delay and of the count.
    for (;;) {
      const row = await database.owner
        .selectFrom('ingestions')
        .select('state')
        .where('id', '=', body.id)
        .executeTakeFirstOrThrow()
      if (row.state === 'completed') return [accepted, performance.now() - from]
      if (row.state === 'failed') throw new Error('failed')
      await sleep(10)
    }
  }
  const results: Record<string, Record<string, Measured>> = {}
  const note = (name: string, at: number, measured: Measured): void => {
    results[`${at} ms`] = { ...results[`${at} ms`], [name]: measured }
    console.log(at, name, JSON.stringify(measured))
  }
  for (const ms of [delayMs, 0]) {
    delay = ms
    const cold: Measured[] = []
    for (let round = 0; round < coldRounds; round++) {
      await startNodes()
      while ((await client.call('GET', '/readyz').catch(() => null))?.status !== 200) await sleep(200)
      if (round === 0) await measureIdle()
      // The key and the limits are read before; the connections of the pool are open.
      for (const { address } of places)
        await new Client(`http://${address}:7000`, key).call('GET', '/v1/corpora')
      cold.push(await measure(corpora.length, async (at) => void (await ask(corpusAt(at), question))))
      note(`cold question, round ${round}`, ms, cold.at(-1) as Measured)
    }
    for (const name of corpora) await ask(name, question)
    note(
      'warm question',
      ms,
      await measure(warmRounds * corpora.length, async (at) => void (await ask(corpusAt(at), question))),
    )
    const accepted: number[] = []
    let asked = 0
    const searchable = await measure(uploads, async (at) => {
      const before = trips.apiPostgres + trips.apiStore
      const [first, second] = await upload(at)
      accepted.push(first)
      asked += trips.apiPostgres + trips.apiStore - before
      return second
    })
    note('upload to searchable', ms, searchable)
    console.log(ms, 'upload accepted', JSON.stringify(latency(accepted)), 'round trips', asked / uploads)
    const from = performance.now()
    const many = quick ? 20 : 60
    await Promise.all(Array.from({ length: many }, (_, at) => upload(at)))
    console.log(
      ms,
      `${many} uploads at once, all searchable after`,
      Math.round(performance.now() - from),
      'ms',
    )
  }
  writeRun('latency', { delayMs, corpora: corpora.length, results })
} finally {
  for (const end of ends.reverse()) await end()
}
