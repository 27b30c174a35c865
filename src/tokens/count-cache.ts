// How many tokens did this pretoken have last time? A fixed-size cache keyed by the bytes themselves.

/** Entries; a new pretoken replaces the one at its place, so memory never grows past this. */
const entryBits = 14
const entryCount = 1 << entryBits
/** Longer pretokens are rare and are merged again each time. */
const longestKey = 32

/** Exact: a hit means the same bytes, not only the same hash. */
export interface CountCache {
  /** The count stored for bytes[start, end), or 0. */
  readonly find: (bytes: Uint8Array, start: number, end: number, hash: number) => number
  readonly store: (bytes: Uint8Array, start: number, end: number, hash: number, count: number) => void
}

export function createCountCache(): CountCache {
  const hashes = new Int32Array(entryCount)
  const lengths = new Uint8Array(entryCount)
  const counts = new Uint8Array(entryCount)
  const keys = new Uint8Array(entryCount * longestKey)

  function find(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const entry = hash >>> (32 - entryBits)
    if (hashes[entry] !== hash || lengths[entry] !== end - start) return 0
    const offset = entry * longestKey - start
    for (let at = start; at < end; at++) if (keys[offset + at] !== bytes[at]) return 0
    return counts[entry]!
  }

  function store(bytes: Uint8Array, start: number, end: number, hash: number, count: number): void {
    if (end - start > longestKey) return
    const entry = hash >>> (32 - entryBits)
    const offset = entry * longestKey - start
    hashes[entry] = hash
    lengths[entry] = end - start
    counts[entry] = count
    for (let at = start; at < end; at++) keys[offset + at] = bytes[at]!
  }
  return { find, store }
}
