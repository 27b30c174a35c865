// Along which axes do vectors differ most? The eigenvectors of their covariance, the largest first.

export interface Axes {
  readonly mean: Float64Array
  /** `count` rows of unit length. */
  readonly rows: Float64Array
  readonly count: number
}

/** The `count` main axes of the rows of a matrix. */
export function findAxes(matrix: Float32Array, dimensions: number, count: number): Axes {
  const mean = meanOf(matrix, dimensions)
  const { values, vectors } = solveSymmetric(covarianceOf(matrix, mean), dimensions)
  const order = Array.from({ length: dimensions }, (_, at) => at).sort(
    (a, b) => values[b]! - values[a]! || a - b,
  )
  const rows = new Float64Array(count * dimensions)
  for (let row = 0; row < count; row++) {
    const from = order[row]! * dimensions
    rows.set(vectors.subarray(from, from + dimensions), row * dimensions)
  }
  return { mean, rows, count }
}

/** Row by row: minus the mean, along the axes. */
export function project(matrix: Float32Array, { mean, rows, count }: Axes): Float32Array {
  const dimensions = mean.length
  const size = matrix.length / dimensions
  const projected = new Float32Array(size * count)
  const centred = new Float64Array(dimensions)
  for (let row = 0; row < size; row++) {
    for (let d = 0; d < dimensions; d++) centred[d] = matrix[row * dimensions + d]! - mean[d]!
    for (let axis = 0; axis < count; axis++) {
      let sum = 0
      for (let d = 0; d < dimensions; d++) sum += centred[d]! * rows[axis * dimensions + d]!
      projected[row * count + axis] = sum
    }
  }
  return projected
}

function meanOf(matrix: Float32Array, dimensions: number): Float64Array {
  const mean = new Float64Array(dimensions)
  const size = matrix.length / dimensions
  for (let at = 0; at < matrix.length; at++) mean[at % dimensions]! += matrix[at]! / size
  return mean
}

function covarianceOf(matrix: Float32Array, mean: Float64Array): Float64Array {
  const dimensions = mean.length
  const size = matrix.length / dimensions
  const covariance = new Float64Array(dimensions * dimensions)
  const centred = new Float64Array(dimensions)
  for (let row = 0; row < size; row++) {
    for (let d = 0; d < dimensions; d++) centred[d] = matrix[row * dimensions + d]! - mean[d]!
    for (let a = 0; a < dimensions; a++) {
      const value = centred[a]! / size
      for (let b = a; b < dimensions; b++) covariance[a * dimensions + b]! += value * centred[b]!
    }
  }
  for (let a = 0; a < dimensions; a++)
    for (let b = 0; b < a; b++) covariance[a * dimensions + b] = covariance[b * dimensions + a]!
  return covariance
}

/** Jacobi's method in a fixed order, until nothing beside the diagonal is left; eigenvectors are rows. */
export function solveSymmetric(
  matrix: Float64Array,
  n: number,
): { values: Float64Array; vectors: Float64Array } {
  const a = matrix.slice()
  const vectors = new Float64Array(n * n)
  for (let at = 0; at < n; at++) vectors[at * n + at] = 1
  let trace = 0
  for (let at = 0; at < n; at++) trace += Math.abs(a[at * n + at]!)
  for (let sweep = 0; sweep < 30; sweep++) {
    let rest = 0
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) rest += Math.abs(a[p * n + q]!)
    if (rest <= 1e-7 * trace) break
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) rotate(a, vectors, { n, p, q })
  }
  return { values: Float64Array.from({ length: n }, (_, at) => a[at * n + at]!), vectors }
}

interface Place {
  readonly n: number
  readonly p: number
  readonly q: number
}

/** One rotation that makes a[p, q] zero. Rows are worked on and mirrored into columns: rows lie together in memory. */
function rotate(a: Float64Array, vectors: Float64Array, { n, p, q }: Place): void {
  const [rowP, rowQ] = [p * n, q * n]
  const apq = a[rowP + q]!
  const [app, aqq] = [a[rowP + p]!, a[rowQ + q]!]
  if (Math.abs(apq) < 1e-14 * Math.sqrt(Math.abs(app * aqq)) || apq === 0) return
  const theta = (aqq - app) / (2 * apq)
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const c = 1 / Math.sqrt(t * t + 1)
  const s = t * c
  turnRows(a, n, { rowP, rowQ, c, s })
  turnRows(vectors, n, { rowP, rowQ, c, s })
  a[rowP + p] = app - t * apq
  a[rowQ + q] = aqq + t * apq
  a[rowP + q] = 0
  a[rowQ + p] = 0
  for (let k = 0, at = 0; k < n; k++, at += n) {
    if (k === p || k === q) continue
    a[at + p] = a[rowP + k]!
    a[at + q] = a[rowQ + k]!
  }
}

interface Turn {
  readonly rowP: number
  readonly rowQ: number
  readonly c: number
  readonly s: number
}

function turnRows(matrix: Float64Array, n: number, { rowP, rowQ, c, s }: Turn): void {
  for (let k = 0; k < n; k++) {
    const one = matrix[rowP + k]!
    const other = matrix[rowQ + k]!
    matrix[rowP + k] = c * one - s * other
    matrix[rowQ + k] = s * one + c * other
  }
}
