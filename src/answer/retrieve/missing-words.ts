// Which words of a question does no document have? What is found without them may answer something else.

import { readVocabulary, shippedModelFolder } from '../../corpus/embed/static-model.ts'
import { findToken, type Vocabulary } from '../../corpus/embed/vocabulary.ts'
import type { LexicalIndex } from '../../corpus/store/postings/lexical-index.ts'
import { wordKey } from '../../corpus/store/rows/section-words.ts'
import type { QueryAnalysis, QueryTerm } from '../../model/report.ts'
import { denseScripts, termOf, termsIn } from '../../read/parse/words/analyze-words.ts'
import type { Literal } from './find-literals.ts'
import type { WordsOfFirst } from './judge-answer.ts'
import { inverseFrequency } from './score-lexical.ts'

/** Endings without which the vocabulary may have the word: `leases`, `piling`. */
const endings = ['s', 'es', 'd', 'ed', 'ing', 'er', 'r', 'ly']
let known: Vocabulary | null | undefined

/** Without the shipped model no word counts as common. */
function isOrdinaryWord(word: string): boolean {
  if (known === undefined) {
    const folder = shippedModelFolder()
    known = folder === null ? null : readVocabulary(folder, 'vocab.txt')
  }
  const vocabulary = known
  if (vocabulary === null) return false
  const lower = word.toLowerCase()
  const bare = endings.filter((end) => lower.endsWith(end)).map((end) => lower.slice(0, -end.length))
  return [lower, ...bare, ...bare.map((one) => `${one}e`)].some(
    (one) => one.length > 2 && findToken(vocabulary, one) >= 0,
  )
}

/** Identifiers, matched as a whole: `getUserByName`, `max_tokens`. */
const name = /^[\p{L}_$][\p{L}\p{N}_$]*$/u
const compound = /_|[\p{Ll}\d]\p{Lu}/u
/** Fast path for plain words: compiling the patterns above costs more. */
const prose = /^[A-Za-z]?[a-z]*$/

const letters = /^\p{L}+$/u

/** Bare numbers (a line, a day) are ignored: their absence says nothing about the answer. */
const smallNumber = /^\d{1,4}(?:-\d{1,4})?$/

/** Does the word occur in some document? An identifier as a whole, any other word by each of its parts. */
function isKnown(word: string, found: readonly QueryTerm[], count: (term: string) => number): boolean {
  if (smallNumber.test(word)) return true
  // Several words in a row, as pairs of characters: some of these pairs are of no word.
  if (denseScripts.test(word)) return word.length === 1 || found.some(({ term }) => count(term) > 0)
  if (!prose.test(word) && name.test(word) && compound.test(word))
    return count(termOf(word.replaceAll('_', ''))) > 0
  const parts = found.length > 1 ? found.slice(0, -1) : found
  return parts.every(({ term }) => count(term) > 0)
}

/** A capital inside a sentence: `the Redis cache`. The first word, or each one, may have it for another reason. */
function isProperName(word: string, words: readonly string[]): boolean {
  const isCapital = (one: string): boolean => one.charAt(0) !== one.charAt(0).toLowerCase()
  return isCapital(word) && word !== words[0] && words.some((one) => !isCapital(one))
}

/** `today.` is `today` at the end of a sentence. Linear in the length, which a regular expression is not. */
function bare(word: string): string {
  let end = word.length
  while (end > 0 && `.,;:!?'"’”)`.includes(word.charAt(end - 1))) end--
  return word.slice(0, end)
}

/**
 * The words that are missing, when that says something about the answer: names, numbers and words that are not ordinary,
 * or all missing words where they are most of the question. Of a pasted error or report none: the names of the user's own code.
 * Where a section repeats all other words in their order, values such as `'+12zz'` are not missing.
 */
export function findMissingWords(
  analysis: QueryAnalysis,
  count: (term: string) => number,
  literals: readonly (readonly Pick<Literal<never>, 'isQuoted' | 'place'>[])[] = [],
): readonly string[] {
  if (analysis.intents.some((intent) => intent === 'error' || intent === 'report')) return []
  // Compounds of two neighbouring words are skipped: each word is checked by itself.
  const single = analysis.terms.filter(({ word }) => !word.includes(' '))
  const byWord = Map.groupBy(single, ({ word }) => word)
  const missing = [...byWord]
    .filter(([word, terms]) => !isKnown(word, terms, count))
    .map(([word]) => bare(word))
  const others = byWord.size - missing.length
  if (literals.some((alike) => alike.some(({ isQuoted, place }) => !isQuoted && place.words >= others)))
    return missing.filter((word) => letters.test(word))
  if (missing.length > 1 && missing.length * 2 > byWord.size) return missing
  const words = [...byWord.keys()].map(bare)
  return missing.filter((word) => !prose.test(word) || isProperName(word, words) || !isOrdinaryWord(word))
}

/** Which words of the question does a section have? By the keys of its words and by its names. */
export function compareWords(
  terms: readonly QueryTerm[],
  { keys, names, text }: { keys: Int32Array | null; names: string; text: string },
  lexical: LexicalIndex,
): WordsOfFirst {
  const held = new Set(keys ?? [])
  const named = new Set(termsIn(names))
  const words = new Map<string, { weight: number; held: number }>()
  for (const { term, word, weight: share } of terms) {
    if (word.includes(' ')) continue
    const weight = share * inverseFrequency(lexical.livingFragments, lexical.count(term))
    const has = named.has(term) || held.has(wordKey(term, false)) || held.has(wordKey(term, true))
    const known = words.get(word) ?? { weight: 0, held: 0 }
    words.set(word, { weight: known.weight + weight, held: known.held + (has ? weight : 0) })
  }
  const heaviest = [...words].sort(([, a], [, b]) => b.weight - a.weight)
  const has = heaviest.filter(([, one]) => one.held >= one.weight / 2).map(([word]) => bare(word))
  const sum = (read: (one: { weight: number; held: number }) => number): number =>
    heaviest.reduce((total, [, one]) => total + read(one), 0)
  return {
    has,
    literally: has.filter((word) => text.includes(word.toLowerCase())),
    lacks: heaviest.filter(([, one]) => one.held < one.weight / 2).map(([word]) => bare(word)),
    share: sum(({ held: own }) => own) / (sum(({ weight }) => weight) || 1),
  }
}
