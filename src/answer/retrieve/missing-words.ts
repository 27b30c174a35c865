// Which words of a question does no document have? What is found without them may answer something else.

import { isOrdinaryWord } from '../../corpus/embed/ordinary-words.ts'
import type { QueryAnalysis } from '../../model/report.ts'
import { denseScripts, termOf } from '../../read/parse/words/analyze-words.ts'
import { LARGE_CORPUS } from './tuning.ts'

interface MissingWords {
  /** As the question has them. */
  readonly words: readonly string[]
  /** Whether not one word of the question is in the index. */
  readonly all: boolean
}

/** Identifiers, matched as a whole: `getUserByName`, `max_tokens`. */
const name = /^[\p{L}_$][\p{L}\p{N}_$]*$/u
const compound = /_|[\p{Ll}\d]\p{Lu}/u
/** Fast path for plain words: compiling the patterns above costs more. */
const prose = /^[A-Za-z]?[a-z]*$/

/** Bare numbers (a line, a day) are ignored: their absence says nothing about the answer. */
const smallNumber = /^\d{1,4}(?:-\d{1,4})?$/

/** Does the word occur in some document? An identifier as a whole, any other word by each of its parts. */
function isKnown(word: string, terms: readonly string[], count: (term: string) => number): boolean {
  if (smallNumber.test(word)) return true
  // Several words in a row, as pairs of characters: some of these pairs are of no word.
  if (denseScripts.test(word)) return word.length === 1 || terms.some((term) => count(term) > 0)
  if (!prose.test(word) && name.test(word) && compound.test(word))
    return count(termOf(word.replaceAll('_', ''))) > 0
  const parts = terms.length > 1 ? terms.slice(0, -1) : terms
  return parts.every((term) => count(term) > 0)
}

export interface TermCounts {
  /** Document frequency: in how many fragments a term occurs. */
  readonly count: (term: string) => number
  readonly fragments: number
}

/** A capital inside a sentence: `the Redis cache`. The first word, or each one, may have it for another reason. */
function isProperName(word: string, words: readonly string[]): boolean {
  const isCapital = (one: string): boolean => one.charAt(0) !== one.charAt(0).toLowerCase()
  return isCapital(word) && word !== words[0] && words.some((one) => !isCapital(one))
}

/**
 * The words that are missing, when that says something about the answer: any word in a large corpus; in a small one
 * half of the words, or one that is a name, has a number in it or is no ordinary word.
 */
export function findMissingWords(analysis: QueryAnalysis, { count, fragments }: TermCounts): MissingWords {
  const byWord = new Map<string, string[]>()
  for (const { term, word } of analysis.terms) {
    // Compounds of two neighbouring words are skipped: each word is checked by itself.
    if (!word.includes(' ')) byWord.set(word, [...(byWord.get(word) ?? []), term])
  }
  const missing = [...byWord].filter(([word, terms]) => !isKnown(word, terms, count)).map(([word]) => word)
  const all = missing.length > 0 && analysis.terms.every(({ term }) => count(term) === 0)
  if (fragments >= LARGE_CORPUS || missing.length * 2 >= byWord.size) return { words: missing, all }
  const words = [...byWord.keys()]
  const says = (word: string): boolean =>
    !prose.test(word) || isProperName(word, words) || !isOrdinaryWord(word)
  return { words: missing.filter(says), all }
}

/** A sentence about them for whoever reads the answer; null when there is nothing to say. */
export function describeMissing({ words, all }: MissingWords, near: readonly string[]): string | null {
  if (words.length === 0) return null
  const said = `No document has ${words.slice(0, 5).join(', ')}${words.length > 5 ? ' …' : ''}`
  const meant = near.length > 0 ? ` Near terms: ${near.map((term) => `“${term}”`).join(', ')}.` : ''
  return all
    ? `${said}: what follows is only near in meaning, and may not answer the question.${meant}`
    : `${said}.${meant}`
}
