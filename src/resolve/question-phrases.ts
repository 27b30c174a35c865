// Where does a question speak of a document? "The X page", "the guide to X", "Hummel et al. 2021", a quoted title.
import type { DocumentNames } from './document-names.ts'
import { meaningOf, type NameMeaning, readName } from './question-names.ts'
import { findWritten, isYear } from './question-people.ts'
import { rankNames } from './question-ranking.ts'
import {
  auxiliaries,
  determiners,
  idleAdjectives,
  innerLinkers,
  isForm,
  isPartForm,
  isSaying,
  linkers,
  type Word,
} from './question-words.ts'

/** A part of the question that speaks of a document: words from `from` up to `to`, and the name in them. */
export interface Phrase {
  readonly from: number
  readonly to: number
  /** The words that name it, as written. */
  readonly name: string
  /** "The retries section": a part of a document is meant. */
  readonly part: boolean
  /** "A retry guide" asks whether there is one. */
  readonly indefinite: boolean
}

const maxName = 8
/** In a frame such as "what does the … page say" a name may be as long as a title. */
const maxFramed = 20
const tails = new Set(
  'about on for regarding called named titled describing explaining covering by from to'.split(' '),
)
const tailEnds = new Set('and or but with versus vs in that which is are was does do did say says'.split(' '))

/** Finds the phrases with an explicit form, left to right; words that are taken belong to other references. */
export function findPhrases(
  question: string,
  words: readonly Word[],
  taken: readonly boolean[],
  names: DocumentNames,
): Phrase[] {
  const phrases: Phrase[] = []
  const isOpen = (at: number): boolean => !taken[at] && isForm(words[at]!.lower)
  let free = 0
  for (let at = 0; at < words.length; at++) {
    if (!isOpen(at)) continue
    const reader = { question, words, taken, names, free }
    const phrase = frameOver(reader, at) ?? before(reader, at) ?? after(reader, at)
    if (phrase === null) continue
    phrases.push(phrase)
    free = phrase.to
    at = Math.max(at, phrase.to - 1)
  }
  return phrases
}

interface Reader {
  readonly question: string
  readonly words: readonly Word[]
  readonly taken: readonly boolean[]
  readonly names: DocumentNames
  /** Words before this belong to the phrase before. */
  readonly free: number
}

function textOf({ question, words }: Reader, from: number, to: number): string {
  return from >= to ? '' : question.slice(words[from]!.start, words[to - 1]!.end)
}

function isFree({ taken, free }: Reader, from: number, to: number): boolean {
  return from >= free && !taken.slice(from, to).includes(true)
}

/** The frame that holds this form: its own, or that of a later one, as in "the guide to retries page". */
function frameOver(reader: Reader, at: number): Phrase | null {
  const end = Math.min(reader.words.length, at + maxFramed)
  for (let later = at; later < end; later++) {
    const phrase = isForm(reader.words[later]!.lower) ? framed(reader, later) : null
    if (phrase !== null && phrase.from <= at) return phrase
  }
  return null
}

/** "What does the … page say": everything between, whatever it is. */
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
  const part = isPartForm(words[at]!.lower)
  return { from, to: at + 1, name: textOf(reader, from, at), part, indefinite }
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
    if (article !== null || (linkers.has(lower) && !innerLinkers.has(lower))) break
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
  return { from: at, to, name: textOf(reader, from, to), part: isPartForm(words[at]!.lower), indefinite }
}

/** A citation: words, and what they mean. */
export interface AuthorYear {
  readonly from: number
  readonly to: number
  readonly meaning: NameMeaning
}

/** "Hummel et al. 2021", "Hummel et al.", "Hummel and Braun (2021)", "Hummel 2021". */
export function findCitations(
  words: readonly Word[],
  taken: readonly boolean[],
  names: DocumentNames,
): AuthorYear[] {
  const citations: AuthorYear[] = []
  for (let from = 0; from < words.length; from++) {
    if (taken[from] || linkers.has(words[from]!.lower) || isYear(words[from]!.lower)) continue
    const to = citationEnd(words, from, names)
    if (to === null || taken.slice(from, to).includes(true)) continue
    const spelled = words.slice(from, to).map(({ lower }) => lower)
    const found = findWritten(names.people, spelled) ?? []
    citations.push({ from, to, meaning: meaningOf(found, isYear(spelled.at(-1)!) ? 0.95 : 0.9, 'citation') })
    from = to - 1
  }
  return citations
}

/** Where a citation that starts here ends; null when none does. */
function citationEnd(words: readonly Word[], from: number, names: DocumentNames): number | null {
  let at = from + 1
  const lower = (index: number): string => words[index]?.lower ?? ''
  const isAuthor = names.people.authors.has(lower(from))
  if ((lower(at) === 'and' || lower(at) === '&') && isAuthor && names.people.authors.has(lower(at + 1)))
    at += 2
  const others = lower(at) === 'et' && lower(at + 1) === 'al'
  if (others) at += 2
  if (isYear(lower(at)) && (others || isAuthor)) return at + 1
  return others ? at : null
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

/** Quotation marks say that it is a name: one document that is called just so is certain. */
function raised(meaning: NameMeaning): NameMeaning {
  return meaning.outcome === 'resolved'
    ? { ...meaning, confidence: Math.max(0.92, meaning.confidence), method: 'quoted' }
    : meaning
}
