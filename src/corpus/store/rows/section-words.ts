// Which words does a section have, in which order? They are stored so that a question analyses no text (record 0047).
// Layout: how many different words, the number of each in the vocabulary (until the writer numbers them, four bytes each
// with its key), the windows, and the words in order, each as its number in that list, from 1; 0 ends a line. A window is
// the part that ranking reads: all of a short section, or the text from the start of each fragment of a long one. Windows
// share the bytes of whole lines; a line that the end of a window cuts is stored for that window.
import type { DatabaseSync } from 'node:sqlite'
import { getOrAdd } from '../../../model/remember.ts'
import { VarintReader } from '../postings/postings.ts'
import { vocabularySum } from '../schema.ts'
import { damaged, textSum } from './checksum.ts'
import { readMeta } from './meta.ts'
import { type Prepare, select } from './table.ts'

/** Characters that ranking reads of a section, from its best fragment on. */
export const WINDOW_CHARS = 3_000

/** 31 bits of the term; the lowest bit marks a compound that repeats its parts. */
export const wordKey = (term: string, whole: boolean): number => (textSum(term) & ~1) | Number(whole)

/** The part of a section that ranking reads. */
export interface WordWindow {
  /** Keys of the different words of the section; the first has the number 1. */
  readonly keys: Int32Array
  /** Varints of the numbers of the words in order; 0 ends a line. */
  readonly numbers: Uint8Array
  readonly isContents: boolean
}

/** The keys by their numbers. Throws INDEX_DAMAGED. */
export function readVocabulary(from: Prepare | DatabaseSync): Int32Array {
  const rows = select(from, vocabularySum.columns(), 'FROM vocabulary ORDER BY id').all()
  const bytes = Buffer.concat(rows.map((row) => vocabularySum.verified(row, 'the vocabulary').keys))
  if (bytes.length !== (readMeta(from, 'vocabulary') ?? 0) * 4) throw damaged('the vocabulary')
  return new Int32Array(new Uint8Array(bytes).buffer)
}

/** Numbers stored for each window. */
const PLACE_NUMBERS = 6

export class SectionWords {
  readonly #bytes: Uint8Array
  readonly #keys: Int32Array
  /** Six numbers for each window; null for a section with one window. */
  readonly #places: Uint32Array | null
  readonly #isContents: boolean
  readonly #from: number
  readonly #windows = new Map<number, WordWindow>()

  /** Keys are found by their numbers in the vocabulary. */
  constructor(bytes: Uint8Array, vocabulary: Int32Array) {
    // A blank section has no stored words, and one window.
    this.#bytes = bytes.length === 0 ? new Uint8Array(3) : bytes
    const reader = new VarintReader(this.#bytes)
    const numbers = reader.varints(reader.varint())
    this.#keys = new Int32Array(numbers.length)
    for (let at = 0; at < numbers.length; at++) {
      const key = vocabulary[numbers[at] as number]
      if (key === undefined) throw damaged('the vocabulary')
      this.#keys[at] = key
    }
    const windows = reader.varint()
    this.#isContents = windows === 0 && reader.varint() === 1
    this.#places = windows === 0 ? null : reader.varints(windows * PLACE_NUMBERS)
    this.#from = reader.at
  }

  /** In bytes. */
  get size(): number {
    return this.#bytes.length + this.#keys.byteLength
  }

  /** The words of all whole lines, in order. */
  all(): Pick<WordWindow, 'keys' | 'numbers'> {
    const words = this.#bytes.subarray(this.#from)
    // In a long section, lines that its windows cut follow.
    return { keys: this.#keys, numbers: this.#places === null ? words : words.subarray(0, this.#places[4]) }
  }

  /** The window of the fragment that starts with this piece; the same object each time. */
  window(piece: number): WordWindow {
    const wanted = this.#places === null ? 0 : piece
    return getOrAdd(this.#windows, wanted, () => this.#open(wanted))
  }

  #open(piece: number): WordWindow {
    const [keys, places, words] = [this.#keys, this.#places, this.#bytes.subarray(this.#from)]
    if (places === null) return { keys, numbers: words, isContents: this.#isContents }
    let at = 0
    while (at < places.length && places[at] !== piece) at += PLACE_NUMBERS
    if (at >= places.length) throw damaged('a fragment without words')
    const [, contents, start, end, ownStart, ownEnd] = places.subarray(at, at + PLACE_NUMBERS)
    const [shared, own] = [words.subarray(start, end), words.subarray(ownStart, ownEnd)]
    const numbers = own.length === 0 ? shared : Buffer.concat([shared, own])
    return { keys, numbers, isContents: contents === 1 }
  }
}
