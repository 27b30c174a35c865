// Where does a question name a document by words? "The X page", "the guide to X", an author, a bare title.
import { isFixturePath } from '../../corpus/resolve/code/code-roles.ts'
import type { DocumentNames } from './document-names.ts'
import {
  determiners,
  idleAdjectives,
  isAskedVerb,
  isForm,
  isFunctionWord,
  linkers,
  termsOf,
  type Word,
} from './words.ts'

/** A question with its words; taken ones belong to other names. */
export interface AskedWords {
  readonly question: string
  readonly words: readonly Word[]
  readonly taken: readonly boolean[]
  readonly names: DocumentNames
}

/** Documents that a name may mean: none for an unknown name, several for an ambiguous one. */
export interface NameMeaning {
  readonly paths: readonly string[]
  readonly confidence: number
}

/** Confidence by kind of name. From 0.9 on a name filters, from 0.6 on it boosts. */
export const confidences = {
  /** A path, or a file's name with its extension. */
  path: 1,
  /** A decision id: in a file name or frontmatter; in one title; in several names, of which one is a prefix of the others. */
  id: { name: 1, title: 0.95, main: 0.9 },
  /** "The X paper" where X is authors or a year, or both, of one document. */
  author: 0.95,
  /** "The X page", or quoted: X is the title or file name of one document. */
  title: 0.92,
  /** Several words that the title, path and headings of one document have together, and of no other. */
  covered: 0.9,
  /** Most that other words of names reach, and least. */
  ranked: [0.5, 0.85],
  /** Most for a title without "the". */
  indefinite: 0.85,
  /** A title without a form such as "page": of several words; of one rare word. */
  bareWords: 0.75,
  bareWord: 0.65,
  /** An author with a year; an author alone, if nothing else is asked or the name is capitalised. */
  bareCitation: 0.85,
  bareAuthor: 0.75,
} as const

/** Minimum share of a mention, by inverse document frequency, in a document's names. */
const leastCover = 0.5
/** Scores closer than this are a tie; from `clear` on the first is as likely as names alone can say. */
const tie = 0.05
const clear = 0.5

/** Resolves words in the position of a document's name: the X of "the X page". */
export function readName(text: string, names: DocumentNames): NameMeaning {
  const written = names.written(text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])
  if (written.length > 0) return { paths: written, confidence: confidences.author }
  const called = names.called(text)
  if (called.length === 1) return { paths: called, confidence: confidences.title }
  if (called.length > 1) {
    const main = names.mostReferenced(called)
    return { paths: main === null ? called : [main], confidence: confidences.bareWords }
  }
  const ranked = names.rank(text)
  const [first, ...rivals] = ranked
  if (first === undefined || first.cover < leastCover) return { paths: [], confidence: 0 }
  const lead = first.score - (rivals[0]?.score ?? 0)
  if (lead < tie) return { paths: ranked.map(({ path }) => path), confidence: 0 }
  const isCovered = first.cover > 0.999 && first.own > 0 && rivals.every(({ cover }) => cover < 0.999)
  const [least, most] = confidences.ranked
  const confidence =
    isCovered && termsOf(text).length > 1
      ? confidences.covered
      : least + (most - least) * first.cover * Math.min(1, lead / clear)
  return { paths: [first.path], confidence }
}

/** Words from `from` up to `to`, with the name in them. */
interface Phrase {
  readonly from: number
  readonly to: number
  /** The words that name it, as written. */
  readonly name: string
  /** The most that its title counts: "a retry guide" asks whether one exists, and "retry guide" may be other words. */
  readonly most: number
}

const maxName = 10
const tails = new Set(
  'about on for regarding called named titled describing explaining covering by from to'.split(' '),
)
const tailEnds = new Set('and or but with versus vs in that which is are was does do did say says'.split(' '))
/** Forms that software has, too: a title alone does not make "the help page" a document. */
const things = /^(?:page|file|note|record|report|section)s?$/
const isIndefinite = (article: string): boolean => article === 'a' || article === 'an'

/** Finds the phrases with an explicit form, left to right. */
export function findPhrases(asked: AskedWords): Phrase[] {
  const phrases: Phrase[] = []
  let free = 0
  for (let at = 0; at < asked.words.length; at++) {
    if (asked.taken[at] || !isForm(asked.words[at]!.lower)) continue
    const phrase = before(asked, at, free) ?? after(asked, at)
    if (phrase === null) continue
    phrases.push(phrase)
    free = phrase.to
    at = Math.max(at, phrase.to - 1)
  }
  return phrases
}

/**
 * "The X page" and "X page": up to the article, or up to a word that cannot be part of a name, unless all of it is a
 * title, as in "the terms of service page".
 */
function before({ question, words, taken, names }: AskedWords, at: number, free: number): Phrase | null {
  const first = Math.max(free, at - maxName)
  let from = at
  let near: number | null = null
  while (from > first && !taken[from - 1] && !words[from - 1]!.stop) {
    const { lower } = words[from - 1]!
    if (determiners.has(lower)) break
    if (linkers.has(lower)) near ??= from
    from--
  }
  const article = words[from - 1]?.lower ?? ''
  const hasArticle = from > free && determiners.has(article)
  const phraseFrom = (start: number): Phrase | null => {
    if (words.slice(start, at).every(({ lower }) => idleAdjectives.has(lower))) return null
    // The form may be part of the title: "the cleanup runbook".
    const [short, long] = [at - 1, at].map((end) => question.slice(words[start]!.start, words[end]!.end))
    const name = names.called(long!).length > 0 ? long! : short!
    const isThing = name === long && things.test(words[at]!.lower)
    const isDefinite = start === from && hasArticle && !isIndefinite(article) && !isThing
    // "Update docs": one word before a form names nothing by that alone.
    if (!isDefinite && termsOf(name).length < 2 && names.written([name.toLowerCase()]).length === 0)
      return null
    return { from: start, to: at + 1, name, most: isDefinite ? 1 : confidences.indefinite }
  }
  if (near === null) return phraseFrom(from)
  const whole = hasArticle ? phraseFrom(from) : null
  return whole !== null && names.called(whole.name).length > 0 ? whole : phraseFrom(near)
}

/** "The page about X": up to the next phrase. */
function after({ question, words, taken }: AskedWords, at: number): Phrase | null {
  const article = words[at - 1]?.lower ?? ''
  if (!determiners.has(article) || words[at]!.stop || !tails.has(words[at + 1]?.lower ?? '')) return null
  let from = at + 2
  while (from < words.length && determiners.has(words[from]!.lower)) from++
  let to = from
  while (to < words.length && to < from + maxName && !tailEnds.has(words[to]!.lower) && !taken[to])
    if (words[to++]!.stop) break
  if (from >= to) return null
  const name = question.slice(words[from]!.start, words[to - 1]!.end)
  return { from: at, to, name, most: isIndefinite(article) ? confidences.indefinite : 1 }
}

interface BareName extends NameMeaning {
  readonly from: number
  readonly to: number
}

/** Finds bare names, the longest first at each position. None is certain. */
export function findBareNames(asked: AskedWords): BareName[] {
  const { words, taken } = asked
  const found: BareName[] = []
  for (let from = 0; from < words.length; from++) {
    if (taken[from] || isFunctionWord(words[from]!.lower) || isAskedVerb(words, from)) continue
    const bare = authorAt(asked, from) ?? titleAt(asked, from)
    if (bare === null) continue
    // Several documents of a bare name are ordinary words.
    if (bare.paths.length === 1) found.push(bare)
    from = bare.to - 1
  }
  return found
}

/** "smith 2019", "Hummel et al. 2021"; one name alone ("jones") only as the whole question, or with a capital inside it. */
function authorAt({ question, words, taken, names }: AskedWords, from: number): BareName | null {
  let to = from + 1
  const isPart = ({ lower }: Word): boolean => /^(?:et|al|and|(?:19|20)\d\d)$/.test(lower)
  while (to < words.length && !taken[to] && !words[to - 1]!.stop && isPart(words[to]!)) to++
  while (to > from + 1 && /^(?:et|and)$/.test(words[to - 1]!.lower)) to--
  const said = words.slice(from, to).map(({ lower }) => lower)
  const hasYear = said.slice(1).some((word) => /^\d{4}$/.test(word))
  const isAlone = words.every(({ lower }, at) => (at >= from && at < to) || isFunctionWord(lower))
  const isCapital = from > 0 && /^\p{Lu}/u.test(question.slice(words[from]!.start))
  const paths = hasYear || isAlone || isCapital ? names.written(said) : []
  if (paths.length === 0) return null
  return { from, to, paths, confidence: hasYear ? confidences.bareCitation : confidences.bareAuthor }
}

/** The longest title or file name that starts here. */
function titleAt({ question, words, taken, names }: AskedWords, from: number): BareName | null {
  let end = from + 1
  while (end < words.length && end < from + maxName && !taken[end] && !words[end - 1]!.stop) end++
  for (let to = end; to > from; to--) {
    if (isFunctionWord(words[to - 1]!.lower)) continue
    const text = question.slice(words[from]!.start, words[to - 1]!.end)
    // Fixtures have names such as `foo` or `index`: they are found by path, or as "the foo page".
    const paths = names.called(text).filter((path) => !isFixturePath(path))
    if (paths.length === 0) continue
    const isSingle = termsOf(text).length === 1
    if (isSingle && names.isCommon(text)) return null
    return { from, to, paths, confidence: isSingle ? confidences.bareWord : confidences.bareWords }
  }
  return null
}
