// Which sections answer best? Fragments are scored, rejoined to their sections, and weighed with authority.
import {
  type CanonicalityWeights,
  canonicalityWeights,
  scoreCanonicality,
} from '../graph/score-canonicality.ts'
import type { Canonicality, Signals } from '../model/digest.ts'
import type { QueryAnalysis } from '../model/report.ts'
import { isCodeKind } from '../parse/artifact-kinds.ts'
import type { ArtifactRow, CorpusReader, FileRow } from '../store/corpus-reader.ts'
import type { FuseOptions } from './fuse-rankings.ts'
import { type FusedFragment, matchFragments } from './match-fragments.ts'
import type { LexicalOptions } from './score-lexical.ts'
import type { SimilarFragment } from './vector-search.ts'
import { makeCodeWeight, proseWeight } from './weigh-code.ts'

export interface RankOptions {
  readonly now: number
  /** How many fragments are looked at, by words and by meaning each. */
  readonly fragments: number
  readonly lexical: Partial<LexicalOptions>
  /** Weight of relevance; the rest is canonicality's (decision 19). */
  readonly relevanceWeight: number
  readonly authority: CanonicalityWeights
  /** What meaning found, best first; null for words alone. */
  readonly similar: readonly SimilarFragment[] | null
  /** Share of meaning in the relevance. */
  readonly vectorWeight: number
  readonly method: FuseOptions['method']
  /** Only these documents, when a reference in the question names them. */
  readonly onlyFiles: ReadonlySet<number> | null
  /** How much is added to the relevance of what matches in a document, in parts of it, by file id. */
  readonly boosts: ReadonlyMap<number, number>
}

export const rankDefaults: Omit<RankOptions, 'now'> = {
  fragments: 300,
  lexical: {},
  relevanceWeight: 0.7,
  authority: canonicalityWeights,
  similar: null,
  vectorWeight: 0.3,
  method: 'scores',
  onlyFiles: null,
  boosts: new Map(),
}

export interface MatchedFragment {
  readonly pieceStart: number
  readonly pieceEnd: number
  /** As of a section that is no more than this. */
  readonly relevance: number
  readonly score: number
}

/**
 * A section with its score, what the score is made of, and the parts of its text that matched, best first; none where
 * it is to be read from its beginning.
 */
export interface RankedSection {
  readonly artifact: ArtifactRow
  readonly file: FileRow
  readonly score: number
  readonly signals: Signals
  readonly canonicality: Canonicality
  readonly matches: readonly MatchedFragment[]
}

export interface Ranking {
  readonly sections: readonly RankedSection[]
  readonly matchedFragments: number
  /** How well the words of the document that holds a fragment match, beside the best document: 0 to 1. */
  readonly documentScore: (fragment: number) => number
  /** Quoted words that stand together in nothing that was found. */
  readonly missingPhrases: readonly string[]
}

interface Group {
  readonly artifact: ArtifactRow
  readonly matches: Omit<MatchedFragment, 'score'>[]
  readonly best: FusedFragment
}

function compareSections(a: RankedSection, b: RankedSection): number {
  if (a.score !== b.score) return b.score - a.score
  return a.artifact.id < b.artifact.id ? -1 : a.artifact.id > b.artifact.id ? 1 : 0
}

/** Fragments by section, best section first. */
function groupFragments(reader: CorpusReader, fused: readonly FusedFragment[]): Group[] {
  const groups = new Map<number, Group>()
  for (const one of fused) {
    const { artifact, pieceStart, pieceEnd } = reader.match(one.fragment)
    const match = { pieceStart, pieceEnd, relevance: one.relevance }
    const group = groups.get(artifact.rowId)
    if (group !== undefined) group.matches.push(match)
    else groups.set(artifact.rowId, { artifact, matches: [match], best: one })
  }
  return [...groups.values()]
}

/** What a text without the quoted words is worth, beside one that has them. */
const WITHOUT_PHRASE = 0.4

function foldPhrase(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ')
}

/** Quoted words must stand together: fragments without them sink. */
function weighPhrases(
  reader: CorpusReader,
  fragments: readonly FusedFragment[],
  phrases: readonly string[],
): { fragments: readonly FusedFragment[]; missing: readonly string[] } {
  if (phrases.length === 0) return { fragments, missing: [] }
  const found = new Set<string>()
  const weighed = fragments.map((one) => {
    const { artifact, pieceStart, pieceEnd } = reader.fragment(one.fragment)
    const { text, pieces } = reader.text(artifact)
    const folded = foldPhrase(text.slice(pieces[pieceStart]?.start, pieces[pieceEnd - 1]?.end))
    const held = phrases.filter((phrase) => folded.includes(foldPhrase(phrase)))
    for (const phrase of held) found.add(phrase)
    return held.length === phrases.length ? one : { ...one, relevance: one.relevance * WITHOUT_PHRASE }
  })
  return {
    fragments: weighed.sort((a, b) => b.relevance - a.relevance),
    missing: phrases.filter((phrase) => !found.has(phrase)),
  }
}

/** Matches in code count as the question asks for them. */
function weighCode(groups: readonly Group[], { identifiers, names }: QueryAnalysis): readonly Group[] {
  if (!groups.some(({ artifact }) => isCodeKind(artifact.kind))) return groups
  const weight = makeCodeWeight([...identifiers, ...names])
  const weighed = groups.map(({ artifact, matches, best }) => {
    const relevance = best.relevance * weight(artifact)
    return { artifact, matches, best: { ...best, relevance } }
  })
  const inProse = proseWeight(
    weighed.map(({ artifact: { kind }, best: { relevance } }) => ({ kind, relevance })),
    identifiers,
  )
  if (inProse === 1) return weighed
  return weighed.map(({ artifact, matches, best }) => {
    const relevance = isCodeKind(artifact.kind) ? best.relevance * inProse : best.relevance
    return { artifact, matches, best: { ...best, relevance } }
  })
}

/** Sections that match, best first; ties break by canonical id. */
export function rankSections(
  reader: CorpusReader,
  analysis: QueryAnalysis,
  options: Partial<RankOptions> & { now: number },
): Ranking {
  const o: RankOptions = { ...rankDefaults, ...options }
  const { fragments, matched, documentScore, strength } = matchFragments(reader.lexical(), analysis, o)
  const weighed = weighPhrases(reader, fragments, analysis.phrases)
  const groups = weighCode(groupFragments(reader, weighed.fragments), analysis)
  const best = groups.reduce((most, group) => Math.max(most, group.best.relevance), 0)
  const files = new Map<number, { file: FileRow; canonicality: Canonicality }>()
  const sections = groups.map(({ artifact, matches, best: top }): RankedSection => {
    let owner = files.get(artifact.file)
    if (owner === undefined) {
      const file = reader.file(artifact.file)
      owner = { file, canonicality: scoreCanonicality(file, { now: o.now, weights: o.authority }) }
      files.set(artifact.file, owner)
    }
    const relevance = best > 0 ? (strength * top.relevance) / best : 0
    const authority = (1 - o.relevanceWeight) * owner.canonicality.score
    const first = matches[0]?.relevance ?? 0
    const { lexical, document, vector, ranks } = top
    const signals = { relevance, lexical, document, vector, ranks, canonicality: owner.canonicality.score }
    return {
      artifact,
      ...owner,
      score: o.relevanceWeight * relevance + authority,
      signals,
      matches: matches.map((match) => {
        const own = first > 0 ? (relevance * match.relevance) / first : 0
        return { ...match, relevance: own, score: o.relevanceWeight * own + authority }
      }),
    }
  })
  return {
    sections: sections.sort(compareSections),
    matchedFragments: matched,
    documentScore,
    missingPhrases: weighed.missing,
  }
}
