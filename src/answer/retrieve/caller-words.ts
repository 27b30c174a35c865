// What does the caller expect the answer to say? Words given with the question count as if they were part of it, unless the list as a whole leads away from it.

import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { wordKey } from '../../corpus/store/rows/section-words.ts'
import type { CallerWordsUse } from '../../model/digest.ts'
import type { QueryAnalysis } from '../../model/report.ts'
import { analyzeWords } from '../../read/parse/words/analyze-words.ts'
import { analyzeQuery } from './analyze-query.ts'
import type { Ranking } from './rank-sections.ts'
import { inverseFrequency } from './score-lexical.ts'
import { MOST_CALLER_WORDS, OWN_SECTIONS, WORDS_FIT } from './tuning.ts'

/** A caller's guess at what the text or code of the answer says; a text lists them with commas. */
export interface CallerWords {
  /** General vocabulary: `backoff`, `exponential`. */
  readonly words?: readonly string[] | string | undefined
  /** Identifiers: `retryDelay`, `--max-time`. */
  readonly names?: readonly string[] | string | undefined
}

/** Characters of one entry: a longer one is a text, not a word. */
const LONGEST_WORD = 80

/** The entries of a list, each once, in order; further ones than the limit are ignored. */
function listWords(given: CallerWords['words']): string[] {
  const entries = (typeof given === 'string' ? [given] : (given ?? []))
    .flatMap((entry) => entry.split(','))
    .map((entry) => entry.trim().slice(0, LONGEST_WORD))
    .filter((entry) => entry !== '')
  return [...new Set(entries)].slice(0, MOST_CALLER_WORDS)
}

export const listCallerWords = ({ words, names }: CallerWords): string[] => [
  ...new Set([...listWords(words), ...listWords(names)]),
]

export const listCallerNames = ({ names }: CallerWords): string[] => listWords(names)

/** The analysis with the terms of the caller's words that the question does not have itself. */
export function addCallerWords(analysis: QueryAnalysis, words: readonly string[]): QueryAnalysis {
  if (words.length === 0) return analysis
  const asked = new Set(analysis.terms.map(({ term }) => term))
  const callerTerms = analyzeQuery(words.join(' ')).terms.filter(({ term }) => !asked.has(term))
  return { ...analysis, callerTerms }
}

/** What is known of the caller's list: each word says little, all together tell whether they fit the question. */
export interface ListFacts {
  /** Words of which some text has a part. */
  readonly found: readonly string[]
  /** Those with a compound of which no text has more than parts. */
  readonly parts: readonly string[]
  /** Those given as names that some text has as a whole: `retryDelay`, `--max-time`. */
  readonly names: readonly string[]
  /** Cosine of the list with the question; null without embeddings. */
  readonly similarity: number | null
  /** Mean share of their weight that the question's own first sections have: 0 to 1. */
  readonly near: number
  /** Share of their weight that the first section has which is found with them: words of one answer occur together. */
  readonly together: number
}

/** Reads how the caller's words relate to the corpus and to what the question finds alone. */
export function readWords(
  reader: CorpusReader,
  given: readonly string[],
  { alone, names }: { readonly alone: Ranking; readonly names: readonly string[] },
): Omit<ListFacts, 'similarity' | 'together'> {
  const lexical = reader.lexical()
  /** Is each compound of an entry in the corpus? */
  const compoundsOf = (entry: string): boolean[] => {
    const found: boolean[] = []
    analyzeWords(entry, (term, whole) => {
      if (whole) found.push(lexical.count(term) > 0)
    })
    return found
  }
  const weighed = given.map((word) => {
    const single = analyzeQuery(word).terms.filter(({ word: from }) => !from.includes(' '))
    const weights = single.flatMap(({ term }) => {
      const holding = lexical.count(term)
      const keys = [wordKey(term, false), wordKey(term, true)]
      return holding === 0 ? [] : [{ keys, weight: inverseFrequency(lexical.livingFragments, holding) }]
    })
    return { word, weights, total: weights.reduce((sum, { weight }) => sum + weight, 0) }
  })
  const found = weighed.filter(({ total }) => total > 0)
  const first = alone.sections
    .slice(0, OWN_SECTIONS)
    .map(({ artifact }) => new Set(reader.words(artifact.rowId).all().keys))
  const shares = first.flatMap((held) =>
    found.map(
      ({ weights, total }) =>
        weights.reduce((sum, { keys, weight }) => sum + (keys.some((key) => held.has(key)) ? weight : 0), 0) /
        total,
    ),
  )
  return {
    found: found.map(({ word }) => word),
    parts: given.filter((entry) => compoundsOf(entry).includes(false)),
    names: names.filter((name) => compoundsOf(name).includes(true)),
    near: shares.reduce((sum, one) => sum + one, 0) / Math.max(1, shares.length),
  }
}

/** The words of a list that fits the question, or else its names that exist. */
export function judgeWords(
  given: readonly string[],
  { found, names, similarity, near, together }: ListFacts,
): CallerWordsUse {
  const fit = similarity === null ? WORDS_FIT.byWords : WORDS_FIT.withMeaning
  const sum = fit.similarity * (similarity ?? 0) + fit.near * near + fit.together * together
  const fits = (sum * found.length) / given.length > fit.from
  const used = fits ? found : found.filter((word) => names.includes(word))
  return {
    used,
    notFound: given.filter((word) => !found.includes(word)),
    setAside: found.filter((word) => !used.includes(word)),
  }
}

/** The report on the words: parts of a compound may be searched, but a name that no text has was not found. */
export function reportWords(
  { used, notFound, setAside }: CallerWordsUse,
  { parts }: Pick<ListFacts, 'parts'>,
): CallerWordsUse {
  const isWhole = (word: string): boolean => !parts.includes(word)
  return {
    used: used.filter(isWhole),
    notFound: [...new Set([...notFound, ...parts])],
    setAside: setAside.filter(isWhole),
  }
}
