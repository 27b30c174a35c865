// How is one question answered from several corpora? Each ranks by its own statistics; how likely each answers makes their scores comparable.
import { hash } from 'node:crypto'
import { describeConfidence } from '../../model/describe-confidence.ts'
import type { Digest, DigestDocument, Dropped, ExpandedDocument, Passage } from '../../model/digest.ts'
import { type AssembleResult, isCounted, type SearchHit, type SearchResult } from '../../model/report.ts'
import { POINTERS, SECTION_TOKENS } from '../assemble/tuning.ts'
import {
  type DigestPlan,
  draftDigest,
  fitPlan,
  planDigest,
  type RankedQuestion,
  rankQuestion,
} from './assemble-context.ts'
import { placeIn, prefixOf } from './corpus-prefix.ts'
import type { AssembleContext } from './digest-parts.ts'
import type { AssembleOptions } from './question-options.ts'

/** Tokens of a passage's heading and source, roughly: only shares of a budget are made with it. */
const FRAME_TOKENS = 40

export interface InCorpus<T> {
  readonly name: string
  readonly of: T
  /** How likely the question is about this corpus, by its words alone: 0 to 1. */
  readonly prior: number
}

interface Scored {
  readonly score: number
}

/**
 * Factor that makes a corpus's scores comparable with those of others. Within one question a score says nothing about
 * another corpus; the calibrated probability that the corpus answers does, and is given to its best section.
 */
const scaleOf = (confidence: number, bestScore: number | undefined, prior: number): number =>
  bestScore === undefined || bestScore <= 0 ? 0 : (prior * confidence) / bestScore

/** The first among equals. */
const mostConfident = <M>(members: readonly M[], confidenceOf: (member: M) => number): M =>
  members.reduce((best, one) => (confidenceOf(one) > confidenceOf(best) ? one : best))

const scaled = <T extends Scored>(list: readonly T[], scale: number): T[] =>
  list.map((one) => ({ ...one, score: one.score * scale }))

/** Merges lists by score; the order within each list stays, whatever its items score. */
function mergeOrdered<T extends Scored>(lists: readonly (readonly T[])[]): T[] {
  const placed = lists.flatMap((list) => {
    let least = Infinity
    return list.map((one) => {
      least = Math.min(least, one.score)
      return { one, least }
    })
  })
  return placed.sort((a, b) => b.least - a.least).map(({ one }) => one)
}

/** What all of them say. */
function common(lists: readonly (readonly string[])[]): string[] {
  const [first = [], ...others] = lists
  return first.filter((text) => others.every((list) => list.includes(text)))
}

export interface MergedSearch extends SearchResult {
  readonly hits: readonly (SearchHit & { readonly corpus: string })[]
}

/** The hits of several searches, by name, as one list, each with the name of its corpus before its path. */
export function mergeSearches(searches: readonly InCorpus<SearchResult>[], limit: number): MergedSearch {
  const best = mostConfident(searches, ({ of }) => of.confidence.score).of
  const lists = searches.map(({ name, prior, of: { hits, confidence } }) => {
    const scale = scaleOf(confidence.score, hits[0]?.score, prior)
    return scaled(placeIn(prefixOf(name), hits), scale).map((hit) => ({ ...hit, corpus: name }))
  })
  const counts = searches.map(({ name, of }) => `${name}: ${of.confidence.why}`)
  return {
    ...best,
    ...(isCounted(best.strategy) ? { confidence: { ...best.confidence, why: counts.join('; ') } } : {}),
    hits: mergeOrdered(lists).slice(0, limit),
    candidateSections: sum(searches.map(({ of }) => of.candidateSections)),
    documentsScanned: sum(searches.map(({ of }) => of.documentsScanned)),
    suggestions: [...new Set(searches.flatMap(({ of }) => of.suggestions))],
    notices: [
      ...new Set([
        ...(best.confidence.label === 'high' ? [] : [describeConfidence(best.confidence)]),
        ...common(searches.map(({ of }) => of.notices)),
      ]),
    ],
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

/** One digest from several corpora, by name, within one budget. Names are unique and have no slash. */
export function assembleAcross(
  question: string,
  given: AssembleOptions,
  members: readonly InCorpus<AssembleContext>[],
  notices: readonly string[],
): AssembleResult {
  return inSnapshots(members, () => {
    const ranked = members.map((member): RankedMember => {
      const of = rankQuestion(question, member.of)
      const { confidence, sections } = of.ranking
      return { ...member, of, scale: scaleOf(confidence.score, sections[0]?.score, member.prior) }
    })
    const best = mostConfident(ranked, ({ of }) => of.ranking.confidence.score)
    const plan = planDigest(given, best.of)
    const { drafts, order } = makeDrafts(question, ranked, { best, plan })
    const build = (budget: number): Digest => {
      const shareOf = shareBudget(budget, order)
      const digests = drafts.map((draft) => buildDraft(draft, shareOf(draft.member)))
      const merged = mergeDigests(digests, ranked, best.of)
      return { ...merged, notices: [...notices, ...merged.notices] }
    }
    const stale = members.find(({ of }) => of.freshness.state !== 'fresh') ?? members[0]!
    return fitPlan(build, plan, stale.of.freshness, best.of)
  })
}

/** One state of every index. */
function inSnapshots<T>(members: readonly InCorpus<AssembleContext>[], use: () => T): T {
  const [first, ...rest] = members
  return first === undefined ? use() : first.of.reader.snapshot(() => inSnapshots(rest, use))
}

interface RankedMember extends InCorpus<RankedQuestion> {
  readonly scale: number
}

/** A section that may be shown, with its score on the common scale. */
interface ScaledSection extends Scored {
  readonly member: RankedMember
  readonly tokens: number
}

/** What one corpus contributes. */
interface Draft {
  readonly member: RankedMember
  readonly build: ReturnType<typeof draftDigest>
}

/**
 * Sections end at the same score on the common scale, and the limit of sections holds for all together: what a corpus
 * may show follows from the others. `order` has the sections that all together may show, best first.
 */
function makeDrafts(
  question: string,
  ranked: readonly RankedMember[],
  { best, plan }: { readonly best: RankedMember; readonly plan: DigestPlan },
): { readonly drafts: readonly Draft[]; readonly order: readonly ScaledSection[] } {
  const least = plan.leastScore * best.scale
  const lists = ranked.map((member) =>
    scaled(member.of.ranking.sections, member.scale)
      .filter(({ score }) => score >= least)
      .map(({ score, artifact }): ScaledSection => ({ member, score, tokens: artifact.tokens })),
  )
  const all = mergeOrdered(lists)
  const order = all.slice(0, plan.options.sections)
  const drafts = ranked.flatMap((member): Draft[] => {
    const wanted = order.filter((section) => section.member === member).length
    // The most confident one speaks also when nothing was found: it says so.
    if (wanted === 0 && member !== best) return []
    const sections = all.length > order.length ? wanted : plan.options.sections
    const own = {
      ...plan,
      options: { ...plan.options, sections },
      leastScore: member.scale === 0 ? 0 : least / member.scale,
    }
    return [{ member, build: draftDigest(question, member.of, own) }]
  })
  return { drafts, order }
}

/** Tokens for each corpus: what its sections take, in the common order, as far as the budget goes; of the rest as large a part. */
function shareBudget(budget: number, order: readonly ScaledSection[]): (member: RankedMember) => number {
  const needs = new Map<RankedMember, number>()
  const limit = Math.max(SECTION_TOKENS.most, SECTION_TOKENS.share * budget)
  let left = budget
  for (const { member, tokens } of order) {
    const taken = Math.min(left, Math.min(tokens, limit) + FRAME_TOKENS)
    needs.set(member, (needs.get(member) ?? 0) + taken)
    left -= taken
  }
  return (member) =>
    left === budget ? budget : Math.floor(((needs.get(member) ?? 0) / (budget - left)) * budget)
}

/** The digest of one of several: its paths and ids after the name of its corpus, its scores on the common scale. */
function buildDraft({ member: { name, scale }, build }: Draft, budget: number): Digest {
  const digest = build(budget)
  const placed = placeIn(prefixOf(name), digest)
  return {
    ...placed,
    documents: scaled(placed.documents, scale),
    primary: scaled(placed.primary, scale),
    expanded: placed.expanded.map((one) => ({ ...one, passages: scaled(one.passages, scale) })),
    // The target is as the document writes it.
    unresolved: placed.unresolved.map((one, at) => ({ ...one, target: digest.unresolved[at]!.target })),
    leastScore: digest.leastScore * scale,
    dropped: scaled(placed.dropped, scale),
  }
}

const AREAS = 3

function mergeDigests(
  digests: readonly Digest[],
  ranked: readonly InCorpus<RankedQuestion>[],
  { ranking }: RankedQuestion,
): Digest {
  const first = digests[0] as Digest
  const lists = <T extends Scored>(of: (digest: Digest) => readonly T[]): T[] => mergeOrdered(digests.map(of))
  const { strategy, confidence, relevanceThreshold } = ranking
  const fingerprints = ranked.map(({ name, of }) => `${name} ${of.context.reader.meta('fingerprint') ?? ''}`)
  return {
    ...first,
    documentsScanned: sum(ranked.map(({ of }) => of.context.reader.count('files'))),
    candidateSections: sum(ranked.map(({ of }) => of.ranking.sections.length)),
    sectionsSelected: sum(digests.map(({ sectionsSelected }) => sectionsSelected)),
    query: { ...first.query, maxSections: sum(digests.map(({ query }) => query.maxSections)) },
    ...{ strategy, confidence, relevanceThreshold },
    primaryAreas: [...new Set(digests.flatMap(({ primaryAreas }) => primaryAreas))].slice(0, AREAS),
    documents: lists<DigestDocument>(({ documents }) => documents),
    primary: showOnce(lists(({ primary }) => primary)),
    expanded: digests.flatMap(({ expanded }): readonly ExpandedDocument[] => expanded),
    pointers: digests.flatMap(({ pointers }) => pointers).slice(0, POINTERS.most),
    unresolved: digests.flatMap(({ unresolved }) => unresolved),
    isComplete: digests.every(({ isComplete }) => isComplete),
    dropped: lists<Dropped>(({ dropped }) => dropped),
    fingerprint: hash('sha256', fingerprints.join('\n')),
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
    const joined = before && { ...before, alsoAt: [...before.alsoAt, ...places, ...passage.alsoAt] }
    shown.set(key, joined ?? passage)
  }
  return [...shown.values()]
}
