// What does the caller expect the answer to say? Each word and name given with the question is judged by itself: used like a word of the question, found nowhere, or set aside because it leads away.

import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { wordKey } from '../../corpus/store/rows/section-words.ts'
import type { CallerWordsUse } from '../../model/digest.ts'
import type { QueryAnalysis } from '../../model/report.ts'
import { analyzeWords } from '../../read/parse/words/analyze-words.ts'
import { analyzeQuery } from './analyze-query.ts'
import type { Ranking } from './rank-sections.ts'
import { inverseFrequency } from './score-lexical.ts'
import { MOST_CALLER_WORDS, OWN_SECTIONS, WORD_FIT } from './tuning.ts'

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

export function listCallerWords({ words, names }: CallerWords): string[] {
  return [...new Set([...listWords(words), ...listWords(names)])]
}

export function listCallerNames({ names }: CallerWords): string[] {
  return listWords(names)
}

/** The analysis with the terms of the caller's words that the question does not have itself. */
export function addCallerWords(analysis: QueryAnalysis, words: readonly string[]): QueryAnalysis {
  if (words.length === 0) return analysis
  const asked = new Set(analysis.terms.map(({ term }) => term))
  const callerTerms = analyzeQuery(words.join(' ')).terms.filter(({ term }) => !asked.has(term))
  return { ...analysis, callerTerms }
}

/** What is known of a given word. */
export interface WordFacts {
  readonly word: string
  /** Does some text have it? */
  readonly isFound: boolean
  /** Given as a name, and some text has all of it: `retryDelay`, `--max-time`; plain words do not count. */
  readonly isName: boolean
  /** Cosine with the question; null without embeddings. */
  readonly similarity: number | null
  /** Mean share of its weight that the question's own first sections have: 0 to 1. */
  readonly near: number
}

/** Reads how each word relates to the corpus and to what the question finds alone. */
export function readWords(
  reader: CorpusReader,
  given: readonly string[],
  {
    alone,
    names,
    similarityOf,
  }: {
    readonly alone: Ranking
    /** Those of them that are given as names of code. */
    readonly names: ReadonlySet<string>
    readonly similarityOf: (word: string) => number | null
  },
): WordFacts[] {
  const lexical = reader.lexical()
  const exists = (name: string): boolean => {
    let isThere = false
    analyzeWords(name, (term, whole) => {
      if (whole && lexical.count(term) > 0) isThere = true
    })
    return isThere
  }
  const first = alone.sections
    .slice(0, OWN_SECTIONS)
    .map(({ artifact }) => new Set(reader.words(artifact.rowId).all().keys))
  return given.map((word) => {
    const weights = analyzeQuery(word)
      .terms.filter(({ word: from }) => !from.includes(' '))
      .map(({ term }) => ({ term, holding: lexical.count(term) }))
      .filter(({ holding }) => holding > 0)
      .map(({ term, holding }) => ({
        keys: [wordKey(term, false), wordKey(term, true)],
        weight: inverseFrequency(lexical.livingFragments, holding),
      }))
    const total = weights.reduce((sum, { weight }) => sum + weight, 0)
    const shareIn = (held: ReadonlySet<number>): number =>
      weights.reduce((sum, { keys, weight }) => sum + (keys.some((key) => held.has(key)) ? weight : 0), 0) /
      total
    const shares = total === 0 ? [] : first.map(shareIn)
    return {
      word,
      isFound: total > 0,
      isName: names.has(word) && exists(word),
      similarity: similarityOf(word),
      near: shares.reduce((sum, one) => sum + one, 0) / Math.max(1, shares.length),
    }
  })
}

/** Which of the given words count: those that are near the question, by themselves and as a list, and names that exist. */
export function judgeWords(facts: readonly WordFacts[]): CallerWordsUse {
  const found = facts.filter(({ isFound }) => isFound)
  const meanOf = (read: (facts: WordFacts) => number): number =>
    found.reduce((sum, one) => sum + read(one), 0) / Math.max(1, found.length)
  const list = { similarity: meanOf(({ similarity }) => similarity ?? 0), near: meanOf(({ near }) => near) }
  const fit = facts.some(({ similarity }) => similarity !== null) ? WORD_FIT.withMeaning : WORD_FIT.byWords
  const isUsed = ({ isName, similarity, near }: WordFacts): boolean =>
    isName ||
    fit.similarity * (similarity ?? 0) +
      fit.near * near +
      fit.lists * list.similarity +
      fit.listNear * list.near >
      fit.from
  return {
    used: found.filter(isUsed).map(({ word }) => word),
    notFound: facts.filter(({ isFound }) => !isFound).map(({ word }) => word),
    setAside: found.filter((one) => !isUsed(one)).map(({ word }) => word),
  }
}
