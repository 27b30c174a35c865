// Which valid name was probably meant? The one with the fewest edits, if they are few enough.

/** The valid name nearest to `given`, or null when none is near. Ties go to the first in the list. */
export function nearestName(given: string, valid: readonly string[]): string | null {
  const wanted = fold(given)
  if (wanted.length === 0 || wanted.length > 64) return null
  const allowed = Math.max(1, Math.floor(wanted.length / 3))
  let best: string | null = null
  let bestEdits = allowed + 1
  for (const name of valid) {
    const edits = countEdits(wanted, fold(name), bestEdits)
    if (edits < bestEdits) {
      best = name
      bestEdits = edits
    }
  }
  return best
}

// max_tokens, MaxTokens and max-tokens are one word to a person.
const fold = (name: string): string => name.toLowerCase().replaceAll(/[-_ ]/g, '')

/** Insertions, deletions, replacements and swaps of neighbours; `limit` when there are at least that many. */
export function countEdits(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = last[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1)
      let edits = Math.min(replaced, last[column]! + 1, current[column - 1]! + 1)
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        edits = Math.min(edits, beforeLast[column - 2]! + 1)

      current.push(edits)
    }
    beforeLast = last
    last = current
  }
  return Math.min(last[b.length]!, limit)
}
