// How is one question answered from several corpora? Each ranks by its own statistics; how likely each answers makes their scores comparable.
import { hash } from 'node:crypto'
import type { Digest, DigestDocument, Dropped, ExpandedDocument, Passage } from '../../model/digest.ts'
import type { AssembleResult, Freshness, SearchHit, SearchResult } from '../../model/report.ts'
import { describeConfidence } from '../assemble/digest-frame.ts'
import { SECTION_SHARE, SECTION_TOKENS } from '../assemble/tuning.ts'
import {
  type DigestPlan,
  draftDigest,
  fitPlan,
  type OffersOf,
  planDigest,
  type RankedQuestion,
  rankQuestion,
} from './assemble-context.ts'
import type { AssembleContext } from './choose-passages.ts'
import { prefixOf } from './corpus-prefix.ts'
import type { AssembleOptions } from './question-options.ts'

/** Tokens of a passage's heading and source, roughly: only shares of a budget are made with it. */
const FRAME_TOKENS = 40

export interface InCorpus<T> {
  readonly name: string
  readonly of: T
  /** How likely the question is about this corpus, by its words alone: 0 to 1. */
  readonly prior?: number
}

/**
 * Factor that makes a corpus's scores comparable with those of others. Within one question a score says nothing about
 * another corpus; the calibrated probability that the corpus answers does, and is given to its best section.
 */
function scaleOf(confidence: number, bestScore: number | undefined, prior = 1): number {
  return bestScore === undefined || bestScore <= 0 ? 0 : (prior * confidence) / bestScore
}

/** The order in which corpora are named says nothing. */
function byName<T>(members: readonly InCorpus<T>[]): readonly InCorpus<T>[] {
  return members.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** The first among equals. */
function mostConfident<T>(members: readonly InCorpus<T>[], confidenceOf: (of: T) => number): InCorpus<T> {
  return members.reduce((best, one) => (confidenceOf(one.of) > confidenceOf(best.of) ? one : best))
}

/** Merges lists whose own order stays as it is: next comes the head that scores most, of the first list among equals. */
function mergeOrdered<T extends { readonly score: number }>(lists: readonly (readonly T[])[]): T[] {
  const merged: T[] = []
  const rest = lists.map((list) => [...list].reverse())
  for (;;) {
    let next: T[] | undefined
    for (const list of rest) {
      const [head, best] = [list.at(-1), next?.at(-1)]
      if (head !== undefined && (best === undefined || head.score > best.score)) next = list
    }
    const taken = next?.pop()
    if (taken === undefined) return merged
    merged.push(taken)
  }
}

/** What all of them say. */
function common(lists: readonly (readonly string[])[]): string[] {
  const [first = [], ...others] = lists
  return first.filter((text) => others.every((list) => list.includes(text)))
}

export interface MergedSearch extends SearchResult {
  readonly hits: readonly (SearchHit & { readonly corpus: string })[]
}

/** The hits of several searches as one list, each with the name of its corpus before its path. */
export function mergeSearches(searches: readonly InCorpus<SearchResult>[], limit: number): MergedSearch {
  const sorted = byName(searches)
  const best = mostConfident(sorted, ({ confidence }) => confidence.score).of
  const lists = sorted.map(({ name, prior, of: { hits, confidence } }) => {
    const prefix = prefixOf(name)
    const scale = scaleOf(confidence.score, hits[0]?.score, prior)
    return hits.map((hit) => ({
      ...hit,
      corpus: name,
      artifact: prefix + hit.artifact,
      path: prefix + hit.path,
      score: hit.score * scale,
    }))
  })
  return {
    ...best,
    hits: mergeOrdered(lists).slice(0, limit),
    candidateSections: sum(searches.map(({ of }) => of.candidateSections)),
    documentsScanned: sum(searches.map(({ of }) => of.documentsScanned)),
    suggestions: [...new Set(searches.flatMap(({ of }) => of.suggestions))],
    notices: [
      ...new Set([
        ...(best.confidence.label === 'strong matches' ? [] : [describeConfidence(best.confidence)]),
        ...common(searches.map(({ of }) => of.notices)),
      ]),
    ],
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

/** One digest from several corpora, within one budget. Names are unique and have no slash. */
export function assembleAcross(
  question: string,
  given: AssembleOptions,
  members: readonly InCorpus<AssembleContext>[],
  { offersOf, notices = [] }: { readonly offersOf?: OffersOf; readonly notices?: readonly string[] } = {},
): AssembleResult {
  const sorted = byName(members)
  return inSnapshots(sorted, () => {
    const ranked = sorted.map((member) => ({ ...member, of: rankQuestion(question, member.of) }))
    const best = mostConfident(ranked, ({ ranking }) => ranking.confidence.score)
    const plan = planDigest(given, best.of)
    const drafts = makeDrafts(question, ranked, { best, plan })
    const build = (budget: number, cutPieces: boolean): Digest => {
      const shares = shareBudget(budget, drafts)
      const digests = drafts.map(({ member, scale, build }, at) =>
        placeDigest(build(shares[at] ?? 0, cutPieces), member.name, scale),
      )
      const merged = mergeDigests(digests, ranked, best.of)
      return { ...merged, notices: [...notices, ...merged.notices] }
    }
    const freshness = stalest(sorted.map(({ of }) => of.freshness))
    return fitPlan(build, plan, freshness, { ranked: best.of, offersOf })
  })
}

/** One state of every index. */
function inSnapshots<T>(members: readonly InCorpus<AssembleContext>[], use: () => T): T {
  const [first, ...rest] = members
  return first === undefined ? use() : first.of.reader.snapshot(() => inSnapshots(rest, use))
}

function stalest(all: readonly Freshness[]): Freshness {
  return (all.find(({ state }) => state !== 'fresh') ?? all[0]) as Freshness
}

/** What one corpus contributes. */
interface Draft {
  readonly member: InCorpus<RankedQuestion>
  readonly scale: number
  /** Of the sections that all corpora together may show, its own, best first, on the common scale. */
  readonly wanted: readonly { readonly score: number; readonly tokens: number }[]
  readonly build: ReturnType<typeof draftDigest>
}

/**
 * Sections end at the same score on the common scale, and the limit of sections holds for all together: what a corpus
 * may show follows from the others.
 */
function makeDrafts(
  question: string,
  ranked: readonly InCorpus<RankedQuestion>[],
  { best, plan }: { readonly best: InCorpus<RankedQuestion>; readonly plan: DigestPlan },
): readonly Draft[] {
  const scaleIn = ({ of: { ranking }, prior }: InCorpus<RankedQuestion>): number =>
    scaleOf(ranking.confidence.score, ranking.sections[0]?.score, prior)
  const least = plan.leastScore * scaleIn(best)
  const lists = ranked.map((member) => {
    const { name, of } = member
    const scale = scaleIn(member)
    const sections = of.ranking.sections.map(({ score, artifact }) => ({
      name,
      score: score * scale,
      tokens: artifact.tokens,
    }))
    return sections.filter(({ score }) => score >= least)
  })
  const all = mergeOrdered(lists)
  const order = all.slice(0, plan.options.sections)
  const drafts = ranked.flatMap((member): Draft[] => {
    const wanted = order.filter(({ name }) => name === member.name)
    // The most confident one speaks also when nothing was found: it says so.
    if (wanted.length === 0 && member !== best) return []
    const scale = scaleIn(member)
    const sections = all.length > order.length ? wanted.length : plan.options.sections
    const own = {
      ...plan,
      options: { ...plan.options, sections },
      leastScore: scale === 0 ? 0 : least / scale,
    }
    return [{ member, scale, wanted, build: draftDigest(question, member.of, own) }]
  })
  return drafts
}

/** Tokens for each corpus: what its sections take, in the common order, as far as the budget goes; of the rest as large a part. */
function shareBudget(budget: number, drafts: readonly Draft[]): readonly number[] {
  const order = mergeOrdered(drafts.map(({ wanted }, at) => wanted.map((section) => ({ ...section, at }))))
  const needs = drafts.map(() => 0)
  const limit = Math.max(SECTION_TOKENS.most, SECTION_TOKENS.share * budget)
  let left = budget
  for (const { at, tokens } of order) {
    if (left <= 0) break
    const taken = Math.min(left, Math.min(tokens, limit, SECTION_SHARE * budget) + FRAME_TOKENS)
    needs[at] = (needs[at] ?? 0) + taken
    left -= taken
  }
  const all = sum(needs)
  return needs.map((need) => (all === 0 ? budget : Math.floor((need / all) * budget)))
}

/** A digest as one of several: its paths and ids after the name of its corpus, its scores on the common scale. */
function placeDigest(digest: Digest, name: string, scale: number): Digest {
  const prefix = prefixOf(name)
  const placed = <T extends { readonly path: string }>(place: T): T => ({
    ...place,
    path: prefix + place.path,
  })
  const passage = (one: Passage): Passage => ({
    ...placed(one),
    artifacts: one.artifacts.map((id) => prefix + id),
    score: one.score * scale,
    origin: one.origin.kind === 'search' ? one.origin : { ...one.origin, from: prefix + one.origin.from },
    alsoAt: one.alsoAt.map(placed),
    referencedBy: one.referencedBy.map(placed),
    ...(one.refersTo === undefined ? {} : { refersTo: one.refersTo.map(placed) }),
    ...(one.sameDocumentAs === undefined ? {} : { sameDocumentAs: one.sameDocumentAs.map(placed) }),
  })
  return {
    ...digest,
    documents: digest.documents.map((one) => ({ ...placed(one), score: one.score * scale })),
    primary: digest.primary.map(passage),
    expanded: digest.expanded.map((one) => ({ ...placed(one), passages: one.passages.map(passage) })),
    unresolved: digest.unresolved.map((one) => ({
      ...placed(one),
      candidates: one.candidates.map((path) => prefix + path),
    })),
    leastScore: digest.leastScore * scale,
    dropped: digest.dropped.map((one) => ({
      ...placed(one),
      artifact: prefix + one.artifact,
      score: one.score * scale,
    })),
  }
}

const AREAS = 3

function mergeDigests(
  digests: readonly Digest[],
  ranked: readonly InCorpus<RankedQuestion>[],
  { ranking }: RankedQuestion,
): Digest {
  const first = digests[0] as Digest
  const lists = <T extends { readonly score: number }>(of: (digest: Digest) => readonly T[]): T[] =>
    mergeOrdered(digests.map(of))
  const primary = showOnce(lists(({ primary }) => primary))
  const { strategy, confidence } = ranking
  return {
    ...first,
    documentsScanned: sum(ranked.map(({ of }) => of.context.reader.lexical().livingDocuments)),
    candidateSections: sum(ranked.map(({ of }) => of.ranking.sections.length)),
    sectionsSelected: sum(digests.map(({ sectionsSelected }) => sectionsSelected)),
    query: { ...first.query, maxSections: sum(digests.map(({ query }) => query.maxSections)) },
    relevanceThreshold: ranking.relevanceThreshold,
    strategy,
    confidence,
    primaryAreas: [...new Set(digests.flatMap(({ primaryAreas }) => primaryAreas))].slice(0, AREAS),
    documents: lists<DigestDocument>(({ documents }) => documents),
    primary,
    expanded: digests.flatMap(({ expanded }): readonly ExpandedDocument[] => expanded),
    unresolved: digests.flatMap(({ unresolved }) => unresolved),
    isComplete: digests.every(({ isComplete }) => isComplete),
    dropped: lists<Dropped>(({ dropped }) => dropped),
    fingerprint: hash(
      'sha256',
      ranked.map(({ name, of }) => `${name} ${of.context.reader.meta('fingerprint') ?? ''}`).join('\n'),
    ),
    notices: common(digests.map(({ notices }) => notices)),
  }
}

/** Shows text that occurs in two corpora once, at its first place, which names the other. */
function showOnce(passages: readonly Passage[]): Passage[] {
  const shown = new Map<string, Passage>()
  for (const passage of passages) {
    const key = passage.excerpts.map(({ text }) => text).join('\n\0')
    const before = shown.get(key)
    const places = passage.excerpts.map(({ lines }) => ({ path: passage.path, lines }))
    shown.set(
      key,
      before === undefined
        ? passage
        : { ...before, alsoAt: [...before.alsoAt, ...places, ...passage.alsoAt] },
    )
  }
  return [...shown.values()]
}
