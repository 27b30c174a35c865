// What is lost because the gold is one place of several? Figures of raydocs with and without judged alternatives.
//
// node eval/alternatives.ts [--half A|B|all]. docs/explanation/evaluation.md says how the judgements were made.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { excerptsOf, formatTokens, type Half, type Mode, pickQuestions } from './figures.ts'
import { estimate, ndcg } from './measures.ts'
import { prepareCorpus } from './prepare-corpus.ts'
import { evalFolder, readRows } from './read-sets.ts'
import { coverageSections, coverGold, type GoldQuestion, readGoldQuestions } from './score-coverage.ts'
import { rankPages, searchLimits } from './score-ranking.ts'

/** A place that answers as well as the gold, with the reason. */
interface Alternative {
  readonly path: string
  readonly start: number
  readonly end: number
  readonly why: string
}

/** Of every question that was judged, those without an alternative included. */
export interface Judgement {
  readonly question: string
  readonly places: readonly Alternative[]
}

export function readJudgements(): Judgement[] {
  return readRows<Judgement>(join(import.meta.dirname, 'raydocs-alternatives.jsonl'))
}

/** Each question with its gold, and with the alternatives as golds of their own. */
function goldsOf(
  { _id, gold }: GoldQuestion,
  judged: ReadonlyMap<string, Judgement>,
): GoldQuestion['gold'][] {
  const others = (judged.get(_id)?.places ?? []).map(({ path, start, end }) => ({
    path,
    heading: '',
    line_start: start,
    line_end: end,
    own_end: end,
  }))
  return [gold, ...others]
}

const budgets = [2000, 4000, 8000] as const

async function printFigures(half: Half): Promise<void> {
  const corpus = await prepareCorpus('raydocs')
  const judged = new Map(readJudgements().map((one) => [one.question, one]))
  const asked = pickQuestions(readGoldQuestions(), { half, sample: null })
  const values = new Map<string, number[]>()
  const add = (row: string, each: readonly number[]): void => {
    for (const [name, value] of [
      [`${row} | gold`, each[0] ?? 0],
      [`${row} | gold or alternative`, Math.max(...each)],
    ] as const)
      values.set(name, [...(values.get(name) ?? []), value])
  }
  const modes: readonly Mode[] = ['lexical', 'vector', 'hybrid']
  for (const mode of modes)
    for (const question of asked) {
      const golds = goldsOf(question, judged)
      const pages = await rankPages(corpus.engine, question.text, { mode, limit: searchLimits.few })
      add(
        `${mode} | page nDCG@10`,
        golds.map(({ path }) => ndcg(pages, new Map([[path, 1]]), 10)),
      )
      for (const maxTokens of budgets) {
        const options = { maxTokens, depth: 1, layout: 'brief', mode, sections: coverageSections } as const
        const { digest } = await corpus.engine.assemble(question.text, options)
        const covered = golds.map((gold) => {
          const quoted = excerptsOf(digest, gold.path).map(({ lines }) => lines)
          return coverGold(quoted, gold)['own lines']
        })
        add(`${mode} | own lines at ${formatTokens(maxTokens)}, brief`, covered)
      }
    }
  console.log(
    `half ${half}, ${asked.length} questions\n\n| mode | figure | counted | mean |\n|---|---|---|---|`,
  )
  for (const [name, each] of values) {
    const { mean, low, high } = estimate(each)
    console.log(`| ${name} | ${mean.toFixed(3)} [${low.toFixed(2)}, ${high.toFixed(2)}] |`)
  }
}

if (import.meta.main && evalFolder() !== null) {
  const { values } = parseArgs({ options: { half: { type: 'string', default: 'B' } } })
  await printFigures(values.half as Half)
}
