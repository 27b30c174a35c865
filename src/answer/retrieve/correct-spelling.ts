// Which word did a misspelled word of a question mean? The nearest indexed word within one or two typing errors.

import { isOrdinaryWord } from '../../corpus/embed/ordinary-words.ts'
import { countEdits } from '../../model/config/nearest-name.ts'
import { termOf } from '../../read/parse/words/analyze-words.ts'
import {
  ANY_SLIP_LETTERS,
  CORRECTED_LETTERS,
  CORRECTED_WORDS,
  MOST_LETTERS,
  NEAR_WORDS,
  SPELLED_WORDS,
  TWO_SLIPS_LETTERS,
} from './tuning.ts'

/** A word of the question that no document has, and the word of the corpus that is searched instead. */
export interface CorrectedWord {
  readonly word: string
  readonly meant: string
}

/** The terms of an index, and what they look like in its documents. */
export interface IndexedWords {
  /** Document frequency: in how many fragments a term occurs. */
  readonly count: (term: string) => number
  /** Terms that begin with `letter` and have at most `longest` letters. */
  readonly termsLike: (letter: string, longest: number) => readonly string[]
  readonly wordsOf: (term: string) => readonly string[]
}

/** Names, numbers and code are asked for as they are. */
const prose = /^[A-Za-z]?[a-z]+$/
const wordsIn = /(?<![\p{L}\p{N}_.\-/`"“])[A-Za-z]?[a-z]+(?![\p{L}\p{N}_`"”]|[.\-/][\p{L}\p{N}])/gu

const letters = [...'abcdefghijklmnopqrstuvwxyz']

/** All words that are one slip away: letters swapped, missing, doubled or wrong. The first letter is rarely wrong. */
function* oneSlipFrom(word: string): Generator<string> {
  for (let at = 1; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)]
    if (after.length > 1) yield `${before}${after.charAt(1)}${after.charAt(0)}${after.slice(2)}`
    // In a word of few letters other slips would find too much.
    if (word.length < ANY_SLIP_LETTERS) continue
    if (after !== '') yield before + after.slice(1)
    for (const letter of letters) {
      yield before + letter + after
      if (after !== '') yield before + letter + after.slice(1)
    }
  }
}

/** Terms of words that are near this one, the most frequent ones. */
function findNear(typed: string, slips: number, index: IndexedWords): string[] {
  const terms = new Set(index.termsLike(typed.charAt(0), typed.length + slips))
  const near = new Set<string>()
  // Stems hide how a word ends: the stem of `documentaiton` is not near `document`.
  for (const other of oneSlipFrom(typed)) {
    const term = termOf(other)
    if (terms.has(term)) near.add(term)
  }
  const stem = termOf(typed)
  if (near.size === 0 && slips > 1)
    for (const term of terms)
      if (prose.test(term) && countEdits(stem, term, slips + 1) <= slips) near.add(term)
  const counted = [...near].map((term) => ({ term, count: index.count(term) }))
  // A word that one fragment has may be the same slip.
  const frequent = counted
    .filter(({ count }) => count > 1)
    .sort((a, b) => b.count - a.count || (a.term < b.term ? -1 : 1))
  return frequent.slice(0, NEAR_WORDS).map(({ term }) => term)
}

/** The word of the documents with the fewest slips between, then the most frequent one. */
function findMeant(word: string, index: IndexedWords): string | null {
  const typed = word.toLowerCase()
  const slips = typed.length >= TWO_SLIPS_LETTERS ? 2 : 1
  let best: string | null = null
  let least = slips + 1
  for (const term of findNear(typed, slips, index))
    for (const meant of index.wordsOf(term)) {
      const edits = countEdits(typed, meant, least)
      if (edits >= least) continue
      best = meant
      least = edits
    }
  return best
}

/** The misspelled words of a question with their corrections. A long text is a log or a report, and is not corrected. */
export function correctSpelling(question: string, index: IndexedWords): readonly CorrectedWord[] {
  const words = [...new Set(question.match(wordsIn) ?? [])]
  if (words.length > SPELLED_WORDS) return []
  const unknown = words.filter(
    (word) =>
      word.length >= CORRECTED_LETTERS &&
      word.length <= MOST_LETTERS &&
      index.count(termOf(word)) === 0 &&
      !isOrdinaryWord(word),
  )
  return unknown.slice(0, CORRECTED_WORDS).flatMap((word) => {
    const meant = findMeant(word, index)
    return meant === null ? [] : [{ word, meant }]
  })
}

/** The question as it is searched. */
export function spellQuestion(question: string, corrected: readonly CorrectedWord[]): string {
  if (corrected.length === 0) return question
  const meant = new Map(corrected.map((one) => [one.word, one.meant]))
  return question.replace(wordsIn, (word) => meant.get(word) ?? word)
}

export function describeCorrections(corrected: readonly CorrectedWord[]): string[] {
  return corrected.map(
    ({ word, meant }) => `Searched for “${meant}” instead of “${word}”, which no document has.`,
  )
}
