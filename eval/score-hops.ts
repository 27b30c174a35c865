// Do links lead to the second document of a two-step question? Five documents, with and without following them.
import { type Ask, documentsOf, type Figure, type Mode, pickQuestions, Tally } from './figures.ts'
import { recall } from './measures.ts'
import type { PreparedCorpus } from './prepare-corpus.ts'
import { rankPages, readJudged } from './score-ranking.ts'

const DEPTH = 5
/** Found documents before the links of those are followed. */
const FOUND = 3

/**
 * A digest that may hold three sections (in this set a document is one section) and follows their links: the found
 * documents, then what they brought along, in the digest's order; where that gives fewer than five, search fills up.
 */
async function followLinks(
  { engine }: PreparedCorpus,
  asked: { readonly question: string; readonly mode: Mode; readonly pages: readonly string[] },
): Promise<string[]> {
  const { question, mode, pages } = asked
  const { digest } = await engine.assemble(question, { sections: FOUND, depth: 1, mode })
  return [...new Set([...documentsOf(digest), ...pages])].slice(0, DEPTH)
}

export async function scoreHops({ corpus, mode, ...ask }: Ask): Promise<Figure[]> {
  const found = new Tally({ set: 'twowiki', mode, task: 'closed pool, search alone' })
  const followed = new Tally({ set: 'twowiki', mode, task: 'closed pool, 3 found + links' })
  for (const { _id, text, grades } of pickQuestions(readJudged('twowiki'), ask)) {
    const pages = await rankPages(corpus.engine, text, { mode, limit: 20 })
    const linked = await followLinks(corpus, { question: text, mode, pages })
    found.add(_id, { 'recall@5': recall(pages, grades, DEPTH) })
    followed.add(_id, { 'recall@5': recall(linked, grades, DEPTH) })
  }
  return [...found.figures(), ...followed.figures()]
}
