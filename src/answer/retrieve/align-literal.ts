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

export type LiteralAligner = ReturnType<typeof alignLiteral>

/** Aligns texts with the words of one question. By position: the word number, from 1 on, and the weight. */
export function alignLiteral(order: readonly number[], weights: readonly number[]) {
  const { length } = order
  /** By word number: its last position; by position: the one before with the same word; -1 for none. */
  const lastOf = new Int32Array(order.reduce((most, one) => Math.max(most, one), 0) + 1).fill(-1)
  const before = new Int32Array(length)
  for (const [position, number] of order.entries()) {
    before[position] = lastOf[number] as number
    lastOf[number] = position
  }
  /** Of the best alignment that ends at each position: the word of the text, its weight, words, first position and line. */
  const zeros = (): Int32Array => new Int32Array(length)
  const [ends, counts, firsts, lines] = [zeros(), zeros(), zeros(), zeros()]
  const sums = new Float64Array(length)

  /** The best alignment of a text: varints of its words, 0 at the end of a line, and by word its number in the question. */
  function align(bytes: Uint8Array, numbers: Int32Array): Alignment | null {
    ends.fill(-2 - DIRECTIVE_WORDS)
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
      for (let to = lastOf[number] as number; to >= 0; to = before[to] as number) {
        const sum = extend(to, here, line)
        if (sum <= weight) continue
        weight = sum
        words = counts[to] as number
        first = firsts[to] as number
        last = to
        startLine = lines[to] as number
        endLine = line
      }
    }
    return weight > 0 ? { weight, words, first, last, line: startLine, endLine } : null
  }

  /** Ends an alignment with this word of the text at a position of the question; its weight, or 0 where a better one ends near. */
  function extend(to: number, here: number, line: number): number {
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
    const sum = most + (weights[to] as number)
    const isNear = here - (ends[to] as number) <= DIRECTIVE_WORDS
    if (isNear && (sums[to] as number) - HOLE_COST > sum) return 0
    ends[to] = here
    sums[to] = sum
    counts[to] = 1 + (from < 0 ? 0 : (counts[from] as number))
    firsts[to] = from < 0 ? to : (firsts[from] as number)
    lines[to] = from < 0 ? line : (lines[from] as number)
    return sum
  }

  return align
}
