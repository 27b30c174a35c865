// What do many corpora cost that one does not? Questions of 1 and of 1,000 in turn, memory and first questions, rows and files.
//
// Run: node lab/bench/many-corpora.ts [--quick]. With its own PostgreSQL; HTTP and threads are compared in rounds of one run.
import { hash } from 'node:crypto'
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createKey } from '../../server/src/control/keys.ts'
import { setLimits } from '../../server/src/control/limits.ts'
import { asTenant } from '../../server/src/control/open-database.ts'
import { createOrganisation } from '../../server/src/control/organisations.ts'
import { OpenFiles, type QuestionTask, type ThreadOptions } from '../../server/src/http/answer-question.ts'
import { readInput } from '../../server/src/http/question-routes.ts'
import { readManifest } from '../../server/src/versions/read-manifest.ts'
import type { ObjectStore } from '../../server/src/versions/store.ts'
import { VersionCache } from '../../server/src/versions/version-cache.ts'
import { operations, QuestionPool } from '../../server/src/yore.ts'
import { createDatabase } from '../../server/test/databases.ts'
import { NodeProcess } from '../../server/test/processes.ts'
import { Client, keySecret } from '../../server/test/service.ts'
import { startScript } from '../../server/test/start-servers.ts'
import { defaultSettings, openEngine } from '../../src/index.ts'
import { listFiles } from './bare-engine.ts'
import { benchFolder, prepareCorpus, readQuestions } from './corpora.ts'
import { describeMachine, median } from './measure.ts'
import { printTable, writeRun } from './write-run.ts'

const quick = process.argv.includes('--quick')
const many = quick ? 200 : 1000
const rounds = quick ? 10 : 30
const perRound = 20
const rows = quick ? 20_000 : 100_000
/** As many as one statement takes. */
const rowsAtOnce = 5000
const filesOnDisk = quick ? 2000 : 10_000

const source = prepareCorpus('k8sdocs')
if (source === null) throw new Error('the documentation of Kubernetes is not here')
const folder = join(benchFolder(), 'many')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const questions = readQuestions('k8sdocs').map(({ text }) => text)
const question = (at: number): string => questions[at % questions.length] as string

/** An index of the first 200 documents. */
async function buildOne(): Promise<{ readonly file: string; readonly root: string }> {
  const root = join(folder, 'files')
  for (const name of listFiles(source as string).slice(0, 200)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    cpSync(join(source as string, name), join(root, name))
  }
  const indexDir = join(folder, 'index')
  const engine = openEngine({ root, indexDir, settings: defaultSettings, now: Date.now() })
  await engine.index()
  engine.close()
  // Pushing looks at the index again: this one stays as it is.
  const file = join(folder, 'built.db')
  copyFileSync(join(indexDir, 'index.db'), file)
  return { file, root }
}

const built = await buildOne()
const sha256 = hash('sha256', readFileSync(built.file))
const task = (file: string, text: string, kind: 'search' | 'assemble'): QuestionTask => ({
  files: [{ file, sha256, corpus: 1, name: 'docs', version: 1 }],
  isJoined: false,
  now: 0,
  question: {
    kind,
    input: readInput(
      operations[kind],
      kind === 'search' ? { query: text } : { question: text, maxTokens: 4000 },
    ),
  },
})
const cpuMs = (from: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1000
}

/** Megabytes of this process that are its own: without pages of mapped files, which the kernel holds once for all. */
function ownMegabytes(): number {
  const status = readFileSync('/proc/self/status', 'utf8')
  return Number(/RssAnon:\s+(\d+)/.exec(status)?.[1]) / 1000
}

/** On this thread, as a thread of the service has them open. */
async function compareOneWithMany(): Promise<Readonly<Record<string, number>>> {
  const copies = Array.from({ length: many }, (_, at) => join(folder, `${at}.db`))
  for (const copy of copies) copyFileSync(built.file, copy)
  const files = new OpenFiles({ mostOpen: many, settings: {} } satisfies ThreadOptions)
  const ask = (file: string, at: number): Promise<unknown> =>
    files.answer(task(file, question(at), 'search'), () => {})
  const [first] = copies as [string]
  for (let at = 0; at < 40; at++) await ask(first, at)
  globalThis.gc?.()
  const before = { rss: process.memoryUsage().rss / 1e6, own: ownMegabytes() }
  const cold: number[] = []
  for (const [at, copy] of copies.slice(1).entries()) {
    const from = process.cpuUsage()
    await ask(copy, at)
    cold.push(cpuMs(from))
  }
  globalThis.gc?.()
  const megabytes = (process.memoryUsage().rss / 1e6 - before.rss) / (many - 1)
  const own = (ownMegabytes() - before.own) / (many - 1)
  const [one, other]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++)
    for (const times of round % 2 === 0 ? [one, other] : [other, one]) {
      const from = process.cpuUsage()
      for (let at = 0; at < perRound; at++)
        await ask(
          times === one ? first : (copies[(round * 7919 + at * 104_729) % many] as string),
          round * perRound + at,
        )
      times.push(cpuMs(from) / perRound)
    }
  return {
    cpuOfOne: median(one),
    cpuOfMany: median(other),
    ratio: median(other) / median(one),
    megabytes,
    ownMegabytes: own,
    ownMegabytesAfterMore: (ownMegabytes() - before.own) / (many - 1),
    firstQuestionCpu: median(cold),
  }
}

/** The same threads with and without HTTP, key, PostgreSQL and admission around them. */
async function compareHttp(): Promise<Readonly<Record<string, number>>> {
  const postgres = await startScript('start-postgres.sh')
  const database = await createDatabase(Number(postgres.first))
  const organisation = (await createOrganisation(database.owner, 'bench')).id
  await setLimits(database.owner, organisation, {
    requests_per_minute: 10_000_000,
    quota_corpora: 10_000_000,
  })
  const wanted = { name: 'bench', access: 'admin', corpora: null, expiresAt: null } as const
  const { text: key } = await createKey(database.owner, organisation, wanted, keySecret)
  const env = {
    YORE_DATABASE_URL: database.appUrl,
    YORE_STORE: `dir:${join(folder, 'store')}`,
    YORE_DATA: join(folder, 'data'),
  }
  const node = new NodeProcess(['--role', 'all', '--port', '0', '--threads', '2'], env)
  const pool = new QuestionPool<QuestionTask, unknown>({
    worker: new URL('../../server/src/http/question-thread.ts', import.meta.url),
    workerData: { mostOpen: 4, settings: {} } satisfies ThreadOptions,
    threads: 2,
  })
  try {
    const url = /http:\S+/.exec(await node.start())?.[0] ?? ''
    const engine = openEngine(built.root, {
      indexDir: join(folder, 'index'),
      settings: { serverUrl: url },
      env: { YORE_SERVER_KEY: key },
    })
    await engine.push('docs', { create: true })
    engine.close()
    const client = new Client(url, key)
    const overHttp = async (text: string): Promise<void> => {
      const { status } = await client.call('POST', '/v1/corpora/docs/assemble', {
        question: text,
        maxTokens: 4000,
      })
      if (status !== 200) throw new Error(`assemble answered ${status}`)
    }
    const direct = async (text: string): Promise<void> => {
      await pool.ask(task(built.file, text, 'assemble'))
    }
    const run = async (ask: (text: string) => Promise<void>, from: number): Promise<number> => {
      let next = from
      const started = performance.now()
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          while (next < from + perRound) await ask(question(next++))
        }),
      )
      return (performance.now() - started) / perRound
    }
    for (const ask of [overHttp, direct]) await run(ask, 0)
    const [http, inProcess]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++)
      for (const times of round % 2 === 0 ? [http, inProcess] : [inProcess, http])
        times.push(await run(times === http ? overHttp : direct, round * perRound))
    // What the database is asked for a question, with few and with many corpora beside it.
    const { number, version } = (await client.call('GET', '/v1/corpora/docs')).body
    const lookUp = (): Promise<unknown> =>
      asTenant(database.app, organisation, async (transaction) => {
        await transaction
          .selectFrom('corpora')
          .selectAll()
          .where('name', '=', 'docs')
          .executeTakeFirstOrThrow()
        return await readManifest(transaction, number, version)
      })
    const lookUps = async (): Promise<number> => {
      const times: number[] = []
      for (let at = 0; at < 300; at++) {
        const started = performance.now()
        await lookUp()
        times.push(performance.now() - started)
      }
      return median(times)
    }
    await lookUps()
    const few = await lookUps()
    for (let start = 1; start <= rows; start += rowsAtOnce) {
      const numbers = Array.from({ length: rowsAtOnce }, (_, at) => start + at)
      await asTenant(database.app, organisation, async (transaction) => {
        await transaction
          .insertInto('corpora')
          .values(numbers.map((number) => ({ number, organisation, name: `corpus-${number}` })))
          .execute()
        const version = { number: 1, organisation, epoch: 1, kind: 'base', part: '{}' } as const
        await transaction
          .insertInto('versions')
          .values(numbers.map((corpus) => ({ corpus, ...version })))
          .execute()
      })
    }
    return { httpRate: median(inProcess) / median(http), lookUpFew: few, lookUpMany: await lookUps() }
  } finally {
    await pool.close()
    await node.end('SIGTERM')
    await database.close()
    process.kill(postgres.pids[0] as number, 'SIGINT')
  }
}

/** Fetched versions of a node that starts again, as links to one file: what is counted is the looking. */
async function openFullDisk(): Promise<number> {
  const directory = join(folder, 'versions')
  mkdirSync(directory)
  const one = join(folder, 'one')
  writeFileSync(one, 'x')
  for (let at = 0; at < filesOnDisk; at++) linkSync(one, join(directory, `${hash('sha256', String(at))}.db`))
  const from = process.cpuUsage()
  await VersionCache.open({ directory, store: {} as ObjectStore, maxBytes: 2 ** 40, now: () => Date.now() })
  return cpuMs(from)
}

/** Processor time to index one change of 2 KB in all 1,495 documents, as the worker's process does it. */
async function changeOne(): Promise<number> {
  const root = source as string
  const settings = { ...defaultSettings, workers: 1 }
  const options = { root, indexDir: join(folder, 'whole'), settings, now: Date.now() }
  const first = openEngine(options)
  await first.index()
  first.close()
  const names = listFiles(root)
  const costs: number[] = []
  for (let round = 0; round < 9; round++) {
    const words = Array.from(
      { length: 300 },
      (_, at) => question(round * 300 + at).split(' ')[at % 4] ?? 'word',
    )
    appendFileSync(
      join(root, names[(round * 131) % names.length] as string),
      `\n${words.join(' ').slice(0, 2000)}\n`,
    )
    const engine = openEngine(options)
    const from = process.cpuUsage()
    await engine.index()
    costs.push(cpuMs(from))
    engine.close()
  }
  return median(costs)
}

try {
  const result: Record<string, number> = { corpora: many, rows, filesOnDisk }
  const stages = [
    compareOneWithMany,
    compareHttp,
    async () => ({ startCpu: await openFullDisk() }),
    async () => ({ changeCpu: await changeOne() }),
  ]
  for (const stage of stages) {
    const found = await stage()
    Object.assign(result, found)
    printTable(stage.name === '' ? 'one node' : stage.name, ['what', 'figure'], Object.entries(found))
  }
  if (!quick) writeRun('many-corpora', { machine: describeMachine(), ...result })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
