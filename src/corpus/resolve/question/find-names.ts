// Where does a question name a document? A path, a quoted title, "the X page", "the guide to X", or a bare title.
import { endsWith, htmlExtensions, savedExtensions } from '../../../model/file-extensions.ts'
import { lastSegment } from '../../../model/paths.ts'
import { markupExtensions } from '../../../read/parse/text/text-formats.ts'
import { termOf } from '../../../read/parse/words/analyze-words.ts'
import { findWritten } from '../authors.ts'
import { isFixturePath } from '../code/code-roles.ts'
import type { DocumentNames } from '../document-names.ts'
import { normalizeSegments } from '../page-keys.ts'
import { decodePercent, readPlace } from '../read-target.ts'
import { meaningOf, type NameMeaning, rankNames, readName } from './rank-names.ts'
import { confidences, maxSharing } from './tuning.ts'
import {
  auxiliaries,
  determiners,
  idleAdjectives,
  isAskedVerb,
  isForm,
  isFunctionTerm,
  isSaying,
  linkers,
  termsOf,
  type Word,
} from './words.ts'

/** A part of the question that names a document: words from `from` up to `to`, and the name in them. */
interface Phrase {
  readonly from: number
  readonly to: number
  /** The words that name it, as written. */
  readonly name: string
  /** "A retry guide" asks whether one exists. */
  readonly indefinite: boolean
}

const maxName = 8
/** In a frame such as "what does the … page say" a name may be as long as a title. */
const maxFramed = 20
const tails = new Set(
  'about on for regarding called named titled describing explaining covering by from to'.split(' '),
)
const tailEnds = new Set('and or but with versus vs in that which is are was does do did say says'.split(' '))

/** Finds the phrases with an explicit form, left to right. */
export function findPhrases(asked: AskedWords): Phrase[] {
  const { words, taken } = asked
  const phrases: Phrase[] = []
  const isOpen = (at: number): boolean => !taken[at] && isForm(words[at]!.lower)
  let free = 0
  for (let at = 0; at < words.length; at++) {
    if (!isOpen(at)) continue
    const reader = { ...asked, free }
    const phrase = frameOver(reader, at) ?? before(reader, at) ?? after(reader, at)
    if (phrase === null) continue
    phrases.push(phrase)
    free = phrase.to
    at = Math.max(at, phrase.to - 1)
  }
  return phrases
}

/** A question with its words; taken ones belong to other references. */
export interface AskedWords {
  readonly question: string
  readonly words: readonly Word[]
  readonly taken: readonly boolean[]
  readonly names: DocumentNames
}

interface Reader extends AskedWords {
  /** Words before this belong to the previous phrase. */
  readonly free: number
}

function textOf({ question, words }: Reader, from: number, to: number): string {
  return from >= to ? '' : question.slice(words[from]!.start, words[to - 1]!.end)
}

function isFree({ taken, free }: Reader, from: number, to: number): boolean {
  return from >= free && !taken.slice(from, to).includes(true)
}

/** The frame of this form: its own, or that of a later one, as in "the guide to retries page". */
function frameOver(reader: Reader, at: number): Phrase | null {
  const end = Math.min(reader.words.length, at + maxFramed)
  for (let later = at; later < end; later++) {
    const phrase = isForm(reader.words[later]!.lower) ? framed(reader, later) : null
    if (phrase !== null && phrase.from <= at) return phrase
  }
  return null
}

/** "What does the … page say": everything in between. */
function framed(reader: Reader, at: number): Phrase | null {
  const { words } = reader
  if (!isSaying(words[at + 1]?.lower ?? '') || words[at]!.stop) return null
  for (let from = Math.max(reader.free, at - maxFramed); from + 2 < at; from++) {
    if (!auxiliaries.has(words[from]!.lower) || words[from + 1]!.lower !== 'the') continue
    if (!isFree(reader, from, at)) continue
    return phraseOf(reader, from + 2, at)
  }
  return null
}

function phraseOf(reader: Reader, from: number, at: number, indefinite = false): Phrase | null {
  const { words } = reader
  const isIdle = words.slice(from, at).every(({ lower }) => idleAdjectives.has(lower))
  if (from >= at || isIdle) return null
  return { from, to: at + 1, name: textOf(reader, from, at), indefinite }
}

/** "The X page" and "X page": up to the article, or up to a word that cannot be part of a name. */
function before(reader: Reader, at: number): Phrase | null {
  const { words } = reader
  let from = at
  let near: number | null = null
  let article: string | null = null
  while (
    from > Math.max(reader.free, at - maxName) &&
    isFree(reader, from - 1, at) &&
    !words[from - 1]!.stop
  ) {
    const { lower } = words[from - 1]!
    if (determiners.has(lower)) article = lower
    else if (linkers.has(lower)) near ??= from
    if (article !== null || linkers.has(lower)) break
    from--
  }
  const whole =
    article === null && near !== null ? null : phraseOf(reader, from, at, article === 'a' || article === 'an')
  if (near === null || (whole !== null && isCalled(whole.name, reader.names))) return whole
  return phraseOf(reader, near, at)
}

function isCalled(name: string, names: DocumentNames): boolean {
  const [first] = rankNames(name, names).ranked
  return first !== undefined && first.evidence.best > 0.999
}

/** "The page about X": up to the next phrase. */
function after(reader: Reader, at: number): Phrase | null {
  const { words } = reader
  const article = words[at - 1]?.lower ?? ''
  if (!determiners.has(article) || words[at]!.stop || !tails.has(words[at + 1]?.lower ?? '')) return null
  let to = at + 2
  while (
    to < words.length &&
    to < at + 2 + maxName &&
    !tailEnds.has(words[to]!.lower) &&
    isFree(reader, to, to + 1)
  ) {
    to++
    if (words[to - 1]!.stop) break
  }
  let from = at + 2
  while (from < to && determiners.has(words[from]!.lower)) from++
  if (from >= to) return null
  const indefinite = article === 'a' || article === 'an'
  return { from: at, to, name: textOf(reader, from, to), indefinite }
}

const quoted = /["“]([^"“”\n]{2,200})["”]/g

/** Quoted words that are a document's title or another of its names. */
export function findQuoted(
  question: string,
  names: DocumentNames,
): { start: number; end: number; meaning: NameMeaning }[] {
  return Array.from(question.matchAll(quoted)).flatMap((match) => {
    const ranking = rankNames(match[1]!, names)
    const exact = ranking.ranked.filter(({ evidence }) => evidence.best > 0.999)
    if (exact.length === 0) return []
    const meaning = readName(match[1]!, names)
    const start = match.index + 1
    return [{ start, end: start + match[1]!.length, meaning: exact.length > 1 ? meaning : raised(meaning) }]
  })
}

/** Quotation marks declare a name: one document of exactly this name is certain. */
function raised(meaning: NameMeaning): NameMeaning {
  return meaning.outcome === 'resolved'
    ? { ...meaning, confidence: Math.max(confidences.quoted, meaning.confidence), method: 'quoted' }
    : meaning
}

interface BareName {
  readonly from: number
  readonly to: number
  readonly meaning: NameMeaning
}

const maxWindow = 10
/** Maximum characters of a title. */
const maxBareChars = 200

/** Finds bare names, the longest first at each position. None is certain. */
export function findBareNames(asked: AskedWords): BareName[] {
  const { words, taken } = asked
  const found: BareName[] = []
  for (let from = 0; from < words.length; from++) {
    if (taken[from] || isFunctionTerm(termOf(words[from]!.lower)) || isAskedVerb(words, from)) continue
    const bare = authorAt(asked, from) ?? longestAt(asked, from)
    if (bare === null) continue
    if (bare.meaning !== null) found.push({ from, to: bare.to, meaning: bare.meaning })
    from = bare.to - 1
  }
  return found
}

/** "smith 2019", "Hummel et al. 2021"; one name alone ("jones") only as the whole question, or with a capital inside it. */
function authorAt(
  { question, words, taken, names }: AskedWords,
  from: number,
): { readonly to: number; readonly meaning: NameMeaning } | null {
  if (names.byAuthor(words[from]!.lower).length === 0) return null
  let to = from + 1
  const isPart = (word: Word): boolean =>
    /^(?:et|al|and|(?:19|20)\d\d)$/.test(word.lower) || names.byAuthor(word.lower).length > 0
  while (to < words.length && !taken[to] && !words[to - 1]!.stop && isPart(words[to]!)) to++
  while (/^(?:et|and)$/.test(words[to - 1]!.lower)) to--
  const said = words.slice(from, to).map(({ lower }) => lower)
  const documents = findWritten(names, said) ?? []
  const hasYear = said.some((word) => /^\d{4}$/.test(word))
  const isAlone = words.every(({ lower }, at) => (at >= from && at < to) || isFunctionTerm(termOf(lower)))
  const isCapital = from > 0 && /^\p{Lu}/u.test(question.slice(words[from]!.start))
  if (documents.length === 0 || !(hasYear || isAlone || isCapital)) return null
  return {
    to,
    meaning: meaningOf(documents, hasYear ? confidences.bareCitation : confidences.bareAuthor, 'author'),
  }
}

function longestAt(
  { question, words, taken, names }: AskedWords,
  from: number,
): { readonly to: number; readonly meaning: NameMeaning | null } | null {
  let end = from
  while (
    end < words.length &&
    end < from + maxWindow &&
    !taken[end] &&
    (end === from || !words[end - 1]!.stop)
  )
    end++
  for (let to = end; to > from; to--) {
    if (words[to - 1]!.end - words[from]!.start > maxBareChars) continue
    if (isFunctionTerm(termOf(words[to - 1]!.lower))) continue
    const { parts } = termsOf(question.slice(words[from]!.start, words[to - 1]!.end))
    const terms = parts.map((part) => names.term(part))
    if (terms.includes(-1)) continue
    // Fixtures have names such as `foo` or `index`: they are found by path, or as "the foo page".
    const documents = names.calledBy(terms).filter((document) => !isFixturePath(names.pathOf(document)))
    if (documents.length === 0) continue
    return {
      to,
      meaning: documents.length > 1 ? null : meaningOf(documents, bareConfidence(terms, names), 'called'),
    }
  }
  return null
}

/** At most a boost; a common word that happens to be a title gets none. */
function bareConfidence(terms: readonly number[], names: DocumentNames): number {
  if (terms.length > 1) return confidences.bareWords
  return names.frequency(terms[0]!) > maxSharing ? confidences.bareCommon : confidences.bareWord
}

/** A file that the question names explicitly. */
interface NamedFile {
  readonly start: number
  readonly end: number
  /** Possible documents; empty when there is no such file. */
  readonly documents: readonly number[]
}

const fileExtension = endsWith([...markupExtensions, ...htmlExtensions, ...savedExtensions])
const token = /[^\s"'`“”‘’<>()[\]{},;|*]{2,400}/g
const trailing = /[.:!?]{1,8}$/

/** Finds file names and paths, in the order of the text. Paths with spaces need quotes. */
export function findFiles(question: string, names: DocumentNames): NamedFile[] {
  return Array.from(question.matchAll(token)).flatMap((match) => {
    const written = match[0].replace(trailing, '')
    const path = readPlace(written)?.path ?? written.split('#', 1)[0]!
    const documents = documentsAt(path, names)
    if (documents.length === 0 && !fileExtension.test(path)) return []
    return [{ documents, start: match.index, end: match.index + written.length }]
  })
}

/** The exact path first, then paths that end with it. */
function documentsAt(written: string, names: DocumentNames): readonly number[] {
  const key = written.includes('://') ? '' : (normalizeSegments(decodePercent(written))?.toLowerCase() ?? '')
  if (!fileExtension.test(key) && !key.includes('/') && !names.isCodeFile(key)) return []
  const known = names.filesCalled(key)
  if (known.length > 0) {
    const whole = known.filter((document) => names.pathOf(document).toLowerCase() === key)
    return whole.length > 0 ? whole : known
  }
  if (!key.includes('/')) return []
  return names.filesCalled(lastSegment(key)).filter((document) => {
    const path = names.pathOf(document).toLowerCase()
    return path.endsWith(`/${key}`) || path.replace(/\.[a-z]{1,8}$/, '').endsWith(`/${key}`)
  })
}
