// How does a reranker change the order? Its scores, brought to 0..1 within the question, share the answer part of a score.

import type { RankedSection } from '../../model/section.ts'
import { RELEVANCE_WEIGHT, RERANKED_FLOOR } from './tuning.ts'

/** Scores of a reranker for the candidates of one question. */
export interface Reranked {
  /** Its scores by the canonical id of a section, on its own scale. */
  readonly scores: ReadonlyMap<string, number>
  /** Share of the reranker in what a section is worth as an answer: 0 to 1. */
  readonly weight: number
}

/** The name of its part in an explanation. */
const RERANKER = 'reranker'

/**
 * The sections in their new order. Authority counts as before. Sections that were not reranked keep their order, behind
 * the one with the lowest reranker score; ties break by canonical id, so equal scores always give the same order.
 */
export function applyReranking(
  sections: readonly RankedSection[],
  { scores, weight }: Reranked,
): RankedSection[] {
  const seen = sections.flatMap(({ artifact }) => scores.get(artifact.id) ?? [])
  const least = Math.min(...seen)
  const range = Math.max(...seen) - least
  // Equal scores carry no information: the built-in order holds.
  if (!(range > 0) || weight === 0) return [...sections]
  const answerOf = ({ score, signals }: RankedSection): number =>
    score - (1 - RELEVANCE_WEIGHT) * signals.canonicality
  const best = Math.max(...sections.map(answerOf))
  const reordered = sections
    .map((section): RankedSection => {
      const own = scores.get(section.artifact.id)
      const answer = answerOf(section)
      const liked =
        own === undefined
          ? RERANKED_FLOOR * answer
          : best * (RERANKED_FLOOR + ((1 - RERANKED_FLOOR) * (own - least)) / range)
      const added = weight * (liked - answer)
      const scale = answer > 0 ? (answer + added) / answer : 1
      const authority = section.score - answer
      const part = { name: RERANKER, effect: best > 0 ? added / best : 0 }
      return {
        ...section,
        score: section.score + added,
        signals: {
          ...section.signals,
          parts: own === undefined ? section.signals.parts : [part, ...section.signals.parts],
        },
        matches: section.matches.map((match) => ({
          ...match,
          score: authority + (match.score - authority) * scale,
        })),
      }
    })
    .sort((a, b) => b.score - a.score || (a.artifact.id < b.artifact.id ? -1 : 1))
  return reordered.map((section, at) => {
    const ranks = { ...section.signals.ranks, reranked: at + 1 }
    return { ...section, signals: { ...section.signals, ranks } }
  })
}
