// Which tokens does a text have? Words as BERT's uncased tokeniser splits them, each split into its longest pieces.
import { cleanText } from './clean-text.ts'
import { extendHash, findToken, finishHash, insideSeed, startSeed, type Vocabulary } from './vocabulary.ts'

/** The token ids of a text. The array is valid until the next call. */
type WordPieces = (text: string) => Int32Array

/** A longer word is unknown: BERT's max_input_chars_per_word. */
const maxWordChars = 100

/** Texts up to a third of this many characters share their buffers. */
const usualBytes = 16_384

/** Classes of bytes. Punctuation is a word by itself; bytes from 128 are parts of letters. */
const space = 0
const lower = 1
const upper = 2
const digit = 3
const mark = 4
const beyond = 5

const classes: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 128) return beyond
  if (byte <= 32 || byte === 127) return space
  const char = String.fromCharCode(byte)
  if (char >= 'a' && char <= 'z') return lower
  if (char >= 'A' && char <= 'Z') return upper
  return char >= '0' && char <= '9' ? digit : mark
})

/**
 * A tokeniser over a vocabulary. It adds no special tokens; a word without pieces becomes `[UNK]`. `splitIdentifiers`:
 * `getPodName` and `HTTPServer` are split at their capitals first.
 *
 * @example
 * const toPieces = createWordPieces(vocabulary, { splitIdentifiers: true })
 * toPieces('getPodName') // the ids of get, pod, name
 */
export function createWordPieces(
  vocabulary: Vocabulary,
  { splitIdentifiers = false }: { readonly splitIdentifiers?: boolean } = {},
): WordPieces {
  const { find, longest } = vocabulary
  const unknown = Math.max(0, findToken(vocabulary, '[UNK]'))
  const encoder = new TextEncoder()
  const hashes = new Int32Array(longest + 1)
  let bytes = new Uint8Array(usualBytes)
  let ids = new Int32Array(usualBytes)
  let count = 0

  /** Appends the longest token at the start of bytes[start, end) to `ids`; returns its end, or -1. */
  function takePiece(start: number, end: number, inside: boolean): number {
    const last = Math.min(end, start + longest)
    let state = inside ? insideSeed : startSeed
    for (let at = start; at < last; at++) {
      state = extendHash(state, bytes[at]!)
      hashes[at - start] = state
    }
    for (let stop = last; stop > start; stop--) {
      const id = find(bytes, start, stop, finishHash(hashes[stop - start - 1]!), inside)
      if (id < 0) continue
      ids[count++] = id
      return stop
    }
    return -1
  }

  function takeWord(start: number, end: number): void {
    const before = count
    let at = isTooLong(bytes, start, end) ? -1 : takePiece(start, end, false)
    while (at >= 0 && at < end) at = takePiece(at, end, true)
    if (at >= 0) return
    count = before
    ids[count++] = unknown
  }

  /** The end of the word that starts at `start`; lowers its letters in place. */
  function endOfWord(start: number, size: number): number {
    let before = space
    let at = start
    for (; at < size; at++) {
      const kind = classes[bytes[at]!]!
      if (kind === space || kind === mark) break
      if (kind === upper) {
        const next = at + 1 < size ? classes[bytes[at + 1]!] : space
        if (splitIdentifiers && at > start && startsHump(before, next)) break
        bytes[at]! |= 32
      }
      before = kind
    }
    return at
  }

  /** A token takes at least one byte. The buffer of an unusually long text is released with the next usual one. */
  function makeRoom(wanted: number): void {
    const size = Math.max(wanted, usualBytes)
    if (bytes.length >= wanted && (bytes.length === usualBytes || size > usualBytes)) return
    bytes = new Uint8Array(size)
    ids = new Int32Array(size)
  }

  return (text) => {
    const clean = cleanText(text)
    makeRoom(clean.length * 3)
    const size = encoder.encodeInto(clean, bytes).written
    count = 0
    for (let at = 0; at < size; ) {
      const kind = classes[bytes[at]!]
      if (kind === space) at++
      else {
        const end = kind === mark ? at + 1 : endOfWord(at, size)
        takeWord(at, end)
        at = end
      }
    }
    return ids.subarray(0, count)
  }
}

/** Does a capital begin a new part? After a small letter or digit, or as the last of several before a small letter. */
const startsHump = (before: number, next: number | undefined): boolean =>
  before === lower || before === digit || (before === upper && next === lower)

/** Counts characters, not bytes, by excluding UTF-8 continuation bytes. */
function isTooLong(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start <= maxWordChars) return false
  let chars = 0
  for (let at = start; at < end; at++) if ((bytes[at]! & 0xc0) !== 0x80) chars++
  return chars > maxWordChars
}
