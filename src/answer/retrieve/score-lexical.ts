// How well do fragments and documents match the words? BM25 over weighted fields, for both in one pass over the postings.

import type { LexicalIndex } from '../../corpus/store/postings/lexical-index.ts'
import { DecodedPostings } from '../../corpus/store/postings/postings.ts'
import { remember } from '../../model/remember.ts'
import type { QueryTerm } from '../../model/report.ts'
import { keepBest } from './keep-best.ts'
import { BM25 } from './tuning.ts'

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
  /** The score of any fragment: one without the terms still has the share of its document. Until the next question is scored. */
  readonly scoreOf: (fragment: number) => ScoredFragment
  /** The score of a document by its file, at any time. */
  readonly documentScoreOf: (file: number) => number
}

/**
 * What a question adds up. Arrays by fragment are kept for the next question of the thread, and only what was touched is
 * made 0 again: of a million fragments, new ones for each question would make V8 collect garbage after each.
 */
class Accumulators {
  fragment: Float64Array = new Float64Array(0)
  document: Float64Array = new Float64Array(0)
  touched: Uint32Array = new Uint32Array(0)
  touchedCount = 0
  /** Counts the questions. */
  question = 0
  readonly list: DecodedPostings = new DecodedPostings()
  readonly found: DocumentCounts = new DocumentCounts()

  begin(index: LexicalIndex): void {
    for (let at = 0; at < this.touchedCount; at++) this.fragment[this.touched[at] as number] = 0
    this.touchedCount = 0
    this.question++
    this.document = new Float64Array(index.fileLimit)
    if (index.size <= this.fragment.length) return
    this.fragment = new Float64Array(index.size)
    this.touched = new Uint32Array(index.size)
  }
}

/** The weight of a term by IDF. */
export const inverseFrequency = (total: number, holding: number): number =>
  Math.log(1 + (total - holding + 0.5) / (holding + 0.5))

/** Length norms of every fragment: the same for every question. */
const normsOf = remember(({ body, meanBody }: LexicalIndex): Float64Array => {
  const { b } = BM25
  const norms = new Float64Array(body.length)
  for (let fragment = 0; fragment < body.length; fragment++)
    norms[fragment] = 1 - b + (b * (body[fragment] as number)) / meanBody
  return norms
}, new WeakMap())

/** What a term adds to documents: known before how many hold it. */
class DocumentCounts {
  files: Uint32Array = new Uint32Array(1024)
  /** A fragment of each: the length of a document is asked for by it. */
  inside: Uint32Array = new Uint32Array(1024)
  counts: Float64Array = new Float64Array(1024)

  reserve(length: number): void {
    if (length <= this.files.length) return
    this.files = new Uint32Array(length * 2)
    this.inside = new Uint32Array(length * 2)
    this.counts = new Float64Array(length * 2)
  }
}

const kept = new Accumulators()

/** Adds the contribution of the term whose list was read to every fragment and document that holds it. */
function addTerm(index: LexicalIndex, sums: Accumulators, weight: number): void {
  const { list, found } = sums
  const { fragments, packed, length } = list
  const { k1, headingWeight, titleWeight, pathWeight, documentK1, documentB } = BM25
  const { fragment: scores, document: documentScores, touched } = sums
  const norms = normsOf(index)
  const owners = index.file
  const fragmentIdf = weight * inverseFrequency(index.livingFragments, length)
  found.reserve(length)
  const { files, inside, counts } = found
  let touchedCount = sums.touchedCount
  let documents = 0
  let file = -1
  for (let at = 0; at < length; at++) {
    const fragment = fragments[at] as number
    const count = packed[at] as number
    const body = count & 0xffff
    const heading = (count >> 16) & 3
    const fixed = count < 1 << 18 ? 0 : titleWeight * ((count >> 18) & 3) + pathWeight * ((count >> 20) & 3)
    const frequency = body / (norms[fragment] as number) + headingWeight * heading + fixed
    const before = scores[fragment] as number
    if (before === 0) touched[touchedCount++] = fragment
    scores[fragment] = before + (fragmentIdf * frequency) / (k1 + frequency)
    const owner = owners[fragment] as number
    if (owner !== file) {
      file = owner
      files[documents] = owner
      inside[documents] = fragment
      counts[documents++] = fixed
    }
    counts[documents - 1] = (counts[documents - 1] as number) + (body + heading)
  }
  sums.touchedCount = touchedCount
  const documentIdf = weight * inverseFrequency(index.livingDocuments, documents)
  for (let at = 0; at < documents; at++) {
    const length = index.documentLength(inside[at] as number)
    const norm = 1 - documentB + (documentB * length) / index.meanDocument
    const saturated = (counts[at] as number) / (documentK1 * norm + (counts[at] as number))
    const owner = files[at] as number
    documentScores[owner] = (documentScores[owner] as number) + documentIdf * saturated
  }
}

/** The best `limit` fragments for the terms of a question. */
export function scoreLexical(
  index: LexicalIndex,
  terms: readonly QueryTerm[],
  { limit, onlyFiles }: { readonly limit: number; readonly onlyFiles: ReadonlySet<number> | null },
): LexicalResult {
  const sums = kept
  sums.begin(index)
  const { question, document: documents } = sums
  for (const { term, weight } of terms) {
    index.read(term, sums.list)
    if (sums.list.length > 0) addTerm(index, sums, weight)
  }
  const inside = sums.touched.subarray(0, sums.touchedCount)
  const touched =
    onlyFiles === null ? inside : inside.filter((fragment) => onlyFiles.has(index.file[fragment] as number))
  const best = findBest(index, sums, touched)
  const share = BM25.documentShare
  const documentScoreOf = (file: number): number =>
    best.document > 0 ? (documents[file] ?? 0) / best.document : 0
  const scoreOf = (fragment: number): ScoredFragment => {
    if (sums.question !== question) throw new Error('the sums of this question are gone')
    const file = index.file[fragment] as number
    const fragmentScore = best.fragment > 0 ? (sums.fragment[fragment] as number) / best.fragment : 0
    const documentScore = documentScoreOf(file)
    const score = (1 - share) * fragmentScore + share * documentScore
    return { fragment, file, fragmentScore, documentScore, score }
  }
  const chosen = selectBest(index, sums, { touched, best, limit })
  return { fragments: chosen.map(scoreOf), scoreOf, documentScoreOf }
}

function findBest({ file }: LexicalIndex, sums: Accumulators, touched: Uint32Array) {
  const { fragment: scores, document: documents } = sums
  let [fragment, document] = [0, 0]
  for (let at = 0; at < touched.length; at++) {
    const one = touched[at] as number
    const own = scores[one] as number
    const whole = documents[file[one] as number] as number
    if (own > fragment) fragment = own
    if (whole > document) document = whole
  }
  return { fragment, document }
}

/** The `limit` fragments with the highest scores, and every one that ties with the last of them. */
function selectBest(
  { file }: LexicalIndex,
  { fragment: scores, document: documents }: Accumulators,
  { touched, best, limit }: { touched: Uint32Array; best: ReturnType<typeof findBest>; limit: number },
): number[] {
  const share = BM25.documentShare
  const kept = keepBest(Math.min(limit, touched.length))
  /** Fragments that were among the best when they came, with their scores: the last of the best only rises. */
  const near: number[] = []
  const scored: number[] = []
  const [own, whole] = [(1 - share) / best.fragment, share / best.document]
  let floor = kept.floor()
  for (let at = 0; at < touched.length; at++) {
    const fragment = touched[at] as number
    const sum = scores[fragment] as number
    const document = documents[file[fragment] as number] as number
    // Products are quicker than the divisions that decide, and off by less than this.
    if ((sum * own + document * whole) * (1 + 1e-9) < floor) continue
    const score = (1 - share) * (sum / best.fragment) + (share * document) / best.document
    if (score < floor) continue
    near.push(fragment)
    scored.push(score)
    kept.offer(at, score)
    floor = kept.floor()
  }
  return near.filter((_, at) => (scored[at] as number) >= floor)
}
