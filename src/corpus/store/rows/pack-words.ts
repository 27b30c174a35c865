// How are the words of a section stored (section-words.ts)? Packed in a thread with their keys, and numbered by the writer.
import type { DatabaseSync } from 'node:sqlite'
import { analyzeWords, type TermSink } from '../../../read/parse/words/analyze-words.ts'
import { ByteSink } from '../postings/postings.ts'
import { vocabulary, vocabularySum } from '../schema.ts'
import { writeMeta } from './meta.ts'
import { WINDOW_CHARS, wordKey } from './section-words.ts'

/** Characters that ranking reads of a line. */
const LINE_CHARS = 400

/** Keys of one row: a commit writes the rows again that it adds keys to. */
const ROW_KEYS = 4096

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

  /** Stores for each window: its first piece, whether it is a table of contents, and two spans of bytes: shared lines, and its own. */
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

/** Numbers words in the order in which they are first written, so that frequent ones have short numbers. */
export class StoredVocabulary {
  readonly #numbers = new Map<number, number>()
  #stored: number

  constructor(keys: Int32Array = new Int32Array()) {
    for (const [number, key] of keys.entries()) this.#numbers.set(key, number)
    this.#stored = keys.length
  }

  get keys(): Int32Array {
    return Int32Array.from(this.#numbers.keys())
  }

  /** The words of a section with numbers instead of keys: the varint of how many, theirs, and the rest as it was. */
  number(words: Uint8Array): Uint8Array {
    if (words.length === 0) return words
    // A copy, because what comes from a thread may lie at any place of its buffer.
    const { buffer } = new Uint8Array(words)
    const [count = 0] = new Int32Array(buffer, 0, 1)
    const sink = new ByteSink(words.length)
    sink.varint(count)
    for (const key of new Int32Array(buffer, 4, count)) {
      const number = this.#numbers.get(key) ?? this.#numbers.size
      if (number === this.#numbers.size) this.#numbers.set(key, number)
      sink.varint(number)
    }
    sink.append(words.subarray(4 + count * 4))
    return sink.view()
  }

  /** Stores what is new, inside the writer's transaction. */
  write(db: DatabaseSync): void {
    if (this.#stored === this.#numbers.size) return
    const insert = vocabulary.inserter(db, vocabulary.properties, 'INSERT OR REPLACE')
    const all = this.keys
    for (let id = Math.floor(this.#stored / ROW_KEYS); id * ROW_KEYS < all.length; id++) {
      const { buffer } = all.slice(id * ROW_KEYS, (id + 1) * ROW_KEYS)
      insert(vocabularySum.seal({ id, keys: new Uint8Array(buffer) }))
    }
    this.#stored = all.length
    writeMeta(db, 'vocabulary', all.length)
  }
}
