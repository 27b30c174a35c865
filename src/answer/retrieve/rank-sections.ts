// Which sections answer best? Two stages: fragments are scored and rejoined to sections; the best of these candidates are
// scored again by their features, and then together with the authority of their document.

import {
  type CanonicalityWeights,
  canonicalityWeights,
  scoreCanonicality,
} from '../../corpus/graph/score-canonicality.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { WINDOW_CHARS, type WordWindow } from '../../corpus/store/rows/section-words.ts'
import type { Lines } from '../../model/artifact.ts'
import type { Canonicality, Confidence } from '../../model/digest.ts'
import type { QueryAnalysis } from '../../model/report.ts'
import type { ArtifactRow, FileRow, MatchedFragment, RankedSection } from '../../model/section.ts'
import { isCodeKind } from '../../read/parse/artifact-kinds.ts'
import {
  type CandidateFacts,
  type FeatureInput,
  featuresFor,
  readEvidence,
  weighFeatures,
} from './feature-table.ts'
import { type Literal, LiteralFinder } from './find-literals.ts'
import type { FuseOptions } from './fuse-rankings.ts'
import { type AnswerEvidence, judgeAnswer } from './judge-answer.ts'
import { type FusedFragment, matchFragments } from './match-fragments.ts'
import { countWords, findMissingWords } from './missing-words.ts'
import type { LexicalOptions } from './score-lexical.ts'
import { QuestionView, weighCandidates } from './section-features.ts'
import { versionIn } from './section-roles.ts'
import { CANDIDATES, FRAGMENTS, NEAR, RELEVANCE_WEIGHT, VECTOR_WEIGHT, WITHOUT_PHRASE } from './tuning.ts'
import type { SimilarFragment } from './vector-search.ts'

export interface RankOptions {
  readonly now: number
  /** Depth of the first stage: how many fragments BM25 and vectors each bring in. */
  readonly fragments: number
  readonly lexical: Partial<LexicalOptions>
  /** Weight of relevance; the rest is canonicality's (record 0006 in docs/decisions). */
  readonly relevanceWeight: number
  readonly authority: CanonicalityWeights
  /** Nearest fragments by vector, best first; null for lexical search alone. */
  readonly similar: readonly SimilarFragment[] | null
  /** Share of the vector score in the fused relevance. */
  readonly vectorWeight: number
  readonly method: FuseOptions['method']
  /** Only these documents, when a reference in the question names them. */
  readonly onlyFiles: ReadonlySet<number> | null
  /** Boosts by file id, as a share of the relevance. */
  readonly boosts: ReadonlyMap<number, number>
  /** A folder, from the root, whose sections get a small boost; '' for none. */
  readonly near: string
}

export const rankDefaults: Omit<RankOptions, 'now'> = {
  fragments: FRAGMENTS,
  lexical: {},
  relevanceWeight: RELEVANCE_WEIGHT,
  authority: canonicalityWeights,
  similar: null,
  vectorWeight: VECTOR_WEIGHT,
  method: 'scores',
  onlyFiles: null,
  boosts: new Map(),
  near: '',
}

export interface Ranking {
  readonly sections: readonly RankedSection[]
  readonly matchedFragments: number
  /** Lexical score of the fragment's document, divided by that of the best document: 0 to 1. */
  readonly documentScore: (fragment: number) => number
  /** What the confidence is judged by. */
  readonly evidence: AnswerEvidence
  readonly confidence: Confidence
}

export interface FragmentGroup {
  readonly artifact: ArtifactRow
  readonly matches: Omit<MatchedFragment, 'score'>[]
  readonly best: FusedFragment
}

function compareSections(a: RankedSection, b: RankedSection): number {
  if (a.score !== b.score) return b.score - a.score
  return a.artifact.id < b.artifact.id ? -1 : a.artifact.id > b.artifact.id ? 1 : 0
}

/** Fragments by section, best section first. */
function groupFragments(reader: CorpusReader, fused: readonly FusedFragment[]): FragmentGroup[] {
  const groups = new Map<number, FragmentGroup>()
  for (const one of fused) {
    const { artifact, pieceStart, pieceEnd } = reader.match(one.fragment)
    const match = { pieceStart, pieceEnd, relevance: one.relevance }
    const group = groups.get(artifact.rowId)
    if (group !== undefined) group.matches.push(match)
    else groups.set(artifact.rowId, { artifact, matches: [match], best: one })
  }
  return [...groups.values()]
}

function foldPhrase(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ')
}

/** A quoted phrase must match as a phrase: fragments without it are demoted. */
function weighPhrases(
  reader: CorpusReader,
  fragments: readonly FusedFragment[],
  phrases: readonly string[],
): { fragments: readonly FusedFragment[]; missing: readonly string[] } {
  if (phrases.length === 0) return { fragments, missing: [] }
  const found = new Set<string>()
  const weighed = fragments.map((one) => {
    const { artifact, pieceStart, pieceEnd } = reader.fragment(one.fragment)
    const { text, pieces } = reader.text(artifact)
    const folded = foldPhrase(text.slice(pieces[pieceStart]?.start, pieces[pieceEnd - 1]?.end))
    const held = phrases.filter((phrase) => folded.includes(foldPhrase(phrase)))
    for (const phrase of held) found.add(phrase)
    return held.length === phrases.length ? one : { ...one, relevance: one.relevance * WITHOUT_PHRASE }
  })
  return {
    fragments: weighed.sort((a, b) => b.relevance - a.relevance),
    missing: phrases.filter((phrase) => !found.has(phrase)),
  }
}

/** Does the section hold every quoted phrase? */
export function holdsPhrases(
  reader: CorpusReader,
  { artifact }: RankedSection,
  phrases: readonly string[],
): boolean {
  const folded = foldPhrase(reader.text(artifact.rowId).text)
  return phrases.every((phrase) => folded.includes(foldPhrase(phrase)))
}

/** A candidate of the second stage, and what is known of it. */
interface WeighedCandidate {
  readonly group: FragmentGroup
  readonly owner: Owner
  readonly facts: CandidateFacts
}

interface Owner {
  readonly file: FileRow
  readonly canonicality: Canonicality
}

/** Files with their authority, each read once. */
function ownersIn(reader: CorpusReader, { now, authority }: RankOptions): (id: number) => Owner {
  const known = new Map<number, Owner>()
  return (id) => {
    let owner = known.get(id)
    if (owner === undefined) {
      const file = reader.file(id)
      owner = { file, canonicality: scoreCanonicality(file, { now, weights: authority }) }
      known.set(id, owner)
    }
    return owner
  }
}

/** A candidate whose text is read when a feature asks for it. A class: getters of object literals are slow to make. */
class CandidateInput implements FeatureInput {
  readonly kind: string
  readonly name: string
  readonly headings: readonly string[]
  readonly level: number
  readonly path: string
  readonly lines: Lines
  readonly title: string
  readonly words: WordWindow
  readonly tokens: number
  readonly relevance: number
  readonly document: number
  readonly vector: number | null
  readonly isSuperseded: boolean
  readonly #reader: CorpusReader
  readonly #rowId: number
  readonly #piece: number
  #text: string | null = null

  constructor(reader: CorpusReader, { artifact, best, matches }: FragmentGroup, { file }: Owner) {
    const { kind, headings, rowId } = artifact
    const piece = matches[0]?.pieceStart ?? 0
    this.kind = kind
    this.name = artifact.name
    this.headings = headings
    this.level = artifact.level
    this.path = file.path
    this.lines = artifact.ownLines ?? artifact.lines
    this.title = file.title
    this.words = reader.words(rowId).window(piece)
    this.tokens = artifact.tokens
    this.relevance = best.relevance
    this.document = best.document
    this.vector = best.vector
    this.isSuperseded = !isCodeKind(kind) && isSuperseded(reader, artifact.file, headings)
    this.#reader = reader
    this.#rowId = rowId
    this.#piece = piece
  }

  /** The text whose words are weighed. */
  get text(): string {
    if (this.#text === null) {
      const { text, pieces } = this.#reader.text(this.#rowId)
      const from = text.length <= WINDOW_CHARS ? 0 : (pieces[this.#piece]?.start ?? 0)
      this.#text = text.slice(from, from + WINDOW_CHARS)
    }
    return this.#text
  }
}

/** Release notes of a candidate release (2.0.0-rc.1) repeat those of the release itself (2.0.0). */
function isSuperseded(reader: CorpusReader, file: number, headings: readonly string[]): boolean {
  const version = headings.map(versionIn).find((one) => one !== null)
  if (version == null || version.pre === null) return false
  const names = reader.namesLike(file, version.release).map(versionIn)
  return names.some((one) => one !== null && one.pre === null && one.release === version.release)
}

/** The candidates of the first stage, best first, with second-stage features for the first of them. */
export function listCandidates(
  reader: CorpusReader,
  analysis: QueryAnalysis,
  options: Partial<RankOptions> & { now: number },
): CandidateList {
  const o: RankOptions = { ...rankDefaults, ...options }
  const lexical = reader.lexical()
  const { fragments, matched, documentScore, strength } = matchFragments(lexical, analysis, o)
  const weighed = weighPhrases(reader, fragments, analysis.phrases)
  const groups = groupFragments(reader, weighed.fragments)
  const ownerOf = ownersIn(reader, o)
  const top = groups.slice(0, CANDIDATES)
  const owners = top.map(({ artifact }) => ownerOf(artifact.file))
  const corpus = {
    frequency: (term: string) => lexical.count(term),
    fragments: lexical.livingFragments,
    has: (path: string) => reader.hasFile(path),
  }
  const view = new QuestionView(analysis, corpus)
  const finder = new LiteralFinder(analysis.text, corpus)
  const findIn = (some: readonly FragmentGroup[]): CandidateList['literals'] => finder.find(reader, some)
  const nearest = findIn(top)
  // A pasted log has many words that are not part of its message.
  const literals =
    nearest.length > 0 || !view.intent.has('error') ? nearest : findIn(groups.slice(CANDIDATES))
  const inputs = top.map((group, at) => new CandidateInput(reader, group, owners[at] as Owner))
  const facts = weighCandidates(view, inputs, corpus)
  const candidates = top.map((group, at) => ({
    group,
    owner: owners[at] as Owner,
    facts: facts[at] as CandidateFacts,
  }))
  return {
    candidates,
    others: groups.slice(CANDIDATES),
    ownerOf,
    literals,
    view,
    matched,
    documentScore,
    strength,
    missingPhrases: weighed.missing,
  }
}

export interface CandidateList {
  readonly candidates: readonly WeighedCandidate[]
  readonly others: readonly FragmentGroup[]
  readonly ownerOf: (file: number) => Owner
  /** Candidates that say exactly what the question quotes, in groups of the same words, best group first. */
  readonly literals: readonly (readonly Literal<FragmentGroup>[])[]
  readonly view: QuestionView
  readonly matched: number
  readonly documentScore: (fragment: number) => number
  readonly strength: number
  readonly missingPhrases: readonly string[]
}

/** The part of a score that puts a section before all others. */
export const EXACT_WORDS = 'exact words'
/** Difference of two scores that decides which section leads, and nothing else. */
const LEAD = 1e-6

/** Puts sections that say exactly what the question quotes before all others, and what they say before their other matches. */
function leadWithLiterals(
  reader: CorpusReader,
  sections: readonly RankedSection[],
  literals: CandidateList['literals'],
): RankedSection[] {
  if (literals.length === 0) return [...sections]
  const scoreOf = new Map(sections.map(({ artifact, score }) => [artifact, score]))
  const own = ({ section }: Literal<FragmentGroup>): number => scoreOf.get(section.artifact) as number
  const leading = literals.flatMap((alike) => alike.toSorted((a, b) => own(b) - own(a)))
  // A section with several literals takes the place of the best.
  const rankOf = new Map(leading.map(({ section }, at) => [section.artifact, at] as const).reverse())
  const top = Math.max(...sections.map(({ score }) => score))
  const relevance = Math.max(...sections.map(({ signals }) => signals.relevance))
  return sections.map((section) => {
    const rank = rankOf.get(section.artifact)
    if (rank === undefined) return section
    const { text, pieces } = reader.text(section.artifact.rowId)
    const pieceAt = (line: number): number => {
      let offset = 0
      for (let lines = 0; lines < line; lines++) offset = text.indexOf('\n', offset) + 1
      return pieces.findIndex(({ end }) => end > offset)
    }
    const { line, endLine } = (leading[rank] as Literal<FragmentGroup>).place
    const score = top + LEAD * (leading.length - rank)
    const match = { pieceStart: pieceAt(line), pieceEnd: pieceAt(endLine) + 1, relevance, score }
    const lead = section.score < top ? [{ name: EXACT_WORDS, effect: score - section.score }] : []
    return {
      ...section,
      score,
      signals: { ...section.signals, relevance, parts: [...lead, ...section.signals.parts] },
      matches: [match, ...section.matches],
    }
  })
}

/** Sections that match, best first; ties break by canonical id. */
export function rankSections(
  reader: CorpusReader,
  analysis: QueryAnalysis,
  options: Partial<RankOptions> & { now: number },
): Ranking {
  const { relevanceWeight, near } = { ...rankDefaults, ...options }
  const found = listCandidates(reader, analysis, options)
  const { candidates, others, ownerOf, strength, view } = found
  const counted = featuresFor(view.intent)
  const weighed = candidates.map(({ group, owner, facts }) => {
    const { worth, parts } = weighFeatures(facts, counted)
    if (near === '' || !owner.file.path.startsWith(`${near}/`)) return { group, owner, worth, parts }
    return { group, owner, worth: worth + NEAR, parts: [{ name: 'current folder', effect: NEAR }, ...parts] }
  })
  const best = weighed.reduce((most, { worth }) => Math.max(most, worth), 0)
  const least = weighed.reduce((low, { worth }) => Math.min(low, worth), best)
  // Candidates beyond the depth of the second stage come behind those that it scored.
  const rest = others.map((group) => ({
    group,
    owner: ownerOf(group.artifact.file),
    worth: Math.max(0, Math.min(least, group.best.relevance)),
    parts: [],
  }))
  const all = [...weighed, ...rest]
  const first = all.reduce((most, { group }) => Math.max(most, group.best.relevance), 0)
  const relevanceOf = (own: number): number => (first > 0 ? (strength * own) / first : 0)
  const sections = all.map(({ group, owner, worth, parts }, at): RankedSection => {
    const { relevance, lexical, document, vector } = group.best
    // Candidates are still in the order of the first stage.
    const ranks = { ...group.best.ranks, merged: at + 1 }
    const canonicality = owner.canonicality.score
    const authority = (1 - relevanceWeight) * canonicality
    const answer = best > 0 ? (relevanceWeight * strength * worth) / best : 0
    return {
      artifact: group.artifact,
      file: owner.file,
      canonicality: owner.canonicality,
      score: answer + authority,
      signals: { relevance: relevanceOf(relevance), lexical, document, vector, ranks, canonicality, parts },
      matches: group.matches.map((match) => ({
        pieceStart: match.pieceStart,
        pieceEnd: match.pieceEnd,
        relevance: relevanceOf(match.relevance),
        score: authority + (relevance > 0 ? (answer * match.relevance) / relevance : 0),
      })),
    }
  })
  // A caller who says what the answer says knows more than where the question's words come from, unless these are quoted.
  const leading =
    (analysis.callerTerms ?? []).length === 0
      ? found.literals
      : found.literals.map((alike) => alike.filter(({ isQuoted }) => isQuoted))
  const ranked = leadWithLiterals(reader, sections, leading).sort(compareSections)
  // Set in place: no other object has these sections yet.
  for (const [at, { signals }] of ranked.entries())
    (signals.ranks as Record<string, number>)['weighed'] = at + 1
  const factsOf = new Map(candidates.map(({ group, facts }) => [group.artifact, facts]))
  const missingWords = findMissingWords(analysis, (term) => reader.lexical().count(term), found.literals)
  const evidence: AnswerEvidence = {
    known: Math.min(view.known, 1 - missingWords.length / Math.max(1, countWords(analysis))),
    hasNames: analysis.identifiers.length > 0,
    missingWords,
    missingPhrases: analysis.intents.includes('error') ? [] : found.missingPhrases,
    candidates: ranked.map(({ artifact, signals }) => {
      const facts = factsOf.get(artifact)
      return { features: facts === undefined ? {} : readEvidence(facts), vector: signals.vector }
    }),
  }
  return {
    sections: ranked,
    matchedFragments: found.matched,
    documentScore: found.documentScore,
    evidence,
    confidence: judgeAnswer(evidence),
  }
}
