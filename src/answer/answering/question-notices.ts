// Which notices does a search give in addition to its verdict? Unread files, near terms, a strategy other than the plain search.

import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { countEdits } from '../../model/config/nearest-name.ts'
import type { Strategy, StrategyName } from '../../model/digest.ts'
import { lastSegment } from '../../model/paths.ts'
import type { QueryAnalysis } from '../../model/report.ts'
import type { SkipReason } from '../../model/source-file.ts'
import { referring } from '../names/named-documents.ts'
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

/** Reasons of files that a person expects to be indexed. */
const unread: readonly SkipReason[] = ['parse-failed', 'too-large', 'unreadable', 'not-stored']
const UNREAD_SHOWN = 3

/** Files that the question names and that could not be read. A word names a file if it looks like a name, or occurs nowhere. */
export function describeUnread(reader: CorpusReader, question: string, analysis: QueryAnalysis): string[] {
  const lexical = reader.lexical()
  const words = analysis.terms
    .filter(({ term }) => referring.test(question) || lexical.count(term) === 0)
    .map(({ word }) => word.toLowerCase())
  if (words.length === 0) return []
  const isNamed = (path: string): boolean => {
    const name = lastSegment(path).toLowerCase()
    const parts = name.replace(/\.[^.]*$/, '').split(/[^\p{L}\p{N}]+/u)
    return words.some((word) => word === name || parts.includes(word))
  }
  return reader
    .skips(unread)
    .filter(({ path }) => isNamed(path))
    .slice(0, UNREAD_SHOWN)
    .map(({ path, detail }) => `${path} could not be read: ${detail}.`)
}

/** Words of headings and titles that are near these words, nearest first. */
export const findNearTerms = (reader: CorpusReader, words: readonly string[], limit?: number): string[] =>
  suggestTerms(words, nameWords(reader), limit)

export function noticesAbout(reader: CorpusReader, { sections, evidence: { missingWords } }: Ranking) {
  if (sections.length === 0) return []
  const near = missingWords.length > 0 ? findNearTerms(reader, missingWords, NEAR_TERMS) : []
  return near.length > 0 ? [`Near terms: ${near.map((term) => `“${term}”`).join(', ')}.`] : []
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
  for (const word of names
    .join('\n')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u))
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
