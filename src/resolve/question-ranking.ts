// Which documents may words mean, in which order, and how sure is the first? A weighted sum of evidence, and its lead.
import type { DocumentNames } from './document-names.ts'
import { type Evidence, featureNames, gatherEvidence } from './question-features.ts'

type Feature = (typeof featureNames)[number]

/** Fitted on half A of eval/k8sdocs (`node eval/question-references.ts --fit`): a conditional logit, no weight below 0. */
const rankingWeights: Readonly<Record<Feature, number>> = {
  title: 0.253,
  stem: 0.914,
  heading: 1.14,
  headingCover: 0.534,
  link: 0.982,
  linkCover: 0.916,
  folderCover: 0.835,
  cover: 2.133,
  headings: 0.678,
  inbound: 0.422,
  own: 0.44,
  phrase: 1.276,
  headingShare: 0.498,
  titleShare: 1.236,
  joint: 1.692,
  jointCover: 1.593,
}

/** What the first of a ranking tells about itself. */
export interface Lead {
  /** Its score less that of the second; less nothing when there is no second. */
  readonly lead: number
  /** Its best name's fit less the best fit of any other document's. */
  readonly margin: number
  /** How many words the mention has, up to 6: longer mentions are more telling. */
  readonly words: number
  readonly title: number
  readonly cover: number
}

/**
 * Fitted likewise, on the same half: is the first of the ranking the right one? The fitted bias is -2.586; raised so that
 * 0.9 is reached by a quarter of half A. Measured there, precision 0.979; on half B 0.927, so 0.9 is not quite 0.97.
 */
const leadWeights: Readonly<Record<keyof Lead | 'bias', number>> = {
  bias: -2.32,
  lead: 0.7,
  margin: 1.234,
  words: 0.217,
  title: 0.544,
  cover: 1.147,
}

interface RankedDocument extends Scored {
  readonly path: string
}

export interface NameRanking {
  /** Best first; equal scores in the order of the documents. */
  readonly ranked: readonly RankedDocument[]
  /** 0 to 1: how likely the first is the one that is meant. */
  readonly confidence: number
  /** The first and the second are as good as equal. */
  readonly tied: boolean
  /** The share of the mention that some name of some document holds. */
  readonly known: number
  /** How many words the mention has, function words aside. */
  readonly words: number
}

const maxRanked = 20
const maxWords = 6
/** Scores closer than this are a tie: a tenth of what an exact title is worth. */
const tie = 0.15

const weights = Float64Array.from(featureNames, (name) => rankingWeights[name])

/** Ranks the documents that the words of a mention may name. */
export function rankNames(mention: string, names: DocumentNames): NameRanking {
  const { wanted, found } = gatherEvidence(mention, names)
  const ranked = rankEvidence(found, weights)
  const lead = leadOf(ranked, wanted.weights.length)
  return {
    ranked: ranked.slice(0, maxRanked).map(({ score, evidence }) => ({
      path: names.documents[evidence.document]!.path,
      score,
      evidence,
    })),
    confidence: lead === null ? 0 : confidenceOf(lead),
    tied: ranked.length > 1 && lead !== null && lead.lead < tie,
    known: wanted.known,
    words: wanted.weights.length,
  }
}

interface Scored {
  readonly score: number
  readonly evidence: Evidence
}

/** Best first; equal scores in the order of the documents. */
export function rankEvidence(found: readonly Evidence[], by: Float64Array): Scored[] {
  return found
    .map((evidence) => ({ score: scoreOf(evidence.features, by), evidence }))
    .sort((a, b) => b.score - a.score || a.evidence.document - b.evidence.document)
}

function scoreOf(features: Float64Array, by: Float64Array): number {
  let score = 0
  for (let at = 0; at < features.length; at++) score += features[at]! * by[at]!
  return score
}

/** Null when nothing was found. */
export function leadOf(ranked: readonly Scored[], words: number): Lead | null {
  const [first, second] = ranked
  if (first === undefined) return null
  let rival = 0
  for (const { evidence } of ranked) if (evidence !== first.evidence) rival = Math.max(rival, evidence.best)
  return {
    lead: first.score - (second?.score ?? 0),
    margin: first.evidence.best - rival,
    words: Math.min(words, maxWords),
    title: first.evidence.title,
    cover: first.evidence.cover,
  }
}

function confidenceOf(lead: Lead): number {
  const { bias, ...rest } = leadWeights
  let logit = bias
  for (const key of Object.keys(rest) as (keyof Lead)[]) logit += leadWeights[key] * lead[key]
  return 1 / (1 + Math.exp(-logit))
}
