// What do the words of a batch of fragments come to? A small inverted index, made off the main thread and joined later.
import { addOccurrence, ByteSink, PostingList, type packedField } from './postings.ts'

type Field = keyof typeof packedField

/** A finished batch, cheap to send between threads. */
export interface TermBatch {
  /** All terms, joined by line ends (no term holds one). */
  readonly terms: string
  /** The lists of the terms in the same order, one after the other. */
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

export class TermBatchBuilder {
  readonly #ids = new Map<string, number>()
  readonly #lists: PostingList[] = []
  #packed = new Uint32Array(4096)
  #touched: number[] = []
  #lengths: number[] = []
  #fragments = 0

  /** Counts a term of the current fragment. */
  count(term: string, field: Field): void {
    let id = this.#ids.get(term)
    if (id === undefined) {
      id = this.#lists.length
      this.#ids.set(term, id)
      this.#lists.push(new PostingList())
      if (id >= this.#packed.length) {
        const larger = new Uint32Array(this.#packed.length * 2)
        larger.set(this.#packed)
        this.#packed = larger
      }
    }
    const before = this.#packed[id] as number
    if (before === 0) this.#touched.push(id)
    this.#packed[id] = addOccurrence(before, field)
  }

  /** Ends the current fragment. */
  endFragment(bodyWords: number): void {
    for (const id of this.#touched) {
      ;(this.#lists[id] as PostingList).add(this.#fragments, this.#packed[id] as number)
      this.#packed[id] = 0
    }
    this.#touched = []
    const words = Math.min(bodyWords, maxWords)
    this.#lengths.push(words & 255, words >> 8)
    this.#fragments++
  }

  finish(): TermBatch {
    const ends = new Uint32Array(this.#lists.length)
    const lists = new ByteSink(1 << 16)
    for (const [index, list] of this.#lists.entries()) {
      list.writeTo(lists)
      ends[index] = lists.length
    }
    return {
      terms: [...this.#ids.keys()].join('\n'),
      lists: lists.view().slice(),
      ends,
      fragmentCount: this.#fragments,
      lengths: Uint8Array.from(this.#lengths),
    }
  }
}
