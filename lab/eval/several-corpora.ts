// Does a question over several corpora find what it finds in the right one alone? Recall of pages, merged in three ways.
//   node lab/eval/several-corpora.ts [A|B]
import { joinCorpora } from '../../src/index.ts'
import { recall } from './measures.ts'
import { type CorpusName, prepareCorpus } from './prepare-corpus.ts'
import { evalFolder, halfOf } from './read-sets.ts'
import { readJudged } from './score-ranking.ts'

const sets = ['raydocs', 'k8sdocs', 'eips', 'scifact'] as const satisfies readonly CorpusName[]
const half = process.argv[2] === 'A' ? 'A' : 'B'
const most = 100

interface Found {
  readonly path: string
  readonly score: number
}

/** Pages, best first. */
const pagesOf = (found: readonly Found[]): string[] => [...new Set(found.map(({ path }) => path))]

/** Every list in turn. */
function interleave(lists: readonly (readonly Found[])[]): Found[] {
  const longest = Math.max(...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat()
}

if (evalFolder() !== null) {
  const corpora = []
  for (const set of sets) corpora.push({ name: set, engine: (await prepareCorpus(set)).engine })
  const ways = ['alone', 'confidence', 'score', 'in turn'] as const
  console.log(
    `half ${half}: recall@10 of pages, and the share of questions whose first hit is in the right corpus`,
  )
  for (const set of sets) {
    const asked = readJudged(set).filter(({ _id }) => halfOf(_id) === half)
    const sums = new Map<string, [number, number]>(ways.map((way) => [way, [0, 0]]))
    for (const { text, grades } of asked) {
      const wanted = new Map([...grades].map(([path, grade]) => [`${set}/${path}`, grade]))
      const lists = []
      for (const { name, engine } of corpora) {
        const { hits } = await engine.search(text, { limit: most, refresh: 'never' })
        lists.push(hits.map(({ path, score }) => ({ path: `${name}/${path}`, score })))
      }
      const merged = await joinCorpora(corpora).search(text, { limit: most, refresh: 'never' })
      const found: Readonly<Record<(typeof ways)[number], readonly Found[]>> = {
        alone: lists[sets.indexOf(set)] ?? [],
        confidence: merged.hits,
        score: lists.flat().toSorted((a, b) => b.score - a.score),
        'in turn': interleave(lists),
      }
      for (const way of ways) {
        const sum = sums.get(way) as [number, number]
        sum[0] += recall(pagesOf(found[way]), wanted, 10)
        sum[1] += found[way][0]?.path.startsWith(`${set}/`) === true ? 1 : 0
      }
    }
    const figures = ways.map((way) => {
      const [found, right] = sums.get(way) as [number, number]
      return `${way} ${(found / asked.length).toFixed(3)} ${(right / asked.length).toFixed(3)}`
    })
    console.log(`${set.padEnd(8)} ${asked.length} questions: ${figures.join(' · ')}`)
  }
}
