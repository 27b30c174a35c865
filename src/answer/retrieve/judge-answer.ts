// Do the first passages answer the question? A calibrated probability from what is known of them, with the reason in words.

import type { Confidence, ConfidenceLabel } from '../../model/digest.ts'
import type { SectionEvidence } from './feature-table.ts'
import * as tuning from './tuning.ts'

/** Words of the question, or of the caller, that the first section has and lacks, heaviest first, with its share of their weight. */
export interface WordsOfFirst {
  readonly has: readonly string[]
  /** Of these the ones that it has letter by letter; of the others it has another form. */
  readonly literally: readonly string[]
  readonly lacks: readonly string[]
  readonly share: number
}

/** What is known of a question and of the best sections for it, best first. */
export interface AnswerEvidence {
  /** Identifiers of the question. */
  readonly names: readonly string[]
  /** The one that the first section is a definition of. */
  readonly defined: string | null
  /** Names and rare words of the question that no document has. */
  readonly missingWords: readonly string[]
  /** Quoted phrases that no candidate contains. */
  readonly missingPhrases: readonly string[]
  readonly asked: WordsOfFirst
  /** Of the caller's words; null without any that were used. */
  readonly caller: WordsOfFirst | null
  /** The first section holds a text of the question, or most of it. */
  readonly isExact: boolean
  /** Where it holds that text word for word. */
  readonly exactAt: string | null
  /** The question is a message with its label, which no section holds. */
  readonly lacksMessage: boolean
  /** That text is a message of the code. */
  readonly isMessage: boolean
  readonly candidates: readonly {
    readonly features: Partial<SectionEvidence>
    readonly vector: number | null
  }[]
}

type AnswerFeature = 'together' | 'asked' | 'caller' | 'words' | 'vector' | 'defines' | 'exact' | 'noName'

/** Features of the classifier. Words are those of the first section: where nothing answers, some later one often has them. */
export function answerFeatures(evidence: AnswerEvidence): Record<AnswerFeature, number> {
  const { names, candidates, asked, caller } = evidence
  const first = candidates[0]?.features
  const top = candidates.slice(0, tuning.ANSWER_SECTIONS)
  const most = (feature: keyof SectionEvidence): number =>
    Math.max(0, ...top.map(({ features }) => features[feature] ?? 0))
  return {
    together: first?.together ?? 0,
    asked: asked.share,
    caller: caller?.share ?? 0,
    words: Math.min(1, (asked.has.length + asked.lacks.length) / tuning.MANY_WORDS),
    vector: Math.max(0, ...top.map(({ vector }) => vector ?? 0)),
    defines: most('defines'),
    exact: Number(evidence.isExact || first?.namesLine === 1),
    // An identifier of the question that no candidate contains.
    noName: Number(names.length > 0 && most('mentions') === 0),
  }
}

/** How likely it is that the first sections answer, and why. A message of the code that is found is certain. */
export function judgeAnswer(evidence: AnswerEvidence): Confidence {
  const { candidates, asked, missingWords, missingPhrases } = evidence
  if (candidates.length === 0)
    return { label: 'none', score: 0, why: 'no section has a word of the question' }
  const features = answerFeatures(evidence)
  const weights = candidates.some(({ vector }) => vector !== null) ? tuning.withMeaning : tuning.byWords
  let sum = weights.bias
  for (const name of Object.keys(features) as AnswerFeature[]) sum += weights[name] * features[name]
  const likely = 1 / (1 + Math.exp(-sum))
  const isFound = features.exact === 1
  const missing = isFound ? 0 : missingWords.length + Math.min(1, missingPhrases.length)
  const words = asked.has.length + asked.lacks.length
  // A single word that nothing defines and no heading has may mean anything.
  const heading = candidates[0]?.features.heading ?? 0
  const isVague = words < 2 && features.exact + features.defines + heading === 0
  const isUnsure = isVague || evidence.lacksMessage
  const most =
    2 * missing > words ? tuning.VERDICT_FROM.low - 0.01 : isUnsure ? tuning.VERDICT_FROM.high - 0.01 : 1
  const least = evidence.isMessage ? tuning.FOUND_MESSAGE : 0
  const score = Math.min(most, Math.max(least, tuning.MISSING_WORD ** missing * likely))
  const label = labelOf(score)
  return { label, score, why: explain(label, evidence) }
}

export function labelOf(score: number): ConfidenceLabel {
  const { high, medium, low } = tuning.VERDICT_FROM
  return score >= high ? 'high' : score >= medium ? 'medium' : score >= low ? 'low' : 'none'
}

/** Words that are named in a reason. */
const NAMED_WORDS = 3

const quote = (words: readonly string[]): string =>
  words
    .slice(0, NAMED_WORDS)
    .map((word) => `“${word}”`)
    .join(', ')

/** One reason, true of the first passage: what is exact in it, else which words it has or lacks. */
function explain(label: ConfidenceLabel, evidence: AnswerEvidence): string {
  const { missingWords, missingPhrases, exactAt, asked, caller, candidates } = evidence
  const first = candidates[0]?.features ?? {}
  if (label === 'high' || label === 'medium') {
    if (exactAt !== null) return `the text is at ${exactAt}`
    if (first.namesLine === 1) return 'the first passage has the line that the question names'
    if (evidence.defined !== null) return `the first passage defines “${evidence.defined}”`
  }
  if (evidence.lacksMessage) return 'no section has the text of this message'
  if (missingWords.length > 0 && !evidence.isExact) return `no section has ${quote(missingWords)}`
  if (missingPhrases.length > 0) return `no section has “${missingPhrases[0]}” as it is quoted`
  const literally = [...asked.literally, ...(caller?.literally ?? [])]
  const others = [...asked.has, ...(caller?.has ?? [])].filter((word) => !literally.includes(word))
  const forms = others.length > 0 ? [`other forms of ${quote(others)}`] : []
  const has = `has ${[...(literally.length > 0 ? [quote(literally)] : []), ...forms].join(' and ')}`
  if (literally.length + others.length > 0) {
    if (asked.lacks.length > 0) return `the first passage ${has}, but not ${quote(asked.lacks)}`
    if (label === 'high') return `the first passage ${has}`
    return `the first passage ${has}${(first.heading ?? 0) > 0 ? ' in a heading' : ' only in passing'}`
  }
  return asked.lacks.length > 0
    ? `the first passage has no ${quote(asked.lacks)}`
    : 'the first passage is near by meaning alone'
}
