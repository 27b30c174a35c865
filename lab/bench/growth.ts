// How does yore grow? Index time, size, memory and latency at 1k, 10k and 100k sections beside the bare engine; `--million` adds 1M.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { IndexReport } from '../../src/model/report.ts'
import { type BareReport, listFiles } from './bare-engine.ts'
import { ageFiles, benchFolder, packageFolder, prepareCorpus, readQuestions } from './corpora.ts'
import { fitAll, type GrowthRun, type IndexCost, type SizeFigures } from './growth-run.ts'
import { makeGrowthCorpus, mixDocuments, readDocuments, type SourceDocument } from './make-growth-corpus.ts'
import { describeMachine, runNode } from './measure.ts'
import { type Places, placesOf } from './measure-index.ts'
import { measureQueries } from './measure-queries.ts'
import { printTable, writeRun } from './write-run.ts'

const MB = 1_000_000
const QUESTIONS = 200
/** At a million sections: a question takes its time in five ways. */
const FEW_QUESTIONS = 40

/** Every third or so of both sets' questions, always the same. */
function chooseQuestions(count: number): string[] {
  const all = ['k8sdocs', 'raydocs'].flatMap((set) => readQuestions(set).map((row) => row.text))
  const step = all.length / count
  return Array.from(
    { length: Math.min(count, all.length) },
    (_, index) => all[Math.floor(index * step)] as string,
  )
}

function readSources(): SourceDocument[] {
  const documents = ['k8sdocs', 'raydocs'].flatMap((set) => {
    const root = prepareCorpus(set)
    return root === null ? [] : readDocuments(root, listFiles(root), set)
  })
  return mixDocuments(documents)
}

function indexBoth({ root, indexDir, bareDb }: Places): Pick<SizeFigures, 'yore' | 'bare'> {
  const cli = join(packageFolder(), 'bin/yore.js')
  const bareScript = join(import.meta.dirname, 'bare-engine.ts')
  rmSync(indexDir, { recursive: true, force: true })
  const bareRun = runNode([bareScript, 'index', root, bareDb], { use: true })
  const yoreRun = runNode([cli, 'index', '--root', root, '--index', indexDir, '--json'], { use: true })
  const figures = (run: typeof yoreRun, indexBytes: number): IndexCost => ({
    indexMs: run.milliseconds,
    cpuMs: run.cpuMilliseconds,
    peakMb: run.peakBytes / MB,
    indexMb: indexBytes / MB,
  })
  const yoreReport = JSON.parse(yoreRun.stdout) as IndexReport
  const bareReport = JSON.parse(bareRun.stdout) as BareReport
  return { yore: figures(yoreRun, yoreReport.indexBytes), bare: figures(bareRun, bareReport.indexBytes) }
}

async function measureSize(
  sections: number,
  documents: readonly SourceDocument[],
  questions: readonly string[],
): Promise<SizeFigures> {
  const root = join(benchFolder(), 'growth', String(sections))
  const places = placesOf(root, `growth-${sections}`)
  console.error(`${sections} sections: writing files`)
  const made = makeGrowthCorpus(root, documents, sections)
  ageFiles(root)
  try {
    console.error(`${sections} sections: ${made.files} files, indexing`)
    const indexed = indexBoth(places)
    console.error(`${sections} sections: questions`)
    const warmUp = Math.min(30, Math.ceil(questions.length / 4))
    const queries = await measureQueries(places, questions, { rounds: 1, warmUp })
    return { sections: made.sections, files: made.files, sourceMb: made.bytes / MB, ...indexed, queries }
  } finally {
    rmSync(root, { recursive: true, force: true })
    rmSync(places.indexDir, { recursive: true, force: true })
    for (const suffix of ['', '-wal', '-shm']) rmSync(places.bareDb + suffix, { force: true })
  }
}

function printGrowth({ sizes, exponents, lastExponents }: GrowthRun): void {
  const column = (pick: (size: SizeFigures) => number): number[] => sizes.map(pick)
  const both = (name: string, pick: (figures: IndexCost) => number): (string | number)[][] => [
    [`yore ${name}`, ...column((size) => pick(size.yore))],
    [`bare ${name}`, ...column((size) => pick(size.bare))],
  ]
  const ways = ['assemble', 'assembleNoRefresh', 'search', 'searchNoRefresh', 'bare'] as const
  printTable(
    'growth',
    ['sections', ...sizes.map((size) => size.sections.toLocaleString('en-US'))],
    [
      ['files', ...column((size) => size.files)],
      ['source, MB', ...column((size) => size.sourceMb)],
      ...both('index, s', (figures) => figures.indexMs / 1000),
      ...both('index processor time, s', (figures) => figures.cpuMs / 1000),
      ...both('peak memory, MB', (figures) => figures.peakMb),
      ...both('index size, MB', (figures) => figures.indexMb),
      ...ways.flatMap((way) =>
        (['p50', 'p95', 'p99'] as const).map((part) => [
          `${way} ${part}, ms`,
          ...column((size) => size.queries[way][part]),
        ]),
      ),
      ['first assemble, ms', ...column((size) => size.queries.firstAssembleMs)],
    ],
  )
  printTable(
    'fitted exponents',
    ['', 'all sizes', 'two largest'],
    Object.entries(exponents).map(([name, exponent]) => [name, exponent, lastExponents[name] ?? Number.NaN]),
  )
}

/** What an earlier run measured, so that `--million` adds its size to it. */
function earlierSizes(): SizeFigures[] {
  const folder = join(import.meta.dirname, 'runs')
  const last = readdirSync(folder)
    .filter((name) => name.endsWith('-growth.json'))
    .sort()
    .at(-1)
  return last === undefined
    ? []
    : (JSON.parse(readFileSync(join(folder, last), 'utf8')) as { sizes: SizeFigures[] }).sizes
}

const million = process.argv.includes('--million')
const documents = readSources()
if (documents.length > 0) {
  const machine = describeMachine()
  const questions = chooseQuestions(million ? FEW_QUESTIONS : QUESTIONS)
  const sizes = million ? earlierSizes().filter(({ sections }) => sections < 900_000) : []
  for (const sections of million ? [1_000_000] : [1000, 10_000, 100_000])
    sizes.push(await measureSize(sections, documents, questions))
  const run = {
    machine,
    questions: questions.length,
    sizes,
    exponents: fitAll(sizes),
    lastExponents: fitAll(sizes.slice(-2)),
  }
  printGrowth(run)
  writeRun('growth', run)
}
