// What is the most that a better order can give? Each figure as it is, and with what answers put first among the best 10, 50 or 160 sections.
//
// node eval/oracle.ts [--half A|B] [--sets raydocs,k8sdocs,scifact,real,localise,code]
// Everything beside the order stays the product's own: candidates, authority, selection, cutting, packing.
import { parseArgs } from 'node:util'
import { assembleContext, rankQuestion } from '../src/answering/assemble-context.ts'
import type { AssembleOptions } from '../src/answering/question-options.ts'
import { OpenEngine } from '../src/engine/open-engine.ts'
import type { RankedSection } from '../src/model/section.ts'
import { CANDIDATES } from '../src/retrieve/tuning.ts'
import { openWithoutDocs } from './code-search.ts'
import { excerptsOf, formatTokens, type Half, pickQuestions } from './figures.ts'
import { CUTS, isFixable, openFixes } from './localise.ts'
import { ndcg } from './measures.ts'
import { type PreparedCorpus, prepareCorpus } from './prepare-corpus.ts'
import { halfOf } from './read-sets.ts'
import { readReal } from './real-set.ts'
import { coverageSections, coverGold } from './score-coverage.ts'
import { readJudged } from './score-ranking.ts'
import { judgePlaces, openReal, placesOf, realBudgets, touches } from './score-real.ts'

/** How many of the best sections are put in order by who knows the answer: none, and up to all that the second stage weighs. */
const DEPTHS = [0, 10, 50, CANDIDATES] as const

/** How much a section answers: 0 for not at all. */
type Answers = (section: RankedSection) => number

const linesOf = ({ artifact }: RankedSection): { start: number; end: number } =>
  artifact.ownLines ?? artifact.lines

/** Means by figure and depth. */
class Means {
  readonly #sums = new Map<string, { sum: number; count: number }[]>()

  add(name: string, depth: number, value: number): void {
    const cells = this.#sums.get(name) ?? DEPTHS.map(() => ({ sum: 0, count: 0 }))
    const cell = cells[DEPTHS.indexOf(depth as (typeof DEPTHS)[number])] as { sum: number; count: number }
    cell.sum += value
    cell.count++
    this.#sums.set(name, cells)
  }

  print(): void {
    console.log(
      `| figure | ${DEPTHS.map((depth) => (depth === 0 ? 'as it is' : `best ${depth}`)).join(' | ')} | n |`,
    )
    console.log(`|${'---|'.repeat(DEPTHS.length + 2)}`)
    for (const [name, cells] of this.#sums)
      console.log(
        `| ${name} | ${cells.map(({ sum, count }) => (sum / count).toFixed(3)).join(' | ')} | ${cells[0]?.count} |`,
      )
  }
}

const means = new Means()

interface Ordered {
  readonly depth: number
  readonly sections: readonly RankedSection[]
  /** A digest made from this order. */
  readonly digest: (options: Partial<AssembleOptions>) => ReturnType<typeof assembleContext>['digest']
}

/** One question in the product's order, and with what answers put first among the best few. */
async function orderings(
  { engine }: Pick<PreparedCorpus, 'engine'>,
  question: string,
  answers: Answers,
): Promise<Ordered[]> {
  if (!(engine instanceof OpenEngine)) throw new Error('a corpus is opened by one engine')
  const context = await engine.prepare(question, { refresh: 'never' })
  const { sections: own } = context.reader.snapshot(() => rankQuestion(question, context).ranking)
  return DEPTHS.map((depth) => {
    // The scores of a reranker that knows: what answers, by how much; below it all others in the order that they had.
    const scores = new Map(
      own.map((section, at) => [
        section.artifact.id,
        1 - at / own.length + (at < depth ? 2 * answers(section) : 0),
      ]),
    )
    const known = depth === 0 ? context : { ...context, reranked: { scores, weight: 1 } }
    return {
      depth,
      sections: [...own].sort(
        (a, b) => (scores.get(b.artifact.id) as number) - (scores.get(a.artifact.id) as number),
      ),
      digest: (options) => assembleContext(question, engine.wanted(options), known).digest,
    }
  })
}

const reciprocal = (rank: number): number => (rank === -1 ? 0 : 1 / (rank + 1))
const pagesOf = (sections: readonly RankedSection[]): string[] => [
  ...new Set(sections.map(({ file }) => file.path)),
]

async function tryJudged(set: 'raydocs' | 'k8sdocs' | 'scifact', half: Half): Promise<void> {
  const corpus = await prepareCorpus(set)
  for (const { text, gold, grades } of pickQuestions(readJudged(set), { half, sample: null })) {
    const section = gold?.line_start === undefined ? null : gold
    const isGold = (one: RankedSection): boolean =>
      section !== null &&
      one.file.path === section.path &&
      linesOf(one).start <= section.own_end &&
      linesOf(one).end >= section.line_start
    const answers: Answers = (one) => (isGold(one) ? 1 : (grades.get(one.file.path) ?? 0) > 0 ? 0.5 : 0)
    for (const { depth, sections, digest } of await orderings(corpus, text, answers)) {
      means.add(`${set}: page nDCG@10`, depth, ndcg(pagesOf(sections), grades, 10))
      if (section === null) continue
      means.add(`${set}: gold section, MRR`, depth, reciprocal(sections.findIndex(isGold)))
      for (const maxTokens of realBudgets) {
        const made = digest({ maxTokens, depth: 1, layout: 'brief', sections: coverageSections })
        const quoted = excerptsOf(made, section.path).map(({ lines }) => lines)
        const { 'own lines': held } = coverGold(quoted, section)
        means.add(`${set}: own lines at ${formatTokens(maxTokens)}, brief`, depth, held)
      }
    }
  }
  corpus.engine.close()
}

async function tryReal(half: Half): Promise<void> {
  for (const one of readReal({ half, only: null })) {
    const corpus = await openReal(one)
    for (const question of one.questions.filter(({ needs }) => needs.length > 0)) {
      const needed = question.needs.flat()
      const answers: Answers = (section) =>
        needed.some((need) => touches(need, { path: section.file.path, ...linesOf(section) })) ? 1 : 0
      for (const { depth, digest } of await orderings(corpus, question.text, answers))
        for (const maxTokens of realBudgets) {
          const judged = judgePlaces(question, placesOf(digest({ maxTokens, layout: 'brief' })))
          for (const met of judged.met)
            means.add(`real: needs at ${formatTokens(maxTokens)}`, depth, Number(met))
          if (maxTokens === 4000) means.add('real: first on a need', depth, Number(judged.onNeed))
        }
    }
    corpus.engine.close()
  }
}

async function tryFixes(half: Half): Promise<void> {
  for await (const { corpus, fixes, extensions } of openFixes(half))
    for (const { text, files } of fixes) {
      const answers: Answers = ({ file }) => (files.includes(file.path) ? 1 : 0)
      for (const { depth, sections } of await orderings(corpus, text, answers)) {
        const listed = pagesOf(sections).filter((path) => isFixable(path, extensions))
        const rank = listed.findIndex((path) => files.includes(path))
        for (const cut of CUTS) means.add(`localise: acc@${cut}`, depth, Number(rank !== -1 && rank < cut))
      }
    }
}

async function tryCode(half: Half): Promise<void> {
  const found = await openWithoutDocs('python')
  if (found === null) return
  for (const { id, text } of found.questions.filter((one) => half === 'all' || halfOf(one.id) === half)) {
    const answers: Answers = ({ artifact }) => Number(artifact.id === id)
    for (const { depth, sections } of await orderings(found, text, answers)) {
      const rank = sections.slice(0, 10).findIndex(({ artifact }) => artifact.id === id)
      means.add('docstring → function: MRR@10', depth, reciprocal(rank))
    }
  }
  found.engine.close()
}

const { values: options } = parseArgs({
  options: {
    half: { type: 'string', default: 'B' },
    sets: { type: 'string', default: 'raydocs,k8sdocs,scifact,real,localise,code' },
  },
})
const half = options.half as Half
const sets = options.sets.split(',')
for (const set of ['raydocs', 'k8sdocs', 'scifact'] as const)
  if (sets.includes(set)) await tryJudged(set, half)
if (sets.includes('real')) await tryReal(half)
if (sets.includes('localise')) await tryFixes(half)
if (sets.includes('code')) await tryCode(half)
means.print()
