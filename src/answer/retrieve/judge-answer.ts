// Does the corpus answer the question? A calibrated probability from features of the top candidates, with the reason in words.

import type { Confidence } from '../../model/digest.ts'
import type { FeatureName, Features } from './feature-table.ts'
import { ANSWER_SECTIONS, byWords, NO_MATCH_BELOW, STRONG_FROM, withMeaning } from './tuning.ts'

/** What is known of a question and of the best sections for it, best first. */
export interface AnswerEvidence {
  /** Share of the question's terms, weighted by IDF, that occur in the corpus: 0 to 1. */
  readonly known: number
  /** Identifiers of the question. */
  readonly names: readonly string[]
  /** Names and rare words of the question that no document has. */
  readonly missingWords: readonly string[]
  /** Quoted phrases that no candidate contains. */
  readonly missingPhrases: readonly string[]
  readonly candidates: readonly { readonly features: Partial<Features>; readonly vector: number | null }[]
}

type AnswerFeature = 'coverage' | 'quoted' | 'vector' | 'defines' | 'noName'

/** The maximum of a feature over the top candidates. */
function most({ candidates }: AnswerEvidence, feature: FeatureName): number {
  return candidates
    .slice(0, ANSWER_SECTIONS)
    .reduce((top, { features }) => Math.max(top, features[feature] ?? 0), 0)
}

/** Features of the classifier. Coverage is that of the first section: where nothing answers, some later one often has the words. */
export function answerFeatures(evidence: AnswerEvidence): Record<AnswerFeature, number> {
  const { known, names, candidates } = evidence
  return {
    coverage: known * (candidates[0]?.features.coverage ?? 0),
    quoted: most(evidence, 'quoted'),
    vector: candidates.slice(0, ANSWER_SECTIONS).reduce((top, { vector }) => Math.max(top, vector ?? 0), 0),
    defines: most(evidence, 'defines'),
    // An identifier of the question that no candidate contains.
    noName: names.length > 0 && most(evidence, 'mentions') === 0 ? 1 : 0,
  }
}

/** How likely it is that the first sections answer, and why. A word that no document has rules out strong matches. */
export function judgeAnswer(evidence: AnswerEvidence): Confidence {
  const { candidates, missingWords, missingPhrases } = evidence
  if (candidates.length === 0)
    return { label: 'no match', score: 0, why: 'no section has a word of the question' }
  const features = answerFeatures(evidence)
  const weights = candidates.some(({ vector }) => vector !== null) ? withMeaning : byWords
  let sum = weights.bias
  for (const name of Object.keys(features) as AnswerFeature[]) sum += weights[name] * features[name]
  const missing = missingWords.length + Math.min(1, missingPhrases.length)
  const score = STRONG_FROM ** missing / (1 + Math.exp(-sum))
  const label = score < NO_MATCH_BELOW ? 'no match' : score < STRONG_FROM ? 'weak matches' : 'strong matches'
  return { label, score, why: explain(features, evidence) }
}

/** Words that are named, of those that are missing. */
const NAMED_WORDS = 3

function explain(
  { coverage, defines, noName }: Record<AnswerFeature, number>,
  { names, missingWords, missingPhrases }: AnswerEvidence,
): string {
  const quote = (words: readonly string[]): string =>
    words
      .slice(0, NAMED_WORDS)
      .map((word) => `“${word}”`)
      .join(', ')
  if (missingWords.length > 0)
    return `${quote(missingWords)} ${missingWords.length === 1 ? 'appears' : 'appear'} nowhere`
  if (missingPhrases.length > 0) return `no passage has “${missingPhrases[0]}” as it is quoted`
  if (noName === 1) return `no passage has the name ${quote(names)}`
  if (defines === 1) return 'the name that the question asks about is defined here'
  if (coverage < 0.01) return 'the first passage has no key word of the question'
  const amount = coverage >= 0.5 ? 'most' : coverage >= 0.25 ? 'some' : 'few'
  return `the first passage has ${amount} key words of the question`
}
