// Does the corpus answer the question? A calibrated probability from features of the top candidates, with the reason in words.

import type { Confidence } from '../../model/digest.ts'
import type { FeatureName, Features } from './feature-table.ts'
import { ANSWER_SECTIONS, byWords, NOTHING_BELOW, PARTLY_BELOW, withMeaning } from './tuning.ts'

/** What is known of a question and of the best sections for it, best first. */
export interface AnswerEvidence {
  /** Share of the question's terms, weighted by IDF, that occur in the corpus: 0 to 1. */
  readonly known: number
  /** Does the question contain identifiers? */
  readonly hasNames: boolean
  readonly candidates: readonly { readonly features: Partial<Features>; readonly vector: number | null }[]
}

/** Features of the classifier; each is the maximum over the top candidates. */
type AnswerFeature = 'known' | 'coverage' | 'pairs' | 'quoted' | 'vector' | 'defines' | 'noName'

/** The maximum of a feature over the top candidates. */
function most({ candidates }: AnswerEvidence, feature: FeatureName): number {
  return candidates
    .slice(0, ANSWER_SECTIONS)
    .reduce((top, { features }) => Math.max(top, features[feature] ?? 0), 0)
}

function labelOf(score: number): Confidence['label'] {
  if (score < NOTHING_BELOW) return 'nothing found'
  return score < PARTLY_BELOW ? 'partly' : 'answered'
}

/** The features of a question's answer. */
export function answerFeatures(evidence: AnswerEvidence): Record<AnswerFeature, number> {
  const { known, hasNames, candidates } = evidence
  return {
    known,
    coverage: known * most(evidence, 'coverage'),
    pairs: known * most(evidence, 'pairs'),
    quoted: most(evidence, 'quoted'),
    vector: candidates.slice(0, ANSWER_SECTIONS).reduce((top, { vector }) => Math.max(top, vector ?? 0), 0),
    defines: most(evidence, 'defines'),
    // An identifier of the question that no candidate contains.
    noName: hasNames && most(evidence, 'mentions') === 0 ? 1 : 0,
  }
}

/** How likely it is that the corpus answers, and why. */
export function judgeAnswer(evidence: AnswerEvidence): Confidence {
  const { candidates } = evidence
  if (candidates.length === 0)
    return { label: 'nothing found', score: 0, why: 'no section has a word of the question' }
  const features = answerFeatures(evidence)
  const weights = candidates.some(({ vector }) => vector !== null) ? withMeaning : byWords
  let sum = weights.bias
  for (const name of Object.keys(features) as AnswerFeature[]) sum += weights[name] * features[name]
  const score = 1 / (1 + Math.exp(-sum))
  const label = labelOf(score)
  return { label, score, why: explain(label, features.coverage, features.noName === 1) }
}

function explain(label: Confidence['label'], coverage: number, isNameless: boolean): string {
  const share = `${Math.round(100 * coverage)} %`
  if (label === 'answered') return `the best sections hold ${share} of what the question's words weigh`
  if (isNameless) return 'none of the best sections has the name that the question asks about'
  if (coverage < 0.01) return 'none of the best sections has a word of it that says anything'
  if (coverage > 0.9) return 'the best sections have its words, but little else that speaks for an answer'
  return `none of the best sections holds more than ${share} of what the question's words weigh`
}

/** A warning for the reader; none where the question is answered. */
export function describeConfidence({ label, why }: Confidence): string[] {
  if (label === 'answered') return []
  return label === 'partly'
    ? [`This may answer the question only in part: ${why}.`]
    : [`Nothing here seems to answer the question: ${why}. The nearest places follow.`]
}
