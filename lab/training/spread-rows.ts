// How is a vector's weight spread evenly over its numbers? A fixed rotation: signs, then Hadamard's matrix.
//
// Four bits per number serve a row best when its numbers are of one size. A rotation changes no angle between rows.
import { createRandom } from './random.ts'

const seed = 512

/** Rotates every row in place; `dimensions` is a power of two. */
export function spreadRows(matrix: Float32Array, dimensions: number): Float32Array {
  if ((dimensions & (dimensions - 1)) !== 0) throw new Error(`${dimensions} is no power of two`)
  const random = createRandom(seed)
  const signs = Float32Array.from(
    { length: dimensions },
    () => (random() < 0.5 ? -1 : 1) / Math.sqrt(dimensions),
  )
  for (let start = 0; start < matrix.length; start += dimensions) {
    for (let d = 0; d < dimensions; d++) matrix[start + d]! *= signs[d]!
    for (let half = 1; half < dimensions; half *= 2) {
      for (let block = start; block < start + dimensions; block += half * 2) {
        for (let at = block; at < block + half; at++) {
          const [one, other] = [matrix[at]!, matrix[at + half]!]
          matrix[at] = one + other
          matrix[at + half] = one - other
        }
      }
    }
  }
  return matrix
}
