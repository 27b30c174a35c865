// Do links lead to the second document of a two-step question? Five documents, with and without following them.
import type { Engine } from '../../src/offer/engine/engine.ts'
import { type Ask, documentsOf, type Figure, pickQuestions, Tally } from './figures.ts'
import { recall } from './measures.ts'
import { rankPages, readJudged, searchLimits } from './score-ranking.ts'

const DEPTH = 5
/** Found documents before the links of those are followed. */
const FOUND = 3

/** What a document links to, in the order of its lines. */
async function linksOf(engine: Engine, path: string): Promise<string[]> {
  const { graph } = await engine.graph(path, { direction: 'out', refresh: 'never' })
  const paths = new Map(graph.neighbours.map((node) => [node.id, node.path]))
  return graph.edges.flatMap(({ kind, to }) => (kind === 'DEFINES' ? [] : (paths.get(to) ?? [])))
}

/** The found documents, then those that they lead to, then what search found next: the first five. */
function firstFive(found: readonly string[], led: readonly string[]): string[] {
  return [...new Set([...found.slice(0, FOUND), ...led, ...found])].slice(0, DEPTH)
}

/**
 * Three ways to five documents: search alone; the first three and all that they link to, as the graph has it; the
 * first three and what a digest of three sections brings along (here a document is one section).
 */
export async function scoreHops({ corpus, mode, ...ask }: Ask): Promise<Figure[]> {
  const { engine } = corpus
  const tallyOf = (way: string): Tally => new Tally({ set: 'twowiki', mode, task: `closed pool, ${way}` })
  const alone = tallyOf('search alone')
  const linked = tallyOf('3 found + their links')
  const digested = tallyOf('3 found + digest')
  for (const { _id, text, grades } of pickQuestions(readJudged('twowiki'), ask)) {
    const pages = await rankPages(engine, text, { mode, limit: searchLimits.few })
    const links: string[] = []
    for (const path of pages.slice(0, FOUND)) links.push(...(await linksOf(engine, path)))
    const { digest } = await engine.assemble(text, { sections: FOUND, depth: 1, mode, layout: 'full' })
    const score = (five: readonly string[]): { 'recall@5': number } => ({
      'recall@5': recall(five, grades, DEPTH),
    })
    alone.add(_id, score(pages))
    linked.add(_id, score(firstFive(pages, links)))
    digested.add(_id, score(firstFive(pages, documentsOf(digest))))
  }
  return [...alone.figures(), ...linked.figures(), ...digested.figures()]
}
