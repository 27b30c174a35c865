// Are the right documents found first? nDCG and recall of pages; a page stands where its best section stands.
import { join } from 'node:path'
import type { Engine } from '../../src/offer/engine/engine.ts'
import { type Ask, type Figure, type Mode, pickQuestions, Tally } from './figures.ts'
import { ndcg, recall } from './measures.ts'
import { evalFolder, type QueryRow, readQrels, readRows } from './read-sets.ts'

/** How many sections are asked for: all that match. Where a document is one section, or ten pages are enough, fewer. */
export const searchLimits = { every: 1000, oneEach: 150, few: 100 } as const

export interface JudgedQuestion extends QueryRow {
  /** Path → grade. */
  readonly grades: ReadonlyMap<string, number>
}

/** The questions of a set with the documents that answer them. */
export function readJudged(set: string, qrels = 'test.tsv'): JudgedQuestion[] {
  const folder = join(evalFolder() ?? '', set)
  const judged = readQrels(join(folder, 'qrels', qrels))
  return readRows<QueryRow>(join(folder, 'queries.jsonl')).flatMap((row) => {
    const grades = judged.get(row._id)
    return grades === undefined ? [] : [{ ...row, grades }]
  })
}

/** Pages, best first. */
export async function rankPages(
  engine: Engine,
  question: string,
  options: { readonly mode: Mode; readonly limit?: number },
): Promise<string[]> {
  const { hits } = await engine.search(question, { limit: searchLimits.every, ...options })
  return [...new Set(hits.map(({ path }) => path))]
}

export async function scoreRanking({ corpus, mode, ...ask }: Ask, limit: number): Promise<Figure[]> {
  const tally = new Tally({ set: corpus.name, mode, task: 'pages' })
  for (const { _id, text, grades } of pickQuestions(readJudged(corpus.name), ask)) {
    const pages = await rankPages(corpus.engine, text, { mode, limit })
    tally.add(_id, { 'nDCG@10': ndcg(pages, grades, 10), 'recall@10': recall(pages, grades, 10) })
    if (limit > searchLimits.few) tally.add(_id, { 'recall@100': recall(pages, grades, 100) })
  }
  return tally.figures()
}
