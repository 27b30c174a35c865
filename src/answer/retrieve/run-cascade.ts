// Which way of searching answers? Certain references filter, likely ones boost, then the plain question, then a lower relevance threshold.

import { certain, likely } from '../../corpus/resolve/question/tuning.ts'
import { readPlace } from '../../corpus/resolve/read-target.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { Lines } from '../../model/artifact.ts'
import type { CallerWordsUse, Confidence, NamedReference, Strategy } from '../../model/digest.ts'
import type { QueryAnalysis } from '../../model/report.ts'
import type { MatchedFragment, RankedSection } from '../../model/section.ts'
import { shapeOfKind } from '../../read/parse/artifact-kinds.ts'
import { analyzeQuery } from './analyze-query.ts'
import { addCallerWords, rankByCallerWords } from './caller-words.ts'
import { type Ranking, type RankOptions, rankSections } from './rank-sections.ts'
import { stopWords } from './stop-words.ts'
import { NAMED_BOOST, SIMILARITY_THRESHOLD } from './tuning.ts'

export interface NamedInQuestion extends NamedReference {
  /** The rest of the question is about this document alone. */
  readonly exclusive: boolean
}

interface CascadeOptions {
  readonly rank: Partial<RankOptions> & { readonly now: number }
  readonly named: readonly NamedInQuestion[]
  /** From here on a reference is certain and filters (step 0a). */
  readonly filterFrom: number
  /** From here on it boosts (step 0b). */
  readonly boostFrom: number
  /** The relevance below which a section does not pass. */
  readonly relevanceThreshold: number
  /** The question rewritten by an LLM, when one is configured. */
  readonly rewritten: QueryAnalysis | null
  /** Whether a document that the question names for certain is shown even if nothing in it matches: "tell me more about the second one". */
  readonly overview: boolean
}

const cascadeDefaults: Omit<CascadeOptions, 'rank' | 'relevanceThreshold'> = {
  named: [],
  filterFrom: certain,
  boostFrom: likely,
  rewritten: null,
  overview: false,
}

export interface CascadeResult extends Ranking {
  readonly strategy: Strategy
  /** The threshold that the selection has to apply. */
  readonly relevanceThreshold: number
}

function passes({ signals }: RankedSection, options: CascadeOptions): boolean {
  const byWords = signals.lexical > 0 && signals.relevance >= options.relevanceThreshold
  return byWords || (signals.vector !== null && signals.vector >= SIMILARITY_THRESHOLD)
}

function fileIds(reader: CorpusReader, paths: Iterable<string>): number[] {
  return [...paths].flatMap((path) => {
    const file = reader.fileByPath(path)
    return file === null ? [] : [file.id]
  })
}

function listPaths(named: readonly NamedInQuestion[]): string {
  return named
    .map(({ mention, path, confidence }) => `"${mention}" is ${path} (confidence ${round(confidence)})`)
    .join(', ')
}

function round(confidence: number): number {
  return Math.round(confidence * 100) / 100
}

/** A search that is confined to a named document always counts as a strong match: the user chose the document. */
const documentNamed: Confidence = {
  label: 'strong matches',
  score: 1,
  why: 'the question names its document',
}

/** Tries the steps in their order; the first that finds something answers. */
export function runCascade(
  reader: CorpusReader,
  analysis: QueryAnalysis,
  given: Partial<CascadeOptions> & Pick<CascadeOptions, 'rank' | 'relevanceThreshold'>,
): CascadeResult {
  const options: CascadeOptions = { ...cascadeDefaults, ...given }
  const { callerWords = [], callerTerms: _, ...question } = analysis
  const result = orderByWords(reader, question, {
    options,
    callerWords,
    alone: trySteps(reader, question, options),
  })
  if (options.named.length === 0) return result
  const references = options.named.map(({ mention, path, confidence }) => ({
    mention,
    path,
    confidence: round(confidence),
  }))
  return { ...result, strategy: { ...result.strategy, references } }
}

/** The step that answered stays as it is; the caller's words order its sections. */
function orderByWords(
  reader: CorpusReader,
  question: QueryAnalysis,
  {
    options,
    callerWords,
    alone,
  }: {
    readonly options: CascadeOptions
    readonly callerWords: readonly string[]
    readonly alone: CascadeResult
  },
): CascadeResult {
  if (callerWords.length === 0) return alone
  const { name } = alone.strategy
  const told = (result: CascadeResult, use: CallerWordsUse): CascadeResult => ({
    ...result,
    strategy: { ...result.strategy, callerWords: use },
  })
  if (name === 'reference_filter')
    return told(alone, { given: callerWords, used: false, why: 'the question names its document' })
  const asked = name.startsWith('rewritten') ? (options.rewritten ?? question) : question
  const maybe = options.named.filter(({ confidence }) => confidence >= options.boostFrom)
  const boosts = name.includes('boost') ? makeBoosts(reader, maybe) : new Map()
  const { ranking, use } = rankByCallerWords(reader, addCallerWords(asked, callerWords), alone, (analysis) =>
    rankSections(reader, analysis, { ...options.rank, boosts }),
  )
  return told({ ...alone, ...ranking, confidence: alone.confidence }, use)
}

function trySteps(reader: CorpusReader, analysis: QueryAnalysis, options: CascadeOptions): CascadeResult {
  const { named, filterFrom, boostFrom, relevanceThreshold } = options
  const surely = named.filter(({ confidence, exclusive }) => confidence >= filterFrom && exclusive)
  let fellThrough = ''
  if (surely.length > 0) {
    const paths = surely.map(({ path }) => path)
    const onlyFiles = new Set(fileIds(reader, paths))
    const rest = withoutMentions(analysis, surely)
    const asked = options.overview ? rest : analysis
    const ranking = rankSections(reader, asked, { ...options.rank, onlyFiles })
    const why = `the question names its document: ${listPaths(surely)}`
    const filtered = {
      confidence: documentNamed,
      strategy: { name: 'reference_filter', why },
      relevanceThreshold: 0,
    } as const
    if (ranking.sections.length > 0)
      return { ...(rest.terms.length === 0 ? inFileOrder(reader, ranking, surely) : ranking), ...filtered }
    if (options.overview) {
      const titles = [...onlyFiles].map((id) => reader.file(id).title).join(' ')
      const whole = rankSections(reader, analyzeQuery(titles), { ...options.rank, onlyFiles })
      if (whole.sections.length > 0) return { ...whole, ...filtered }
    }
    fellThrough = `nothing of the question is in what it names (${listPaths(surely)}); `
  }
  const maybe = named.filter(({ confidence }) => confidence >= boostFrom)
  const boosts = makeBoosts(reader, maybe)
  if (options.rewritten !== null) {
    const ranking = rankSections(reader, options.rewritten, { ...options.rank, boosts })
    const why = `${fellThrough}the question was rewritten${maybe.length > 0 ? ` and boosted: ${listPaths(maybe)}` : ''}`
    const name = boosts.size > 0 ? 'rewritten_boosted' : 'rewritten'
    if (ranking.sections.some((section) => passes(section, options)))
      return { ...ranking, strategy: { name, why }, relevanceThreshold }
  }
  if (boosts.size > 0) {
    const ranking = rankSections(reader, analysis, { ...options.rank, boosts })
    const why = `${fellThrough}the question may mean a document: ${listPaths(maybe)}`
    if (ranking.sections.some((section) => passes(section, options)))
      return {
        ...ranking,
        confidence: boosts.has(ranking.sections[0]!.file.id)
          ? atLeastWeak(ranking.confidence)
          : ranking.confidence,
        strategy: { name: 'reference_boost', why },
        relevanceThreshold,
      }
  }
  const ranking = rankSections(reader, analysis, options.rank)
  if (ranking.sections.length === 0 || ranking.sections.some((section) => passes(section, options)))
    return {
      ...ranking,
      strategy: { name: 'original', why: `${fellThrough}the question as it was asked` },
      relevanceThreshold,
    }
  const why = `${fellThrough}nothing reached the threshold of ${relevanceThreshold}, so it was lowered to 0`
  const confidence = atMostWeak(ranking.confidence)
  return { ...ranking, confidence, strategy: { name: 'lowered_threshold', why }, relevanceThreshold: 0 }
}

/** A name alone has no words that speak for an answer; its document was found. */
function atLeastWeak(confidence: Confidence): Confidence {
  if (confidence.label !== 'no match') return confidence
  return { ...confidence, label: 'weak matches', why: 'the question may name the first document' }
}

function atMostWeak(confidence: Confidence): Confidence {
  if (confidence.label !== 'strong matches') return confidence
  return { ...confidence, label: 'weak matches', why: 'no section reaches the relevance threshold' }
}

/** The question without the names of documents; no terms remain of "tell me more about the second one". */
function withoutMentions(analysis: QueryAnalysis, named: readonly NamedInQuestion[]): QueryAnalysis {
  const names = named.flatMap(({ mention }) => mention.toLowerCase().split(/[^\p{L}\p{N}]+/u))
  const said = new Set([...names, ...stopWords])
  const terms = analysis.terms.filter(({ word }) =>
    word
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .every((part) => part === '' || !said.has(part)),
  )
  return { ...analysis, terms }
}

/**
 * A question that is nothing but a name has no terms to rank by: sections come in the order of the file, those with the
 * named lines first and imports last.
 */
function inFileOrder(reader: CorpusReader, ranking: Ranking, named: readonly NamedInQuestion[]): Ranking {
  const places = named.flatMap(({ mention }) => readPlace(mention)?.lines ?? [])
  const isNamed = ({ ownLines }: RankedSection['artifact']): boolean =>
    ownLines !== null && places.some(({ start, end }) => ownLines.start <= end && ownLines.end >= start)
  const rank = ({ artifact }: RankedSection): number =>
    isNamed(artifact) ? 0 : shapeOfKind(artifact.kind) === 'import' ? 2 : 1
  const ordered = ranking.sections.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      (a.file.path < b.file.path ? -1 : a.file.path > b.file.path ? 1 : 0) ||
      a.artifact.lines.start - b.artifact.lines.start ||
      (a.artifact.id < b.artifact.id ? -1 : 1),
  )
  const top = Math.max(...ranking.sections.map(({ score }) => score))
  const sections = ordered.map((section, at) => {
    // Scores only encode this order; without terms no part of a section is better than its beginning.
    const score = top * (1 - at / (2 * ordered.length))
    const matches = isNamed(section.artifact) ? piecesAt(reader, section, places) : []
    return { ...section, score, matches: matches.map((match) => ({ ...match, score })) }
  })
  return { ...ranking, sections }
}

/** The pieces of a section that hold named lines. */
function piecesAt(
  reader: CorpusReader,
  { artifact, signals: { relevance } }: RankedSection,
  places: readonly Lines[],
): Omit<MatchedFragment, 'score'>[] {
  const { pieces } = reader.text(artifact.rowId)
  return places.flatMap(({ start, end }) => {
    const pieceStart = pieces.findIndex(({ lines }) => lines.end >= start)
    const pieceEnd = pieces.findLastIndex(({ lines }) => lines.start <= end) + 1
    return pieceStart === -1 || pieceEnd <= pieceStart ? [] : [{ pieceStart, pieceEnd, relevance }]
  })
}

function makeBoosts(reader: CorpusReader, likely: readonly NamedInQuestion[]): Map<number, number> {
  const boosts = new Map<number, number>()
  for (const { path, confidence } of likely)
    for (const file of fileIds(reader, [path]))
      boosts.set(file, Math.max(boosts.get(file) ?? 0, NAMED_BOOST * confidence))
  return boosts
}
