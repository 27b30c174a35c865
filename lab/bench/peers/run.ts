// How does yore stand beside others? qmd (BM25 mode), minisearch and bare FTS5 on the same folders and questions.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Estimate, estimate } from '../../eval/measures.ts'
import { evalFolder, halfOf, type QueryRow, readQrels } from '../../eval/read-sets.ts'
import type { Place } from '../../eval/real-set.ts'
import { benchFolder, packageFolder, prepareCorpus, readQuestions } from '../corpora.ts'
import { describeMachine, type Latency, latency, median, runNode } from '../measure.ts'
import { printTable, writeRun } from '../write-run.ts'
import { budgets } from './peer.ts'
import { installPeer, runPeer } from './run-peer.ts'
import { coverageOf, packPlaces, pageHit } from './score-places.ts'

const peers = ['yore', 'bare', 'qmd', 'minisearch'] as const
type PeerName = (typeof peers)[number]

interface Quality {
  readonly hit1: Estimate
  readonly hit5: Estimate
  readonly hit10: Estimate
  /** By token budget; only where gold sections are known. */
  readonly touched: Record<number, Estimate>
  readonly share: Record<number, Estimate>
}

interface VariantFigures extends Quality {
  /** Questions that got no place at all. */
  readonly unanswered: number
  /** Questions, over all budgets, that ended in an error. */
  readonly failures: number
  readonly cpu: Latency
}

interface PeerFigures {
  readonly version: string
  readonly indexCpuMs: number
  readonly indexMb: number
  readonly variants: Record<string, VariantFigures>
}

type Packer = (index: number, budget: number) => readonly Place[]

function qualityOf(
  set: { readonly rows: readonly QueryRow[]; readonly wanted: readonly ReadonlySet<string>[] },
  answers: readonly (readonly Place[])[],
  pack: Packer,
): Quality {
  const hit = (depth: number): Estimate =>
    estimate(answers.map((places, index) => pageHit(places, set.wanted[index] as ReadonlySet<string>, depth)))
  const touched: Record<number, Estimate> = {}
  const share: Record<number, Estimate> = {}
  for (const budget of budgets) {
    const found = set.rows.flatMap((row, index) =>
      row.gold?.line_start === undefined ? [] : [coverageOf(pack(index, budget), row.gold)],
    )
    if (found.length === 0) continue
    touched[budget] = estimate(found.map((one) => one.touched))
    share[budget] = estimate(found.map((one) => one.share))
  }
  return { hit1: hit(1), hit5: hit(5), hit10: hit(10), touched, share }
}

function measurePeer(name: PeerName, set: string, root: string): PeerFigures | { readonly failure: string } {
  // yore is tuned on half A, so only half B is reported, for everybody.
  const rows = readQuestions(set).filter((row) => halfOf(row._id) === 'B')
  const judged = readQrels(join(evalFolder() as string, set, 'qrels/test.tsv'))
  const wanted = rows.map((row) => {
    const grades = [...(judged.get(row._id) ?? [])]
    return new Set(grades.filter(([, grade]) => grade > 0).map(([path]) => path))
  })
  try {
    const questions = rows.map((row) => row.text)
    const { raw, version } = runPeer(name, { root, questions, everyFile: false })
    const variants: Record<string, VariantFigures> = {}
    for (const [way, { cpuMs, answers, failures, packed }] of Object.entries(raw.variants)) {
      const pack: Packer = (index, budget) =>
        packed?.[budget]?.[index] ?? packPlaces(root, answers[index] as readonly Place[], budget)
      variants[way] = {
        ...qualityOf({ rows, wanted }, answers, pack),
        unanswered: answers.filter((places) => places.length === 0).length,
        failures,
        cpu: latency(cpuMs),
      }
    }
    return { version, indexCpuMs: raw.indexCpuMs, indexMb: raw.indexBytes / 1_000_000, variants }
  } catch (cause) {
    return { failure: (cause as Error).message.slice(0, 1000) }
  }
}

function printPeers(
  set: string,
  figures: Readonly<Record<string, PeerFigures | { readonly failure: string }>>,
): void {
  const speed: (string | number)[][] = []
  const quality: (string | number)[][] = []
  for (const [name, one] of Object.entries(figures)) {
    if ('failure' in one) {
      console.log(`${set}: ${name} failed: ${one.failure}`)
      continue
    }
    speed.push([`${name} ${one.version}`.trim(), one.indexCpuMs, one.indexMb])
    for (const [way, figure] of Object.entries(one.variants)) {
      const { hit1, hit5, hit10, touched, share, cpu, unanswered, failures } = figure
      quality.push([
        `${name}: ${way}`,
        ...[hit1, hit5, hit10].map(({ mean }) => mean.toFixed(3)),
        ...budgets.map((budget) => touched[budget]?.mean.toFixed(3) ?? ''),
        ...budgets.map((budget) => share[budget]?.mean.toFixed(3) ?? ''),
        cpu.p50,
        cpu.p95,
        unanswered,
        failures,
      ])
    }
  }
  printTable(`${set}: full index`, ['', 'processor ms', 'MB'], speed)
  const head = ['', 'hit@1', 'hit@5', 'hit@10', 'touched 2k', '4k', '8k', 'lines 2k', '4k', '8k']
  const costs = ['cpu p50', 'cpu p95', 'unanswered', 'errors']
  printTable(`${set}: pages found, gold section inside a budget, processor ms`, [...head, ...costs], quality)
}

/** Whole processes in turns: what a person waits for at a prompt. */
function measureColdPeers(root: string, question: string): Record<string, number> {
  const qmd = installPeer('qmd').folder
  const env = { XDG_CACHE_HOME: join(qmd, 'cache'), XDG_CONFIG_HOME: join(qmd, 'config') }
  const qmdCli = join(qmd, 'node_modules/@tobilu/qmd/dist/cli/qmd.js')
  const yoreCli = join(packageFolder(), 'bin/yore.js')
  const where = ['--root', root, '--index', join(benchFolder(), 'peers/yore/index')]
  if (!existsSync(join(qmd, 'cache/qmd/cold.sqlite')))
    runNode([qmdCli, '--index', 'cold', 'collection', 'add', root, '--name', 'docs'], { env })
  const commands: Record<string, readonly string[]> = {
    'node -e 0': ['-e', '0'],
    'yore search': [yoreCli, 'search', question, ...where],
    'yore assemble': [yoreCli, 'assemble', question, ...where],
    'qmd search': [qmdCli, '--index', 'cold', 'search', question],
  }
  const times: Record<string, number[]> = {}
  for (let round = 0; round < 11; round++)
    for (const [name, args] of Object.entries(commands)) {
      const { milliseconds } = runNode(args, { env: name.startsWith('qmd') ? env : {} })
      times[name] ??= []
      if (round > 0) times[name].push(milliseconds)
    }
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]))
}

const machine = describeMachine()
const sets: Record<string, object> = {}
let cold: Record<string, number> | { readonly failure: string } | null = null
for (const set of ['k8sdocs', 'raydocs']) {
  const root = prepareCorpus(set)
  if (root === null) continue
  const figures: Record<string, PeerFigures | { readonly failure: string }> = {}
  for (const name of peers) {
    console.error(`${set}: ${name}`)
    figures[name] = measurePeer(name, set, root)
  }
  sets[set] = figures
  printPeers(set, figures)
  if (set !== 'raydocs') continue
  try {
    cold = measureColdPeers(root, readQuestions(set)[0]?.text as string)
    printTable('cold processes, raydocs', ['', 'ms'], Object.entries(cold))
  } catch (cause) {
    cold = { failure: (cause as Error).message.slice(0, 1000) }
    console.log(`cold processes failed: ${cold.failure}`)
  }
}
if (Object.keys(sets).length > 0) writeRun('peers', { machine, sets, cold })
