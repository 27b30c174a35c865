// Which fragments match? BM25 and vector candidates, fused into one list, with the rank and score of each source.

import type { LexicalIndex } from '../../corpus/store/postings/lexical-index.ts'
import type { Signals } from '../../model/digest.ts'
import type { QueryAnalysis } from '../../model/report.ts'
import { fuseRankings, type RankedList } from './fuse-rankings.ts'
import { type LexicalResult, scoreLexical } from './score-lexical.ts'
import { DOCUMENT_SIMILARITY, SIMILAR_ALONE } from './tuning.ts'
import type { SimilarFragment } from './vector-search.ts'

export interface MatchOptions {
  /** How many fragments BM25 and vectors each bring in. */
  readonly fragments: number
  /** Nearest fragments by vector, best first; null for lexical search alone. */
  readonly similar: readonly SimilarFragment[] | null
  /** Share of the vector score in the fused relevance. */
  readonly vectorWeight: number
  /** Only these documents, when a reference in the question names them. */
  readonly onlyFiles: ReadonlySet<number> | null
  /** Boosts by file id, as a share of the relevance. */
  readonly boosts: ReadonlyMap<number, number>
}

/** A fragment with the fused relevance and what it is made of. */
export interface FusedFragment extends Omit<Signals, 'canonicality' | 'parts'> {
  readonly fragment: number
}

function leanOnDocuments(index: LexicalIndex, similar: readonly SimilarFragment[]) {
  const best = new Map<number, number>()
  for (const { fragment, similarity } of similar) {
    const file = index.file[fragment] as number
    best.set(file, Math.max(best.get(file) ?? -1, similarity))
  }
  const leaned = similar.map(({ fragment, similarity }) => {
    const whole = best.get(index.file[fragment] as number) as number
    return { id: fragment, score: (1 - DOCUMENT_SIMILARITY) * similarity + DOCUMENT_SIMILARITY * whole }
  })
  return leaned.sort((a, b) => b.score - a.score || index.compare(a.id, b.id))
}

/**
 * Lexical scores for the lexical candidates and for those of the vectors: a fragment that BM25 did not return still has
 * a BM25 score, and counting it as 0 would punish it for the length of the list.
 */
function scoreWords(
  index: LexicalIndex,
  { fragments: best, scoreOf }: Pick<LexicalResult, 'fragments' | 'scoreOf'>,
  similar: readonly SimilarFragment[],
): { id: number; score: number }[] {
  const listed = new Set(best.map(({ fragment }) => fragment))
  const others = similar
    .filter(({ fragment }) => !listed.has(fragment))
    .map(({ fragment }) => scoreOf(fragment))
  return [...best, ...others.filter(({ score }) => score > 0)]
    .map(({ fragment, score }) => ({ id: fragment, score }))
    .sort((a, b) => b.score - a.score || index.compare(a.id, b.id))
}

function makeRankings(index: LexicalIndex, lexical: LexicalResult, options: MatchOptions): RankedList[] {
  const inside = (fragment: number): boolean => options.onlyFiles?.has(index.file[fragment] as number) ?? true
  const similar = (options.similar ?? []).filter(({ fragment }) => inside(fragment))
  const fragments = lexical.fragments.filter(({ fragment }) => inside(fragment))
  const words = scoreWords(index, { fragments, scoreOf: lexical.scoreOf }, similar)
  const isAlone = words.length === 0 && options.vectorWeight < 1
  const near = isAlone ? similar.filter(({ similarity }) => similarity >= SIMILAR_ALONE) : similar
  const weight = near.length > 0 ? options.vectorWeight : 0
  const rankings: RankedList[] = []
  if (words.length > 0 && weight < 1)
    rankings.push({ name: 'words', weight: 1 - weight, floor: 0, items: words })
  if (near.length > 0) rankings.push({ name: 'embeddings', weight, items: leanOnDocuments(index, near) })
  return rankings
}

export interface MatchedFragments {
  /** Best first. */
  readonly fragments: readonly FusedFragment[]
  readonly documentScore: (file: number) => number
  /** Relevance of the best candidate before scores are divided by it: below 1 where only vectors found anything. */
  readonly strength: number
}

/** The fused list, best first. */
export function matchFragments(
  index: LexicalIndex,
  analysis: QueryAnalysis,
  options: MatchOptions,
): MatchedFragments {
  const { onlyFiles } = options
  const { terms, callerTerms = [] } = analysis
  const lexical = scoreLexical(index, [...terms, ...callerTerms], { limit: options.fragments, onlyFiles })
  const similarity = new Map(
    (options.similar ?? []).map(({ fragment, similarity: cosine }) => [fragment, cosine]),
  )
  const rankings = makeRankings(index, lexical, options)
  const boosts = new Map<number, number>()
  for (const { id } of rankings.flatMap(({ items }) => items)) {
    const boost = options.boosts.get(index.file[id] as number)
    if (boost !== undefined) boosts.set(id, boost)
  }
  const fragments = fuseRankings(rankings, { boosts, compare: index.compare }).map(
    ({ id, score, ranks }): FusedFragment => {
      const { fragmentScore, documentScore: document } = lexical.scoreOf(id)
      const vector = similarity.get(id) ?? null
      return { fragment: id, relevance: score, lexical: fragmentScore, document, vector, ranks }
    },
  )
  const isNearAlone = options.vectorWeight < 1 && rankings.every(({ name }) => name === 'embeddings')
  const nearest = fragments.reduce((most, { vector }) => Math.max(most, vector ?? 0), 0)
  const strength = isNearAlone ? Math.min(1, nearest) : 1
  return { fragments, documentScore: lexical.documentScoreOf, strength }
}
