// How near are two texts? The words that they share, long ones counted more.
import { analyzeWords } from '../parse/analyze-words.ts'

/** Shorter words are mostly grammar. */
const SHORTEST = 4

function wordsOf(text: string): Set<string> {
  const words = new Set<string>()
  analyzeWords(text, (term) => {
    if (term.length >= SHORTEST) words.add(term)
  })
  return words
}

/** Compares texts with one text: 0 when they share nothing. */
export function compareWords(one: string): (other: string) => number {
  let words: Set<string> | null = null
  return (other) => {
    words ??= wordsOf(one)
    let shared = 0
    for (const word of wordsOf(other)) if (words.has(word)) shared += Math.log2(word.length)
    return shared
  }
}
