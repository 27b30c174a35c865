// Which words of a question are in a name or in a section? Words are compared as numbers; those of names are read once.

import { wordKey } from '../../corpus/store/rows/section-words.ts'
import { termsIn } from '../../read/parse/words/analyze-words.ts'

/** The different words of a name by their numbers in a vocabulary. */
type Words = Int32Array

/** Maximum size of the vocabulary; beyond it, numbering restarts. */
const MOST_WORDS = 400_000
/** Size of the cache of headings and paths. */
const MOST_NAMES = 20_000

/** Numbers for words, and the names that were read with them. */
export class WordNumbers {
  readonly #numbers = new Map<string, number>()
  readonly #names = new Map<string, Words>()

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

  /** The different words of a name, without compounds, in the order in which they come. */
  readName(name: string): Words {
    let words = this.#names.get(name)
    if (words === undefined) {
      const terms = termsIn(name, { whole: false })
      words = Int32Array.from(new Set(terms.map((term) => this.numberOf(term))))
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

/** A power of two, many times the words of a question. */
const KEY_PLACES = 4096

/** The numbers of a question's words, found by their keys in stored sections. */
export class KeyNumbers {
  readonly #byKey = new Map<number, number>()
  /** By the lowest bits of a key: whether the question may have it. */
  readonly #mayHave = new Uint8Array(KEY_PLACES)
  #inSection = new Int32Array(1024)
  /** Numbers of the question's words in the section that was read last. */
  readonly found: number[] = []

  /** A compound is meant where it is a query term. */
  add(term: string, number: number, isTerm: boolean): void {
    for (const whole of isTerm ? [false, true] : [false]) {
      const key = wordKey(term, whole)
      this.#byKey.set(key, number)
      this.#mayHave[key & (KEY_PLACES - 1)] = 1
    }
  }

  /**
   * By the number of a word in a section: its number in the question, 0 for none, below 0 for a compound that is not a
   * query term. Null when the section has no word of the question; valid until the next call.
   */
  read(keys: Int32Array): Int32Array | null {
    if (keys.length >= this.#inSection.length) this.#inSection = new Int32Array(keys.length * 2)
    const [numbers, mayHave, byKey] = [this.#inSection, this.#mayHave, this.#byKey]
    this.found.length = 0
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at] as number
      const number = mayHave[key & (KEY_PLACES - 1)] === 0 ? undefined : byKey.get(key)
      if (number !== undefined) this.found.push(number)
      numbers[at + 1] = number ?? 0 - (key & 1)
    }
    return this.found.length > 0 ? numbers : null
  }
}
