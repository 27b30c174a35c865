// Which rank does a sequence of bytes have in the vocabulary? The layout of assets/o200k.bin, and its look-up.
//
// Layout, little-endian; scripts/build-o200k.ts writes it:
//   64 bytes   header: eight Uint32 fields (`headerField`), then the SHA-256 of the source ranks
//   slots      Uint32 × slotCount, an open-addressing hash table; 0 is empty, else tag << 18 | rank + 1
//   bases      Uint32 per block of 256 ranks: where the block's bytes begin
//   deltas     Uint16 per rank, and one more: where the token's bytes begin, from its block's base
//   bytes      all tokens joined, in rank order
// Nothing is computed when the table is opened: a prefix sum over lengths alone takes 4 ms in a cold process.

import { YoreError } from '../../model/errors.ts'

/** Reads as `o2k` and a zero byte; on a big-endian machine it does not match, and the table is refused. */
export const tableMagic = 0x006b326f
export const tableVersion = 1
export const headerSize = 64
export const digestOffset = 32
export const headerField = {
  magic: 0,
  version: 1,
  tokenCount: 2,
  slotCount: 3,
  byteCount: 4,
  longest: 5,
} as const

/** Bits of a slot that hold rank + 1; the 14 above are a tag from the hash, so a miss rarely reads the token. */
export const rankBits = 18
const rankMask = (1 << rankBits) - 1

/** Ranks in a block, as a power of two: with tokens up to 255 bytes, a delta fits 16 bits. */
export const blockBits = 8

/** The vocabulary, ready for look-ups. */
export interface RankTable {
  /** Length in bytes of the longest token; nothing longer has a rank. */
  readonly longest: number
  /** The rank of bytes[start, end), whose hash the caller knows; -1 when it is not a token. */
  readonly rankOf: (bytes: Uint8Array, start: number, end: number, hash: number) => number
}

/** FNV-1a with a last multiplication, since slots are chosen by the high bits. */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
}

/** The tag of a hash, at its place in a slot. */
export const slotTag = (hash: number): number => (hash << rankBits) >>> 0

/** The slot where the search for a hash begins; `slotCount` is a power of two. */
export const firstSlot = (hash: number, slotCount: number): number => hash >>> (Math.clz32(slotCount) + 1)

/** Views over the file's bytes, nothing more. */
export function openRankTable(file: Uint8Array): RankTable {
  const { slots, bases, deltas, tokenBytes, longest } = readSections(file)
  const mask = slots.length - 1
  const shift = Math.clz32(slots.length) + 1

  function rankOf(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const length = end - start
    const tag = hash << rankBits
    for (let slot = hash >>> shift; ; slot = (slot + 1) & mask) {
      const entry = slots[slot]!
      if (entry === 0) return -1
      if ((entry ^ tag) >>> rankBits !== 0) continue
      const rank = (entry & rankMask) - 1
      const offset = bases[rank >> blockBits]! + deltas[rank]!
      if (bases[(rank + 1) >> blockBits]! + deltas[rank + 1]! - offset !== length) continue
      let same = 0
      while (same < length && tokenBytes[offset + same] === bytes[start + same]) same++
      if (same === length) return rank
    }
  }
  return { longest, rankOf }
}

/** How many entries each section has. */
export function sectionSizes(tokenCount: number): { readonly bases: number; readonly deltas: number } {
  return { bases: (tokenCount >> blockBits) + 1, deltas: tokenCount + 1 }
}

function readSections(file: Uint8Array) {
  if (file.length < headerSize) throw damaged('it is shorter than its header')
  // Uint32 views need an offset that is a multiple of four; a slice of a larger buffer may not have one.
  const { buffer, byteOffset, length } = file.byteOffset % 4 === 0 ? file : new Uint8Array(file)
  const header = new Uint32Array(buffer, byteOffset, digestOffset / 4)
  if (header[headerField.magic] !== tableMagic) throw damaged('it does not begin with the right mark')
  if (header[headerField.version] !== tableVersion) throw damaged('it is of another version')
  const slotCount = header[headerField.slotCount]!
  const tokenCount = header[headerField.tokenCount]!
  const byteCount = header[headerField.byteCount]!
  const counts = sectionSizes(tokenCount)
  const basesAt = headerSize + slotCount * 4
  const deltasAt = basesAt + counts.bases * 4
  const bytesAt = deltasAt + counts.deltas * 2
  // An empty slot ends every search, and the mask needs a power of two.
  const sound = tokenCount < slotCount && (slotCount & (slotCount - 1)) === 0
  if (!sound || bytesAt + byteCount !== length) throw damaged('its length does not fit its header')
  return {
    slots: new Uint32Array(buffer, byteOffset + headerSize, slotCount),
    bases: new Uint32Array(buffer, byteOffset + basesAt, counts.bases),
    deltas: new Uint16Array(buffer, byteOffset + deltasAt, counts.deltas),
    tokenBytes: new Uint8Array(buffer, byteOffset + bytesAt, byteCount),
    longest: header[headerField.longest]!,
  }
}

const damaged = (reason: string): YoreError =>
  new YoreError('BAD_INPUT', `the token table cannot be read: ${reason}`, {
    hint: 'reinstall yore; in a checkout, run `npm run build`',
  })
