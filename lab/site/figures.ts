// Which figures does the site show? Tables drawn from the committed runs: lab/eval/baseline.txt and lab/bench/runs, wins and losses alike.
import { readLastRun } from '../bench/write-run.ts'
import { read } from './pages.ts'

interface Row {
  readonly set: string
  readonly mode: string
  readonly task: string
  readonly measure: string
  readonly mean: string
  readonly interval: string
  readonly questions: string
}

interface Interval {
  readonly mean: number
  readonly low: number
  readonly high: number
}

/** The rows of the full run: columns are two or more spaces apart. */
function readBaseline(): Row[] {
  const full = read('lab/eval/baseline.txt').split(/^== /m)[1] ?? ''
  const lines = full.split('\n').filter((line) => /\[\d/.test(line))
  return lines.map((line) => {
    const [set = '', mode = '', task = '', measure = '', mean = '', interval = '', questions = ''] = line
      .trim()
      .split(/ {2,}|(?<=\]) +/)
    return { set, mode, task, measure, mean, interval, questions }
  })
}

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')

const short = (value: number): string => value.toFixed(3).replace(/^0/, '')
const whole = (value: number): string => Math.round(value).toLocaleString('en-US')

const modeNames: Readonly<Record<string, string>> = {
  lexical: 'words',
  hybrid: 'words and meaning',
  floor: 'FTS5 over windows',
  '-': '',
}

/** One table per set, a line per task and measure, a column per way of searching. */
function evaluationTables(): string {
  const rows = readBaseline()
  const sets = [...new Set(rows.map(({ set }) => set))]
  return sets
    .map((set) => {
      const own = rows.filter((row) => row.set === set)
      const cells = own.map(({ mode, task, measure, mean, interval, questions }) => [
        `${task}: ${measure}`,
        modeNames[mode] ?? mode,
        mean,
        interval,
        questions,
      ])
      return `### ${set}\n\n${table(['task', 'searched by', 'mean', '95 % interval', 'questions'], cells)}`
    })
    .join('\n\n')
}

interface RealRun {
  readonly peers: Readonly<
    Record<
      string,
      {
        readonly version: string
        readonly variants: Readonly<
          Record<string, Readonly<Record<string, Readonly<Record<string, Interval>>>>>
        >
      }
    >
  >
}

function besideOthers(): string {
  const run = readLastRun<RealRun>('real')
  if (run === null) return ''
  const lines = Object.values(run.peers).flatMap(({ version, variants }) =>
    Object.entries(variants).map(([name, budgets]) => [
      version === '' ? name : `${name} (${version})`,
      ...['2000', '4000', '8000'].map((budget) => short(budgets[budget]?.['needs met']?.mean ?? Number.NaN)),
      short(budgets['8000']?.['not misleading']?.mean ?? Number.NaN),
    ]),
  )
  lines.sort(
    (a, b) =>
      String(b[1]).localeCompare(String(a[1]), 'en') || String(a[0]).localeCompare(String(b[0]), 'en'),
  )
  return table(['tool', '2k tokens', '4k', '8k', 'does not mislead'], lines)
}

interface Spread {
  readonly p50: number
  readonly p95: number
}

interface SpeedRun {
  readonly machine: { readonly cpu: string; readonly cores: number; readonly node: string }
  readonly sets: Readonly<
    Record<
      string,
      {
        readonly index: { readonly yore: Speed; readonly bare: Speed }
        readonly queries: { readonly assemble: Spread; readonly search: Spread; readonly bare: Spread }
        readonly cold: { readonly nodeMs: number; readonly assembleMs: number; readonly bareMs: number }
      }
    >
  >
}

interface Speed {
  readonly processMs: number
  readonly peakMb: number
  readonly indexMb: number
}

function speedTable(): string {
  const run = readLastRun<SpeedRun>('speed')
  if (run === null) return ''
  const { cpu, cores, node } = run.machine
  const names = Object.keys(run.sets)
  const row = (what: string, of: (set: SpeedRun['sets'][string]) => readonly [number, number]): string[] => [
    what,
    ...names.flatMap((name) => of(run.sets[name] as SpeedRun['sets'][string]).map(whole)),
  ]
  const lines = [
    row('full index, ms', ({ index }) => [index.yore.processMs, index.bare.processMs]),
    row('memory while indexing, MB', ({ index }) => [index.yore.peakMb, index.bare.peakMb]),
    row('index on disk, MB', ({ index }) => [index.yore.indexMb, index.bare.indexMb]),
    row('digest against a bare search, p50 ms', ({ queries }) => [queries.assemble.p50, queries.bare.p50]),
    row('digest against a bare search, p95 ms', ({ queries }) => [queries.assemble.p95, queries.bare.p95]),
    row('search alone, p50 ms', ({ queries }) => [queries.search.p50, queries.bare.p50]),
    row('in a new process, ms', ({ cold }) => [cold.assembleMs, cold.bareMs]),
  ]
  const head = ['what', ...names.flatMap((name) => [`${name}: yore`, 'bare FTS5'])]
  return `${table(head, lines)}\n\nMeasured on ${cores} shared cores (${cpu}), Node ${node.slice(1)}.`
}

/** The tables of the simulated agents, as the run printed them. */
function agentTables(): string {
  const [, ...sets] = read('lab/eval/agent-figures.txt')
    .trim()
    .split(/\n\n(?=\w+: )/)
  const intro =
    'Tokens that an agent reads, by a written policy, until it has seen the lines that it needs: [what is measured](docs/explanation/agents-in-figures.md).'
  return [intro, ...sets].join('\n\n')
}

/** The page of figures. What another run adds is one function more. */
export function figuresPage(): string {
  return `# Figures

Every table here is drawn from a run that is committed in the repository; nothing is typed in. How each figure is measured is said in [how yore is evaluated](docs/explanation/evaluation.md), and what it lost against in [yore beside others](docs/explanation/yore-beside-others.md).

## Beside other tools

Real questions to twelve packages, asked of each tool under the same budget: the share of the places that a person needs to answer which are inside of what the tool gives. Half B, on which nothing was tuned. Where a tool is above yore, the table says so.

${besideOthers()}

## What an agent reads

${agentTables()}

## Speed

Beside a bare SQLite FTS5 engine that indexes sections and does nothing else, in the same run. yore is slower than that by what it does more: parsing, references, vectors, a digest that is counted.

${speedTable()}

![Time of a question against the size of the corpus](docs/images/growth-latency.svg)

![Time of a full index against the size of the corpus](docs/images/growth-index.svg)

## Evaluation

Half B of every set; own questions and references have no halves.

${evaluationTables()}
`
}
