// What does the service cost? From upload to answer over HTTP, with its own PostgreSQL, on the documentation of Kubernetes.
//
// Run: node lab/bench/service.ts [--quick]. API and worker are processes of their own; the store is a folder.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { createKey } from '../../server/src/control/keys.ts'
import { setLimits } from '../../server/src/control/limits.ts'
import { createOrganisation } from '../../server/src/control/organisations.ts'
import { createDatabase } from '../../server/test/databases.ts'
import { NodeProcess } from '../../server/test/processes.ts'
import { Client, keySecret } from '../../server/test/service.ts'
import { startScript } from '../../server/test/start-servers.ts'
import { listFiles } from './bare-engine.ts'
import { benchFolder, prepareCorpus, readQuestions } from './corpora.ts'
import { describeMachine, type Latency, latency } from './measure.ts'
import { printTable, writeRun } from './write-run.ts'

const quick = process.argv.includes('--quick')
const uploads = quick ? 8 : 30
const questions = quick ? 40 : 300

/** Processor milliseconds of a process, its threads and the processes that it started: a busy machine stretches these least. */
function cpuOf(pid: number): number {
  const rows = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
        .map(Number)
      return [
        {
          pid: Number(name),
          parent: fields[1] as number,
          ticks: (fields[11] as number) + (fields[12] as number),
        },
      ]
    } catch {
      return [] // It has just ended.
    }
  })
  const tree = new Set([pid])
  for (const row of rows) if (tree.has(row.parent)) tree.add(row.pid)
  return rows.reduce((sum, row) => sum + (tree.has(row.pid) ? row.ticks * 10 : 0), 0)
}

function bytesBelow(place: string): number {
  const names = readdirSync(place, { recursive: true, encoding: 'utf8' })
  return names.reduce((sum, name) => {
    const found = statSync(join(place, name), { throwIfNoEntry: false })
    return sum + (found?.isFile() ? found.size : 0)
  }, 0)
}

interface Measured {
  readonly documents: number
  /** Of API and worker together, for one upload of 100 KB from request to version. */
  readonly cpuPerUpload: number
  /** Of the API node, for one digest. */
  readonly cpuPerAnswer: number
  /** Of the store for all versions and documents after the first version. */
  readonly storeBytes: number
  readonly acknowledged: Latency
  readonly searchable: Latency
  readonly assemble: Latency
  readonly answersPerSecond: number
  readonly healthUnderLoad: Latency
}

async function uploadArchive(client: Client, corpus: string, archive: string): Promise<void> {
  const form = new FormData()
  form.append('file', new Blob([readFileSync(archive)]), 'docs.tgz')
  const { body } = await client.call('POST', `/v1/ingest/archive?corpus=${corpus}`, form)
  const end = await client.wait(body.id, 600_000)
  if (end.state !== 'completed') throw new Error(JSON.stringify(end))
}

async function measure(client: Client, root: string, count: number): Promise<Measured> {
  const before = bytesBelow(join(folder, 'store'))
  const corpus = `docs-${count}`
  const files = listFiles(root).slice(0, count)
  const archive = join(benchFolder(), 'service.tgz')
  execFileSync('tar', ['-czf', archive, '-C', root, '-T', '-'], { input: files.join('\n') })
  await client.call('POST', '/v1/corpora', { name: corpus })
  await uploadArchive(client, corpus, archive)
  const storeBytes = bytesBelow(join(folder, 'store')) - before
  const [acknowledged, searchable]: [number[], number[]] = [[], []]
  const uploadFrom = cpuOf(api.pid) + cpuOf(worker.pid)
  for (let round = 0; round < uploads; round++) {
    let text = `# Upload ${round}\n\n`
    for (let at = round; text.length < 100_000; at++)
      text += readFileSync(join(root, files[at % files.length] as string), 'utf8')
    const started = performance.now()
    const { body } = await client.upload(`uploads/${round % 5}.md`, text.slice(0, 100_000), { corpus })
    acknowledged.push(performance.now() - started)
    for (;;) {
      const { body: now } = await client.call('GET', `/v1/ingestions/${body.id}`)
      if (now.state === 'completed') break
      await setTimeout(5)
    }
    searchable.push(performance.now() - started)
  }
  const cpuPerUpload = (cpuOf(api.pid) + cpuOf(worker.pid) - uploadFrom) / uploads
  const asked = readQuestions('k8sdocs').map(({ text }) => text)
  const answers: number[] = []
  const health: number[] = []
  let next = 0
  // The first questions load the model and the table of tokens.
  for (const question of asked.slice(0, 6))
    await client.call('POST', `/v1/corpora/${corpus}/assemble`, { question, maxTokens: 4000 })
  const answerFrom = cpuOf(api.pid)
  const started = performance.now()
  const ask = async (): Promise<void> => {
    while (next < questions) {
      const question = asked[next++ % asked.length] as string
      const from = performance.now()
      const { status } = await client.call('POST', `/v1/corpora/${corpus}/assemble`, {
        question,
        maxTokens: 4000,
      })
      if (status !== 200) throw new Error(`assemble answered ${status}`)
      answers.push(performance.now() - from)
    }
  }
  const look = async (): Promise<void> => {
    while (next < questions) {
      const from = performance.now()
      await client.call('GET', '/healthz')
      health.push(performance.now() - from)
      await setTimeout(20)
    }
  }
  await Promise.all([ask(), ask(), ask(), ask(), look()])
  const seconds = (performance.now() - started) / 1000
  return {
    documents: count,
    cpuPerUpload,
    cpuPerAnswer: (cpuOf(api.pid) - answerFrom) / questions,
    storeBytes,
    acknowledged: latency(acknowledged),
    searchable: latency(searchable),
    assemble: latency(answers),
    answersPerSecond: questions / seconds,
    healthUnderLoad: latency(health),
  }
}

const root = prepareCorpus('k8sdocs')
if (root === null) throw new Error('the documentation of Kubernetes is not here')
const postgres = await startScript('start-postgres.sh')
const database = await createDatabase(Number(postgres.first))
const organisation = (await createOrganisation(database.owner, 'bench')).id
await setLimits(database.owner, organisation, { requests_per_minute: 1_000_000 })
const wanted = { name: 'bench', access: 'admin', corpora: null, expiresAt: null } as const
const { text: key } = await createKey(database.owner, organisation, wanted, keySecret)
const folder = join(benchFolder(), 'service')
rmSync(folder, { recursive: true, force: true })
const env = {
  YORE_DATABASE_URL: database.appUrl,
  YORE_STORE: `dir:${join(folder, 'store')}`,
  YORE_DATA: join(folder, 'data'),
}
const api = new NodeProcess(['--role', 'api', '--port', '0', '--threads', '2'], env)
const worker = new NodeProcess(['--role', 'worker'], env)
try {
  const url = /http:\S+/.exec(await api.start())?.[0] ?? ''
  await worker.start()
  const client = new Client(url, key)
  const runs: Measured[] = []
  for (const count of [200, 1495]) runs.push(await measure(client, root, count))
  printTable(
    'milliseconds',
    [
      'documents',
      'CPU/upload',
      'CPU/answer',
      'store MB',
      '202 p50',
      '202 p95',
      'searchable p50',
      'p95',
      'assemble p50',
      'p95',
      'answers/s',
      'healthz p99',
    ],
    runs.map((run) => [
      run.documents,
      run.cpuPerUpload,
      run.cpuPerAnswer,
      run.storeBytes / 1e6,
      run.acknowledged.p50,
      run.acknowledged.p95,
      run.searchable.p50,
      run.searchable.p95,
      run.assemble.p50,
      run.assemble.p95,
      run.answersPerSecond,
      run.healthUnderLoad.p99,
    ]),
  )
  if (!quick) writeRun('service', { machine: describeMachine(), runs })
} finally {
  for (const node of [api, worker]) await node.end('SIGTERM')
  await database.close()
  process.kill(postgres.pids[0] as number, 'SIGINT')
  rmSync(folder, { recursive: true, force: true })
}
