// How much code does one question run? Functions, calls, bytes, modules and statements, counted by V8: the same on every machine, and compared with what was recorded.
//
// node lab/bench/count-work.ts [--update]   needs `npm run build`; fails when a count rises
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { Session } from 'node:inspector'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { loadPackage, packageFolder } from './corpora.ts'

interface Work {
  /** Functions of the package that ran at least once, and how often they were called in all. */
  readonly functions: number
  readonly calls: number
  /** Files of the package that were loaded, and their bytes. */
  readonly modules: number
  readonly bytes: number
  /** Statements that SQLite prepared. */
  readonly statements: number
}

type Counts = Readonly<Record<'cold' | 'warm', Work>>

/** A longer message or name is no more work. */
const TOLERATED = 1.005

const recordedIn = join(import.meta.dirname, 'work-marks.json')
const repository = join(import.meta.dirname, '../..')
/** The corpus: documents and code that change only with the tests that read them. */
const parts = ['assets/demo/documents', 'test/fixtures/crossref', 'test/fixtures/mixed', 'test/fixtures/code']
const now = '2026-11-15T00:00:00Z'
const question = 'How do I deploy a new service, and what happens when a rollout fails?'
const dist = '/dist/'

/** Counts from now on; the result counts since the last call of it. */
function startCounting(): () => Work {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  let statements = 0
  const prepare = DatabaseSync.prototype.prepare
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...args) {
    statements++
    return prepare.apply(this, args)
  }
  return () => {
    const work = { functions: 0, calls: 0, modules: 0, bytes: 0, statements }
    statements = 0
    session.post('Profiler.takePreciseCoverage', (_, { result }) => {
      for (const { url, functions } of result) {
        if (!url.startsWith('file:') || !url.includes(dist)) continue
        const counts = functions.flatMap(({ ranges }) => ranges.slice(0, 1).map(({ count }) => count))
        const run = counts.filter((count) => count > 0)
        if (run.length === 0) continue
        work.modules++
        work.bytes += statSync(fileURLToPath(url)).size
        work.functions += run.length
        work.calls += run.reduce((sum, count) => sum + count, 0)
      }
    })
    return work
  }
}

/** Runs this file in front of the command line; what it counted is in the file. */
function countCold(root: string, file: string): Work {
  const args = [join(packageFolder(), 'bin/yore.js'), 'assemble', question, '--root', root, '--now', now]
  const env = { ...process.env, COUNT_WORK: file, XDG_CACHE_HOME: join(root, '..', 'cache') }
  const { status, stderr } = spawnSync(process.execPath, ['--import', import.meta.filename, ...args], { env })
  if (status !== 0) throw new Error(`the question failed: ${stderr}`)
  return JSON.parse(readFileSync(file, 'utf8')) as Work
}

async function countWarm(root: string): Promise<Work> {
  const { openEngine, defaultSettings } = await loadPackage()
  const take = startCounting()
  using engine = openEngine({
    root,
    indexDir: join(root, '.yore'),
    settings: defaultSettings,
    now: Date.parse(now),
  })
  await engine.assemble('Where is the retry done?')
  take()
  await engine.assemble(question)
  return take()
}

async function main(update: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'yore-work-'))
  try {
    const root = join(folder, 'corpus')
    for (const part of parts)
      cpSync(join(repository, part), join(root, part.split('/').at(-1) as string), { recursive: true })
    for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' }))
      utimesSync(join(root, file), new Date(now), new Date(now))
    const yore = join(packageFolder(), 'bin/yore.js')
    spawnSync(process.execPath, [yore, 'index', '--root', root, '--quiet'])
    // The first question compiles, the second reads what was compiled.
    countCold(root, join(folder, 'work.json'))
    const found: Counts = { cold: countCold(root, join(folder, 'work.json')), warm: await countWarm(root) }
    const recorded = update ? found : (JSON.parse(readFileSync(recordedIn, 'utf8')) as Counts)
    for (const kind of ['cold', 'warm'] as const)
      for (const [name, count] of Object.entries(found[kind])) {
        const before = recorded[kind][name as keyof Work]
        const isMore = count > before * TOLERATED
        console.log(`${kind} ${name}: ${count}, recorded ${before}${isMore ? ': MORE' : ''}`)
        if (isMore) process.exitCode = 1
      }
    if (update) writeFileSync(recordedIn, `${JSON.stringify(found, null, 2)}\n`)
    else if (process.exitCode === 1) console.log('a change that is worth it records the new counts: --update')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const report = process.env['COUNT_WORK']
if (report === undefined) await main(process.argv.includes('--update'))
else {
  const take = startCounting()
  process.on('exit', () => writeFileSync(report, JSON.stringify(take())))
}
