// What does a question ask for? Its index terms with weights, its quoted phrases, and its stop words.
import type { QueryAnalysis } from '../../model/report.ts'
import { analyzeWords, denseScripts, termOf } from '../../read/parse/words/analyze-words.ts'
import { readIntents } from './read-intent.ts'
import { setApart, stopWords } from './stop-words.ts'

export interface QueryOptions {
  /** Weight of an identifier as a whole, in addition to its parts. */
  readonly wholeWeight: number
  /** Weight of two neighbouring words written as one (`load balancer` → `LoadBalancer`). */
  readonly pairWeight: number
  /** Maximum number of terms; the last ones of a very long question are not searched. */
  readonly maxTerms: number
}

export const queryDefaults: QueryOptions = { wholeWeight: 1, pairWeight: 0.5, maxTerms: 64 }

const contraction = /^(?:[a-z]+n't|[a-z]+'(?:s|re|ve|ll|d|m))$/

/** The word without a full stop and a contraction's end, for the stop list: `them.` → `them`, `what's` → `what`, `don't` → `do`. */
function bareWord(word: string): string {
  const lower = word
    .replace(/(?<![.'’])[.'’]+$/, '')
    .toLowerCase()
    .replaceAll('’', "'")
  return contraction.test(lower) ? lower.replace(/(?:n't|'[a-z]+)$/, '') : lower
}

function splitPhrases(text: string): { rest: string; phrases: string[] } {
  const phrases: string[] = []
  const rest = text.replace(/["“”]([^"“”]{2,400})["“”]/g, (_, phrase: string) => {
    if (/\S/.test(phrase)) phrases.push(phrase.trim())
    return ` ${phrase} `
  })
  return { rest, phrases }
}

/** Times of day with or without a date, and hashes and ids in hexadecimal: of a pasted log, and in no document. */
const passing =
  /(?:\b\d{4}[-/]\d\d[-/]\d\d[T ]|\b)\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z\b|[+-]\d\d:?\d\d\b)?|\b(?=[a-f]{0,40}\d)(?=\d{0,40}[a-f])[0-9a-f]{12,64}\b/g
/** Names of fields that log lines are made of: `"level":`, `msg=`. */
const logField =
  /"(?:t|ts|time|timestamp|level|lvl|severity|caller|logger|msg|message|error|errorType|err|status|statusCode|code|method|path|pid|hostname|stack|stacktrace)":|\b(?:ts?|time|timestamp|level|lvl|severity|caller|logger|msg|err|status|method|path|pid)=/g

/** A question without what every log has. */
export function withoutLogFrame(text: string): string {
  return text.replace(passing, ' ').replace(logField, ' ')
}

class TermCollector {
  readonly terms = new Map<string, { term: string; word: string; weight: number }>()

  add(term: string, word: string, weight: number): void {
    const known = this.terms.get(term)
    if (known === undefined) this.terms.set(term, { term, word, weight })
    else if (known.weight < weight) this.terms.set(term, { ...known, weight })
  }
}

/** The terms of a word. Single characters of a compound (`c` of `ctrl-c`, `t` of `can't`) count only if it has no longer part. */
function collectWord(word: string, into: TermCollector, options: QueryOptions): void {
  const found: { term: string; weight: number }[] = []
  analyzeWords(word, (term, whole) => found.push({ term, weight: whole ? options.wholeWeight : 1 }))
  const longer = found.filter(({ term }) => term.length > 1)
  for (const { term, weight } of longer.length > 0 ? longer : found) into.add(term, word, weight)
}

function collectPairs(words: readonly string[], into: TermCollector, weight: number): void {
  const plain = /^[\p{L}\p{N}]+$/u
  for (let at = 1; at < words.length; at++) {
    const [before, here] = [words[at - 1] as string, words[at] as string]
    if (!plain.test(before) || !plain.test(here) || before.length + here.length > 40) continue
    into.add(termOf(before.toLowerCase() + here.toLowerCase()), `${before} ${here}`, weight)
  }
}

const identifier = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#)[\p{L}_$][\p{L}\p{N}_$]*)*$/u
/** A capital inside, an underscore, a dot between names. */
const compound =
  /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|[\p{L}\p{N}]_|_[\p{L}\p{N}]|[\p{L}\p{N}_](?:\.|::|#)[\p{L}_]/u

/** Fast path: plain words are no identifiers, and compiling the patterns above takes milliseconds at their first use. */
const proseWord = /^[A-Z]?[a-z]*[.'"]*$/

/** The identifiers among the words: by their form, by code marks, or as a call. */
function findIdentifiers(words: readonly string[]): string[] {
  const found = words.flatMap((word) => {
    if (proseWord.test(word)) return []
    const bare = word.replace(/^[`'"]+|(?<![`'".])[`'".]+$/g, '')
    const isMarked = word.startsWith('`') && bare.length > 2
    return identifier.test(bare) && (isMarked || compound.test(bare)) ? [bare] : []
  })
  return [...new Set(found)]
}

/** Up to this many words a capital marks a name; in a whole sentence it may start one. */
const FEW_WORDS = 3
const capitalised = /^[A-Z][A-Za-z0-9]+$/

function findNames(words: readonly string[]): string[] {
  if (words.length === 1) return [...words]
  return words.length <= FEW_WORDS ? words.filter((word) => capitalised.test(word)) : []
}

/** Stop words that are keywords of programming and query languages: a repeated one is searched. */
const alsoNames: ReadonlySet<string> = new Set(
  'all any each find get let like make needs own show take try use where while within without'.split(' '),
)
/** Share of words in capitals from which on capitals are a habit and mark no name. */
const SHOUTED = 0.5

/** Stop words that are still searched: in capitals, quoted by themselves, or repeated ("where is WHERE compiled?"). */
function findMeant(words: readonly string[], phrases: readonly string[]): ReadonlySet<string> {
  const meant = new Set(phrases.filter((phrase) => !/\s/.test(phrase)).map(bareWord))
  const inCapitals = words.filter((word) => /^[A-Z]{2,}$/.test(word))
  if (inCapitals.length < SHOUTED * words.length) for (const word of inCapitals) meant.add(bareWord(word))
  const seen = new Set<string>()
  for (const word of words.map(bareWord)) {
    if (seen.has(word) && alsoNames.has(word)) meant.add(word)
    seen.add(word)
  }
  return meant
}

/** Analyses a question. Stop words become terms only when they are meant as words, or when nothing else is left. */
export function analyzeQuery(text: string, options: Partial<QueryOptions> = {}): QueryAnalysis {
  const { pairWeight, maxTerms, ...rest } = { ...queryDefaults, ...options }
  const { rest: unquoted, phrases } = splitPhrases(withoutLogFrame(text))
  // A call is a name: `retry()` counts as if it stood in code marks.
  const called = unquoted.replace(/([\p{L}\p{N}_$]{2,80})\(\)/gu, '`$1`')
  const spaced = denseScripts.test(called) ? setApart(called) : called
  const words = spaced
    .split(/[\s,;:!?()[\]{}<>"“”…、。「」『』【】《》〈〉，；：！？（）]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
  const meant = findMeant(words, phrases)
  const isIdle = (word: string): boolean => stopWords.has(bareWord(word)) && !meant.has(bareWord(word))
  const kept = words.filter((word) => !isIdle(word))
  const searched = kept.length > 0 ? kept : words
  const collector = new TermCollector()
  for (const word of searched) collectWord(word, collector, { pairWeight, maxTerms, ...rest })
  if (pairWeight > 0) collectPairs(searched, collector, pairWeight)
  const understood = {
    terms: [...collector.terms.values()].slice(0, maxTerms),
    identifiers: findIdentifiers(words),
    names: findNames(words),
  }
  return {
    text,
    ...understood,
    phrases,
    intents: readIntents(text, understood),
    ignored: kept.length > 0 ? words.filter(isIdle) : [],
  }
}
