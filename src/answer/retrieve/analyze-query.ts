// What does a question ask for? Its index terms with weights, its quoted phrases, and its stop words.
import type { QueryAnalysis, QueryTerm } from '../../model/report.ts'
import { denseScripts, termOf, termsIn } from '../../read/parse/words/analyze-words.ts'
import { readIntents, readReportIntents } from './read-intent.ts'
import { readReport, withoutLogFrame } from './read-report.ts'
import { setApart, stopWords } from './stop-words.ts'
import { REPORT } from './tuning.ts'

/** Weight of two neighbouring words written as one (`load balancer` → `LoadBalancer`); words and identifiers have 1. */
const PAIR_WEIGHT = 0.5
/** Weight of a pair of characters of a script without spaces: a word has several (lab/records/2026-11-17-human-languages.md). */
const DENSE_WEIGHT = 0.35
/** Maximum number of terms of a question; the last ones of a longer one are not searched. */
const MOST_TERMS = 64

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

/** Terms by what they are, each with the word that it was first read from. */
type Terms = Map<string, QueryTerm>

/** The terms of a word. Single characters of a compound (`c` of `ctrl-c`, `t` of `can't`) count only if it has no longer part. */
function collectWord(word: string, into: Terms): void {
  const found = termsIn(word)
  const longer = found.filter((term) => term.length > 1)
  for (const term of longer.length > 0 ? longer : found)
    if (!into.has(term)) into.set(term, { term, word, weight: denseScripts.test(term) ? DENSE_WEIGHT : 1 })
}

function collectPairs(words: readonly string[], into: Terms): void {
  const plain = /^[\p{L}\p{N}]+$/u
  for (let at = 1; at < words.length; at++) {
    const [before, here] = [words[at - 1] as string, words[at] as string]
    if (!plain.test(before) || !plain.test(here) || before.length + here.length > 40) continue
    const term = termOf(before.toLowerCase() + here.toLowerCase())
    if (!into.has(term)) into.set(term, { term, word: `${before} ${here}`, weight: PAIR_WEIGHT })
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

/** Analyses a question, and a report line by line: its heaviest terms are searched. */
export function analyzeQuery(text: string): QueryAnalysis {
  const lines = readReport(text)
  if (lines === null) return analyzeQuestion(text)
  const read = lines.map(({ text: line, weight }) => ({ weight, ...analyzeQuestion(line) }))
  const found = new Map<string, { term: string; word: string; weight: number; count: number }>()
  for (const { terms, weight: share } of read)
    for (const { term, word, weight } of terms) {
      const { count = 0, ...known } = found.get(term) ?? { term, word, weight: 0 }
      found.set(term, { ...known, weight: Math.max(known.weight, share * weight), count: count + 1 })
    }
  const weighed = [...found.values()].map(({ count, weight, ...one }) => ({
    ...one,
    weight: weight * (1 + REPORT.repeated * Math.log2(count)),
  }))
  const understood = {
    // The sort is stable: of equal weights, the earlier one is searched.
    terms: weighed.sort((a, b) => b.weight - a.weight).slice(0, REPORT.terms),
    identifiers: [...new Set(read.flatMap(({ identifiers }) => identifiers))],
    names: [],
  }
  const said = lines.map((line) => line.text).join('\n')
  const ignored = [...new Set(read.flatMap((line) => line.ignored))]
  const quotable = lines.flatMap(({ text: line, isSample }) => (isSample ? [] : line)).join('\n')
  return { text: said, quotable, ...understood, phrases: [], intents: readReportIntents(said), ignored }
}

/** Stop words become terms only when they are meant as words, or when nothing else is left. */
function analyzeQuestion(text: string): QueryAnalysis {
  const { rest: unquoted, phrases } = splitPhrases(withoutLogFrame(text))
  // A call is a name: `retry()` counts as if it stood in code marks; `Task.cancel/2` names `Task.cancel`.
  const called = unquoted
    .replace(/([\p{L}\p{N}_$]{2,80})\(\)/gu, '`$1`')
    .replace(/(?<=\.[\p{L}_][\p{L}\p{N}_]{0,80}[!?]?)\/\d{1,2}(?![\p{L}\p{N}/.])/gu, '')
  const spaced = denseScripts.test(called) ? setApart(called) : called
  const words = spaced
    .split(/[\s,;:!?()[\]{}<>"“”…、。「」『』【】《》〈〉，；：！？（）]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
  const meant = findMeant(words, phrases)
  const isIdle = (word: string): boolean => stopWords.has(bareWord(word)) && !meant.has(bareWord(word))
  const kept = words.filter((word) => !isIdle(word))
  const searched = kept.length > 0 ? kept : words
  const terms: Terms = new Map()
  for (const word of searched) collectWord(word, terms)
  collectPairs(searched, terms)
  const understood = {
    terms: [...terms.values()].slice(0, MOST_TERMS),
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
