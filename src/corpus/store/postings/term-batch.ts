// How are the words of a batch of fragments collected? In a small inverted index, built off the main thread and merged later.
import { addOccurrence, ByteSink, type packedField, writeEntry } from './postings.ts'

type Field = keyof typeof packedField

/** A finished batch, cheap to send between threads. */
export interface TermBatch {
  /** All terms, joined by line ends, which no term contains. */
  readonly terms: string
  /** The lists of the terms in the same order. */
  readonly lists: Uint8Array
  /** Where each list ends in `lists`. */
  readonly ends: Uint32Array
  readonly fragmentCount: number
  /** Body words of each fragment, two bytes each. */
  readonly lengths: Uint8Array
}

/** Bytes per fragment in a `lengths` blob: body words. */
export const lengthBytes = 2

/** More words than this are counted as this many. */
export const maxWords = 0xffff

/** The array, or a copy of twice its length if `index` is out of range. */
function withRoom(array: Uint32Array<ArrayBuffer>, index: number): Uint32Array<ArrayBuffer> {
  if (index < array.length) return array
  const larger = new Uint32Array(array.length * 2)
  larger.set(array)
  return larger
}

/** Entries are appended to plain arrays and sorted by term at the end, which is faster than one list per term. */
export class TermBatchBuilder {
  readonly #ids = new Map<string, number>()
  /** By term: its counts in the current fragment. */
  #packed = new Uint32Array(4096)
  /** By term: the number of fragments that contain it. */
  #holding = new Uint32Array(4096)
  /** Terms of the current fragment. */
  #touched = new Uint32Array(1024)
  #touchedCount = 0
  #entryTerms = new Uint32Array(1 << 14)
  #entryCounts = new Uint32Array(1 << 14)
  #entries = 0
  /** By fragment: the end of its entries. */
  readonly #fragmentEnds: number[] = []
  readonly #lengths: number[] = []

  /** The number of a term, from 0. */
  idOf(term: string): number {
    let id = this.#ids.get(term)
    if (id === undefined) {
      id = this.#ids.size
      this.#ids.set(term, id)
      this.#packed = withRoom(this.#packed, id)
      this.#holding = withRoom(this.#holding, id)
    }
    return id
  }

  /** Counts a term of the current fragment. */
  count(id: number, field: Field): void {
    const before = this.#packed[id] as number
    if (before === 0) {
      this.#touched = withRoom(this.#touched, this.#touchedCount)
      this.#touched[this.#touchedCount++] = id
    }
    this.#packed[id] = addOccurrence(before, field)
  }

  endFragment(bodyWords: number): void {
    for (let at = 0; at < this.#touchedCount; at++) {
      const id = this.#touched[at] as number
      this.#entryTerms = withRoom(this.#entryTerms, this.#entries)
      this.#entryCounts = withRoom(this.#entryCounts, this.#entries)
      this.#entryTerms[this.#entries] = id
      this.#entryCounts[this.#entries++] = this.#packed[id] as number
      this.#holding[id] = (this.#holding[id] as number) + 1
      this.#packed[id] = 0
    }
    this.#touchedCount = 0
    this.#fragmentEnds.push(this.#entries)
    const words = Math.min(bodyWords, maxWords)
    this.#lengths.push(words & 255, words >> 8)
  }

  finish(): TermBatch {
    const { starts, fragments, counts } = this.#sortByTerm()
    // A term may have a number without any fragment.
    const terms = [...this.#ids].filter(([, id]) => (this.#holding[id] as number) > 0)
    const ends = new Uint32Array(terms.length)
    const lists = new ByteSink(1 << 16)
    for (const [index, [, id]] of terms.entries()) {
      const start = starts[id] as number
      const end = starts[id + 1] as number
      lists.varint(end - start)
      lists.varint(fragments[end - 1] as number)
      for (let at = start, last = -1; at < end; at++) {
        writeEntry(lists, (fragments[at] as number) - last, counts[at] as number)
        last = fragments[at] as number
      }
      ends[index] = lists.length
    }
    return {
      terms: terms.map(([term]) => term).join('\n'),
      lists: lists.view().slice(),
      ends,
      fragmentCount: this.#fragmentEnds.length,
      lengths: Uint8Array.from(this.#lengths),
    }
  }

  /** A counting sort, so that fragments stay in their order within a term. */
  #sortByTerm(): { starts: Uint32Array; fragments: Uint32Array; counts: Uint32Array } {
    const starts = new Uint32Array(this.#ids.size + 1)
    for (let id = 0; id < this.#ids.size; id++)
      starts[id + 1] = (starts[id] as number) + (this.#holding[id] as number)
    const next = starts.slice()
    const fragments = new Uint32Array(this.#entries)
    const counts = new Uint32Array(this.#entries)
    for (let fragment = 0, at = 0; fragment < this.#fragmentEnds.length; fragment++)
      for (; at < (this.#fragmentEnds[fragment] as number); at++) {
        const id = this.#entryTerms[at] as number
        const place = next[id] as number
        next[id] = place + 1
        fragments[place] = fragment
        counts[place] = this.#entryCounts[at] as number
      }
    return { starts, fragments, counts }
  }
}
