// How much fits? Searched by halves: what passes with some passes with fewer.

/** The largest number up to the limit that passes; 0 if none does. */
export function largest(limit: number, passes: (count: number) => boolean): number {
  let [low, high] = [0, limit]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (passes(middle)) low = middle
    else high = middle - 1
  }
  return low
}
