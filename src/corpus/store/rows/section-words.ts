// Which words does a section have, in which order? They are stored so that a question analyses no text (record 0047).
// Layout: four bytes with the number of different words, four bytes with the key of each, the windows, and the words
// in order, each as the varint of its number in that list, from 1; 0 ends a line. A window is the part that ranking
// reads: all of a short section, or the text from the start of each fragment of a long one. Windows share the bytes of
// whole lines; a line that the end of a window cuts is stored for that window.
import { getOrAdd } from '../../../model/remember.ts'
import { analyzeWords, type TermSink } from '../../../read/parse/words/analyze-words.ts'
import { ByteSink, VarintReader } from '../postings/postings.ts'
import { damaged, textSum } from './checksum.ts'

/** Characters that ranking reads of a section, from its best fragment on. */
export const WINDOW_CHARS = 3_000
/** Characters that ranking reads of a line. */
const LINE_CHARS = 400

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

/** The first piece and character of a fragment. */
export interface FragmentStart {
  readonly piece: number
  readonly at: number
}

/** Links of a table of contents, at least. */
const LEAST_LINKS = 4

/** A table of contents: consecutive links and headings of the same page without prose. */
function isContents(text: string): boolean {
  for (let at = -1, link = 0; link < LEAST_LINKS; link++) {
    at = text.indexOf('](', at + 1)
    if (at === -1) return false
  }
  const lines = text.split('\n', 80).filter((line) => line.trim() !== '')
  const links = lines.filter((line) => /^\s*(?:[-*+]|\d+\.)\s+\[[^\]]*\]\([^)]*\)\s*$/.test(line)).length
  return links >= LEAST_LINKS && links >= 0.7 * lines.length
}

/** Start and end, in characters or in bytes. */
export type Span = readonly [number, number]

/** Calls `visit` for the lines of a span of the text, without their ends. */
export function eachLine(text: string, [from, to]: Span, visit: (start: number, end: number) => void): void {
  for (let start = from; start < to; ) {
    const next = text.indexOf('\n', start)
    const end = next === -1 || next > to ? to : next
    visit(start, end)
    start = end + 1
  }
}

interface TermIds {
  idOf(term: string): number
}

/** Packs the words of one section after another. */
export class WordPacker {
  readonly #terms: TermIds
  /** By the id of a term: its key. */
  readonly #keyOf: number[] = []
  /** By twice the id of a term, plus one for a compound: its number in the section, from `#base` on. */
  #numbers = new Uint32Array(1 << 12)
  #base = 0
  #keys: number[] = []
  readonly #sink = new ByteSink(1 << 12)
  /** Starts of the lines that were read: in characters, and in bytes. */
  #lines: number[] = []
  #bytes: number[] = []

  constructor(terms: TermIds) {
    this.#terms = terms
  }

  /** Adds the next word of a line, whose term id is known. */
  add(term: string, id: number, whole: boolean): void {
    const at = id * 2 + Number(whole)
    if (at >= this.#numbers.length) this.#grow(at)
    let number = (this.#numbers[at] as number) - this.#base
    if (number <= 0) {
      this.#keyOf[id] ??= wordKey(term, false)
      number = this.#keys.push((this.#keyOf[id] as number) | Number(whole))
      this.#numbers[at] = this.#base + number
    }
    this.#sink.varint(number)
  }

  #grow(at: number): void {
    const larger = new Uint32Array(Math.max(at + 1, this.#numbers.length * 2))
    larger.set(this.#numbers)
    this.#numbers = larger
  }

  readonly #find: TermSink = (term, whole) => this.add(term, this.#terms.idOf(term), whole)

  /**
   * Reads the next line of the section: text[start, end). Calls `addAll` with its words, unless the line is too long,
   * and then returns false.
   */
  readLine(text: string, [start, end]: Span, addAll: TermSink = this.#find): boolean {
    this.#lines.push(start)
    this.#bytes.push(this.#sink.length)
    const isShort = end - start <= LINE_CHARS
    if (isShort) analyzeWords(text, addAll, start, end)
    else analyzeWords(text, this.#find, start, start + LINE_CHARS)
    this.#sink.varint(0)
    return isShort
  }

  /** Returns the packed section. Lines that were not read one by one are read here. */
  finish(text: string, starts: readonly FragmentStart[]): Uint8Array {
    const head = new ByteSink(32)
    if (text.length <= WINDOW_CHARS) {
      if (this.#lines.length === 0) this.#readApart(text, [0, text.length])
      head.varint(0)
      head.varint(Number(isContents(text)))
    } else this.#packWindows(text, starts, head)
    const keyBytes = 4 + this.#keys.length * 4
    const packed = new Uint8Array(keyBytes + head.length + this.#sink.length)
    const keys = new Int32Array(packed.buffer, 0, this.#keys.length + 1)
    keys[0] = this.#keys.length
    keys.set(this.#keys, 1)
    packed.set(head.view(), keyBytes)
    packed.set(this.#sink.view(), keyBytes + head.length)
    this.#base += this.#keys.length
    this.#keys = []
    this.#sink.length = 0
    this.#lines = []
    this.#bytes = []
    return packed
  }

  #readApart(text: string, span: Span): void {
    eachLine(text, span, (start, end) => {
      analyzeWords(text, this.#find, start, Math.min(end, start + LINE_CHARS))
      this.#sink.varint(0)
    })
  }

  /**
   * Stores for each window: its first piece, whether it is a table of contents, and two spans of bytes: shared lines,
   * and its own.
   */
  #packWindows(text: string, starts: readonly FragmentStart[], head: ByteSink): void {
    const [lines, bytes] = [this.#lines, [...this.#bytes, this.#sink.length]]
    let [first, next] = [0, 0]
    head.varint(starts.length)
    for (const { piece, at } of starts) {
      const cut = Math.min(text.length, at + WINDOW_CHARS)
      while (first < lines.length && (lines[first] as number) < at) first++
      while (next < lines.length && (lines[next] as number) < cut) next++
      const own = this.#sink.length
      let shared: Span = [0, 0]
      if (lines[first] === at) {
        const last = next - 1
        const read = Math.min((lines[next] ?? text.length + 1) - 1, (lines[last] as number) + LINE_CHARS)
        const isCut = read > cut
        shared = [bytes[first] as number, bytes[isCut ? last : next] as number]
        if (isCut) this.#readApart(text, [lines[last] as number, cut])
      } else this.#readApart(text, [at, cut])
      head.varint(piece)
      head.varint(Number(isContents(text.slice(at, cut))))
      for (const byte of [...shared, own, this.#sink.length]) head.varint(byte)
    }
  }
}

/** Numbers stored for each window. */
const PLACE_NUMBERS = 6

const noWords = new Uint8Array(6)

export class SectionWords {
  readonly #bytes: Uint8Array
  readonly #keys: Int32Array
  /** Six numbers for each window; null for a section with one window. */
  readonly #places: readonly number[] | null
  readonly #isContents: boolean
  readonly #from: number
  readonly #windows = new Map<number, WordWindow>()

  constructor(bytes: Uint8Array) {
    // A blank section has no stored words, and one window.
    const stored = bytes.length === 0 ? noWords : bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes)
    const count = new Int32Array(stored.buffer, stored.byteOffset, 1)[0] as number
    this.#bytes = stored
    this.#keys = new Int32Array(stored.buffer, stored.byteOffset + 4, count)
    const reader = new VarintReader(stored, 4 + count * 4)
    const windows = reader.varint()
    this.#isContents = windows === 0 && reader.varint() === 1
    this.#places =
      windows === 0 ? null : Array.from({ length: windows * PLACE_NUMBERS }, () => reader.varint())
    this.#from = reader.at
  }

  /** In bytes. */
  get size(): number {
    return this.#bytes.length
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
    const [, contents, start, end, ownStart, ownEnd] = places.slice(at, at + PLACE_NUMBERS) as Six
    const [shared, own] = [words.subarray(start, end), words.subarray(ownStart, ownEnd)]
    const numbers = own.length === 0 ? shared : Buffer.concat([shared, own])
    return { keys, numbers, isContents: contents === 1 }
  }
}

type Six = [number, number, number, number, number, number]
