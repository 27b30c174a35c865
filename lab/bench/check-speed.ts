// Did yore become slower, or its index larger? Processor time beside the bare engine's and bytes per byte of text, against what was recorded; `--update` records.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processorTime } from '../../test/processor-time.ts'
import { BareIndex, listFiles } from './bare-engine.ts'
import { ageFiles, loadPackage, packageFolder } from './corpora.ts'
import { makeGrowthCorpus, mixDocuments, readDocuments } from './make-growth-corpus.ts'
import { runNode } from './measure.ts'
import type { Places } from './measure-index.ts'

/** A figure this many times as large as the recorded one is a regression. */
const SLOWER = 1.5
/** The same for the size of the index, which does not depend on the machine. */
const LARGER = 1.1
const SECTIONS = 2500
const QUESTIONS = 40
/** So often everything is asked before it counts, and while it does. */
const WARM_ROUNDS = 2
const ROUNDS = 4
const PROCESSES = 4
/** A busy moment passes, a regression stays: what is too slow is measured again. */
const TRIES = 3

/** yore's processor time in parts of that of the floor beside it. */
interface Ratios {
  readonly index: number
  readonly search: number
  readonly assemble: number
  readonly coldAssemble: number
  /** Bytes of the index per byte of text. */
  readonly size: number
}

const recordedIn = join(import.meta.dirname, 'speed-marks.json')
const documentsIn = join(import.meta.dirname, '../../docs')

/** Headings of the corpus, as far apart as they can be. */
function chooseQuestions(texts: readonly string[]): string[] {
  const headings = texts.flatMap((text) =>
    [...text.matchAll(/^##+ (.{12,80})$/gm)].map(([, name]) => name as string),
  )
  const step = Math.max(1, headings.length / QUESTIONS)
  return Array.from(
    { length: Math.min(QUESTIONS, headings.length) },
    (_, at) => headings[Math.floor(at * step)] as string,
  )
}

async function measureWarm(
  places: Places,
  questions: readonly string[],
): Promise<Pick<Ratios, 'search' | 'assemble'>> {
  const { openEngine, defaultSettings } = await loadPackage()
  const { root, indexDir, bareDb } = places
  using engine = openEngine({ root, indexDir, settings: defaultSettings, now: Date.now() })
  const bare = new BareIndex(bareDb)
  const used = { bare: 0, search: 0, assemble: 0 }
  const ways = {
    bare: (question: string) => bare.query(question, 10),
    search: (question: string) => engine.search(question, { limit: 10 }),
    assemble: (question: string) => engine.assemble(question, { maxTokens: 8000 }),
  }
  for (let round = 0; round < WARM_ROUNDS + ROUNDS; round++)
    for (const name of ['bare', 'search', 'assemble'] as const) {
      const started = processorTime()
      for (const question of questions) await ways[name](question)
      if (round >= WARM_ROUNDS) used[name] += processorTime() - started
    }
  bare.close()
  return { search: used.search / used.bare, assemble: used.assemble / used.bare }
}

/** Processes in turns; the floor of a cold command is a Node that does nothing. */
function measureProcesses(
  { root, indexDir, bareDb }: Places,
  question: string,
): Pick<Ratios, 'index' | 'coldAssemble' | 'size'> {
  const cli = join(packageFolder(), 'bin/yore.js')
  const where = ['--root', root, '--index', indexDir]
  const used = { bare: 0, index: 0, node: 0, assemble: 0 }
  const run = (args: readonly string[]): number => runNode(args, { use: true }).cpuMilliseconds
  for (let round = 0; round < PROCESSES; round++) {
    rmSync(indexDir, { recursive: true, force: true })
    used.bare += run([join(import.meta.dirname, 'bare-engine.ts'), 'index', root, bareDb])
    used.index += run([cli, 'index', '--quiet', ...where])
    used.node += run(['-e', '0'])
    used.assemble += run([cli, 'assemble', question, ...where])
  }
  const text = listFiles(root).reduce((sum, path) => sum + statSync(join(root, path)).size, 0)
  const size = statSync(join(indexDir, 'index.db')).size / text
  return { index: used.index / used.bare, coldAssemble: used.assemble / used.node, size }
}

async function measureRatios(): Promise<Ratios> {
  const folder = mkdtempSync(join(tmpdir(), 'yore-speed-'))
  try {
    const root = join(folder, 'corpus')
    const paths = listFiles(documentsIn).filter((path) => path.endsWith('.md'))
    const documents = mixDocuments(readDocuments(documentsIn, paths, 'docs'))
    makeGrowthCorpus(root, documents, SECTIONS)
    ageFiles(root)
    const questions = chooseQuestions(documents.map(({ text }) => text))
    const places = { root, indexDir: join(folder, 'index'), bareDb: join(folder, 'bare.db') }
    const processes = measureProcesses(places, questions[0] as string)
    return { ...processes, ...(await measureWarm(places, questions)) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const names = ['index', 'search', 'assemble', 'coldAssemble', 'size'] as const

if (process.argv.includes('--update')) {
  const ratios = await measureRatios()
  const rounded = Object.fromEntries(names.map((name) => [name, Math.round(ratios[name] * 100) / 100]))
  writeFileSync(recordedIn, `${JSON.stringify(rounded, null, 2)}\n`)
  console.log(rounded)
} else {
  const recorded = JSON.parse(readFileSync(recordedIn, 'utf8')) as Ratios
  const best: Record<string, number> = {}
  const isSlow = (name: keyof Ratios): boolean =>
    (best[name] as number) > (name === 'size' ? LARGER : SLOWER) * recorded[name]
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const ratios = await measureRatios()
    for (const name of names) best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, ratios[name])
    if (!names.some(isSlow)) break
  }
  for (const name of names) {
    const change = ((best[name] as number) / recorded[name]).toFixed(2)
    const verdict = isSlow(name) ? 'worse' : 'ok'
    console.log(
      `${name}: ${(best[name] as number).toFixed(2)} of ${name === 'size' ? 'the text' : 'the floor'}, ${change} of what was recorded: ${verdict}`,
    )
  }
  process.exitCode = names.some(isSlow) ? 1 : 0
}
