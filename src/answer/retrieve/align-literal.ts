// Where does a text say what a question quotes? The words of both are aligned in their order, with holes where a message has values.

/** Maximum number of words in a hole: of the question (the value), and of the text (a directive, an expression). */
const VALUE_WORDS = 8
const DIRECTIVE_WORDS = 4
/** What a hole costs, in the unit of the weights. */
const HOLE_COST = 2

/** The part of a text that the question repeats. */
export interface Alignment {
  /** Sum of the weights of the aligned words, less the cost of the holes. */
  readonly weight: number
  readonly words: number
  /** Positions in the question of the first word and the last. */
  readonly first: number
  readonly last: number
  /** Lines of the text, from 0 on. */
  readonly line: number
  readonly endLine: number
}

/** Aligns texts with the words of one question. */
export class LiteralAligner {
  /** By position in the question. */
  readonly #weights: Float64Array
  /** By word number: its last position; by position: the one before with the same word; -1 for none. */
  readonly #lastOf: Int32Array
  readonly #before: Int32Array
  /** Of the best alignment that ends at each position: the word of the text, its weight, words, first position and line. */
  readonly #ends: Int32Array
  readonly #sums: Float64Array
  readonly #counts: Int32Array
  readonly #firsts: Int32Array
  readonly #lines: Int32Array

  /** By position: the word number, from 1 on, and the weight. */
  constructor(order: readonly number[], weights: readonly number[]) {
    const { length } = order
    this.#weights = Float64Array.from(weights)
    this.#lastOf = new Int32Array(order.reduce((most, one) => Math.max(most, one), 0) + 1).fill(-1)
    this.#before = new Int32Array(length)
    for (const [position, number] of order.entries()) {
      this.#before[position] = this.#lastOf[number] as number
      this.#lastOf[number] = position
    }
    this.#ends = new Int32Array(length)
    this.#sums = new Float64Array(length)
    this.#counts = new Int32Array(length)
    this.#firsts = new Int32Array(length)
    this.#lines = new Int32Array(length)
  }

  /** The best alignment of a text: varints of its words, 0 at the end of a line, and by word its number in the question. */
  align(bytes: Uint8Array, numbers: Int32Array): Alignment | null {
    this.#ends.fill(-2 - DIRECTIVE_WORDS)
    let [weight, words, first, last, startLine, endLine] = [0, 0, 0, 0, 0, 0]
    let here = 0
    let line = 0
    for (let at = 0; at < bytes.length; ) {
      let byte = bytes[at++] as number
      if (byte === 0) {
        line++
        continue
      }
      let word = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++] as number
        word |= (byte & 127) << shift
      }
      const number = numbers[word] as number
      if (number < 0) continue
      here++
      if (number === 0) continue
      for (let to = this.#lastOf[number] as number; to >= 0; to = this.#before[to] as number) {
        const sum = this.#extend(to, here, line)
        if (sum <= weight) continue
        weight = sum
        words = this.#counts[to] as number
        first = this.#firsts[to] as number
        last = to
        startLine = this.#lines[to] as number
        endLine = line
      }
    }
    return weight > 0 ? { weight, words, first, last, line: startLine, endLine } : null
  }

  /** Ends an alignment with this word of the text at a position of the question; its weight, or 0 where a better one ends near. */
  #extend(to: number, here: number, line: number): number {
    const [ends, sums] = [this.#ends, this.#sums]
    let most = 0
    let from = -1
    for (let other = to - 1; other >= 0 && other >= to - 1 - VALUE_WORDS; other--) {
      const gap = here - (ends[other] as number) - 1
      if (gap < 0 || gap > DIRECTIVE_WORDS) continue
      const sum = (sums[other] as number) - (gap === 0 && other === to - 1 ? 0 : HOLE_COST)
      if (sum <= most) continue
      most = sum
      from = other
    }
    const sum = most + (this.#weights[to] as number)
    const isNear = here - (ends[to] as number) <= DIRECTIVE_WORDS
    if (isNear && (sums[to] as number) - HOLE_COST > sum) return 0
    ends[to] = here
    sums[to] = sum
    this.#counts[to] = 1 + (from < 0 ? 0 : (this.#counts[from] as number))
    this.#firsts[to] = from < 0 ? to : (this.#firsts[from] as number)
    this.#lines[to] = from < 0 ? line : (this.#lines[from] as number)
    return sum
  }
}
