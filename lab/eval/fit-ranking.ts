// Which weights put the right section first? One linear model, fitted on half A of the real questions and the fit part of held/, each package judged by weights of the others.
//
// usage: node lab/eval/fit-ranking.ts [--snapshots FOLDER] [--sets real,held,raydocs] [--keep FILE]
//        node lab/eval/fit-ranking.ts --ablate     what each set loses without each feature of feature-table.ts
// Nothing is written but FILE, which holds the candidates of a run for the next one.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findMeaning, guideByMeaning, QuestionMeaning } from '../../src/answer/answering/find-meaning.ts'
import { analyzeQuery } from '../../src/answer/retrieve/analyze-query.ts'
import { addCallerWords, type CallerWords, listCallerWords } from '../../src/answer/retrieve/caller-words.ts'
import { featuresFor, featureTable, readFeatures } from '../../src/answer/retrieve/feature-table.ts'
import { listCandidates } from '../../src/answer/retrieve/rank-sections.ts'
import { CorpusReader } from '../../src/corpus/store/corpus-reader.ts'
import { openForReading } from '../../src/corpus/store/open-database.ts'
import { RELEVANCE_WEIGHT } from '../../src/model/digest.ts'
import type { Half } from './figures.ts'
import { type PreparedCorpus, prepareCorpus } from './prepare-corpus.ts'
import { halfOf } from './read-sets.ts'
import { type RealQuestion, readReal } from './real-set.ts'
import { readJudged } from './score-ranking.ts'
import { openReal, touches } from './score-real.ts'

/** One question: its candidates by their features, and how much each of them answers, 0 to 1. */
interface Example {
  readonly set: string
  /** Left out as a whole. */
  readonly group: string
  readonly rows: readonly { readonly features: readonly number[]; readonly gain: number }[]
}

const intents = new Set(Object.values(featureTable).flatMap(({ when = [] }) => when))
/** Those of digests; a list of files has more, fitted on its own set. */
const counted = new Set(featuresFor(intents, { listsFiles: false, hasCode: true }))
const table = Object.entries(featureTable).filter(([, feature]) => counted.has(feature))
/** Of each candidate, and last the authority of its document, which the product weighs by itself. */
const names: readonly string[] = [...table.map(([name]) => name), 'authority']
const AUTHORITY = names.length - 1
const shipped: readonly number[] = [...table.map(([, { weight }]) => weight), 0]
/** How much a question of each set counts: sets of one kind are large. */
const setWeights: Readonly<Record<string, number>> = {
  real: 1,
  held: 1,
  short: 1,
  raydocs: 0.2,
  k8sdocs: 0.1,
}
/** How strongly weights are drawn to 0; that of the relevance is the unit. */
const RIDGE = 3
const now = Date.parse('2026-11-15T00:00:00Z')

type Gain = (path: string, lines: { readonly start: number; readonly end: number }) => number

/** Asks one corpus for the candidates of a question, with the caller's words or without. */
class Asker {
  readonly #reader: CorpusReader
  readonly #meaning: QuestionMeaning

  constructor({ opened: { root, indexDir, settings } }: PreparedCorpus) {
    this.#reader = new CorpusReader(openForReading(join(indexDir, 'index.db'), { root }))
    this.#meaning = new QuestionMeaning(settings)
  }

  async ask(question: string, caller: CallerWords, gainOf: Gain): Promise<Example['rows']> {
    const { meaning } = await this.#meaning.of(question, 'hybrid', caller)
    const words = listCallerWords(caller)
    return this.#reader.snapshot(() => {
      const reader = this.#reader
      const near =
        words.length > 0 ? guideByMeaning(reader, meaning, null).near('words') : findMeaning(reader, meaning)
      const analysis = addCallerWords(analyzeQuery(question), words)
      const { candidates } = listCandidates(reader, analysis, { now, ...near })
      return candidates.map(({ group: { artifact }, owner, facts }) => {
        const values: Readonly<Record<string, number>> = readFeatures(facts)
        return {
          features: [...table.map(([name]) => values[name] as number), owner.canonicality.score],
          gain: gainOf(owner.file.path, artifact.ownLines ?? artifact.lines),
        }
      })
    })
  }

  close(): void {
    this.#meaning.close()
    this.#reader.close()
  }
}

/** Half a need is better than none. */
function gainOfNeed({ needs }: RealQuestion): Gain {
  return (path, lines) =>
    needs.flat().reduce((most, need) => {
      if (!touches(need, { path, ...lines })) return most
      const inside = Math.min(need.end, lines.end) - Math.max(need.start, lines.start) + 1
      return Math.max(most, inside / (need.end - need.start + 1) >= 0.3 ? 1 : 0.5)
    }, 0)
}

/** Every answerable question, plain and with the words that were written for it. */
async function askPackages(set: string, half: Half, snapshots: string): Promise<Example[]> {
  const examples: Example[] = []
  for (const one of readReal({
    half,
    only: null,
    words: 'right',
    snapshots: set === 'real' ? null : snapshots,
    set,
  })) {
    const asker = new Asker(await openReal(one))
    for (const question of one.questions) {
      if (question.kind === 'unanswerable') continue
      for (const [kind, caller] of [
        ['', {}],
        [', words', question.caller],
      ] as const) {
        const rows = await asker.ask(question.text, caller, gainOfNeed(question))
        examples.push({ set: `${set}${kind}`, group: one.name, rows })
      }
    }
    asker.close()
    console.error(`${set} ${one.name}`)
  }
  return examples
}

/** Documents: the gold section where it is known, else every section of a gold page a little. */
async function askJudged(set: 'raydocs' | 'k8sdocs', half: Half): Promise<Example[]> {
  const asker = new Asker(await prepareCorpus(set))
  const examples: Example[] = []
  for (const { _id, text, gold, grades } of readJudged(set)) {
    if (halfOf(_id) !== half) continue
    const gainOf: Gain = (path, lines) => {
      if (gold?.line_start === undefined) return (grades.get(path) ?? 0) > 0 ? 0.3 : 0
      if (path !== gold.path || lines.start > gold.line_end || lines.end < gold.line_start) return 0
      return lines.start <= gold.own_end ? 1 : 0.5
    }
    examples.push({ set, group: set, rows: await asker.ask(text, {}, gainOf) })
  }
  asker.close()
  return examples
}

function dot(weights: ArrayLike<number>, features: readonly number[]): number {
  let sum = 0
  for (let at = 0; at < features.length; at++) sum += (weights[at] as number) * (features[at] as number)
  return sum
}

/** The features of an example's rows behind each other: one array is read faster than many. */
interface Packed {
  readonly worth: number
  readonly gains: Float64Array
  readonly features: Float64Array
}

function pack({ set, rows }: Example): Packed {
  return {
    worth: setWeights[set.split(',')[0] as string] ?? 1,
    gains: Float64Array.from(rows, ({ gain }) => gain),
    features: Float64Array.from(rows.flatMap(({ features }) => features)),
  }
}

/** Adds to `slope` how the share of probability that goes to what answers grows with each weight: a listwise softmax. */
function addSlope({ worth, gains, features }: Packed, weights: Float64Array, slope: Float64Array): void {
  const size = weights.length
  const odds = new Float64Array(gains.length)
  let [all, right] = [0, 0]
  for (let row = 0; row < gains.length; row++) {
    let score = 0
    for (let at = 0; at < size; at++) score += (weights[at] as number) * (features[row * size + at] as number)
    odds[row] = Math.exp(score)
    all += odds[row] as number
    right += (gains[row] as number) * (odds[row] as number)
  }
  for (let row = 0; row < gains.length; row++) {
    const pull = worth * (odds[row] as number) * ((gains[row] as number) / right - 1 / all)
    if (Math.abs(pull) < 1e-5) continue
    for (let at = 0; at < size; at++)
      slope[at] = (slope[at] as number) + pull * (features[row * size + at] as number)
  }
}

/** Adam, from these weights on. `used` are the features that may count. */
function fitWeights(
  examples: readonly Packed[],
  used: readonly boolean[],
  { from = null, steps = 200 }: { readonly from?: Float64Array | null; readonly steps?: number } = {},
): Float64Array {
  const weights = from?.slice() ?? Float64Array.from(names, (name) => (name === 'relevance' ? 3 : 0))
  const [first, second] = [new Float64Array(names.length), new Float64Array(names.length)]
  for (let step = 1; step <= steps; step++) {
    const slope = Float64Array.from(weights, (weight, at) => (at === 0 ? 0 : -RIDGE * weight))
    for (const one of examples) addSlope(one, weights, slope)
    const rate = from !== null || step > steps * 0.6 ? 0.03 : 0.12
    for (let at = 0; at < names.length; at++) {
      if (used[at] !== true) continue
      const one = slope[at] as number
      first[at] = 0.9 * (first[at] as number) + 0.1 * one
      second[at] = 0.98 * (second[at] as number) + 0.02 * one * one
      const size = Math.sqrt((second[at] as number) / (1 - 0.98 ** step)) + 1e-8
      weights[at] = (weights[at] as number) + (rate * (first[at] as number)) / (1 - 0.9 ** step) / size
    }
  }
  return weights
}

/** Ranks of the first section that answers in the product's own order, from 1; infinite without one. */
function ranksIn(examples: readonly Example[], weightsOf: (group: string) => ArrayLike<number>): number[] {
  return examples.map(({ group, rows }) => {
    const weights = Float64Array.from(weightsOf(group))
    weights[AUTHORITY] = 0
    const worths = rows.map(({ features }) => Math.max(0, dot(weights, features)))
    const top = Math.max(...worths) || 1
    const scored = rows.map(({ features, gain }, at) => ({
      gain,
      score:
        (RELEVANCE_WEIGHT * (worths[at] as number)) / top +
        (1 - RELEVANCE_WEIGHT) * (features[AUTHORITY] as number),
    }))
    const rank = scored.sort((a, b) => b.score - a.score).findIndex(({ gain }) => gain > 0)
    return rank === -1 ? Number.POSITIVE_INFINITY : rank + 1
  })
}

interface Figures {
  readonly first: number
  readonly reciprocal: number
}

/** By set: the share whose first section answers, and the mean reciprocal rank. */
function figuresOf(
  examples: readonly Example[],
  weightsOf: (group: string) => ArrayLike<number>,
): Map<string, Figures> {
  const ranks = ranksIn(examples, weightsOf)
  const sets = Map.groupBy(examples.keys(), (at) => (examples[at] as Example).set)
  const mean = (rows: readonly number[], read: (rank: number) => number): number =>
    rows.reduce((sum, at) => sum + read(ranks[at] as number), 0) / rows.length
  return new Map(
    [...sets].map(([set, rows]) => [
      set,
      { first: mean(rows, (rank) => Number(rank === 1)), reciprocal: mean(rows, (rank) => 1 / rank) },
    ]),
  )
}

const format = (figures: Map<string, Figures>): string =>
  [...figures]
    .map(([set, { first, reciprocal }]) => `${set}: first ${first.toFixed(3)} MRR ${reciprocal.toFixed(3)}`)
    .join('; ')

const isAnswered = ({ rows }: Example): boolean => rows.some(({ gain }) => gain > 0)

function printFit(examples: readonly Example[]): void {
  const used = names.map((_, at) =>
    examples.some(({ rows }) => rows.some(({ features }) => features[at] !== 0)),
  )
  const packed = new Map(examples.filter(isAnswered).map((one) => [one, pack(one)]))
  const of = (some: readonly Example[]): Packed[] => some.flatMap((one) => packed.get(one) ?? [])
  console.log(`shipped weights: ${format(figuresOf(examples, () => shipped))}`)
  const weights = fitWeights(of(examples), used)
  console.log(`fitted: ${format(figuresOf(examples, () => weights))}`)
  const groups = [...new Set(examples.map(({ group }) => group))]
  const others = new Map(
    groups.map((group) => [
      group,
      fitWeights(of(examples.filter((one) => one.group !== group)), used, { from: weights, steps: 60 }),
    ]),
  )
  const without = figuresOf(examples, (group) => others.get(group) ?? shipped)
  console.log(`each package by weights of the others: ${format(without)}`)
  for (const [at, name] of names.entries())
    console.log(
      `  ${name}: ${((weights[at] as number) / (weights[0] as number)).toFixed(2)}  (shipped ${shipped[at]?.toFixed(2)})`,
    )
}

/** What each set loses without each feature of the shipped model. */
function printAblation(examples: readonly Example[]): void {
  const whole = figuresOf(examples, () => shipped)
  const sets = [...whole.keys()]
  console.log(`| without | weight |${sets.map((set) => ` ${set}: MRR | first |`).join('')}`)
  console.log(`|${'---|'.repeat(2 + 2 * sets.length)}`)
  const cells = (of: Map<string, Figures>, read: (value: number, was: number) => string): string =>
    sets
      .flatMap((set) => {
        const [own, was] = [of.get(set), whole.get(set)] as [Figures, Figures]
        return [read(own.reciprocal, was.reciprocal), read(own.first, was.first)]
      })
      .map((cell) => ` ${cell} |`)
      .join('')
  console.log(`| nothing | |${cells(whole, (value) => value.toFixed(3))}`)
  for (const [at, name] of names.entries()) {
    if (shipped[at] === 0) continue
    const figures = figuresOf(examples, () => shipped.map((weight, other) => (other === at ? 0 : weight)))
    const change = (value: number, was: number): string => {
      const lost = value - was
      return Math.abs(lost) < 0.0005 ? '' : `${lost < 0 ? '−' : '+'}${Math.abs(lost).toFixed(3)}`
    }
    console.log(`| ${name} | ${shipped[at]?.toFixed(2)} |${cells(figures, change)}`)
  }
}

const { values: options } = parseArgs({
  options: {
    ablate: { type: 'boolean', default: false },
    half: { type: 'string', default: 'A' },
    keep: { type: 'string', default: '' },
    sets: { type: 'string', default: 'real,held' },
    snapshots: { type: 'string', default: process.env['YORE_SNAPSHOTS'] ?? '' },
  },
})

async function askAll(): Promise<Example[]> {
  const { half, keep, snapshots } = options
  if (existsSync(keep)) return JSON.parse(readFileSync(keep, 'utf8')) as Example[]
  const examples: Example[] = []
  for (const set of options.sets.split(','))
    if (set === 'raydocs' || set === 'k8sdocs') examples.push(...(await askJudged(set, half as Half)))
    else if (set === 'real' || (['held', 'short'].includes(set) && snapshots !== ''))
      examples.push(...(await askPackages(set, half as Half, snapshots)))
    else console.error(`SKIPPED: ${set}`)
  if (keep !== '') writeFileSync(keep, JSON.stringify(examples))
  return examples
}

const examples = await askAll()
if (options.ablate) printAblation(examples)
else printFit(examples)
