// What might the user have meant? Words of headings that are near the words that matched nothing.
import { countEdits } from '../config/nearest-name.ts'

const MAX_DISTANCE = 2
const LONG_WORD = 8

function distance(word: string, other: string): number {
  if (word.length >= 4 && (other.startsWith(word) || word.startsWith(other)) && other.length >= 4) return 1
  // A slip of the pen spares the first letter, and two slips need a long word: "pods" is not meant by "ages".
  if (word[0] !== other[0]) return Number.POSITIVE_INFINITY
  const limit = word.length < LONG_WORD ? 1 : MAX_DISTANCE
  const edits = countEdits(word, other, limit + 1)
  return edits <= limit ? edits : Number.POSITIVE_INFINITY
}

/** The words of headings and titles, with how often each occurs. */
export function countNameWords(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const name of names)
    for (const word of name.toLowerCase().split(/[^\p{L}\p{N}]+/u))
      if (word.length > 2) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Up to `limit` of the counted words that are near one of the question's, nearest and most frequent first. */
export function suggestTerms(
  words: readonly string[],
  counts: ReadonlyMap<string, number>,
  limit = 5,
): string[] {
  const found: { word: string; near: number; count: number }[] = []
  const asked = words.map((word) => word.toLowerCase()).filter((word) => word.length > 2)
  for (const [word, count] of counts) {
    const near = Math.min(...asked.map((other) => distance(other, word)))
    if (Number.isFinite(near) && near > 0) found.push({ word, near, count })
  }
  found.sort((a, b) => a.near - b.near || b.count - a.count || (a.word < b.word ? -1 : 1))
  return found.slice(0, limit).map(({ word }) => word)
}
