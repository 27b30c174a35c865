// What does it cost to divide a corpus? `shards.ts [shards]`: k8sdocs in one file and in several, built and asked in turns.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from '../src/engine/engine.ts'
import { processorTime } from '../test/processor-time.ts'
import { benchFolder, loadPackage, prepareCorpus, readQuestions } from './corpora.ts'
import { describeMachine, latency } from './measure.ts'
import { printTable, writeRun } from './write-run.ts'

const QUESTIONS = 120
const WARM_UP = 25
const BUILDS = 3
/** Steps between the questions of two ways: an engine remembers what the last question found. */
const APART = 17

const ways = {
  assemble: async (engine: Engine, question: string) =>
    (await engine.assemble(question, { maxTokens: 8000 })).output,
  search: async (engine: Engine, question: string) =>
    JSON.stringify((await engine.search(question, { limit: 10 })).hits),
} as const
const names = ['assemble', 'search'] as const

const counts = [1, Number(process.argv[2] ?? 4)] as const
const machine = describeMachine()
const used: Record<string, number[]> = {}
const note = (key: string, milliseconds: number): void => {
  used[key] ??= []
  used[key].push(milliseconds)
}

const root = prepareCorpus('k8sdocs')
if (root === null) process.exit(0)
const { defaultSettings, openEngine } = await loadPackage()
const engines = counts.map((shards) => {
  const indexDir = join(benchFolder(), 'indexes', `k8sdocs-shards-${shards}`)
  rmSync(indexDir, { recursive: true, force: true })
  const settings = { ...defaultSettings, refresh: 'never', workers: 1, shards } as const
  return openEngine({ root, indexDir, settings, now: Date.now() })
})
const bytes: number[] = []
for (let build = 0; build < BUILDS; build++)
  for (const [at, engine] of engines.entries()) {
    const started = processorTime()
    bytes[at] = (await engine.index({ rebuild: true })).indexBytes
    note(`index ${counts[at]}`, processorTime() - started)
  }

const all = readQuestions('k8sdocs').map(({ text }) => text)
const questions = Array.from(
  { length: QUESTIONS },
  (_, at) => all[Math.floor((at * all.length) / QUESTIONS)] as string,
)
let differing = 0
for (let at = 0; at < WARM_UP + QUESTIONS; at++)
  for (const [way, name] of names.entries()) {
    const said = new Set<string>()
    for (const which of at % 2 === 0 ? [0, 1] : [1, 0]) {
      const started = processorTime()
      const question = questions[(at + way * APART) % QUESTIONS] as string
      said.add(await ways[name](engines[which] as Engine, question))
      if (at >= WARM_UP) note(`${name} ${counts[which]}`, processorTime() - started)
    }
    if (said.size > 1) differing++
  }
for (const engine of engines) engine.close()

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length
const figures = ['index', ...names].map((name) => {
  const [one, several] = counts.map((shards) => used[`${name} ${shards}`] as number[]) as [number[], number[]]
  return { name, one: latency(one), several: latency(several), ratio: mean(several) / mean(one) }
})
const [oneBytes = 0, severalBytes = 0] = bytes
printTable(
  `k8sdocs in 1 file and in ${counts[1]} shards: processor time, ms; ${differing} answers differ; bytes ${(severalBytes / oneBytes).toFixed(3)}`,
  ['', '1 p50', `${counts[1]} p50`, '1 p95', `${counts[1]} p95`, 'ratio of means'],
  figures.map(({ name, one, several, ratio }) => [name, one.p50, several.p50, one.p95, several.p95, ratio]),
)
writeRun('shards', {
  machine,
  shards: counts[1],
  differing,
  bytes: { one: oneBytes, several: severalBytes },
  figures,
})
