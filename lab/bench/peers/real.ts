// How does yore stand beside others on real questions? The floor, grep and read, a packed repository and qmd, scored alike.
//
// npm run bench:real -- [--peer NAME] [--half B]     with --peer, the other rows of the last run stay
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { type Half, sumUp } from '../../eval/figures.ts'
import { readReal } from '../../eval/real-set.ts'
import { figuresOf, judgePlaces, type RealRow } from '../../eval/score-real.ts'
import { Packer } from '../../eval/window-floor.ts'
import { describeMachine } from '../measure.ts'
import { printTable, readLastRun, writeRun } from '../write-run.ts'
import { budgets } from './peer.ts'
import { runPeer } from './run-peer.ts'

/** The script of each peer. */
const peers = {
  yore: 'digest',
  floor: 'windows',
  ripgrep: 'ripgrep',
  repomix: 'repomix',
  qmd: 'qmd',
} as const
type PeerName = keyof typeof peers

const { values: options } = parseArgs({
  options: { peer: { type: 'string' }, half: { type: 'string', default: 'B' } },
})

interface PeerRun {
  readonly version: string
  /** Packages that it failed on, with the reason; their questions count as not answered. */
  readonly failures: Readonly<Record<string, string>>
  /** Questions that ended in an error, over all ways of asking. */
  readonly errors: number
  readonly indexCpuMs: number
  readonly rows: readonly RealRow[]
}

function versionOf(name: PeerName, installed: string): string {
  if (name !== 'ripgrep') return installed
  return /ripgrep (\S+)/.exec(spawnSync('rg', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1] ?? ''
}

/** Asks one peer everything; one package at a time. */
function askPeer(name: PeerName): PeerRun {
  const rows: RealRow[] = []
  const failures: Record<string, string> = {}
  let indexCpuMs = 0
  let errors = 0
  let version = ''
  const ways = new Set<string>()
  for (const { name: of, root, questions } of packages) {
    const packer = new Packer(root)
    const asked = { root, questions: questions.map(({ text }) => text), everyFile: true }
    console.error(`${name}: ${of}`)
    let result: ReturnType<typeof runPeer> | null = null
    try {
      result = runPeer(peers[name], asked)
      version = result.version
      indexCpuMs += result.raw.indexCpuMs
      for (const [way, variant] of Object.entries(result.raw.variants)) {
        ways.add(way)
        errors += variant.failures
      }
    } catch (cause) {
      failures[of] = (cause as Error).message.slice(-300)
      console.error(`${name} failed on ${of}: ${failures[of]}`)
    }
    for (const way of ways) {
      const variant = result?.raw.variants[way]
      for (const budget of budgets)
        for (const [at, question] of questions.entries()) {
          const own = variant?.packed?.[budget]?.[at]
          const packed = packer.pack(variant?.answers[at] ?? [], budget)
          const tokens = variant?.tokens?.[budget]?.[at] ?? packed.tokens
          const { _id: id, half, kind } = question
          const about = {
            id,
            half,
            kind,
            package: of,
            tool: `${name}: ${way}`,
            budget,
            tokens,
            confidence: null,
          }
          rows.push({ ...about, foreign: false, ...judgePlaces(question, own ?? packed.places) })
        }
    }
  }
  return { version: versionOf(name, version), failures, errors, indexCpuMs, rows }
}

/** What is kept of a run: each way's measures with their intervals, and what unanswerable questions cost. */
function sumUpRun({ rows, ...run }: PeerRun): object {
  const ways = Map.groupBy(rows, ({ tool }) => tool)
  const tokensOf = (some: readonly RealRow[], answerable: boolean): number => {
    const those = some.filter(({ met }) => met.length > 0 === answerable)
    return those.reduce((sum, { tokens }) => sum + tokens, 0) / Math.max(1, those.length)
  }
  const variants = [...ways].map(([way, all]) => [
    way,
    Object.fromEntries(
      [...Map.groupBy(all, ({ budget }) => budget)].map(([budget, some]) => [
        budget,
        {
          ...Object.fromEntries(
            figuresOf(some, { mode: '', task: '' }).map((figure) => [figure.measure, sumUp(figure).estimate]),
          ),
          tokens: tokensOf(some, true),
          'tokens, no answer': tokensOf(some, false),
        },
      ]),
    ),
  ])
  return { ...run, variants: Object.fromEntries(variants) as Variants }
}

type Variants = Record<string, Record<number, Record<string, { mean: number } | number>>>

function printRun(summed: Readonly<Record<string, { readonly variants: Variants }>>): void {
  const meanOf = (found: { mean: number } | number | undefined): number =>
    typeof found === 'number' ? found : (found?.mean ?? Number.NaN)
  const rows = Object.values(summed).flatMap(({ variants }) =>
    Object.entries(variants).map(([way, byBudget]) => [
      way,
      ...budgets.map((budget) => meanOf(byBudget[budget]?.['needs met']).toFixed(3)),
      ...['all needs met', 'first on a need', 'first in its file', 'not misleading'].map((measure) =>
        meanOf(byBudget[8000]?.[measure]).toFixed(3),
      ),
      ...['tokens', 'tokens, no answer'].map((measure) => Math.round(meanOf(byBudget[8000]?.[measure]))),
    ]),
  )
  const head = ['', 'needs 2k', '4k', '8k', 'all 8k', 'first', 'file', 'not misl.', 'tokens 8k', 'no answer']
  printTable(`real questions, half ${options.half}`, head, rows)
}

const packages = readReal({ half: options.half as Half, only: null })
const wanted = (Object.keys(peers) as PeerName[]).filter((name) => (options.peer ?? name) === name)
if (wanted.length === 0) throw new Error(`--peer takes ${Object.keys(peers).join(', ')}`)
if (packages.length > 0) {
  const before = options.peer === undefined ? null : readLastRun<{ peers: Record<string, object> }>('real')
  const measured: Record<string, object> = { ...before?.peers }
  for (const name of wanted) {
    if (name === 'ripgrep' && spawnSync('rg', ['--version']).error !== undefined)
      console.error('SKIPPED: ripgrep is not installed')
    else measured[name] = sumUpRun(askPeer(name))
  }
  printRun(measured as Parameters<typeof printRun>[0])
  writeRun('real', { machine: describeMachine(), half: options.half, peers: measured })
}
