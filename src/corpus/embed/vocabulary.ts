// Which id does a word piece have? The layout of vocab.bin, which scripts/pack-vocabulary.ts writes, and its look-up.
//
// Layout, little-endian:
//   32 bytes   header: eight Uint32 fields (`field`)
//   slots      Uint32 × slotCount, an open-addressing hash table; 0 is empty, else tag << 16 | id + 1
//   offsets    Uint32 per token, and one more: where its line begins
//   lines      vocab.txt as it is: one token per line, `##` before those that continue a word
// Nothing is computed when it is opened.

import { YoreError } from '../../model/errors.ts'

/** Reads as `wpv` and a zero byte; it does not match on a big-endian machine. */
export const magic = 0x00767077
export const version = 1
export const headerSize = 32
export const field = { magic: 0, version: 1, tokenCount: 2, slotCount: 3, lineBytes: 4, longest: 5 } as const

/** Bits of a slot that hold id + 1; the higher bits are a tag from the hash. */
export const idBits = 16
export const idMask = 2 ** idBits - 1
export const newline = 10
const hash = 35

/** Start of the hash: the same letters at a word's start and inside it are different tokens. */
export const startSeed = 0x811c9dc5 | 0
export const insideSeed = 0x2f0b4a67 | 0

/** One step of FNV-1a. */
export const extendHash = (state: number, byte: number): number => Math.imul(state ^ byte, 0x01000193)

/** The last step, because slots are chosen by the high bits. */
export const finishHash = (state: number): number => Math.imul(state ^ (state >>> 15), 0x2c1b3c6d)

export interface Vocabulary {
  readonly size: number
  /** Length in bytes of the longest token. */
  readonly longest: number
  /** Size of the vocab.txt that it was packed from. */
  readonly lineBytes: number
  /** The id of the piece bytes[start, end), with its hash; -1 for no token. */
  readonly find: (bytes: Uint8Array, start: number, end: number, finished: number, inside: boolean) => number
}

/** The id of a whole token as in vocab.txt, such as `[UNK]`; -1 when it is missing. */
export function findToken(vocabulary: Vocabulary, token: string): number {
  const inside = token.length > 2 && token.startsWith('##')
  const bytes = new TextEncoder().encode(inside ? token.slice(2) : token)
  const state = bytes.reduce(extendHash, inside ? insideSeed : startSeed)
  return vocabulary.find(bytes, 0, bytes.length, finishHash(state), inside)
}

/** `##` and at least one more byte. */
export const isInside = (text: Uint8Array, line: number): boolean =>
  text[line] === hash && text[line + 1] === hash && text[line + 2] !== newline

/** Views over the packed bytes, nothing more. */
export function openVocabulary(file: Uint8Array): Vocabulary {
  const { slots, offsets, lines, longest } = readSections(file)
  const mask = slots.length - 1
  const shift = Math.clz32(slots.length) + 1

  function find(bytes: Uint8Array, start: number, end: number, finished: number, inside: boolean): number {
    const length = end - start
    const tag = finished << idBits
    for (let slot = finished >>> shift; ; slot = (slot + 1) & mask) {
      const entry = slots[slot]!
      if (entry === 0) return -1
      if ((entry ^ tag) >>> idBits !== 0) continue
      const id = (entry & idMask) - 1
      let line = offsets[id]!
      if (inside !== isInside(lines, line)) continue
      if (inside) line += 2
      if (offsets[id + 1]! - 1 - line !== length) continue
      let same = 0
      while (same < length && lines[line + same] === bytes[start + same]) same++
      if (same === length) return id
    }
  }
  return { size: offsets.length - 1, longest, lineBytes: lines.length, find }
}

function readSections(file: Uint8Array) {
  if (file.length < headerSize) throw unreadable('it is shorter than its header')
  // Uint32 views need an offset that is a multiple of four, which a slice of a larger buffer may not have.
  const { buffer, byteOffset, length } = file.byteOffset % 4 === 0 ? file : new Uint8Array(file)
  const header = new Uint32Array(buffer, byteOffset, headerSize / 4)
  if (header[field.magic] !== magic) throw unreadable('it does not begin with the right mark')
  if (header[field.version] !== version) throw unreadable('it is of another version')
  const tokenCount = header[field.tokenCount]!
  const slotCount = header[field.slotCount]!
  const lineBytes = header[field.lineBytes]!
  const offsetsAt = headerSize + slotCount * 4
  const linesAt = offsetsAt + (tokenCount + 1) * 4
  // An empty slot ends every search, and the mask needs a power of two.
  const sound = tokenCount < slotCount && (slotCount & (slotCount - 1)) === 0
  if (!sound || linesAt + lineBytes !== length) throw unreadable('its length does not fit its header')
  return {
    slots: new Uint32Array(buffer, byteOffset + headerSize, slotCount),
    offsets: new Uint32Array(buffer, byteOffset + offsetsAt, tokenCount + 1),
    lines: new Uint8Array(buffer, byteOffset + linesAt, lineBytes),
    longest: header[field.longest]!,
  }
}

export const unreadable = (reason: string): YoreError =>
  new YoreError('BAD_CONFIG', `the vocabulary cannot be read: ${reason}`, {
    hint: 'build it again with `node scripts/build-static-model.ts`, or name another model folder',
  })
