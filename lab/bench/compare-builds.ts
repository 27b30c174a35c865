// Which of two builds answers faster? `compare-builds.ts <before> <after> <corpus>`: the same questions in turns, in one process.
import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Engine } from '../../src/offer/engine/engine.ts'
import { processorTime } from '../../test/processor-time.ts'
import { benchFolder, readQuestions } from './corpora.ts'
import { describeMachine, type Latency, latency } from './measure.ts'
import { printTable, writeRun } from './write-run.ts'

type Package = typeof import('../../src/index.ts')

const QUESTIONS = 120
const WARM_UP = 25
/** Steps between the questions of two ways: an engine remembers what the last question found. */
const APART = 17

const ways = {
  assemble: (engine: Engine, question: string) => engine.assemble(question, { maxTokens: 8000 }),
  search: (engine: Engine, question: string) => engine.search(question, { limit: 10 }),
} as const
const names = ['assemble', 'search'] as const

/** An index of each build's own, kept for the next run; in it is what that build made of the corpus. */
async function openBuild(folder: string, root: string, which: string): Promise<Engine> {
  const { openEngine, defaultSettings } = (await import(
    pathToFileURL(join(resolve(folder), 'dist/index.js')).href
  )) as Package
  const indexDir = join(benchFolder(), 'indexes', `${basename(root)}-${which}`)
  const engine = openEngine({ root, indexDir, settings: defaultSettings, now: Date.now() })
  if (!existsSync(join(indexDir, 'index.db'))) await engine.index()
  return engine
}

const [before, after, corpus] = process.argv.slice(2)
if (before === undefined || after === undefined || corpus === undefined)
  throw new Error('usage: node lab/bench/compare-builds.ts <package before> <package after> <corpus>')
const root = resolve(corpus)
const machine = describeMachine()
const builds = {
  before: await openBuild(before, root, 'before'),
  after: await openBuild(after, root, 'after'),
}
const all = readQuestions('k8sdocs').map(({ text }) => text)
const questions = Array.from(
  { length: QUESTIONS },
  (_, at) => all[Math.floor((at * all.length) / QUESTIONS)] as string,
)
const used: Record<string, number[]> = {}
for (let at = 0; at < WARM_UP + QUESTIONS; at++)
  for (const [way, name] of names.entries())
    for (const build of at % 2 === 0 ? (['before', 'after'] as const) : (['after', 'before'] as const)) {
      const started = processorTime()
      await ways[name](builds[build], questions[(at + way * APART) % QUESTIONS] as string)
      const key = `${name} ${build}`
      used[key] ??= []
      if (at >= WARM_UP) used[key].push(processorTime() - started)
    }
for (const engine of Object.values(builds)) engine.close()
const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length
const figures = Object.fromEntries(
  names.map((name) => {
    const [one, two] = [used[`${name} before`] as number[], used[`${name} after`] as number[]]
    return [name, { before: latency(one), after: latency(two), ratio: mean(two) / mean(one) }]
  }),
) as Record<(typeof names)[number], { before: Latency; after: Latency; ratio: number }>
printTable(
  `${basename(root)}: processor time of a warm question, ms`,
  ['', 'before p50', 'after p50', 'before p95', 'after p95', 'ratio of means'],
  names.map((name) => {
    const { before: one, after: two, ratio } = figures[name]
    return [name, one.p50, two.p50, one.p95, two.p95, ratio]
  }),
)
writeRun(`builds-${basename(root)}`, { machine, questions: QUESTIONS, figures })
