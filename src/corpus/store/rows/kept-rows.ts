// What was read a moment ago? Rows and texts that were found right, kept for as long as the index stays as it is.
import type { ArtifactRow, ArtifactText, FileRow } from '../../../model/section.ts'
import { KeptTogether } from './kept-together.ts'
import type { SectionWords } from './section-words.ts'

/** A table by id of bounded size: what is read again stays, what is not is let go. */
export class KeptRows<T> {
  /** When the younger half is full it becomes the older one, and the older one is let go. */
  #young = new Map<number, T>()
  #old = new Map<number, T>()
  #size = 0
  #oldSize = 0
  readonly #most: number
  readonly #sizeOf: (row: T) => number

  /** `most` of the sizes together; each row counts 1 when nothing else is said. */
  constructor(most: number, sizeOf: (row: T) => number = () => 1) {
    this.#most = most / 2
    this.#sizeOf = sizeOf
  }

  /** Of all that is kept. */
  get size(): number {
    return this.#size + this.#oldSize
  }

  /** The row, read when it is not known. What is read may fail: nothing is kept then. */
  get(id: number, read: (id: number) => T): T {
    const known = this.#young.get(id)
    if (known !== undefined) return known
    const row = this.#old.get(id) ?? read(id)
    this.#size += this.#sizeOf(row)
    if (this.#size > this.#most) {
      this.#old = this.#young
      this.#oldSize = this.#size - this.#sizeOf(row)
      this.#young = new Map()
      this.#size = this.#sizeOf(row)
    }
    this.#young.set(id, row)
    return row
  }

  clear(): void {
    this.#young = new Map()
    this.#old = new Map()
    this.#size = 0
    this.#oldSize = 0
  }
}

export interface FragmentRow {
  readonly id: number
  readonly artifact: number
  readonly pieceStart: number
  readonly pieceEnd: number
}

/** So many rows of each kind are kept (fragments are small), and so many characters of texts and bytes of words. */
const KEPT_ROWS = 30_000
const KEPT_FRAGMENTS = 100_000
const KEPT_CHARACTERS = 24_000_000
const KEPT_WORDS = 24_000_000
/** Bytes of a row, a fragment and a character of a text: about. */
const ROW_BYTES = 800
const FRAGMENT_BYTES = 150
const CHARACTER_BYTES = 2
/** Of the words of a section beside their own. */
const WORDS_BYTES = 400

/** Of all files that a thread has open: one with a thousand of them keeps no more than one with a large one. */
const corpora = new KeptTogether(128 * 1024 * 1024)

/** What is kept of one open file. */
export class KeptCorpus {
  readonly files: KeptRows<FileRow> = new KeptRows(KEPT_ROWS)
  readonly artifacts: KeptRows<ArtifactRow> = new KeptRows(KEPT_ROWS)
  readonly parts: KeptRows<readonly ArtifactRow[]> = new KeptRows(KEPT_ROWS, ({ length }) => length + 1)
  readonly fragments: KeptRows<FragmentRow> = new KeptRows(KEPT_FRAGMENTS)
  readonly texts: KeptRows<ArtifactText> = new KeptRows(KEPT_CHARACTERS, ({ text }) => text.length)

  readonly words: KeptRows<SectionWords> = new KeptRows(KEPT_WORDS, ({ size }) => size + WORDS_BYTES)

  /** After a question: what others keep goes first when there is too much. */
  used(): void {
    const rows = this.files.size + this.artifacts.size + this.parts.size
    const texts = this.texts.size * CHARACTER_BYTES + this.words.size
    corpora.use(this, rows * ROW_BYTES + this.fragments.size * FRAGMENT_BYTES + texts)
  }

  forget(): void {
    const { files, artifacts, parts, fragments, texts, words } = this
    for (const kept of [files, artifacts, parts, fragments, texts, words]) kept.clear()
  }

  close(): void {
    corpora.drop(this)
    this.forget()
  }
}
