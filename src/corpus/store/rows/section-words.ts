// Which words stand in a section, and in which order? Stored, so that a question decodes them and analyses no text (record 0047).
//
// A stored section is: four bytes with the count of its different words, four bytes with the key of each, its windows, and the
// words in their order, each as the varint of its number in that list from 1 on; 0 ends a line. Windows are what ranking
// looks at: all of a short section, and of a long one what follows the start of each fragment. They share the bytes of whole
// lines; what a window has of a line that its end cuts is its own.
import { analyzeWords } from '../../../read/parse/words/analyze-words.ts'
import { ByteSink, VarintReader } from '../postings/postings.ts'
import { damaged, textSum } from './checksum.ts'

/** So many characters of a section are weighed, from its best fragment on; all of it where it has no more. */
export const WINDOW_CHARS = 3_000
/** Characters of a line that are weighed. */
const LINE_CHARS = 400

/** 31 bits of the term; the lowest bit marks a compound that repeats its parts. */
export function wordKey(term: string, whole: boolean): number {
  return (textSum(term) & ~1) | Number(whole)
}

/** What is weighed of a section. */
export interface WordWindow {
  /** Of the different words of the section: the first has the number 1. */
  readonly keys: Int32Array
  /** Varints of the numbers of the words in their order; 0 ends a line. */
  readonly numbers: Uint8Array
  readonly isContents: boolean
}

/** Where a fragment starts: which piece, and which character. */
export interface FragmentStart {
  readonly piece: number
  readonly at: number
}

/** Of a table of contents. */
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

type TermSink = (term: string, whole: boolean) => void

/** Gives the lines of a span of the text, without their ends. */
export function eachLine(text: string, [from, to]: Span, visit: (start: number, end: number) => void): void {
  for (let start = from; start < to; ) {
    const next = text.indexOf('\n', start)
    const end = next === -1 || next > to ? to : next
    visit(start, end)
    start = end + 1
  }
}

/** Numbers the terms of a batch, from 0 on. */
interface TermIds {
  idOf(term: string): number
}

/** Packs the words of sections, one section after the other. */
export class WordPacker {
  readonly #terms: TermIds
  /** By the id of a term: its key. */
  readonly #keyOf: number[] = []
  /** By twice the id of a term, and one more for a compound: its number in the section, from `#base` on. */
  #numbers = new Uint32Array(1 << 12)
  #base = 0
  #keys: number[] = []
  readonly #sink = new ByteSink(1 << 12)
  /** Where the lines that were read start: in characters, and in bytes. */
  #lines: number[] = []
  #bytes: number[] = []

  constructor(terms: TermIds) {
    this.#terms = terms
  }

  /** The next word of a line, where the id of its term is known. */
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

  readonly #find = (term: string, whole: boolean): void => this.add(term, this.#terms.idOf(term), whole)

  /** Reads the next line of the section, which starts at this character. `addAll` is given its words to add; where it is too
   * long to be read whole it is not called, and false is returned. */
  readLine(line: string, at: number, addAll: TermSink = this.#find): boolean {
    this.#lines.push(at)
    this.#bytes.push(this.#sink.length)
    const isShort = line.length <= LINE_CHARS
    if (isShort) analyzeWords(line, addAll)
    else analyzeWords(line.slice(0, LINE_CHARS), this.#find)
    this.#sink.varint(0)
    return isShort
  }

  /** Everything of the section whose lines were read one by one; where none was, they are read here. */
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
      analyzeWords(text.slice(start, Math.min(end, start + LINE_CHARS)), this.#find)
      this.#sink.varint(0)
    })
  }

  /** For each: its first piece, whether it is a table of contents, and two spans of bytes: whole lines, and its own. */
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

/** Numbers of a window's place, as they are stored. */
const PLACE_NUMBERS = 6

const noWords = new Uint8Array(6)

/** The stored words of a section, which are known to be as they were written. */
export class SectionWords {
  readonly #bytes: Uint8Array
  readonly #keys: Int32Array
  /** Six for each window; null for a section that is one. */
  readonly #places: readonly number[] | null
  readonly #isContents: boolean
  /** Where the words start. */
  readonly #from: number
  readonly #windows = new Map<number, WordWindow>()

  constructor(bytes: Uint8Array) {
    // Nothing is stored of a blank section: no word, one window.
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

  /** Bytes. */
  get size(): number {
    return this.#bytes.length
  }

  /** The words of all whole lines, in their order. */
  all(): Pick<WordWindow, 'keys' | 'numbers'> {
    const words = this.#bytes.subarray(this.#from)
    // Behind the lines of a long section stand those that its windows cut.
    return { keys: this.#keys, numbers: this.#places === null ? words : words.subarray(0, this.#places[4]) }
  }

  /** What is weighed when the fragment that starts with this piece matched best; the same object each time. */
  window(piece: number): WordWindow {
    const wanted = this.#places === null ? 0 : piece
    let window = this.#windows.get(wanted)
    if (window === undefined) {
      window = this.#open(wanted)
      this.#windows.set(wanted, window)
    }
    return window
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
