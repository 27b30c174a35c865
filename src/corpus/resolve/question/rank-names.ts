// Which documents may a mention mean, and how confident is the first? Candidates ranked by weighted features; confidence from the margin.
import { findWritten } from '../authors.ts'
import type { DocumentNames } from '../document-names.ts'
import { nameFields } from '../pack-names.ts'
import { type Evidence, featureNames, gatherEvidence } from './evidence.ts'
import { ceilings, confidences, leadWeights, minCover, rankingWeights, sureUses, tie } from './tuning.ts'
import { wordsOf } from './words.ts'

/** Features of the first candidate that determine its confidence. */
export interface Lead {
  /** Margin to the score of the second candidate, or to 0. */
  readonly lead: number
  /** Margin of its best name's similarity to that of any other document. */
  readonly margin: number
  /** The number of words of the mention, up to 6: longer mentions are more specific. */
  readonly words: number
  readonly title: number
  readonly cover: number
}

interface RankedDocument extends Scored {
  readonly path: string
}

export interface NameRanking {
  /** Best first; equal scores in the order of the documents. */
  readonly ranked: readonly RankedDocument[]
  /** The probability that the first one is meant, 0 to 1. */
  readonly confidence: number
  /** True if the first and the second are a tie. */
  readonly tied: boolean
  /** The share of the mention that occurs in names of documents. */
  readonly known: number
  /** The number of words of the mention, without function words. */
  readonly words: number
}

const maxRanked = 20
const maxWords = 6

const weights = Float64Array.from(featureNames, (name) => rankingWeights[name])

export function rankNames(mention: string, names: DocumentNames): NameRanking {
  const { wanted, found } = gatherEvidence(mention, names)
  const ranked = rankEvidence(found, weights)
  const lead = leadOf(ranked, wanted.weights.length)
  return {
    ranked: ranked.slice(0, maxRanked).map(({ score, evidence }) => ({
      path: names.pathOf(evidence.document),
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

/** The resolution of a mention; the caller adds its place in the question. */
export type NameMeaning =
  | {
      readonly outcome: 'resolved'
      readonly document: number
      readonly confidence: number
      readonly method: string
    }
  | { readonly outcome: 'ambiguous'; readonly documents: readonly number[] }
  | { readonly outcome: 'unknown' }

const maxCandidates = 5
const ownFields = (1 << nameFields.title) | (1 << nameFields.stem)
const anyExact = ownFields | (1 << nameFields.heading) | (1 << nameFields.link)

/** Resolves words in the position of a document's name: the X of "the X page". */
export function readName(text: string, names: DocumentNames): NameMeaning {
  const written = findWritten(names, wordsOf(text))
  if (written !== null && written.length > 0) return meaningOf(written, confidences.author, 'author')
  return readRanking(rankNames(text, names), text, names)
}

/** One document is the answer, several are a tie. */
export function meaningOf(documents: readonly number[], confidence: number, method: string): NameMeaning {
  const [document] = documents
  if (document === undefined) return { outcome: 'unknown' }
  if (documents.length > 1) return { outcome: 'ambiguous', documents }
  return { outcome: 'resolved', document, confidence, method }
}

function readRanking(ranking: NameRanking, text: string, names: DocumentNames): NameMeaning {
  const { ranked, tied, confidence } = ranking
  const [first] = ranked
  if (first === undefined || first.evidence.cover < minCover) return { outcome: 'unknown' }
  if (tied)
    return {
      outcome: 'ambiguous',
      documents: ranked.slice(0, maxCandidates).map(({ evidence }) => evidence.document),
    }
  const { document } = first.evidence
  const isTitle = isOnlyTitle(ranking) && confidence < confidences.title
  const most = Math.min(isThin(ranking) ? ceilings.thin : 1, mostByLinks(text, document, names))
  return {
    outcome: 'resolved',
    document,
    confidence: Math.min(most, isTitle ? confidences.title : confidence),
    method: isTitle ? 'title' : 'names',
  }
}

/** A single word that is neither title nor file name does not name the page. */
function isThin({ ranked, words }: NameRanking): boolean {
  const first = ranked[0]?.evidence
  return (
    words === 1 && first !== undefined && first.own < 0.999 && (first.exact & (1 << nameFields.link)) === 0
  )
}

/**
 * Confidence of words that are a link text. In half A of eval/k8sdocs, other uses of the same words have the same
 * target in 90 % of cases with one link, 92 % with two, 96 % with three or four, 97 % from five on.
 */
function mostByLinks(text: string, document: number, names: DocumentNames): number {
  const uses = names.linkedBy(text)
  if (uses.size === 0) return 1
  if (uses.size > (uses.has(document) ? 1 : 0)) return ceilings.contested
  return uses.get(document)! < sureUses ? ceilings.linked : 1
}

/** Are the words the title or file name of one document, and the name of no other? */
function isOnlyTitle({ ranked, known }: NameRanking): boolean {
  const [first, ...rivals] = ranked
  if (first === undefined || known < 1 || (first.evidence.exact & ownFields) === 0) return false
  return !rivals.some(({ evidence }) => (evidence.exact & anyExact) !== 0 || evidence.own > 0.999)
}
