// Which numbers may be published? Those of the recorded runs, each with its build, date, command and interval.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseTable } from '../eval/baseline.ts'
import { type FigureRow, keyOf } from '../eval/figures.ts'

export const repository: string = path.resolve(import.meta.dirname, '../..')
export const figuresFile: string = path.join(repository, 'lab/figures.json')

export interface Run {
  /** File that holds the raw result. */
  readonly record: string
  readonly command: string
  /** Commit whose code was measured. */
  readonly commit: string
  readonly date: string
}

export interface Figure {
  readonly run: string
  readonly value: number
  readonly low?: number
  readonly high?: number
  readonly questions?: number
}

export interface Figures {
  readonly runs: Readonly<Record<string, Run>>
  readonly figures: Readonly<Record<string, Figure>>
}

interface Source {
  readonly record: string
  readonly command: string
  readonly read: (text: string) => Record<string, Omit<Figure, 'run'>>
}

const read = (file: string): string => readFileSync(path.join(repository, file), 'utf8')

/** The newest file of a kind under lab/bench/runs. */
function lastRun(kind: string): string {
  const names = readdirSync(path.join(repository, 'lab/bench/runs'))
  const last = names
    .filter((name) => name.endsWith(`-${kind}.json`))
    .sort()
    .at(-1)
  if (last === undefined) throw new Error(`lab/bench/runs has no run of the kind ${kind}`)
  return `lab/bench/runs/${last}`
}

/** Rows of lab/eval/baseline.txt that are published, under the names that documents use. */
const baselineNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['2k', '4k', '8k'].flatMap((size) => [
      [`needs-${size}`, `real | hybrid | digest ${size}, brief | needs met`],
      [`floor-${size}`, `real | floor | windows ${size} | needs met`],
    ]),
  ),
  'first-on-need': 'real | hybrid | digest 4k, brief | first on a need',
  'floor-first-on-need': 'real | floor | windows 4k | first on a need',
  'not-misleading': 'real | hybrid | digest 4k, brief | not misleading',
  'floor-not-misleading': 'real | floor | windows 4k | not misleading',
  'unspent-8k': 'real | hybrid | digest 8k, brief | unspent, no answer',
  'required-depth-0': 'eips | hybrid | digest 8k, depth 0 | required documents',
  'required-depth-1': 'eips | hybrid | digest 8k, depth 1 | required documents',
  ...Object.fromEntries(
    ['scifact', 'raydocs', 'k8sdocs', 'eips', 'twowiki'].flatMap((set) => [
      [`pages-${set}-words`, `${set} | lexical | pages | nDCG@10`],
      [`pages-${set}-hybrid`, `${set} | hybrid | pages | nDCG@10`],
    ]),
  ),
}

function fromBaseline(text: string): Record<string, Omit<Figure, 'run'>> {
  const rows = parseTable(text, 'full')
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  const figures: Record<string, Omit<Figure, 'run'>> = {}
  const add = (name: string, row: FigureRow | undefined): void => {
    if (row === undefined) throw new Error(`lab/eval/baseline.txt has no row for ${name}`)
    const { mean, low, high, queries } = row.estimate
    figures[name] = { value: mean, low, high, questions: queries }
  }
  for (const [name, key] of Object.entries(baselineNames)) add(name, byKey.get(key))
  return figures
}

const policyNames: Readonly<Record<string, string>> = {
  'grep, read 80 lines': 'grep',
  'grep, read files': 'grep-files',
  'search, read sections': 'search',
  'assemble 4k, then search': 'digest',
  'assemble 2k, 8k, then grep': 'small-digest',
}

/** Tables of lab/eval/agent-figures.txt: one per set, one row per scripted policy. */
function fromScripts(text: string): Record<string, Omit<Figure, 'run'>> {
  const figures: Record<string, Omit<Figure, 'run'>> = {}
  for (const block of text.split(/\n\n(?=\w+: \d+ tasks)/).slice(1)) {
    const [, set = '', tasks = ''] = /^(\w+): (\d+) tasks/.exec(block) ?? []
    for (const line of block.split('\n').filter((one) => one.startsWith('| '))) {
      const [policy = '', found = '', , median = '', mean = '', , change = ''] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
      const name = policyNames[policy]
      if (name === undefined) continue
      const number = (cell: string): number => Number(cell.replaceAll(',', ''))
      const questions = Number(tasks)
      figures[`${set}-${name}-found`] = { value: number(found), questions }
      figures[`${set}-${name}-median`] = { value: number(median), questions }
      figures[`${set}-${name}-mean`] = { value: number(mean), questions }
      figures[`${set}-${name}-more`] = { value: number(change.split('/')[1] ?? ''), questions }
    }
  }
  return figures
}

interface Interval {
  readonly mean: number
  readonly low: number
  readonly high: number
  readonly queries: number
}

type Variants = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Interval>>>>>>

const peerNames: Readonly<Record<string, string>> = {
  'ripgrep: the best window of each file': 'ripgrep',
  'qmd: without question words, section of the shown line': 'qmd',
  'repomix: files in its order': 'repomix',
}

/** Other tools on the same questions; yore and the floor come from the evaluation, which is newer. */
function fromPeers(text: string): Record<string, Omit<Figure, 'run'>> {
  const { peers } = JSON.parse(text) as { peers: Record<string, { variants: Variants }> }
  const figures: Record<string, Omit<Figure, 'run'>> = {}
  for (const { variants } of Object.values(peers))
    for (const [variant, budgets] of Object.entries(variants)) {
      const name = peerNames[variant]
      if (name === undefined) continue
      for (const size of ['2', '4', '8']) {
        const found = budgets[`${size}000`]?.['needs met']
        if (found === undefined) throw new Error(`${variant} has no figure at ${size}000 tokens`)
        const { mean, low, high, queries } = found
        figures[`${name}-${size}k`] = { value: mean, low, high, questions: queries }
      }
    }
  return figures
}

interface SpeedSet {
  readonly index: {
    readonly yore: { readonly processMs: number; readonly peakMb: number; readonly indexMb: number }
    readonly bare: { readonly processMs: number; readonly peakMb: number; readonly indexMb: number }
  }
  readonly queries: Readonly<Record<'assemble' | 'search' | 'bare', { p50: number; p95: number }>>
  readonly cold: { readonly assembleMs: number; readonly bareMs: number; readonly nodeMs: number }
  readonly change: { readonly indexMs: number }
}

function fromSpeed(text: string): Record<string, Omit<Figure, 'run'>> {
  const { sets } = JSON.parse(text) as { sets: Record<string, SpeedSet> }
  const { index, queries, cold, change } = sets['k8sdocs'] as SpeedSet
  const values = {
    'index-ms': index.yore.processMs,
    'index-bare-ms': index.bare.processMs,
    'index-peak-mb': index.yore.peakMb,
    'index-bare-peak-mb': index.bare.peakMb,
    'index-mb': index.yore.indexMb,
    'index-bare-mb': index.bare.indexMb,
    'digest-p50-ms': queries.assemble.p50,
    'digest-p95-ms': queries.assemble.p95,
    'search-p50-ms': queries.search.p50,
    'search-p95-ms': queries.search.p95,
    'bare-p50-ms': queries.bare.p50,
    'bare-p95-ms': queries.bare.p95,
    'cold-ms': cold.assembleMs,
    'cold-bare-ms': cold.bareMs,
    'node-start-ms': cold.nodeMs,
    'change-ms': change.indexMs,
  }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]))
}

/** One line per figure: `name | value | low | high | questions`, for runs that print for people only. */
function fromReadings(text: string): Record<string, Omit<Figure, 'run'>> {
  const rows = text.split('\n').flatMap((line) => {
    const [name = '', value = '', low = '', high = '', questions = ''] = line
      .split('|')
      .map((cell) => cell.trim())
    if (!/^[a-z][\w-]+$/.test(name) || value === '') return []
    const interval = low === '' ? {} : { low: Number(low), high: Number(high) }
    const count = questions === '' ? {} : { questions: Number(questions) }
    return [[name, { value: Number(value), ...interval, ...count }] as const]
  })
  return Object.fromEntries(rows)
}

const sources = (): Readonly<Record<string, Source>> => ({
  quality: { record: 'lab/eval/baseline.txt', command: 'npm run eval', read: fromBaseline },
  scripts: {
    record: 'lab/eval/agent-figures.txt',
    command: 'node lab/eval/simulate-agent.ts --half B',
    read: fromScripts,
  },
  peers: { record: lastRun('real'), command: 'node lab/bench/peers/real.ts', read: fromPeers },
  speed: { record: lastRun('speed'), command: 'npm run bench', read: fromSpeed },
  readings: {
    record: 'lab/records/readings.txt',
    command: 'the command above each figure in the record',
    read: fromReadings,
  },
})

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: repository, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}

/** The commit that a record names as measured; else the one that recorded the file, or HEAD while it is changed. */
function commitOf(record: string): { readonly commit: string; readonly date: string } {
  const [, named, day] = /\bcommit"?:? "?([0-9a-f]{7,40})(?:, (\d{4}-\d\d-\d\d))?/i.exec(read(record)) ?? []
  const isChanged = git('status', '--porcelain', '--', record) !== ''
  const where = isChanged ? ['HEAD'] : ['--follow', '--diff-filter=AM', 'HEAD', '--', record]
  const [commit = '', date = ''] = git('log', '-1', '--format=%h %cs', ...where)
    .trim()
    .split(' ')
  const dated = day ?? /\d{4}-\d\d-\d\d/.exec(path.basename(record))?.[0] ?? date
  return { commit: named ?? commit, date: dated }
}

/** Reads every record again; the figures keep the commit under which each record was written. */
export function collectFigures(): Figures {
  const runs: Record<string, Run> = {}
  const figures: Record<string, Figure> = {}
  for (const [run, { record, command, read: readRecord }] of Object.entries(sources())) {
    runs[run] = { record, command, ...commitOf(record) }
    for (const [name, figure] of Object.entries(readRecord(read(record)))) {
      if (figures[name] !== undefined) throw new Error(`two runs publish ${name}`)
      if (!Number.isFinite(figure.value)) throw new Error(`${record}: ${name} is not a number`)
      figures[name] = { run, ...figure }
    }
  }
  return { runs, figures }
}

export function readFigures(): Figures {
  if (!existsSync(figuresFile)) throw new Error('lab/figures.json is missing: node lab/figures.ts --update')
  return JSON.parse(readFileSync(figuresFile, 'utf8')) as Figures
}

/** Code that decides what the figures are. */
const measured = [
  'src/model',
  'src/read',
  'src/corpus',
  'src/answer',
  'assets',
  'rulebooks',
  'formats',
  'languages',
]

/** Commits since a run that changed what it measured; null where git does not know the commit. */
export function commitsSince({ commit }: Run): number | null {
  try {
    return Number(git('rev-list', '--count', `${commit}..HEAD`, '--', ...measured))
  } catch {
    return null
  }
}
