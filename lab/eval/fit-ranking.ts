// Which weights put the right section first, and which say that nothing answers? Fitted on half A of every set, reported on both.
//
// usage: node lab/eval/fit-ranking.ts        (needs the evaluation data; half an hour of indexing the first time)
//        node lab/eval/fit-ranking.ts --ablate [--sets raydocs,k8sdocs]     what is lost without each feature, half B
// It prints the weights of src/answer/retrieve/feature-table.ts and those of tuning.ts; nothing is written.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findMeaning } from '../../src/answer/answering/find-meaning.ts'
import { analyzeQuery } from '../../src/answer/retrieve/analyze-query.ts'
import { type FeatureName, featureTable, readFeatures } from '../../src/answer/retrieve/feature-table.ts'
import { type AnswerEvidence, answerFeatures } from '../../src/answer/retrieve/judge-answer.ts'
import { type CandidateList, listCandidates, rankSections } from '../../src/answer/retrieve/rank-sections.ts'
import { RELEVANCE_WEIGHT } from '../../src/answer/retrieve/tuning.ts'
import { VectorSearch } from '../../src/answer/retrieve/vector-search.ts'
import { openEmbedder } from '../../src/corpus/embed/open-embedder.ts'
import { CorpusReader } from '../../src/corpus/store/corpus-reader.ts'
import { openForReading } from '../../src/corpus/store/open-database.ts'
import type { RankedSection } from '../../src/model/section.ts'
import { type PreparedCorpus, prepareCorpus } from './prepare-corpus.ts'
import { halfOf } from './read-sets.ts'
import { type RealQuestion, readReal } from './real-set.ts'
import { readJudged } from './score-ranking.ts'
import { openReal, touches } from './score-real.ts'

type Vector = Readonly<Record<string, number>>

/** One question: its candidates with their features, and how much each of them answers, 0 to 1. */
interface Example {
  readonly set: string
  readonly group: string
  readonly half: 'A' | 'B'
  readonly rows: readonly { readonly features: Vector; readonly gain: number }[]
}

/**
 * A question with a needed section among the first ones (`hit`), without (`miss`), that its package does not answer, that
 * is about another package, and that lost the files that answer it.
 */
type AskedGroup = 'hit' | 'miss' | 'unanswerable' | 'foreign' | 'bereft'
/** How much each group counts as a whole. */
const groupWeights: Readonly<Record<AskedGroup, number>> = {
  hit: 2,
  miss: 1,
  unanswerable: 0.2,
  foreign: 1,
  bereft: 0.5,
}
/** Sections among which a needed one makes a hit. */
const HIT_SECTIONS = 10

/** One question with what is known of its answer. */
interface Asked {
  readonly half: 'A' | 'B'
  /** The package that was asked, and the one that the question is about. */
  readonly packages: readonly string[]
  readonly group: AskedGroup
  readonly features: Vector
}

/** How much a question of each set counts: few real ones are worth many of one kind. */
const setWeights: Readonly<Record<string, number>> = { real: 3, raydocs: 1, k8sdocs: 0.5, scifact: 0.6 }

/**
 * Where the fit starts and what it is drawn to: what a person would say. A feature with few examples keeps it, so that
 * seven questions about names do not decide what a definition is worth.
 */
const prior = {
  relevance: 3,
  canonicality: 1.3,
  coverage: 1,
  together: 1,
  vector: 2,
  codeOfPlace: 1.8,
  test: -1.8,
  releaseNotes: -1.8,
  upgradeGuide: -1,
  tableOfContents: -2,
  licence: -2,
  generated: -1,
  vendored: -1,
  example: -1,
  imports: -1.2,
  short: -0.8,
  notesOfVersion: 2.2,
  guideOfVersion: 1.5,
  namesFile: 0.7,
  namesLine: 1.5,
  superseded: -3,
  newestVersion: 0.3,
  quoted: 0.4,
} satisfies Partial<Record<FeatureName | 'canonicality', number>> as Vector
/** How strongly it is drawn there. Chosen on half A, leaving out one package at a time. */
const PULL = 3
const now = Date.parse('2026-11-15T00:00:00Z')

interface AskedRanking {
  readonly found: CandidateList
  readonly evidence: AnswerEvidence
  readonly sections: readonly RankedSection[]
}

/** Asks one corpus what it would rank. */
class Asker {
  readonly #reader: CorpusReader
  readonly #search = new VectorSearch()
  readonly #corpus: PreparedCorpus

  constructor(corpus: PreparedCorpus) {
    this.#corpus = corpus
    const { indexDir } = corpus.opened
    this.#reader = new CorpusReader(openForReading(join(indexDir, 'index.db'), { root: corpus.root }))
  }

  async ask(question: string, without: ReadonlySet<string> = new Set()): Promise<AskedRanking> {
    const opened = await openEmbedder(this.#corpus.opened.settings)
    if ('missing' in opened) throw new Error(opened.missing)
    const { embedder } = opened
    const [vector] = await embedder.embed([question], 'query')
    const weight = this.#corpus.opened.settings['embedding.weight']
    const meaning = { model: embedder.id, vector: vector as Float32Array, weight, search: this.#search }
    const analysis = analyzeQuery(question)
    const result = this.#reader.snapshot(() => {
      const kept = this.#reader.files().filter(({ path }) => !without.has(path))
      const onlyFiles = without.size === 0 ? null : new Set(kept.map(({ id }) => id))
      const options = { now, onlyFiles, ...findMeaning(this.#reader, meaning, onlyFiles) }
      const { evidence, sections } = rankSections(this.#reader, analysis, options)
      return { found: listCandidates(this.#reader, analysis, options), evidence, sections }
    })
    embedder.close()
    return result
  }

  close(): void {
    this.#reader.close()
  }
}

type Gain = (path: string, lines: { readonly start: number; readonly end: number }) => number

function makeExample({ candidates }: CandidateList, about: Omit<Example, 'rows'>, gainOf: Gain): Example {
  const rows = candidates.map(({ group: { artifact }, owner, facts }) => ({
    features: { ...readFeatures(facts), canonicality: owner.canonicality.score },
    gain: gainOf(owner.file.path, artifact.ownLines ?? artifact.lines),
  }))
  return { ...about, rows }
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

async function askReal(): Promise<{ examples: Example[]; asked: Asked[] }> {
  const examples: Example[] = []
  const asked: Asked[] = []
  for (const one of readReal({ half: 'all', only: null })) {
    const asker = new Asker(await openReal(one))
    for (const question of [...one.questions, ...one.foreign]) {
      const { found, evidence, sections } = await asker.ask(question.text)
      const half = halfOf(question._id)
      const packages = [one.name, question.package]
      const add = (group: AskedGroup, of: AnswerEvidence): number =>
        asked.push({ half, packages, group, features: answerFeatures(of) })
      if (question.package !== one.name || question.kind === 'unanswerable') {
        add(question.kind === 'unanswerable' ? 'unanswerable' : 'foreign', evidence)
        continue
      }
      const gainOf = gainOfNeed(question)
      const isHit = sections
        .slice(0, HIT_SECTIONS)
        .some(({ file, artifact }) => gainOf(file.path, artifact.ownLines ?? artifact.lines) > 0)
      add(isHit ? 'hit' : 'miss', evidence)
      const answering = [...question.needs.flat().map(({ path }) => path), ...(question.first_ok ?? [])]
      add('bereft', (await asker.ask(question.text, new Set(answering))).evidence)
      examples.push(makeExample(found, { set: 'real', group: one.name, half }, gainOf))
    }
    asker.close()
  }
  return { examples, asked }
}

/** Sets of documents: the gold section where it is known, else every section of a gold page a little. */
async function askJudged(set: 'raydocs' | 'k8sdocs' | 'scifact'): Promise<Example[]> {
  const asker = new Asker(await prepareCorpus(set))
  const examples: Example[] = []
  for (const { _id, text, gold, grades } of readJudged(set)) {
    const { found } = await asker.ask(text)
    const gainOf: Gain = (path, lines) => {
      if (gold?.line_start === undefined) return (grades.get(path) ?? 0) > 0 ? 0.3 : 0
      if (path !== gold.path || lines.start > gold.line_end || lines.end < gold.line_start) return 0
      return lines.start <= gold.own_end ? 1 : 0.5
    }
    examples.push(makeExample(found, { set, group: set, half: halfOf(_id) }, gainOf))
  }
  asker.close()
  return examples
}

function dot(weights: Vector, features: Vector): number {
  let sum = 0
  for (const name in features) sum += (weights[name] ?? 0) * (features[name] as number)
  return sum
}

/** Listwise softmax with Adam: the share of probability that goes to what answers is made large. */
function fitWeights(examples: readonly Example[], steps = 100): Record<string, number> {
  const names = [
    ...new Set(examples.flatMap(({ rows }) => rows.flatMap((row) => Object.keys(row.features)))),
  ].sort()
  const weights = Object.fromEntries(names.map((name) => [name, prior[name] ?? 0]))
  const moments = Object.fromEntries(names.map((name) => [name, { first: 0, second: 0 }]))
  const used = examples.filter(({ rows }) => rows.some(({ gain }) => gain > 0))
  for (let step = 1; step <= steps; step++) {
    const slope = Object.fromEntries(
      names.map((name) => [name, -PULL * ((weights[name] as number) - (prior[name] ?? 0))]),
    )
    for (const { set, rows } of used) {
      const scores = rows.map(({ features }) => dot(weights, features))
      const top = Math.max(...scores)
      const odds = scores.map((score) => Math.exp(score - top))
      const all = odds.reduce((sum, one) => sum + one, 0)
      const right = rows.reduce((sum, { gain }, at) => sum + gain * (odds[at] as number), 0)
      for (const [at, { features, gain }] of rows.entries()) {
        const pull = (setWeights[set] ?? 1) * (odds[at] as number) * (gain / right - 1 / all)
        for (const name in features) slope[name] = (slope[name] as number) + pull * (features[name] as number)
      }
    }
    const rate = step > steps * 0.7 ? 0.04 : 0.15
    for (const name of names) {
      const moment = moments[name] as { first: number; second: number }
      const one = slope[name] as number
      moment.first = 0.9 * moment.first + 0.1 * one
      moment.second = 0.98 * moment.second + 0.02 * one * one
      const size = Math.sqrt(moment.second / (1 - 0.98 ** step)) + 1e-8
      weights[name] = (weights[name] as number) + (rate * moment.first) / (1 - 0.9 ** step) / size
    }
  }
  return weights
}

/** Share of the questions whose first answering section is among the first so many. */
function hitsAt(examples: readonly Example[], weightsOf: (one: Example) => Vector): string {
  const ranks = examples.map((one) => {
    const weights = weightsOf(one)
    const order = one.rows.map(({ features, gain }) => ({ gain, score: dot(weights, features) }))
    const rank = order.sort((a, b) => b.score - a.score).findIndex(({ gain }) => gain > 0)
    return rank === -1 ? Number.POSITIVE_INFINITY : rank
  })
  const share = (most: number): string =>
    (ranks.filter((rank) => rank < most).length / ranks.length).toFixed(3)
  return `@1 ${share(1)} @3 ${share(3)} @10 ${share(10)} of ${ranks.length}`
}

function printRanking(examples: readonly Example[]): void {
  const inA = examples.filter(({ half }) => half === 'A')
  const weights = fitWeights(inA)
  const byWords = { relevance: 0.7, canonicality: 0.3 }
  const realA = inA.filter(({ set }) => set === 'real')
  const without = new Map(
    [...new Set(realA.map(({ group }) => group))].map((group) => [
      group,
      fitWeights(
        inA.filter((one) => one.group !== group),
        40,
      ),
    ]),
  )
  console.log(
    `real A, each package by weights of the others: ${hitsAt(realA, ({ group }) => without.get(group) ?? {})}`,
  )
  for (const set of Object.keys(setWeights))
    for (const half of ['A', 'B']) {
      const some = examples.filter((one) => one.set === set && one.half === half)
      console.log(
        `${set} ${half}: first stage ${hitsAt(some, () => byWords)}, second ${hitsAt(some, () => weights)}`,
      )
    }
  const unit = weights['relevance'] as number
  for (const [name, weight] of Object.entries(weights))
    console.log(`  '${name}': ${(weight / unit).toFixed(2)},`)
}

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))

/** Logistic regression of hits against all others, with a ridge. */
function fitConfidence(asked: readonly Asked[], names: readonly string[]): Record<string, number> {
  const counts = Map.groupBy(asked, ({ group }) => group)
  const shares = [...counts].map(([group, { length }]) => [group, groupWeights[group] / length] as const)
  const total = [...counts.keys()].reduce((sum, group) => sum + groupWeights[group], 0)
  const weightOf = new Map(shares.map(([group, weight]) => [group, weight / total]))
  const spread = new Map(
    names.map((name) => {
      const values = asked.map(({ features }) => features[name] ?? 0)
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length
      const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
      return [name, { mean, deviation: deviation + 1e-6 }]
    }),
  )
  const scaled = asked.map(({ features }) =>
    names.map((name) => {
      const { mean, deviation } = spread.get(name) as { mean: number; deviation: number }
      return ((features[name] ?? 0) - mean) / deviation
    }),
  )
  const weights = names.map(() => 0)
  let bias = 0
  for (let step = 0; step < 1500; step++) {
    const slope = weights.map((weight) => -0.02 * weight)
    let biasSlope = 0
    for (const [at, one] of asked.entries()) {
      const row = scaled[at] as number[]
      const guess = sigmoid(
        row.reduce((sum, value, column) => sum + value * (weights[column] as number), bias),
      )
      const miss = (Number(one.group === 'hit') - guess) * (weightOf.get(one.group) as number)
      biasSlope += miss
      for (let column = 0; column < row.length; column++)
        slope[column] = (slope[column] as number) + miss * (row[column] as number)
    }
    bias += 2 * biasSlope
    for (let column = 0; column < weights.length; column++)
      weights[column] = (weights[column] as number) + 2 * (slope[column] as number)
  }
  const fitted: Record<string, number> = {}
  for (const [column, name] of names.entries()) {
    const { mean, deviation } = spread.get(name) as { mean: number; deviation: number }
    fitted[name] = (weights[column] as number) / deviation
    bias -= (fitted[name] as number) * mean
  }
  return { bias, ...fitted }
}

/** How often an answerable question scores higher than another one. */
function areaUnder(right: readonly number[], wrong: readonly number[]): string {
  let sum = 0
  for (const one of right) for (const other of wrong) sum += one > other ? 1 : one === other ? 0.5 : 0
  return (sum / (right.length * wrong.length)).toFixed(3)
}

const scoreOf = (weights: Vector, { features }: Asked): number =>
  sigmoid((weights['bias'] as number) + dot(weights, { ...features, bias: 0 }))

/** The area under the curve of hits against misses and unanswerable questions, against foreign ones, and against bereft ones. */
function printAreas(title: string, scored: readonly (readonly [AskedGroup, number])[]): void {
  const of = (...groups: AskedGroup[]): number[] =>
    scored.flatMap(([group, score]) => (groups.includes(group) ? [score] : []))
  const against = (...groups: AskedGroup[]): string => areaUnder(of('hit'), of(...groups))
  console.log(
    `${title}: misses ${against('miss', 'unanswerable')}, foreign ${against('foreign')}, bereft ${against('bereft')}`,
  )
}

function printConfidence(asked: readonly Asked[]): void {
  const names = [...new Set(asked.flatMap(({ features }) => Object.keys(features)))]
  const inA = asked.filter(({ half }) => half === 'A')
  for (const [kind, used] of [
    ['with meaning', names],
    ['by words', names.filter((name) => name !== 'vector')],
  ] as const) {
    const weights = fitConfidence(inA, used)
    const each = [...new Set(inA.map(({ packages }) => packages[0] as string))].flatMap((name) => {
      const others = fitConfidence(
        inA.filter(({ packages }) => !packages.includes(name)),
        used,
      )
      const own = inA.filter(({ packages }) => packages[0] === name)
      return own.map((one) => [one.group, scoreOf(others, one)] as const)
    })
    printAreas(`${kind} A, each package by weights of the others`, each)
    const inB = asked.filter(({ half }) => half === 'B')
    printAreas(
      `${kind} B`,
      inB.map((one) => [one.group, scoreOf(weights, one)]),
    )
    console.log(
      Object.entries(weights)
        .map(([name, weight]) => `  ${name}: ${weight.toFixed(2)},`)
        .join('\n'),
    )
  }
}

const featureWeights: Vector = Object.fromEntries(
  Object.entries(featureTable).map(([name, { weight }]) => [name, weight]),
)
/** Does the feature depend on the intent of the question? */
const needsIntent = (name: string): boolean => featureTable[name as FeatureName]?.when !== undefined

/** Features that belong together; they are taken out as one, too. */
const families: Readonly<Record<string, (name: string) => boolean>> = {
  'how much of the question stands there': (name) => /^(?:coverage|together|pairs|quoted)$/.test(name),
  'heading, path, document, page': (name) => /^(?:heading.*|outer|path|document|page)$/.test(name),
  'what the question is after': needsIntent,
  'what the section is': (name) =>
    ((prior[name] ?? 0) < 0 || name === 'newestVersion') &&
    !/^(?:code|short)$/.test(name) &&
    !needsIntent(name),
  'shape: code, type, block, short, long': (name) =>
    /^(?:code|type|block|genericText|short|long)$/.test(name),
  'names of files, lines, scopes, definitions': (name) => /^(?:names.*|defines|mentions)$/.test(name),
  'everything but the first stage': (name) => name !== 'relevance',
}

/** One over the rank of the first section that answers, question by question, in the product's own order. */
function reciprocalRanks(examples: readonly Example[], weights: Vector, authority: number): number[] {
  return examples.map(({ rows }) => {
    const worths = rows.map(({ features }) => Math.max(0, dot({ ...weights, canonicality: 0 }, features)))
    const top = Math.max(...worths) || 1
    const scored = rows.map(({ features, gain }, at) => ({
      gain,
      score:
        (RELEVANCE_WEIGHT * (worths[at] as number)) / top + authority * (features['canonicality'] as number),
    }))
    const rank = scored.sort((a, b) => b.score - a.score).findIndex(({ gain }) => gain > 0)
    return rank === -1 ? 0 : 1 / (rank + 1)
  })
}

/** Changes of the mean reciprocal rank, and of the share whose first section answers, without each feature. */
function printAblation(examples: readonly Example[]): void {
  const sets = [...new Set(examples.map(({ set }) => set))]
  const figuresOf = (weights: Vector, authority: number): number[] =>
    sets.flatMap((set) => {
      const ranks = reciprocalRanks(
        examples.filter((one) => one.set === set),
        weights,
        authority,
      )
      const mean = (values: readonly number[]): number =>
        values.reduce((sum, one) => sum + one, 0) / values.length
      return [mean(ranks), mean(ranks.map((one) => Number(one === 1)))]
    })
  const authority = 1 - RELEVANCE_WEIGHT
  const whole = figuresOf(featureWeights, authority)
  console.log(`| without | weight |${sets.map((set) => ` ${set}: MRR | first |`).join('')}`)
  console.log(`|${'---|'.repeat(2 + 2 * sets.length)}`)
  console.log(`| nothing | |${whole.map((value) => ` ${value.toFixed(3)} |`).join('')}`)
  const print = (name: string, weight: string, figures: readonly number[]): void => {
    const cells = figures.map((value, at) => {
      const change = value - (whole[at] as number)
      return Math.abs(change) < 0.0005 ? '  |' : ` ${change < 0 ? '−' : '+'}${Math.abs(change).toFixed(3)} |`
    })
    console.log(`| ${name} | ${weight} |${cells.join('')}`)
  }
  print('authority', authority.toFixed(2), figuresOf(featureWeights, 0))
  const keep = (isOut: (name: string) => boolean): Vector =>
    Object.fromEntries(Object.entries(featureWeights).filter(([name]) => !isOut(name)))
  for (const [name, isOut] of Object.entries(families)) print(name, '', figuresOf(keep(isOut), authority))
  for (const [name, weight] of Object.entries(featureWeights))
    print(
      `\`${name}\``,
      weight.toFixed(2),
      figuresOf(
        keep((one) => one === name),
        authority,
      ),
    )
}

const { values: options } = parseArgs({
  options: {
    ablate: { type: 'boolean', default: false },
    sets: { type: 'string', default: Object.keys(setWeights).join(',') },
  },
})
const named = options.sets.split(',')
const { examples, asked } = named.includes('real') ? await askReal() : { examples: [], asked: [] }
for (const set of ['raydocs', 'k8sdocs', 'scifact'] as const)
  if (named.includes(set)) examples.push(...(await askJudged(set)))
if (options.ablate) printAblation(examples.filter(({ half }) => half === 'B'))
else {
  printRanking(examples)
  printConfidence(asked)
}
