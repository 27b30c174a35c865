// How many tokens does one pretoken become? Byte-pair merging: the pair of lowest rank first, then the leftmost.
//
// Short pretokens scan all pairs for each merge, which is fastest up to some 128 bytes; longer ones keep
// the pairs in a heap, so that a megabyte without a cut costs O(n log n).

import { hashBytes, type RankTable } from './rank-table.ts'

/** On random letters the scan is faster than the heap at 128 bytes (155 to 180 ns a byte), slower at 192. */
const scanLimit = 128
/** Above every rank: the pair does not merge. */
const noRank = 0x7fffffff

const scanStarts = new Int32Array(scanLimit + 1)
const scanRanks = new Int32Array(scanLimit + 1)

/** Counts the tokens of bytes[start, end), which holds at least one byte. */
export const countMerged = (table: RankTable, bytes: Uint8Array, start: number, end: number): number =>
  end - start <= scanLimit ? countByScan(table, bytes, start, end) : countByHeap(table, bytes, start, end)

function pairRank(table: RankTable, bytes: Uint8Array, start: number, end: number): number {
  if (end - start > table.longest) return noRank
  const rank = table.rankOf(bytes, start, end, hashBytes(bytes, start, end))
  return rank < 0 ? noRank : rank
}

function countByScan(table: RankTable, bytes: Uint8Array, start: number, end: number): number {
  const starts = scanStarts
  const ranks = scanRanks
  let parts = end - start
  for (let part = 0; part < parts; part++) {
    starts[part] = start + part
    ranks[part] = part + 1 < parts ? pairRank(table, bytes, start + part, start + part + 2) : noRank
  }
  starts[parts] = end
  for (;;) {
    let lowest = noRank
    let at = -1
    for (let part = 0; part < parts; part++)
      if (ranks[part]! < lowest) {
        lowest = ranks[part]!
        at = part
      }

    if (at < 0) return parts
    parts--
    for (let part = at + 1; part < parts; part++) {
      starts[part] = starts[part + 1]!
      ranks[part] = ranks[part + 1]!
    }
    starts[parts] = end
    ranks[at] = at + 1 < parts ? pairRank(table, bytes, starts[at]!, starts[at + 2]!) : noRank
    if (at > 0) ranks[at - 1] = pairRank(table, bytes, starts[at - 1]!, starts[at + 1]!)
  }
}

/** Heap keys are rank × this + position, so one number orders by rank and then from the left. */
const positions = 2 ** 31

/**
 * The heap holds only pairs that go before both their neighbours: the lowest of all is always one of them.
 * A run of one letter keeps a single pair in it, and random letters a third of theirs.
 */
function countByHeap(table: RankTable, bytes: Uint8Array, start: number, end: number): number {
  const size = end - start
  const next = new Int32Array(size + 1)
  const previous = new Int32Array(size + 1)
  const ranks = new Int32Array(size + 1).fill(noRank)
  const queued = new Int32Array(size + 1).fill(noRank)
  // No pair enters twice with the same rank, and a merge takes one out and changes two: never above 2 × size.
  const heap = new Float64Array(size * 2)
  let pairs = 0

  function rankPair(at: number): void {
    const after = next[at]!
    ranks[at] = after < size ? pairRank(table, bytes, start + at, start + next[after]!) : noRank
  }
  function queueIfLowest(at: number): void {
    const rank = ranks[at]!
    if (rank === noRank || queued[at] === rank) return
    if (ranks[next[at]!]! < rank) return
    if (at > 0 && ranks[previous[at]!]! <= rank) return
    queued[at] = rank
    pairs = pushKey(heap, pairs, rank * positions + at)
  }
  for (let at = 0; at <= size; at++) {
    next[at] = at + 1
    previous[at] = at - 1
  }
  for (let at = 0; at + 1 < size; at++) rankPair(at)
  for (let at = 0; at + 1 < size; at++) queueIfLowest(at)

  let tokens = size
  while (pairs > 0) {
    const key = heap[0]!
    pairs = dropFirstKey(heap, pairs)
    const rank = Math.floor(key / positions)
    const at = key - rank * positions
    // A pair that a neighbour has since changed or swallowed leaves its old key behind.
    if (ranks[at] !== rank) continue
    tokens--
    const gone = next[at]!
    const after = next[gone]!
    const before = previous[at]!
    ranks[gone] = noRank
    next[at] = after
    previous[after] = at
    rankPair(at)
    if (before >= 0) rankPair(before)
    queueIfLowest(at)
    if (after < size) queueIfLowest(after)
    if (before < 0) continue
    queueIfLowest(before)
    if (before > 0) queueIfLowest(previous[before]!)
  }
  return tokens
}

function pushKey(heap: Float64Array, size: number, key: number): number {
  let at = size
  while (at > 0) {
    const parent = (at - 1) >> 2
    if (heap[parent]! <= key) break
    heap[at] = heap[parent]!
    at = parent
  }
  heap[at] = key
  return size + 1
}

function dropFirstKey(heap: Float64Array, size: number): number {
  const left = size - 1
  const key = heap[left]!
  let at = 0
  for (;;) {
    const first = at * 4 + 1
    if (first >= left) break
    let child = first
    const stop = Math.min(first + 4, left)
    for (let other = first + 1; other < stop; other++) if (heap[other]! < heap[child]!) child = other
    if (heap[child]! >= key) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = key
  return left
}
