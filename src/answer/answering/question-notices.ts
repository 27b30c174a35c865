// Which notices does a search give in addition to its verdict? Corrected words, near terms, a strategy other than the plain search.

import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { DecodedPostings } from '../../corpus/store/postings/postings.ts'
import { countEdits } from '../../model/config/nearest-name.ts'
import type { Strategy, StrategyName } from '../../model/digest.ts'
import { termOf } from '../../read/parse/words/analyze-words.ts'
import { type CorrectedWord, correctSpelling, describeCorrections } from '../retrieve/correct-spelling.ts'
import type { Ranking } from '../retrieve/rank-sections.ts'

/** Maximum number of names considered for suggestions. */
const NAMES_LIMIT = 200_000
const NEAR_TERMS = 3

const counted = new WeakMap<
  CorpusReader,
  { generation: number | null; counts: ReadonlyMap<string, number> }
>()

/** Cached per state of the index: reading all names takes longer than the rest of a question. */
function nameWords(reader: CorpusReader): ReadonlyMap<string, number> {
  const generation = reader.meta('generation')
  let known = counted.get(reader)
  if (known?.generation !== generation || known === undefined) {
    known = { generation, counts: countNameWords(reader.names(NAMES_LIMIT)) }
    counted.set(reader, known)
  }
  return known.counts
}

/** Words of a question that no document has, with those that are searched instead. */
export function findSlips(reader: CorpusReader, question: string): readonly CorrectedWord[] {
  return reader.snapshot(() => {
    const lexical = reader.lexical()
    return correctSpelling(question, {
      count: (term) => lexical.count(term),
      termsLike: (letter, longest) => lexical.termsLike(letter, longest),
      wordsOf: (term) => wordsOf(reader, term),
    })
  })
}

/** In how many fragments a word is looked for that has a term. */
const SPELLED_IN = 40

function wordsOf(reader: CorpusReader, term: string): string[] {
  const lexical = reader.lexical()
  const list = new DecodedPostings()
  lexical.read(term, list)
  const holding = [...list.fragments.subarray(0, list.length)].sort(lexical.compare).slice(0, SPELLED_IN)
  const words = holding.flatMap((fragment) => {
    const { artifact } = reader.match(fragment)
    const { title, path } = reader.file(artifact.file)
    const text = [...artifact.headings, title, path, reader.text(artifact.rowId).text].join('\n')
    return text.toLowerCase().match(/[a-z]+/g) ?? []
  })
  return [...new Set(words)].filter((word) => termOf(word) === term)
}

/** Words of headings and titles that are near these words, nearest first. */
export function findNearTerms(reader: CorpusReader, words: readonly string[], limit?: number): string[] {
  return suggestTerms(words, nameWords(reader), limit)
}

export function noticesAbout(
  reader: CorpusReader,
  { sections, evidence: { missingWords } }: Ranking,
  corrected: readonly CorrectedWord[],
): string[] {
  if (sections.length === 0) return []
  const near = missingWords.length > 0 ? findNearTerms(reader, missingWords, NEAR_TERMS) : []
  const said = near.map((term) => `“${term}”`).join(', ')
  return [...describeCorrections(corrected), ...(near.length > 0 ? [`Near terms: ${said}.`] : [])]
}

const MAX_DISTANCE = 2
const LONG_WORD = 8

function distance(word: string, other: string): number {
  if (word.length >= 4 && other.startsWith(word)) return 1
  // "post" is too short a part of "postgresql" to be meant.
  if (other.length >= 4 && 2 * other.length >= word.length && word.startsWith(other)) return 1
  // Edit distance: the first letter is rarely mistyped, and two edits need a long word ("ages" does not mean "pods").
  if (word[0] !== other[0]) return Number.POSITIVE_INFINITY
  const limit = word.length < LONG_WORD ? 1 : MAX_DISTANCE
  const edits = countEdits(word, other, limit + 1)
  return edits <= limit ? edits : Number.POSITIVE_INFINITY
}

/** The words of headings and titles, with how often each occurs. */
function countNameWords(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const name of names)
    for (const word of name.toLowerCase().split(/[^\p{L}\p{N}]+/u))
      if (word.length > 2) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Up to `limit` of the counted words that are near one of the question's, nearest and most frequent first. */
function suggestTerms(words: readonly string[], counts: ReadonlyMap<string, number>, limit = 5): string[] {
  const found: { word: string; near: number; count: number }[] = []
  const asked = words.map((word) => word.toLowerCase()).filter((word) => word.length > 2)
  for (const [word, count] of counts) {
    const near = Math.min(...asked.map((other) => distance(other, word)))
    if (Number.isFinite(near) && near > 0) found.push({ word, near, count })
  }
  found.sort((a, b) => a.near - b.near || b.count - a.count || (a.word < b.word ? -1 : 1))
  return found.slice(0, limit).map(({ word }) => word)
}

/** What the step that answered means for the reader; it goes on from the reason. */
const consequences: Readonly<Record<StrategyName, string>> = {
  reference_filter: '; nothing else was searched',
  rewritten_boosted: '',
  rewritten: '',
  reference_boost: '; it counted for more',
  original: '',
  lowered_threshold: '',
}

/** Null for the usual way, and where the confidence says it. */
export function describeStrategy({ name, why }: Strategy): string | null {
  if (name === 'original' || name === 'lowered_threshold') return null
  return `${why.charAt(0).toUpperCase()}${why.slice(1)}${consequences[name]}.`
}
