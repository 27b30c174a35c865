// How long is a vector? One, after this; a vector of zeros stays as it is.

/** A copy with length one. Sums are double precision, in order of the dimensions: the same bits everywhere. */
export function normalizeVector(vector: ArrayLike<number>): Float32Array {
  let squares = 0
  for (let index = 0; index < vector.length; index++) squares += vector[index]! * vector[index]!
  const unit = new Float32Array(vector.length)
  if (squares === 0) return unit
  const scale = 1 / Math.sqrt(squares)
  for (let index = 0; index < vector.length; index++) unit[index] = vector[index]! * scale
  return unit
}
