// Does "what does the X page say" lead to the page that people link as X? Link texts of k8sdocs, each hidden while it is asked for.
//
// Half A tunes (`--fit` prints weights fitted on it), half B reports. Ids of eips and cosmosadr are asked for too.
import { join } from 'node:path'
import { makeCatalogue } from '../../src/corpus/resolve/catalogue.ts'
import type { IdFamily } from '../../src/corpus/resolve/decision-ids.ts'
import type { DocumentNames } from '../../src/corpus/resolve/document-names.ts'
import type { LinkText, NamedDocument } from '../../src/corpus/resolve/pack-names.ts'
import { gatherEvidence } from '../../src/corpus/resolve/question/evidence.ts'
import { type NameRanking, rankNames } from '../../src/corpus/resolve/question/rank-names.ts'
import {
  type QuestionReference,
  resolveQuestion,
} from '../../src/corpus/resolve/question/resolve-question.ts'
import { resolveMention } from '../../src/corpus/resolve/resolve-mention.ts'
import { parseDocument } from '../../src/read/parse/parse-document.ts'
import { makeDocumentNames } from '../../test/support/catalogue.ts'
import { describeWeights, fitLead, fitRanking } from './fit-names.ts'
import { type CorpusRow, evalFolder, halfOf, pathOf, readRows, type TrueReference } from './read-sets.ts'

/** A link as yore found it. */
interface Link {
  readonly text: string
  readonly path: string
  readonly place: string
}

interface Corpus {
  readonly documents: readonly NamedDocument[]
  readonly links: readonly Link[]
}

interface Pair {
  readonly mention: string
  readonly target: string
  /** `path:line` of every line that carries it. */
  readonly places: Set<string>
}

interface Asked {
  readonly pair: Pair
  readonly ranking: NameRanking
  readonly answer: QuestionReference | undefined
  readonly milliseconds: number
}

const generic = new Set(
  (
    'here|this page|this|link|links|docs|doc|documentation|the documentation|page|guide|this guide|this document|this doc|' +
    'this section|this link|this task|this tutorial|see|reference|example|examples|read more|more information|learn more|' +
    'more|details|above|below'
  ).split('|'),
)
/** From here on an answer filters. */
const certain = 0.9

function readCorpus(folder: string, set: string, families: readonly IdFamily[] = []): Corpus {
  const idPrefixes = families.flatMap(({ prefix, aliases }) => [prefix, ...(aliases ?? [])])
  const parsed = readRows<CorpusRow>(join(folder, set, 'corpus.jsonl')).map((row) =>
    parseDocument({ path: pathOf(row._id), language: 'markdown', text: row.text }, { idPrefixes }),
  )
  const documents = parsed.map(({ path, facts, artifacts }) => ({
    path,
    title: facts.title,
    frontmatter: facts.frontmatter,
    sections: artifacts.slice(1).map(({ id, anchor, name }) => ({ id, anchor: anchor ?? '', name })),
  }))
  const catalogue = makeCatalogue(documents, { families })
  const links = parsed.flatMap(({ path, mentions }) =>
    mentions.flatMap((mention) => {
      const resolution = resolveMention(mention, catalogue)
      if (resolution.outcome !== 'resolved') return []
      return [{ text: mention.text, path: resolution.path, place: `${path}:${mention.line}` }]
    }),
  )
  return { documents, links }
}

const keyOf = (text: string, path: string): string => `${text.toLowerCase()}\t${path}`

function countLinks(links: readonly Link[]): LinkText[] {
  const counted = new Map<string, { text: string; path: string; count: number }>()
  for (const { text, path } of links) {
    const key = `${text}\t${path}`
    const known = counted.get(key)
    if (known === undefined) counted.set(key, { text, path, count: 1 })
    else known.count++
  }
  return [...counted.values()]
}

function readPairs(folder: string): Map<string, Pair> {
  const references = readRows<TrueReference>(join(folder, 'k8sdocs', 'refs.jsonl'))
  const pairs = new Map<string, Pair>()
  for (const { kind, mention, target, mention_is_title } of references) {
    const lower = mention.toLowerCase()
    if (kind !== 'link' || mention_is_title === true || generic.has(lower.trim())) continue
    pairs.set(keyOf(lower, target), { mention: lower, target, places: new Set() })
  }
  for (const { mention, target, source, line } of references)
    pairs.get(keyOf(mention, target))?.places.add(`${source}:${line}`)
  return pairs
}

/** What is known while a pair is hidden: everything but the links on its lines, and the pair itself wherever it is. */
function hideEach<T>(
  half: 'A' | 'B',
  pairs: ReadonlyMap<string, Pair>,
  corpus: Corpus,
  use: (pair: Pair, names: DocumentNames) => T,
): T[] {
  const byPlace = Map.groupBy(corpus.links, ({ place }) => place)
  const byPair = Map.groupBy(corpus.links, ({ text, path }) => keyOf(text, path))
  const results: T[] = []
  for (const [key, pair] of pairs) {
    if (halfOf(key) !== half) continue
    const hidden = new Set([...pair.places].flatMap((place) => byPlace.get(place) ?? []))
    for (const link of byPair.get(key) ?? []) hidden.add(link)
    const links = countLinks(corpus.links.filter((link) => !hidden.has(link)))
    results.push(use(pair, makeDocumentNames(corpus.documents, { links })))
  }
  return results
}

function ask(pair: Pair, names: DocumentNames): Asked {
  const started = performance.now()
  const answer = resolveQuestion(`what does the ${pair.mention} page say`, names)[0]
  const milliseconds = performance.now() - started
  return { pair, answer, milliseconds, ranking: rankNames(answer?.mention ?? '', names) }
}

const isSure = ({ answer }: Asked): boolean => answer?.outcome === 'resolved' && answer.confidence >= certain
const isRight = ({ answer, pair }: Asked): boolean =>
  answer?.outcome === 'resolved' && answer.path === pair.target
const share = (part: number, whole: number): string => (whole === 0 ? '-' : (part / whole).toFixed(3))

/** Lines elsewhere link the answered page by the very words: the truth is of two minds. */
const isLinkedSo = ({ answer, pair }: Asked, pairs: ReadonlyMap<string, Pair>): boolean =>
  answer?.outcome === 'resolved' && pairs.has(keyOf(pair.mention, answer.path))

function report(label: string, asked: readonly Asked[], pairs: ReadonlyMap<string, Pair>): void {
  const ranks = asked.map(({ ranking, pair }) => ranking.ranked.findIndex(({ path }) => path === pair.target))
  const within = (depth: number): string =>
    share(ranks.filter((rank) => rank !== -1 && rank < depth).length, asked.length)
  const sure = asked.filter(isSure)
  const right = sure.filter(isRight).length
  console.log(`${label}: ${asked.length} pairs, hit@1 ${within(1)}, hit@5 ${within(5)}`)
  console.log(
    `  at confidence ≥ ${certain}: precision ${share(right, sure.length)}, coverage ${share(sure.length, asked.length)}`,
  )
  const either = sure.filter((one) => isRight(one) || isLinkedSo(one, pairs)).length
  console.log(`  … counting pages that other lines link by the same words: ${share(either, sure.length)}`)
  for (const [low, high] of [
    [0.8, 0.9],
    [0.6, 0.8],
    [0.3, 0.6],
    [0, 0.3],
  ] as const) {
    const band = asked.filter(
      ({ answer }) => answer?.outcome === 'resolved' && answer.confidence >= low && answer.confidence < high,
    )
    console.log(
      `  confidence ${low}–${high}: ${band.length}, right ${share(band.filter(isRight).length, band.length)}`,
    )
  }
  for (const outcome of ['ambiguous', 'unknown'] as const)
    console.log(`  ${outcome}: ${asked.filter(({ answer }) => answer?.outcome === outcome).length}`)
  const times = asked.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)
  const at = (part: number): string => (times[Math.floor(times.length * part)] ?? 0).toFixed(2)
  console.log(`  milliseconds per question: median ${at(0.5)}, p95 ${at(0.95)}`)
  if (!process.argv.includes('--tune')) return
  for (const { answer, pair } of sure.filter((one) => !isRight(one)))
    if (answer?.outcome === 'resolved')
      console.log(
        `  wrong ${answer.confidence.toFixed(2)} ${answer.method} "${pair.mention}" → ${answer.path}, truth ${pair.target}`,
      )
}

/** Every id that a text names, asked as a question. */
function reportIds(folder: string, set: string, families: readonly IdFamily[]): void {
  const { documents, links } = readCorpus(folder, set, families)
  const names: DocumentNames = makeDocumentNames(documents, { links: countLinks(links), families })
  const ids = readRows<TrueReference>(join(folder, set, 'refs.jsonl')).filter(({ kind }) => kind === 'id')
  const distinct = new Map(ids.map((id) => [`${id.mention}\t${id.target}`, id]))
  const wrong = [...distinct.values()].filter(({ mention, target }) => {
    const [answer, ...more] = resolveQuestion(`what does ${mention} say?`, names)
    return (
      answer?.outcome !== 'resolved' ||
      answer.path !== pathOf(target) ||
      answer.confidence < certain ||
      more.length > 0
    )
  })
  console.log(`${set}: ${distinct.size - wrong.length} of ${distinct.size} ids right and certain`)
  for (const { mention, target } of wrong) console.log(`  wrong ${mention}, truth ${target}`)
}

function main(folder: string): void {
  const corpus = readCorpus(folder, 'k8sdocs')
  const started = process.cpuUsage()
  makeDocumentNames(corpus.documents, { links: countLinks(corpus.links) })
  console.log(
    `names of ${corpus.documents.length} documents: ${(process.cpuUsage(started).user / 1000).toFixed(0)} ms of CPU, cold`,
  )
  const pairs = readPairs(folder)
  if (process.argv.includes('--fit')) {
    const examples = hideEach('A', pairs, corpus, (pair, names) => {
      const { found, wanted } = gatherEvidence(pair.mention, names)
      return { evidence: found, words: wanted.weights.length, target: names.numberOf(pair.target) }
    })
    const ranking = fitRanking(examples)
    console.log(describeWeights(ranking, fitLead(examples, ranking)))
    return
  }
  const halves = process.argv.includes('--tune') ? (['A'] as const) : (['B'] as const)
  for (const half of halves) report(`k8sdocs half ${half}`, hideEach(half, pairs, corpus, ask), pairs)
  reportIds(folder, 'eips', [{ prefix: 'EIP', aliases: ['ERC'] }])
  reportIds(folder, 'cosmosadr', [])
}

const folder = evalFolder()
if (folder !== null) main(folder)
