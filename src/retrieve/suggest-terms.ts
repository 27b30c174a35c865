// What might the user have meant? Words of headings that are near the words that matched nothing.

const MAX_DISTANCE = 2
const LONG_WORD = 8

/** Edits between two words, up to `limit`; more than that is `limit + 1`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    let smallest = i
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const cost = Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1)
      next.push(cost)
      smallest = Math.min(smallest, cost)
    }
    if (smallest > limit) return limit + 1
    row = next
  }
  return row[b.length] as number
}

function distance(word: string, other: string): number {
  if (word.length >= 4 && (other.startsWith(word) || word.startsWith(other)) && other.length >= 4) return 1
  // A slip of the pen spares the first letter, and two slips need a long word: "pods" is not meant by "ages".
  if (word[0] !== other[0]) return Number.POSITIVE_INFINITY
  const limit = word.length < LONG_WORD ? 1 : MAX_DISTANCE
  const edits = editDistance(word, other, limit)
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
