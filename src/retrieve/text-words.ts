// Which words does this text hold, in their order? As numbers, read once for as long as the text is kept.

import type { ArtifactText } from '../model/section.ts'
import { analyzeWords } from '../parse/analyze-words.ts'

/**
 * The words of a text by their numbers in a vocabulary, in order: a compound that repeats its parts is negative, and 0
 * ends a line.
 */
export type Words = Int32Array

/** Characters of a line that are read. */
const LONGEST_LINE = 400
/** Maximum size of the vocabulary; beyond it, numbering starts anew. */
const MOST_WORDS = 400_000
/** Size of the cache of headings and paths. */
const MOST_NAMES = 20_000

/** Numbers for words, and the texts that were read with them. */
export class WordNumbers {
  readonly #numbers = new Map<string, number>()
  readonly #names = new Map<string, Words>()
  readonly #texts = new WeakMap<ArtifactText, Map<number, Words>>()

  get isFull(): boolean {
    return this.#numbers.size >= MOST_WORDS
  }

  /** The number of a term, from 1 on. */
  numberOf(term: string): number {
    let number = this.#numbers.get(term)
    if (number === undefined) {
      number = this.#numbers.size + 1
      this.#numbers.set(term, number)
    }
    return number
  }

  read(text: string): Words {
    const found: number[] = []
    const take = (term: string, whole: boolean): void => {
      found.push(whole ? -this.numberOf(term) : this.numberOf(term))
    }
    for (let from = 0; from <= text.length; ) {
      const next = text.indexOf('\n', from)
      const end = next === -1 ? text.length : next
      analyzeWords(text.slice(from, Math.min(end, from + LONGEST_LINE)), take)
      found.push(0)
      from = end + 1
    }
    return Int32Array.from(found)
  }

  /** The words of a stored text up to a number of characters; the same array as long as the text is cached. */
  readStored(stored: ArtifactText, from: number, length: number): Words {
    const known = this.#texts.get(stored) ?? new Map<number, Words>()
    const words = known.get(from) ?? this.read(stored.text.slice(from, from + length))
    this.#texts.set(stored, known.set(from, words))
    return words
  }

  /** The different words of a name, without compounds, in the order in which they come. */
  readName(name: string): Words {
    let words = this.#names.get(name)
    if (words === undefined) {
      const found = new Set<number>()
      analyzeWords(name, (term, whole) => {
        if (!whole) found.add(this.numberOf(term))
      })
      words = Int32Array.from(found)
      if (this.#names.size >= MOST_NAMES) this.#names.clear()
      this.#names.set(name, words)
    }
    return words
  }
}

let shared = new WordNumbers()

/** The vocabulary of this process, for one question. */
export function openWordNumbers(): WordNumbers {
  if (shared.isFull) shared = new WordNumbers()
  return shared
}
