// Which way of searching answers? Certain references filter, likely ones boost, then the plain question, then a lower relevance threshold.

import { readPlace } from '../../corpus/resolve/read-target.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { Lines } from '../../model/artifact.ts'
import type { Confidence, NamedReference, Strategy } from '../../model/digest.ts'
import { compareText } from '../../model/paths.ts'
import type { QueryAnalysis, QueryTerm } from '../../model/report.ts'
import type { MatchedFragment, RankedSection } from '../../model/section.ts'
import { shapeOfKind } from '../../read/parse/artifact-kinds.ts'
import { analyzeQuery } from './analyze-query.ts'
import { addCallerWords, judgeWords, readWords, reportWords } from './caller-words.ts'
import { EXACT_WORDS } from './find-literals.ts'
import { type Ranking, type RankOptions, rankSections } from './rank-sections.ts'
import { stopWords } from './stop-words.ts'
import { certain, LEAD, likely, NAMED_BOOST, SIMILARITY_THRESHOLD } from './tuning.ts'

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
  /** A question of a conversation as an LLM rewrote it. A document that it names for certain is shown even if nothing in it matches. */
  readonly rewritten: QueryAnalysis | null
  readonly guide: WordMeaning
}

/** The caller's words by meaning. */
export interface WordMeaning {
  /** Cosine of the list with the question; null without embeddings. */
  readonly similarity: number | null
  /** What is near the question with all of the words, or with the names alone. */
  readonly near: (of: 'words' | 'names') => Partial<Pick<RankOptions, 'similar' | 'vectorWeight'>>
}

export const noWordMeaning: WordMeaning = { similarity: null, near: () => ({}) }

const cascadeDefaults: Omit<CascadeOptions, 'rank' | 'relevanceThreshold'> = {
  named: [],
  filterFrom: certain,
  boostFrom: likely,
  rewritten: null,
  guide: noWordMeaning,
}

export interface CascadeResult extends Ranking {
  readonly strategy: Strategy
  /** The threshold that the selection has to apply. */
  readonly relevanceThreshold: number
  /** Terms of the caller's words that were used. */
  readonly callerTerms?: readonly QueryTerm[]
  /** A name that the question asks about, and that nothing in the corpus defines or writes. */
  readonly unknownName?: string | undefined
}

function passes({ signals }: RankedSection, options: CascadeOptions): boolean {
  const byWords = signals.lexical > 0 && signals.relevance >= options.relevanceThreshold
  return byWords || (signals.vector !== null && signals.vector >= SIMILARITY_THRESHOLD)
}

const fileIds = (reader: CorpusReader, named: readonly NamedInQuestion[]): number[] =>
  named.flatMap(({ path }) => reader.fileByPath(path)?.id ?? [])

const listPaths = (named: readonly NamedInQuestion[]): string =>
  named
    .map(({ mention, path, confidence }) => `"${mention}" is ${path} (confidence ${round(confidence)})`)
    .join(', ')

const round = (confidence: number): number => Math.round(confidence * 100) / 100

/** A search that is confined to a named document always counts as a strong match: the user chose the document. */
const documentNamed: Confidence = { label: 'high', score: 1, why: 'the question names its document' }

/** Tries the steps in their order; the first that finds something answers. */
export function runCascade(
  reader: CorpusReader,
  analysis: QueryAnalysis,
  given: Partial<CascadeOptions> & Pick<CascadeOptions, 'rank' | 'relevanceThreshold'>,
): CascadeResult {
  const options: CascadeOptions = { ...cascadeDefaults, ...given }
  const { callerWords = [], callerNames = [], callerTerms: _, ...question } = analysis
  const alone = trySteps(reader, question, options)
  const result =
    callerWords.length === 0
      ? alone
      : askWithWords(reader, question, { callerWords, callerNames }, { alone, options })
  if (options.named.length === 0) return result
  const references = options.named.map(({ mention, path, confidence }) => {
    return { mention, path, confidence: round(confidence) }
  })
  return { ...result, strategy: { ...result.strategy, references } }
}

/** The same steps with the caller's words; where the question alone finds something exact, that stays first. */
function askWithWords(
  reader: CorpusReader,
  question: QueryAnalysis,
  { callerWords = [], callerNames = [] }: Pick<QueryAnalysis, 'callerWords' | 'callerNames'>,
  { alone, options }: { readonly alone: CascadeResult; readonly options: CascadeOptions },
): CascadeResult {
  const { rewritten, rank, guide } = options
  const askWith = (words: readonly string[], of: 'words' | 'names'): CascadeResult => {
    const asked = addCallerWords(question, words)
    const { callerTerms = [] } = asked
    if (callerTerms.length === 0) return alone
    const guided = trySteps(reader, asked, {
      ...options,
      rank: { ...rank, ...guide.near(of) },
      rewritten: rewritten === null ? null : { ...rewritten, callerTerms },
    })
    return { ...guided, callerTerms }
  }
  const facts = readWords(reader, callerWords, { alone, names: callerNames })
  const guided = askWith(facts.found, 'words')
  const together = guided.evidence.caller?.share ?? 0
  const use = judgeWords(callerWords, { ...facts, together, similarity: guide.similarity })
  const result = keepFirst(alone, use.setAside.length === 0 ? guided : askWith(use.used, 'names'))
  return { ...result, strategy: { ...result.strategy, callerWords: reportWords(use, facts) } }
}

/** An exact message, a named line or a name that is defined here: no guess of the caller takes its first place. */
function keepFirst(alone: CascadeResult, guided: CascadeResult): CascadeResult {
  const [first] = alone.sections
  const [other] = guided.sections
  const features = alone.evidence.candidates[0]?.features
  const isExact =
    first?.signals.parts.some(({ name }) => name === EXACT_WORDS) === true ||
    features?.namesLine === 1 ||
    features?.defines === 1
  if (first === undefined || !isExact || other?.artifact.id === first.artifact.id) return guided
  const { evidence, confidence } = alone
  const score = Math.max(first.score, (other?.score ?? 0) + LEAD)
  const others = guided.sections.filter(({ artifact }) => artifact.id !== first.artifact.id)
  return { ...guided, sections: [{ ...first, score }, ...others], evidence, confidence }
}

function trySteps(reader: CorpusReader, analysis: QueryAnalysis, options: CascadeOptions): CascadeResult {
  const { named, filterFrom, boostFrom, relevanceThreshold } = options
  const certain = named.filter(({ confidence }) => confidence >= filterFrom)
  const surely = certain.filter(({ exclusive }) => exclusive)
  let fellThrough = ''
  if (surely.length > 0) {
    const onlyFiles = new Set(fileIds(reader, surely))
    const rest = withoutMentions(options.rewritten ?? analysis, surely)
    const asked = options.rewritten !== null || rest.terms.length > 0 ? rest : analysis
    const ranking = rankSections(reader, asked, { ...options.rank, onlyFiles })
    const why = `the question names its document: ${listPaths(surely)}`
    const strategy = { name: 'reference_filter', why } as const
    const filtered = { confidence: documentNamed, strategy, relevanceThreshold: 0 }
    if (ranking.sections.length > 0)
      return { ...(rest.terms.length === 0 ? inFileOrder(reader, ranking, surely) : ranking), ...filtered }
    if (options.rewritten !== null) {
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
    const why = `${fellThrough}the question ${certain.length > 0 ? 'names' : 'may mean'} a document: ${listPaths(maybe)}`
    if (ranking.sections.some((section) => passes(section, options))) {
      const sections = leadWith(reader, ranking.sections, certain.filter(isPlain(analysis.text)), options)
      const isLed = boosts.has(ranking.sections[0]!.file.id)
      const confidence = isLed ? atLeastWeak(ranking.confidence) : ranking.confidence
      const strategy = { name: 'reference_boost', why } as const
      return { ...ranking, sections, confidence, strategy, relevanceThreshold }
    }
  }
  const ranking = rankSections(reader, analysis, options.rank)
  if (ranking.sections.length === 0 || ranking.sections.some((section) => passes(section, options))) {
    const strategy = { name: 'original', why: `${fellThrough}the question as it was asked` } as const
    return { ...ranking, strategy, relevanceThreshold }
  }
  const why = `${fellThrough}nothing reached the threshold of ${relevanceThreshold}, so it was lowered to 0`
  const confidence = atMostWeak(ranking.confidence)
  return { ...ranking, confidence, strategy: { name: 'lowered_threshold', why }, relevanceThreshold: 0 }
}

/** Does the question name the document itself? A pasted text has names in passing, and a folder is more than its README. */
const isPlain =
  (question: string): ((named: NamedInQuestion) => boolean) =>
  ({ mention, path }) =>
    !/[\r\n]/.test(question.trim()) &&
    !/["=]/.test(mention) &&
    (!mention.includes('/') || path.endsWith(mention.replace(/:\d+(?:-\d+)?$/, '')))

/** Sections of a document that the question names for certain come before all others. */
function leadWith(
  reader: CorpusReader,
  sections: readonly RankedSection[],
  named: readonly NamedInQuestion[],
  options: CascadeOptions,
): readonly RankedSection[] {
  const files = new Set(fileIds(reader, named))
  const own = sections.filter((section) => files.has(section.file.id) && passes(section, options))
  const [[first], [best]] = [own, sections]
  if (first === undefined || best === undefined) return sections
  const raised = own.map((section) => ({ ...section, score: (best.score * section.score) / first.score }))
  const isOwn = new Set(own)
  return [...raised, ...sections.filter((section) => !isOwn.has(section))].sort((a, b) => b.score - a.score)
}

/** A name alone has no words that speak for an answer; its document was found. */
function atLeastWeak(confidence: Confidence): Confidence {
  if (confidence.label !== 'none') return confidence
  return { ...confidence, label: 'low', why: 'the question may name the first document' }
}

function atMostWeak(confidence: Confidence): Confidence {
  if (confidence.label !== 'high') return confidence
  return { ...confidence, label: 'low', why: 'no section reaches the relevance threshold' }
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
      compareText(a.file.path, b.file.path) ||
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
  for (const one of likely)
    for (const file of fileIds(reader, [one]))
      boosts.set(file, Math.max(boosts.get(file) ?? 0, NAMED_BOOST * one.confidence))
  return boosts
}
