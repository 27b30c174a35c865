// How are a vector's numbers scaled? To unit length for comparing, then to int4 for storing; a zero vector is unchanged.

/** A copy of length one. Sums are double precision, in the order of the dimensions: the same bits everywhere. */
export function normalizeVector(vector: ArrayLike<number>): Float32Array {
  const unit = new Float32Array(vector.length)
  let squares = 0
  for (let index = 0; index < vector.length; index++) squares += vector[index]! * vector[index]!
  const scale = squares === 0 ? 0 : 1 / Math.sqrt(squares)
  for (let index = 0; index < vector.length; index++) unit[index] = vector[index]! * scale
  return unit
}

/** Components of unit vectors in 512 dimensions are small: nearly all are within the 16 numbers of half a byte. */
export const quantizationScale = 66

/** Bytes of a stored vector: 32 dimensions in 16 bytes. */
export const vectorBytes = (dimensions: number): number => Math.ceil(dimensions / 32) * 16

/** A unit vector in half a byte for each dimension, as the kernel reads it; ties round up, as Math.round does. */
export function quantizeVector(vector: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(vectorBytes(vector.length))
  for (let index = 0; index < vector.length; index++) {
    const number = Math.max(-8, Math.min(7, Math.round(vector[index]! * quantizationScale)))
    bytes[((index >> 5) << 4) | (index & 15)]! |= (number & 15) << ((index & 16) >> 2)
  }
  return bytes
}
