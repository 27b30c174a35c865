// How many o200k tokens does a text take, exactly? Cut into pretokens, look each one up, merge what is left.
import { countMerged } from './merge-bytes.ts'
import { classifyBytes, endOfPretoken } from './pretokens.ts'
import { hashBytes, openRankTable, type RankTable } from './rank-table.ts'
import type { TokenCounter } from './token-counter.ts'

/** Texts up to this many UTF-16 units share one buffer; larger ones get their own, freed afterwards. */
const sharedLength = 16_384

/**
 * Opens the table in `assets/o200k.bin` and gives the exact counter. The table keeps a view of `bytes`.
 *
 * Special tokens such as `<|endoftext|>` are counted as the plain text they are. A lone surrogate counts as
 * U+FFFD, as TextEncoder writes it. Equal to gpt-tokenizer but for texts with U+FEFF, which that package
 * drops when it looks up the bytes of a pair.
 *
 * @example
 * const countTokens = openO200k(readFileSync('assets/o200k.bin'))
 * countTokens('How do I deploy a new service?') // 8
 */
export function openO200k(bytes: Uint8Array): TokenCounter {
  const table = openRankTable(bytes)
  const cache = createCountCache()
  const encoder = new TextEncoder()
  const sharedBytes = new Uint8Array(sharedLength * 3)
  const sharedClasses = new Uint8Array(sharedLength * 3 + 1)

  return (text) => {
    if (text.length <= sharedLength) {
      const size = encoder.encodeInto(text, sharedBytes).written
      return countBytes(table, cache, sharedBytes, size, sharedClasses)
    }
    const own = encoder.encode(text)
    return countBytes(table, cache, own, own.length, new Uint8Array(own.length + 1))
  }
}

function countBytes(
  table: RankTable,
  cache: CountCache,
  bytes: Uint8Array,
  size: number,
  classes: Uint8Array,
): number {
  classifyBytes(bytes, size, classes)
  let tokens = 0
  for (let start = 0; start < size; ) {
    const end = endOfPretoken(bytes, classes, start)
    tokens += end - start === 1 ? 1 : countPretoken(table, cache, bytes, start, end)
    start = end
  }
  return tokens
}

function countPretoken(table: RankTable, cache: CountCache, bytes: Uint8Array, start: number, end: number) {
  if (end - start > table.longest) return countMerged(table, bytes, start, end)
  const hash = hashBytes(bytes, start, end)
  if (table.rankOf(bytes, start, end, hash) >= 0) return 1
  const known = cache.find(bytes, start, end, hash)
  if (known > 0) return known
  const count = countMerged(table, bytes, start, end)
  cache.store(bytes, start, end, hash, count)
  return count
}

/** Entries; a new pretoken replaces the one at its place, so memory never grows past this. */
const entryBits = 14
const entryCount = 1 << entryBits
/** Longer pretokens are rare and are merged again each time. */
const longestKey = 32

/** Exact: a hit means the same bytes, not only the same hash. */
interface CountCache {
  /** The count stored for bytes[start, end), or 0. */
  readonly find: (bytes: Uint8Array, start: number, end: number, hash: number) => number
  readonly store: (bytes: Uint8Array, start: number, end: number, hash: number, count: number) => void
}

function createCountCache(): CountCache {
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
