// How likely does a reply answer? Logistic regression on replies of which the answer is known, each package judged by weights of the others.
//
// usage: node lab/eval/fit-verdict.ts [--snapshots FOLDER] [--sets real,held,short] [--half A|B] [--keep FILE]
// Half A, the fit parts of held/ and short/ included, prints the weights of src/answer/retrieve/tuning.ts; half B only the table of the shipped ones.
// A reply is right when 4,000 tokens hold half of what the question needs. Asked are: the question plainly, with its words,
// with those of another package, questions of another package, unanswerable ones, and pasted messages.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { assembleRanked } from '../../src/answer/answering/assemble-context.ts'
import type { CallerWords } from '../../src/answer/retrieve/caller-words.ts'
import { answerFeatures, judgeAnswer, labelOf } from '../../src/answer/retrieve/judge-answer.ts'
import { OpenFolder } from '../../src/offer/engine/open-folder.ts'
import type { Half } from './figures.ts'
import { areaUnderRoc } from './measures.ts'
import { drawMessages } from './message-set.ts'
import { halfOf } from './read-sets.ts'
import { type Place, type RealPackage, type RealQuestion, readReal } from './real-set.ts'
import { judgePlaces, openReal, placesOf } from './score-real.ts'

const BUDGET = 4000
/** `plain`, `words`, `wrong words`, `foreign`, `foreign words`, `unanswerable`, `message`. */
type Kind = string

interface Reply {
  readonly id: string
  readonly package: string
  readonly kind: Kind
  readonly features: Readonly<Record<string, number>>
  readonly isRight: boolean
  /** The shipped verdict. */
  readonly score: number
}

type Ask = (kind: Kind, question: RealQuestion, caller: CallerWords) => Promise<void>

/** Asks one package; every reply fills its budget, so that what is right does not depend on the verdict. */
async function openAsk(one: RealPackage, replies: Reply[]): Promise<{ ask: Ask; close: () => void }> {
  const { engine, opened } = await openReal(one)
  engine.close()
  const clock = (): number => opened.now as number
  const folder = new OpenFolder(
    { root: one.root, indexDir: opened.indexDir },
    { env: process.env, clock, settings: opened.settings, now: opened.now as number },
  )
  const ask: Ask = async (kind, question, caller) => {
    const given = { maxTokens: BUDGET, layout: 'brief', fill: true, ...caller } as const
    const context = await folder.prepare(question.text, given)
    const { result, ranking } = assembleRanked(question.text, folder.wanted(given), context)
    const { met } = judgePlaces(question, placesOf(result.digest))
    replies.push({
      id: question._id,
      package: one.name,
      kind,
      features: answerFeatures(ranking.evidence),
      isRight: met.length > 0 && met.filter(Boolean).length * 2 >= met.length,
      score: judgeAnswer(ranking.evidence).score,
    })
  }
  return { ask, close: () => folder.close() }
}

async function askPackages(packages: readonly (readonly [RealPackage, RealPackage])[]): Promise<Reply[]> {
  const replies: Reply[] = []
  for (const [right, wrong] of packages) {
    const { ask, close } = await openAsk(right, replies)
    for (const [at, question] of right.questions.entries()) {
      const isAnswered = question.kind !== 'unanswerable'
      await ask(isAnswered ? 'plain' : 'unanswerable', question, {})
      await ask(isAnswered ? 'words' : 'unanswerable words', question, question.caller)
      if (isAnswered) await ask('wrong words', question, wrong.questions[at]?.caller ?? {})
    }
    for (const question of right.foreign) {
      await ask('foreign', { ...question, needs: [] }, {})
      await ask('foreign words', { ...question, needs: [] }, question.caller)
    }
    close()
    console.error(right.name)
  }
  return replies
}

async function askMessages(half: Half): Promise<Reply[]> {
  const packages = readReal({ half: 'all', only: null })
  const messages = drawMessages(packages).filter(({ _id }) => halfOf(_id) === half)
  const replies: Reply[] = []
  for (const one of packages) {
    const { ask, close } = await openAsk(one, replies)
    for (const { places, ...message } of messages.filter((message) => message.package === one.name)) {
      const needs: readonly (readonly Place[])[] = [places]
      await ask('message', { ...message, half, needs, caller: {} }, {})
    }
    close()
  }
  return replies
}

type Weights = Readonly<Record<string, number>>

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))
const scoreOf = (weights: Weights, { features }: Reply): number =>
  sigmoid(
    Object.entries(features).reduce(
      (sum, [name, value]) => sum + (weights[name] ?? 0) * value,
      weights['bias'] ?? 0,
    ),
  )

/** How much each kind counts as a whole. */
const kindWeights: Readonly<Record<Kind, number>> = {
  plain: 1,
  words: 1,
  'wrong words': 0.4,
  foreign: 0.4,
  'foreign words': 0.3,
  unanswerable: 0.2,
  'unanswerable words': 0.2,
  message: 0.3,
}

/** Newton's method with a ridge. */
function fit(replies: readonly Reply[], names: readonly string[]): Weights {
  const counts = Map.groupBy(replies, ({ kind }) => kind)
  const worth = replies.map(({ kind }) => (500 * (kindWeights[kind] ?? 0)) / (counts.get(kind)?.length ?? 1))
  const rows = replies.map(({ features }) => [1, ...names.map((name) => features[name] ?? 0)])
  const size = names.length + 1
  const weights = new Array<number>(size).fill(0)
  for (let round = 0; round < 12; round++) {
    const slope = weights.map((weight, at) => (at === 0 ? 0 : -weight))
    const bend = Array.from({ length: size }, (_, at) =>
      Array.from({ length: size }, (_, other) => (at === other && at > 0 ? 1 : at === other ? 1e-6 : 0)),
    )
    for (const [at, row] of rows.entries()) {
      const guess = sigmoid(row.reduce((sum, value, column) => sum + value * (weights[column] as number), 0))
      const share = worth[at] as number
      const miss = share * (Number(replies[at]?.isRight) - guess)
      const curve = share * guess * (1 - guess)
      for (let i = 0; i < size; i++) {
        slope[i] = (slope[i] as number) + miss * (row[i] as number)
        for (let j = 0; j < size; j++)
          (bend[i] as number[])[j] =
            ((bend[i] as number[])[j] as number) + curve * (row[i] as number) * (row[j] as number)
      }
    }
    for (const [at, step] of solve(bend, slope).entries()) weights[at] = (weights[at] as number) + step
  }
  return Object.fromEntries(['bias', ...names].map((name, at) => [name, weights[at] as number]))
}

/** Gaussian elimination; the matrix is positive definite. */
function solve(matrix: number[][], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at] as number])
  for (const [at, row] of rows.entries())
    for (const [other, below] of rows.entries()) {
      if (other === at) continue
      const factor = (below[at] as number) / (row[at] as number)
      for (let column = at; column < row.length; column++)
        below[column] = (below[column] as number) - factor * (row[column] as number)
    }
  return rows.map((row, at) => (row.at(-1) as number) / (row[at] as number))
}

/** Stated against observed, what "high" is worth, and how well right replies can be distinguished from the others. */
function printTable(
  title: string,
  scored: readonly { readonly reply: Reply; readonly score: number }[],
): void {
  console.log(`== ${title}`)
  const kinds = Map.groupBy(scored, ({ reply }) => reply.kind)
  const share = (some: readonly { readonly reply: Reply }[]): string =>
    (some.filter(({ reply }) => reply.isRight).length / some.length).toFixed(3)
  const high = scored.filter(({ score }) => labelOf(score) === 'high')
  for (const [kind, some] of [['all', scored] as const, ...kinds]) {
    const ours = some.filter(({ score }) => labelOf(score) === 'high')
    const right = some.filter(({ reply }) => reply.isRight)
    const given = right.filter(({ score }) => labelOf(score) === 'high').length / right.length
    const area = areaUnderRoc(
      right.map(({ score }) => score),
      some.filter(({ reply }) => !reply.isRight).map(({ score }) => score),
    )
    console.log(
      `${kind.padEnd(20)} ${String(some.length).padStart(4)} right ${share(some)}; high ${ours.length}, right ${share(ours)}, given to ${given.toFixed(3)} of the right ones; area ${area.toFixed(3)}`,
    )
  }
  for (let from = 0; from < 1; from += 0.1) {
    const those = scored.filter(({ score }) => score >= from && score < from + 0.1)
    const mean = those.reduce((sum, { score }) => sum + score, 0) / those.length
    console.log(
      `  ${from.toFixed(1)}: ${String(those.length).padStart(4)} stated ${mean.toFixed(2)} right ${share(those)}`,
    )
  }
  console.log(`  high in all: ${high.length}`)
}

const { values: options } = parseArgs({
  options: {
    half: { type: 'string', default: 'A' },
    keep: { type: 'string', default: '' },
    sets: { type: 'string', default: 'real,held,short' },
    snapshots: { type: 'string', default: process.env['YORE_SNAPSHOTS'] ?? '' },
  },
})

async function askAll(): Promise<Reply[]> {
  const { keep, snapshots } = options
  if (existsSync(keep)) return JSON.parse(readFileSync(keep, 'utf8')) as Reply[]
  const half = options.half as Half
  const replies: Reply[] = []
  for (const set of options.sets.split(',')) {
    if (set !== 'real' && snapshots === '') continue
    const choice = { half, only: null, set, snapshots: set === 'real' ? null : snapshots }
    const wrong = readReal({ ...choice, words: 'wrong' })
    const pairs = readReal({ ...choice, words: 'names' }).map(
      (one, at) => [one, wrong[at] as RealPackage] as const,
    )
    replies.push(...(await askPackages(pairs)))
  }
  if (options.sets.includes('real')) replies.push(...(await askMessages(half)))
  if (keep !== '') writeFileSync(keep, JSON.stringify(replies))
  return replies
}

const replies = await askAll()
printTable(
  'shipped weights',
  replies.map((reply) => ({ reply, score: reply.score })),
)
if (options.half === 'A') {
  const names = Object.keys(replies[0]?.features ?? {})
  const scored = [...new Set(replies.map((reply) => reply.package))].flatMap((own) => {
    const weights = fit(
      replies.filter((reply) => reply.package !== own),
      names,
    )
    return replies
      .filter((reply) => reply.package === own)
      .map((reply) => ({ reply, score: scoreOf(weights, reply) }))
  })
  printTable('each package by weights of the others', scored)
  for (const [name, weight] of Object.entries(fit(replies, names)))
    console.log(`  ${name}: ${weight.toFixed(2)},`)
}
