// How are a vector's numbers scaled? To unit length for comparing, then to int8 for storing; a zero vector is unchanged.

/** A copy of length one. Sums are double precision, in the order of the dimensions: the same bits everywhere. */
export function normalizeVector(vector: ArrayLike<number>): Float32Array {
  const unit = new Float32Array(vector.length)
  let squares = 0
  for (let index = 0; index < vector.length; index++) squares += vector[index]! * vector[index]!
  const scale = squares === 0 ? 0 : 1 / Math.sqrt(squares)
  for (let index = 0; index < vector.length; index++) unit[index] = vector[index]! * scale
  return unit
}

/** Components of unit vectors in hundreds of dimensions are small: 400 keeps nearly all below 127, at ≤ .004 nDCG. */
export const quantizationScale = 400

/** The bytes of a unit vector; ties round up, as Math.round does. */
export function quantizeVector(vector: Float32Array): Int8Array {
  const bytes = new Int8Array(vector.length)
  for (let index = 0; index < vector.length; index++)
    bytes[index] = Math.max(-127, Math.min(127, Math.round(vector[index]! * quantizationScale)))
  return bytes
}
