// Is yore fast? Index, questions, cold starts and changes beside the bare engine in one run. `--quick` halves the rounds.
import { prepareCorpus, readQuestions } from './corpora.ts'
import { describeMachine, type Latency } from './measure.ts'
import { type ChangeFigures, measureChange } from './measure-change.ts'
import { type ColdFigures, measureCold } from './measure-cold.ts'
import { type IndexComparison, measureIndex, placesOf } from './measure-index.ts'
import { measureQueries, type QueryFigures } from './measure-queries.ts'
import { printTable, writeRun } from './write-run.ts'

interface SetFigures {
  readonly index: IndexComparison
  readonly queries: QueryFigures
  readonly cold: ColdFigures
  readonly change: ChangeFigures
}

interface Mark {
  readonly what: string
  readonly limit: number
  readonly seen: number
  readonly reached: boolean
}

async function measureSet(set: string, quick: boolean): Promise<SetFigures | null> {
  const root = prepareCorpus(set)
  if (root === null) return null
  const places = placesOf(root, set)
  const questions = readQuestions(set).map((row) => row.text)
  console.error(`${set}: full index`)
  const index = await measureIndex(places, quick ? 3 : 7)
  console.error(`${set}: questions`)
  const queries = await measureQueries(places, questions, { rounds: quick ? 1 : 2 })
  console.error(`${set}: cold processes`)
  const cold = measureCold(places, questions, quick ? 10 : 20)
  console.error(`${set}: changed files`)
  const change = await measureChange(places, quick ? 5 : 10)
  return { index, queries, cold, change }
}

function printSet(set: string, { index, queries, cold, change }: SetFigures): void {
  const { yore, bare } = index
  const row = (name: string, pick: (figures: typeof yore) => number): (string | number)[] => [
    name,
    pick(yore),
    pick(bare),
    pick(yore) / pick(bare),
  ]
  printTable(
    `${set}: full index, medians of ${index.rounds} rounds in turns`,
    ['', 'yore', 'bare FTS5', 'ratio'],
    [
      ['process, ms', yore.processMs, bare.processMs, index.processRatio],
      ['warm in one process, ms', yore.warmMs, bare.warmMs, index.warmRatio],
      ['processor time, ms', yore.cpuMs, bare.cpuMs, index.cpuRatio],
      row('peak memory, MB', (figures) => figures.peakMb),
      row('index size, MB', (figures) => figures.indexMb),
      row('files/s', (figures) => figures.filesPerSecond),
      row('MB/s', (figures) => figures.mbPerSecond),
      row('sections', (figures) => figures.sections),
    ],
  )
  const latencyRow = (name: string, one: Latency): (string | number)[] => [name, one.p50, one.p95, one.p99]
  printTable(
    `${set}: warm questions, ms (${queries.questions} questions × ${queries.rounds})`,
    ['', 'p50', 'p95', 'p99'],
    [
      latencyRow('assemble, 8,000 tokens', queries.assemble),
      latencyRow('assemble --refresh never', queries.assembleNoRefresh),
      latencyRow('search', queries.search),
      latencyRow('search --refresh never', queries.searchNoRefresh),
      latencyRow('bare FTS5, best 10', queries.bare),
    ],
  )
  printTable(
    `${set}: cold processes, medians of ${cold.runs}`,
    ['', 'ms', '× node -e 0'],
    [
      ['node -e 0', cold.nodeMs, 1],
      ['yore assemble', cold.assembleMs, cold.assembleRatio],
      ['yore search', cold.searchMs, cold.searchRatio],
      ['bare FTS5 query', cold.bareMs, cold.bareRatio],
    ],
  )
  printTable(
    `${set}: one changed file among ${change.files}, medians of ${change.changes}`,
    ['', 'ms'],
    [
      ['index in a running process', change.indexMs],
      ['  the slowest of them', change.worstIndexMs],
      ['assemble that refreshes first', change.assembleMs],
      ['search that refreshes first', change.searchMs],
      ['  after a heading came', change.headingMs],
      ['  after a link came', change.linkMs],
      ['yore index, cold', change.coldIndexMs],
      ['yore assemble, cold, refreshing', change.coldAssembleMs],
    ],
  )
}

function marksOf(figures: SetFigures): Mark[] {
  const marks: [string, number, number][] = [
    ['full index ÷ bare, processes', 1.5, figures.index.processRatio],
    ['changed file in a running process, ms', 500, figures.change.indexMs],
    ['warm assemble p95, ms', 100, figures.queries.assemble.p95],
    ['cold assemble ÷ node -e 0', 3, figures.cold.assembleRatio],
  ]
  return marks.map(([what, limit, seen]) => ({ what, limit, seen, reached: seen <= limit }))
}

const quick = process.argv.includes('--quick')
const sets: Record<string, SetFigures & { marks: Mark[] }> = {}
const machine = describeMachine()
for (const set of ['k8sdocs', 'raydocs']) {
  const figures = await measureSet(set, quick)
  if (figures === null) continue
  const marks = marksOf(figures)
  sets[set] = { ...figures, marks }
  printSet(set, figures)
  printTable(
    `${set}: marks`,
    ['', 'at most', 'seen', ''],
    marks.map(({ what, limit, seen, reached }) => [what, limit, seen, reached ? 'reached' : 'MISSED']),
  )
}
if (Object.keys(sets).length > 0) writeRun('speed', { machine, sets })
