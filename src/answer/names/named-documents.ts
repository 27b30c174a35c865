// Which documents does a question name? Passes run from the most to the least certain, and a word belongs to the first
// that takes it: files, ids, quoted titles, "the X page", bare names. `find-names.ts` has the confidence of each.
import {
  addIds,
  type DecisionIds,
  findDecision,
  type IdFamily,
  makeDecisionIds,
} from '../../corpus/resolve/decision-ids.ts'
import { normalizeSegments } from '../../corpus/resolve/page-keys.ts'
import { decodePercent, readPlace } from '../../corpus/resolve/read-target.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { endsWith, htmlExtensions, savedExtensions } from '../../model/file-extensions.ts'
import type { QueryAnalysis } from '../../model/report.ts'
import { findIds, makeIdSearch } from '../../read/parse/find-ids.ts'
import { markupExtensions } from '../../read/parse/text/text-formats.ts'
import type { NamedInQuestion } from '../retrieve/run-cascade.ts'
import { certain } from '../retrieve/tuning.ts'
import { type DocumentNames, readDocumentNames } from './document-names.ts'
import { confidences, findBareNames, findPhrases, type NameMeaning, readName } from './find-names.ts'
import { isContent, isSaying, readWords, type Word } from './words.ts'

/** Up to this many words a question may be nothing but a document's name. */
const FEW_WORDS = 3

/** Cheap pre-check: a longer question without any of these (cue words, ids, paths, file names) names no document. */
export const referring: RegExp =
  /\b(?:page|doc|docs|document|guide|paper|article|section|chapter|tutorial|file|readme|runbook|spec|specification|proposal|record|report|note|notes)\b|\b[A-Za-z]{2,8}[-_ ]?\d{1,5}\b|\b\d{4}\b|[\w-]\.[a-z]{2,5}\b|\w\/\w|et al\b/i

/** With more words than these in addition to the name, the question is not confined to the named document. */
const OTHER_WORDS = 4

function countOthers(words: ReadonlySet<string>, mention: string): number {
  const named = mention.toLowerCase()
  return [...words].filter((word) => !word.includes(' ') && !named.includes(word.toLowerCase())).length
}

/** The names of one index; its decision ids are read once for each state of it. */
export class NamedDocuments {
  #ids: { readonly reader: CorpusReader; readonly version: string; readonly ids: DecisionIds } | null = null

  /** The documents that the question names, with how sure that is. */
  find(
    reader: CorpusReader,
    question: { text: string; analysis: QueryAnalysis; filterFrom?: number },
    families: readonly IdFamily[],
  ): NamedInQuestion[] {
    const terms = new Set(question.analysis.terms.map(({ word }) => word))
    const { text, filterFrom = certain } = question
    if (terms.size > FEW_WORDS && !referring.test(text)) return []
    const words = readWords(text)
    const ids = findIds(text, makeIdSearch([...makeDecisionIds(families).prefixes.keys()]))
    const decisions = ids.length > 0 ? this.#decisions(reader, families) : null
    const named = ids.flatMap(({ text: id, at }) => readId(id, at, decisions!))
    const found = withoutRepeats(readNames(text, words, readDocumentNames(reader), named))
    const exclusive = asksOnlyAbout(words, found, filterFrom)
    return found.flatMap(({ paths, mention, confidence }) => {
      const [path, ...others] = paths
      if (path === undefined || others.length > 0) return []
      const isOnly = exclusive && countOthers(terms, mention) <= OTHER_WORDS
      return [{ path, mention, confidence, exclusive: isOnly }]
    })
  }

  /** Reading them takes all documents. */
  #decisions(reader: CorpusReader, families: readonly IdFamily[]): DecisionIds {
    const version = `${reader.meta('generation')} ${JSON.stringify(families)}`
    if (this.#ids?.reader === reader && this.#ids.version === version) return this.#ids.ids
    const ids = makeDecisionIds(families)
    for (const { isCode, frontmatter, ...document } of reader.references().catalogue())
      if (isCode === 0) addIds(ids, { ...document, frontmatter: JSON.parse(frontmatter) })
    this.#ids = { reader, version, ids }
    return ids
  }
}

interface NamedSpan extends NameMeaning {
  readonly start: number
  readonly end: number
}

/** Empty for an id of another corpus. */
function readId(text: string, start: number, ids: DecisionIds): NamedSpan[] {
  const lookup = findDecision(ids, text)
  if (lookup.kind === 'foreign') return []
  const [paths, confidence] =
    lookup.kind === 'found'
      ? [[lookup.path], confidences.id[lookup.evidence]]
      : [lookup.kind === 'ambiguous' ? lookup.paths : [], 0]
  return [{ start, end: start + text.length, paths, confidence }]
}

const quoted = /["“]([^"“”\n]{2,200})["”]/g

/** Quoted words that are the title or file name of a document. */
const findQuoted = (question: string, names: DocumentNames): NamedSpan[] =>
  Array.from(question.matchAll(quoted)).flatMap(({ 1: text = '', index }) => {
    const paths = names.called(text)
    const at = { start: index + 1, end: index + 1 + text.length }
    return paths.length === 0 ? [] : [{ ...at, paths, confidence: confidences.title }]
  })

const fileExtension = endsWith([...markupExtensions, ...htmlExtensions, ...savedExtensions])
const token = /[^\s"'`“”‘’<>()[\]{},;|*]{2,400}/g
const trailing = /[.:!?]{1,8}$/

/** File names and paths. Those with spaces need quotes. */
const findFiles = (question: string, names: DocumentNames): NamedSpan[] =>
  Array.from(question.matchAll(token)).flatMap(({ 0: raw, index: start }) => {
    const written = raw.replace(trailing, '')
    const path = readPlace(written)?.path ?? written.split('#', 1)[0]!
    const paths = path.includes('://') ? [] : names.filesAt(normalizeSegments(decodePercent(path)) ?? '')
    if (paths.length === 0 && !fileExtension.test(path)) return []
    return [{ paths, confidence: confidences.path, start, end: start + written.length }]
  })

/** A name in words from `from` up to `to`. */
interface Found extends NameMeaning {
  readonly from: number
  readonly to: number
  readonly mention: string
}

function readNames(
  question: string,
  words: readonly Word[],
  names: DocumentNames,
  ids: readonly NamedSpan[],
): Found[] {
  const taken = words.map(() => false)
  const asked = { question, words, taken, names }
  const found: Found[] = []
  const take = (one: Found): void => {
    if (one.from >= one.to || taken.slice(one.from, one.to).includes(true)) return
    taken.fill(true, one.from, one.to)
    found.push(one)
  }
  const placed = [...findFiles(question, names), ...ids, ...findQuoted(question, names)]
  for (const { start, end, ...meaning } of placed) {
    const from = words.filter((word) => word.end <= start).length
    const to = words.filter((word) => word.start < end).length
    take({ ...meaning, from, to, mention: question.slice(start, end) })
  }
  for (const { name, most, ...place } of findPhrases(asked)) {
    const { paths, confidence } = readName(name, names)
    const isAuthor = confidence === confidences.author
    take({ ...place, mention: name, paths, confidence: isAuthor ? confidence : Math.min(most, confidence) })
  }
  for (const bare of findBareNames(asked))
    take({ ...bare, mention: question.slice(words[bare.from]!.start, words[bare.to - 1]!.end) })
  return found
}

/** Each document once, by its most certain mention, in the order of the text. */
function withoutRepeats(found: readonly Found[]): Found[] {
  const best = new Map<string, Found>()
  for (const one of found) {
    const key = one.paths.length === 1 ? one.paths[0]! : `${one.from}`
    if ((best.get(key)?.confidence ?? -1) < one.confidence) best.set(key, one)
  }
  return [...best.values()].sort((a, b) => a.from - b.from || a.to - b.to)
}

/** Words that introduce a topic outside of the document, which a filter would exclude. */
const beyond: ReadonlySet<string> = new Set(
  (
    'compare compared compares comparing comparison contrast versus vs differ differs difference differences relate relates ' +
    'related conflict conflicts contradict contradicts consistent match matches similar unlike than against besides except ' +
    'beyond outside apart excluding without despite other our my and or plus but with'
  ).split(' '),
)

/**
 * Does the question ask only about the documents it names? Only then is a search limited to them; otherwise they lead.
 * False if the question compares the document, excludes it, joins it with something else, has a second sentence, or a
 * name that is ambiguous or unknown. Words of an uncertain name count as outside of the certain ones, because a filter
 * would exclude their document.
 */
function asksOnlyAbout(words: readonly Word[], found: readonly Found[], filterFrom: number): boolean {
  if (found.length === 0 || found.some(({ paths }) => paths.length !== 1)) return false
  const sure = found.filter(({ confidence }) => confidence >= filterFrom)
  const counted = sure.length > 0 ? sure : found
  const free = words.filter((_, at) => !counted.some(({ from, to }) => at >= from && at < to))
  if (!free.some(({ lower }) => isContent(lower) && !isSaying(lower))) return true
  if (free.some(({ lower }) => beyond.has(lower))) return false
  return !words.some(({ last }, at) => last && at + 1 < words.length)
}
