// Which sections answer best? Two stages: fragments are scored and rejoined to sections; the best of these candidates are
// scored again by their features, and then together with the authority of their document.

import { scoreCanonicality } from '../../corpus/graph/score-canonicality.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { WINDOW_CHARS } from '../../corpus/store/rows/section-words.ts'
import { isCodeLanguage } from '../../model/code-languages.ts'
import { type Canonicality, type Confidence, RELEVANCE_WEIGHT } from '../../model/digest.ts'
import { compareText, lastSegment } from '../../model/paths.ts'
import { remember } from '../../model/remember.ts'
import type { QueryAnalysis, QueryTerm } from '../../model/report.ts'
import type {
  ArtifactRow,
  ArtifactText,
  FileRow,
  MatchedFragment,
  RankedSection,
} from '../../model/section.ts'
import { isCodeKind } from '../../read/parse/artifact-kinds.ts'
import {
  type CandidateFacts,
  type FeatureInput,
  featuresFor,
  readEvidence,
  weighFeatures,
} from './feature-table.ts'
import { findEditions, yieldToEditions } from './find-edition.ts'
import { leadWithLiterals, literalFinder } from './find-literals.ts'
import { type AnswerEvidence, judgeAnswer, type WordsOfFirst } from './judge-answer.ts'
import { type FusedFragment, type MatchOptions, matchFragments } from './match-fragments.ts'
import { isNamed, nameParts } from './match-names.ts'
import { compareWords, findMissingWords } from './missing-words.ts'
import { viewQuestion, weighCandidates } from './section-features.ts'
import { versionIn } from './section-roles.ts'
import { CANDIDATES, FRAGMENTS, NEAR, VECTOR_WEIGHT, WITHOUT_PHRASE } from './tuning.ts'

export interface RankOptions extends MatchOptions {
  readonly now: number
  /** A folder, from the root, whose sections get a small boost; '' for none. */
  readonly near: string
  /** Files are listed, and not passages: those that are named after the subject of the question come first. */
  readonly listsFiles: boolean
}

export const rankDefaults: Omit<RankOptions, 'now'> = {
  fragments: FRAGMENTS,
  similar: null,
  vectorWeight: VECTOR_WEIGHT,
  onlyFiles: null,
  boosts: new Map(),
  near: '',
  listsFiles: false,
}

export interface Ranking {
  readonly sections: readonly RankedSection[]
  /** Lexical score of a document by its file, divided by that of the best document: 0 to 1. */
  readonly documentScore: (file: number) => number
  /** Is the file a translation, or a version that the question does not want? */
  readonly isOtherEdition: (file: number) => boolean
  /** What the confidence is judged by. */
  readonly evidence: AnswerEvidence
  readonly confidence: Confidence
}

export interface FragmentGroup {
  readonly artifact: ArtifactRow
  readonly matches: Omit<MatchedFragment, 'score'>[]
  readonly best: FusedFragment
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

const foldPhrase = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ')

/** A quoted phrase must match as a phrase: fragments without it are demoted. */
function weighPhrases(reader: CorpusReader, fragments: readonly FusedFragment[], phrases: readonly string[]) {
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

interface Owner {
  readonly file: FileRow
  readonly canonicality: Canonicality
  /** The same page in the language and version that the question wants. */
  readonly yieldsTo: number | null
}

/** The files of candidates with their authority, each read once. */
function ownersIn(
  reader: CorpusReader,
  { now, boosts }: RankOptions,
  { question, files }: { readonly question: string; readonly files: ReadonlySet<number> },
): (id: number) => Owner {
  const rows = Array.from(files, (id) => reader.file(id))
  const documents = rows.filter(({ language }) => !isCodeLanguage(language))
  const wantedFor = findEditions(question, documents)
  return remember((id) => {
    const file = reader.file(id)
    const yieldsTo = boosts.has(id) || isCodeLanguage(file.language) ? null : wantedFor(file)
    return { file, canonicality: scoreCanonicality(file, { now }), yieldsTo }
  })
}

/** What is known of a candidate before it is compared with the question. Its text is read where a feature asks for it. */
function readInput(
  reader: CorpusReader,
  { group: { artifact, best, matches }, owner }: { readonly group: FragmentGroup; readonly owner: Owner },
  readsText: boolean,
): FeatureInput {
  const { kind, name, headings, level, tokens, rowId } = artifact
  const piece = matches[0]?.pieceStart ?? 0
  return {
    kind,
    name,
    headings,
    level,
    tokens,
    path: owner.file.path,
    title: owner.file.title,
    lines: artifact.ownLines ?? artifact.lines,
    words: reader.words(rowId).window(piece),
    text: readsText ? windowOf(reader.text(rowId), piece) : '',
    relevance: best.relevance,
    document: best.document,
    vector: best.vector,
    isSuperseded:
      owner.yieldsTo !== null || (!isCodeKind(kind) && isSuperseded(reader, artifact.file, headings)),
  }
}

/** The text whose words are weighed. */
function windowOf({ text, pieces }: ArtifactText, piece: number): string {
  const from = text.length <= WINDOW_CHARS ? 0 : (pieces[piece]?.start ?? 0)
  return text.slice(from, from + WINDOW_CHARS)
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
) {
  const o: RankOptions = { ...rankDefaults, ...options }
  const lexical = reader.lexical()
  const { fragments, documentScore, strength } = matchFragments(lexical, analysis, o)
  const weighed = weighPhrases(reader, fragments, analysis.phrases)
  const groups = groupFragments(reader, weighed.fragments)
  const files = new Set(groups.map(({ artifact }) => artifact.file))
  const ownerOf = ownersIn(reader, o, { question: analysis.text, files })
  const top = groups.slice(0, CANDIDATES).map((group) => ({ group, owner: ownerOf(group.artifact.file) }))
  const corpus = {
    frequency: (term: string) => lexical.count(term),
    fragments: lexical.livingFragments,
    has: (path: string) => reader.hasFile(path),
  }
  const view = viewQuestion(analysis, corpus)
  /** Those that say exactly what the question quotes, in groups of the same words, best group first. */
  const findIn = literalFinder(analysis.quotable ?? analysis.text, corpus, reader)
  const others = groups.slice(CANDIDATES)
  const nearest = findIn(top.map(({ group }) => group))
  // A pasted log has many words that are not part of its message.
  const literals = nearest.length > 0 || !view.intent.has('error') ? nearest : findIn(others)
  const inputs = top.map((one) => readInput(reader, one, view.hasIdentifiers))
  const facts = weighCandidates(view, inputs, corpus)
  return {
    candidates: top.map((one, at) => ({ ...one, facts: facts[at] as CandidateFacts })),
    others,
    ownerOf,
    literals,
    view,
    documentScore,
    strength,
    missingPhrases: weighed.missing,
  }
}

type CandidateList = ReturnType<typeof listCandidates>

/** Without the literals of a translation whose original has them, too. */
function withoutRepeated(literals: CandidateList['literals'], ownerOf: CandidateList['ownerOf']) {
  const files = new Set(literals.flat().map(({ section }) => section.artifact.file))
  return literals.map((alike) =>
    alike.filter(({ section }) => !files.has(ownerOf(section.artifact.file).yieldsTo ?? -1)),
  )
}

/** `ValueError: no such port`. */
const pastedMessage = /^\W{0,9}[\w.$]{0,80}(?:Error|Exception|Warning|[Pp]anic)\b[^:\n]{0,30}: \S/m

/** Sections that match, best first; ties break by canonical id. */
export function rankSections(
  reader: CorpusReader,
  analysis: QueryAnalysis,
  options: Partial<RankOptions> & { now: number },
): Ranking {
  const { near, listsFiles } = { ...rankDefaults, ...options }
  const found = listCandidates(reader, analysis, options)
  const { candidates, others, ownerOf, strength, view } = found
  const hasCode = candidates.some(({ facts }) => facts.isCode)
  const counted = featuresFor(view.intent, { listsFiles, hasCode })
  const weighed = candidates.map(({ group, owner, facts }) => {
    const { worth, parts } = weighFeatures(facts, counted)
    if (near === '' || !owner.file.path.startsWith(`${near}/`)) return { group, owner, worth, parts }
    return { group, owner, worth: worth + NEAR, parts: [{ name: 'current folder', effect: NEAR }, ...parts] }
  })
  const best = weighed.reduce((most, { worth }) => Math.max(most, worth), 0)
  const least = weighed.reduce((low, { worth }) => Math.min(low, worth), best)
  // Candidates beyond the depth of the second stage come behind those that it scored.
  const rest = others.map((group) => {
    const worth = Math.max(0, Math.min(least, group.best.relevance))
    return { group, owner: ownerOf(group.artifact.file), worth, parts: [] }
  })
  const all = [...weighed, ...rest]
  const first = all.reduce((most, { group }) => Math.max(most, group.best.relevance), 0)
  const relevanceOf = (own: number): number => (first > 0 ? (strength * own) / first : 0)
  const sections = all.map(({ group, owner, worth, parts }, at): RankedSection => {
    const { relevance, lexical, document, vector } = group.best
    // Candidates are still in the order of the first stage.
    const ranks = { ...group.best.ranks, fused: at + 1 }
    const canonicality = owner.canonicality.score
    const authority = (1 - RELEVANCE_WEIGHT) * canonicality
    const answer = best > 0 ? (RELEVANCE_WEIGHT * strength * worth) / best : 0
    return {
      artifact: group.artifact,
      file: owner.file,
      canonicality: owner.canonicality,
      score: answer + authority,
      yieldsTo: owner.yieldsTo,
      signals: { relevance: relevanceOf(relevance), lexical, document, vector, ranks, canonicality, parts },
      matches: group.matches.map((match) => ({
        pieceStart: match.pieceStart,
        pieceEnd: match.pieceEnd,
        relevance: relevanceOf(match.relevance),
        score: authority + (relevance > 0 ? (answer * match.relevance) / relevance : 0),
      })),
    }
  })
  const ordered = yieldToEditions(sections)
  const ranked = leadWithLiterals(reader, ordered, withoutRepeated(found.literals, ownerOf)).sort(
    (a, b) => b.score - a.score || compareText(a.artifact.id, b.artifact.id),
  )
  // Set in place: no other object has these sections yet.
  for (const [at, { signals }] of ranked.entries())
    (signals.ranks as Record<string, number>)['re-ranked'] = at + 1
  const factsOf = new Map(candidates.map(({ group, facts }) => [group.artifact, facts]))
  const missingWords = findMissingWords(analysis, (term) => reader.lexical().count(term), found.literals)
  const isReport = analysis.intents.includes('report')
  const [lead] = ranked
  const words = wordsOf(reader, lead)
  const compare = (terms: readonly QueryTerm[]): WordsOfFirst => compareWords(terms, words, reader.lexical())
  const literal = found.literals[0]?.find(({ section }) => section.artifact === lead?.artifact)
  const { callerTerms = [] } = analysis
  const evidence: AnswerEvidence = {
    asked: compare(analysis.terms),
    caller: callerTerms.length === 0 ? null : compare(callerTerms),
    isMessage: literal !== undefined && isCodeKind(literal.section.artifact.kind),
    isExact: literal !== undefined,
    exactAt: lead !== undefined && literal?.isVerbatim ? placeOf(lead, literal.place.line) : null,
    lacksMessage: literal === undefined && !isReport && pastedMessage.test(analysis.text),
    // A report has names and phrases of the reporter's own code, and of code that is to be written.
    names: isReport ? [] : analysis.identifiers,
    defined: analysis.identifiers.find((name) => lead !== undefined && isDefinition(lead, name)) ?? null,
    missingWords,
    missingPhrases: isReport || analysis.intents.includes('error') ? [] : found.missingPhrases,
    candidates: ranked.map(({ artifact, signals }) => {
      const facts = factsOf.get(artifact)
      const features = facts === undefined ? {} : readEvidence(facts)
      return { features, vector: signals.vector }
    }),
  }
  return {
    sections: ranked,
    documentScore: found.documentScore,
    isOtherEdition: (file) => ownerOf(file).yieldsTo !== null,
    evidence,
    confidence: judgeAnswer(evidence),
  }
}

/** The words and the names of a section; none without one. */
function wordsOf(
  reader: CorpusReader,
  section: RankedSection | undefined,
): Parameters<typeof compareWords>[1] {
  if (section === undefined) return { keys: null, names: '', text: '' }
  const { file, artifact } = section
  const names = [file.path, file.title, ...artifact.headings].join(' ')
  const text = `${names}\n${reader.text(artifact.rowId).text}`.toLowerCase()
  return { keys: reader.words(artifact.rowId).all().keys, names, text }
}

const isDefinition = ({ artifact }: RankedSection, name: string): boolean =>
  isCodeKind(artifact.kind) && isNamed(artifact, nameParts(name))

/** A line of a section's own text: `connect.js:146`. */
const placeOf = ({ file, artifact }: RankedSection, line: number): string =>
  `${lastSegment(file.path)}:${(artifact.ownLines ?? artifact.lines).start + line}`
