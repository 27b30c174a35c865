// How well do fragments and documents match the words? BM25 over weighted fields, for both in one pass over the postings.

import type { QueryAnalysis } from '../model/report.ts'
import type { LexicalIndex } from '../store/lexical-index.ts'
import { DecodedPostings } from '../store/postings.ts'
import { keepBest } from './keep-best.ts'
import { BM25 } from './tuning.ts'

export interface LexicalOptions {
  /** Term frequency saturation. */
  readonly k1: number
  /** Length normalisation: 0 (none) to 1 (full). */
  readonly b: number
  readonly documentK1: number
  readonly documentB: number
  readonly headingWeight: number
  readonly titleWeight: number
  readonly pathWeight: number
  /** Share of the document's own score in a fragment's score. */
  readonly documentShare: number
}

/** A fragment that matched. `fragmentScore` and `documentScore` are divided by the best of the query. */
interface ScoredFragment {
  readonly fragment: number
  readonly file: number
  readonly fragmentScore: number
  readonly documentScore: number
  readonly score: number
}

export interface LexicalResult {
  /** Best first; ties in no promised order: callers end their sort with an id that does not depend on history. */
  readonly fragments: readonly ScoredFragment[]
  /** The score of any fragment: one without the terms still has the share of its document. */
  readonly scoreOf: (fragment: number) => ScoredFragment
  readonly matched: number
}

class Accumulators {
  fragment: Float64Array
  document: Float64Array
  touched: Uint32Array
  touchedCount = 0

  constructor(index: LexicalIndex) {
    this.fragment = new Float64Array(index.size)
    this.document = new Float64Array(index.fileLimit)
    this.touched = new Uint32Array(index.size)
  }
}

function inverseFrequency(total: number, holding: number): number {
  return Math.log(1 + (total - holding + 0.5) / (holding + 0.5))
}

/** Adds one term's contribution to every fragment and document that holds it. */
function addTerm(
  index: LexicalIndex,
  list: DecodedPostings,
  weight: number,
  sums: Accumulators,
  o: LexicalOptions,
): void {
  const { fragments, packed, length } = list
  let documents = 0
  for (let at = 0, before = -1; at < length; at++) {
    const file = index.file[fragments[at] as number] as number
    if (file !== before) documents++
    before = file
  }
  const fragmentIdf = weight * inverseFrequency(index.livingFragments, length)
  const documentIdf = weight * inverseFrequency(index.livingDocuments, documents)
  const { meanBody, meanDocument } = index
  let file = -1
  let inDocument = 0
  let documentCount = 0
  const endDocument = (): void => {
    if (file < 0) return
    const norm = 1 - o.documentB + (o.documentB * index.documentLength(inDocument)) / meanDocument
    const saturated = documentCount / (o.documentK1 * norm + documentCount)
    sums.document[file] = (sums.document[file] as number) + documentIdf * saturated
  }
  for (let at = 0; at < length; at++) {
    const fragment = fragments[at] as number
    const counts = packed[at] as number
    const body = counts & 0xffff
    const heading = (counts >> 16) & 3
    const fixed = o.titleWeight * ((counts >> 18) & 3) + o.pathWeight * ((counts >> 20) & 3)
    const norm = 1 - o.b + (o.b * (index.body[fragment] as number)) / meanBody
    const frequency = body / norm + o.headingWeight * heading + fixed
    const before = sums.fragment[fragment] as number
    if (before === 0) sums.touched[sums.touchedCount++] = fragment
    sums.fragment[fragment] = before + (fragmentIdf * frequency) / (o.k1 + frequency)
    const owner = index.file[fragment] as number
    if (owner !== file) {
      endDocument()
      file = owner
      inDocument = fragment
      documentCount = fixed
    }
    documentCount += body + heading
  }
  endDocument()
}

/** The best `limit` fragments for the analysed question. */
export function scoreLexical(
  index: LexicalIndex,
  analysis: QueryAnalysis,
  options: Partial<LexicalOptions> & {
    readonly limit: number
    readonly onlyFiles?: ReadonlySet<number> | null
  },
): LexicalResult {
  const o = { ...BM25, ...options }
  const sums = new Accumulators(index)
  const list = new DecodedPostings()
  for (const { term, weight } of analysis.terms) {
    index.read(term, list)
    if (list.length > 0) addTerm(index, list, weight, sums, o)
  }
  const inside = sums.touched.subarray(0, sums.touchedCount)
  const { onlyFiles } = options
  const touched =
    onlyFiles == null ? inside : inside.filter((fragment) => onlyFiles.has(index.file[fragment] as number))
  let bestFragment = 0
  let bestDocument = 0
  for (const fragment of touched) {
    bestFragment = Math.max(bestFragment, sums.fragment[fragment] as number)
    bestDocument = Math.max(bestDocument, sums.document[index.file[fragment] as number] as number)
  }
  const scoreOf = (fragment: number): ScoredFragment => {
    const file = index.file[fragment] as number
    const fragmentScore = bestFragment > 0 ? (sums.fragment[fragment] as number) / bestFragment : 0
    const documentScore = bestDocument > 0 ? (sums.document[file] as number) / bestDocument : 0
    const score = (1 - o.documentShare) * fragmentScore + o.documentShare * documentScore
    return { fragment, file, fragmentScore, documentScore, score }
  }
  const share = o.documentShare
  const scores = new Float64Array(touched.length)
  for (let at = 0; at < touched.length; at++) {
    const fragment = touched[at] as number
    const own = (sums.fragment[fragment] as number) / bestFragment
    scores[at] =
      (1 - share) * own + (share * (sums.document[index.file[fragment] as number] as number)) / bestDocument
  }
  return { fragments: selectBest(touched, scores, o.limit).map(scoreOf), scoreOf, matched: touched.length }
}

/** The `limit` items with the highest scores, and every item that ties with the last of them; best first. */
function selectBest(items: Uint32Array, scores: Float64Array, limit: number): number[] {
  const best = keepBest(Math.min(limit, items.length))
  for (let at = 0; at < items.length; at++) best.offer(at, scores[at] as number)
  const floor = items.length > limit ? best.floor() : 0
  const kept = best.list().map(({ row }) => row)
  const among = new Set(kept)
  for (let at = 0; at < items.length; at++) if (scores[at] === floor && !among.has(at)) kept.push(at)
  return kept.map((at) => items[at] as number)
}
