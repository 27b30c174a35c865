// Does a question over several corpora find what it finds in the right one alone? Recall of pages, merged in three ways.
//   node lab/eval/several-corpora.ts [A|B]
//   node lab/eval/several-corpora.ts [A|B] --workspace FOLDER [--choose] [--every N]     is the right repository among the first three?
// FOLDER holds indexed clones; those of codesearch have its names, and a second clone of one ends in -2.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { chooseCorpora } from '../../src/answer/answering/choose-corpora.ts'
import { joinCorpora, openEngine } from '../../src/index.ts'
import { corpusOf } from '../../src/offer/engine/open-corpus.ts'
import { recall } from './measures.ts'
import { type CorpusName, prepareCorpus } from './prepare-corpus.ts'
import { evalFolder, halfOf, readRows } from './read-sets.ts'
import { readJudged } from './score-ranking.ts'

const sets = ['raydocs', 'k8sdocs', 'eips', 'scifact'] as const satisfies readonly CorpusName[]
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    workspace: { type: 'string' },
    choose: { type: 'boolean', default: false },
    every: { type: 'string', default: '1' },
  },
})
const half = positionals[0] === 'A' ? 'A' : 'B'
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

async function compareMerging(): Promise<void> {
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

interface CodeQuestion {
  readonly _id: string
  readonly repository: string
  readonly text: string
}

/** Repositories that codesearch lists under another name than their clones have. */
const otherNames: Readonly<Record<string, string>> = {
  fmt: 'fmtlib',
  framework: 'laravel-framework',
  'newtonsoft.json': 'newtonsoft-json',
  'kotlinx.coroutines': 'kotlinx-coroutines',
}

/** The repository of a clone: the second one of the same repository ends in -2, or has another case. */
function repositoryOf(clone: string): string {
  const name = clone.toLowerCase().replace(/-2$/, '')
  return otherNames[name] ?? name
}

const percentile = (values: readonly number[], share: number): string =>
  (values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0).toFixed(0)

async function findRepository(folder: string, shared: string): Promise<void> {
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, '.yore/index.db')))
  const corpora = names.map((name) => ({ name, engine: openEngine(join(folder, name)) }))
  const known = new Map(
    (
      JSON.parse(readFileSync(join(shared, 'repositories.json'), 'utf8')) as { name: string; half: string }[]
    ).map((one) => [one.name, one.half]),
  )
  const asked = readRows<CodeQuestion>(join(shared, 'questions.jsonl')).filter(
    ({ repository }, at) =>
      known.get(repository) === half && names.includes(repository) && at % Number(flags.every) === 0,
  )
  console.log(`half ${half}: ${asked.length} questions to ${names.length} repositories`)
  const readers = corpora.map(({ name, engine }) => ({ name, reader: corpusOf(engine).open() }))
  const joined = joinCorpora(corpora)
  const ranks: Record<'chosen' | 'found', number[]> = { chosen: [], found: [] }
  const times: Record<'choosing' | 'processor' | 'wall', number[]> = { choosing: [], processor: [], wall: [] }
  const rankOf = (clones: readonly string[], wanted: string): number => {
    const at = [...new Set(clones.map(repositoryOf))].indexOf(wanted)
    return at < 0 ? Number.POSITIVE_INFINITY : at + 1
  }
  for (const { text, repository } of asked) {
    const before = performance.now()
    const chosen = chooseCorpora(text, readers).map(({ name }) => name)
    times.choosing.push(performance.now() - before)
    ranks.chosen.push(rankOf(chosen, repository))
    if (flags.choose) continue
    const [cpu, started] = [process.cpuUsage(), performance.now()]
    const { hits } = await joined.search(text, { limit: most, refresh: 'never' })
    const { user, system } = process.cpuUsage(cpu)
    times.processor.push((user + system) / 1000)
    times.wall.push(performance.now() - started)
    const order = hits.map(({ corpus }) => corpus)
    ranks.found.push(rankOf(order, repository))
  }
  for (const [way, found] of Object.entries(ranks)) {
    const within = (limit: number): string =>
      (found.filter((rank) => rank <= limit).length / Math.max(1, found.length)).toFixed(3)
    if (found.length > 0)
      console.log(`${way}: first ${within(1)}, among three ${within(3)}, all ${within(most)}`)
  }
  for (const [way, found] of Object.entries(times))
    if (found.length > 0)
      console.log(`${way} ms: median ${percentile(found, 0.5)}, p95 ${percentile(found, 0.95)}`)
  console.log(`${(process.memoryUsage().rss / 1e6).toFixed(0)} MB of memory`)
}

const shared = evalFolder()
if (shared !== null) {
  if (flags.workspace === undefined) await compareMerging()
  else await findRepository(flags.workspace, join(shared, 'codesearch'))
}
