// What is the table before it learns? What both teachers say about each token alone, weighed by how rare it is.
import { normalize } from './bag-table.ts'
import type { Lessons } from './prepare.ts'
import { type Axes, findAxes, project } from './principal-axes.ts'
import { spreadRows } from './spread-rows.ts'
import { teacherDimensions } from './teacher.ts'

/** [PAD], [UNK], [CLS], [SEP] and [MASK] say nothing. */
export const silentTokens: readonly number[] = [0, 100, 101, 102, 103]

/** Smooth inverse frequency: a / (a + share of the token). */
const rarity = 1e-3

export interface FirstTable {
  readonly rows: Float32Array
  /** What the vector of each text should be, of unit length. */
  readonly targets: Float32Array
}

/** Half of the dimensions from each teacher, along the main axes of what it says about texts. */
export function makeFirstTable(lessons: Lessons, counts: Float64Array, dimensions: number): FirstTable {
  const half = dimensions / lessons.texts.length
  const axes = lessons.texts.map((texts): Axes => findAxes(texts, teacherDimensions, half))
  const join = (parts: readonly Float32Array[]): Float32Array => joinColumns(parts, half)
  const targets = join(lessons.texts.map((texts, at) => unitRows(project(texts, axes[at]!), half)))
  const rows = join(lessons.tokens.map((tokens, at) => unitSize(project(tokens, axes[at]!), half)))
  weighRows(rows, counts, dimensions)
  return {
    rows: spreadRows(rows, dimensions),
    targets: unitRows(spreadRows(targets, dimensions), dimensions),
  }
}

/** Tokens from here on stand in the vocabulary in the order of their frequency in general English. */
const firstOrdered = 1_996

/** How common a token is: half from the text, which is mostly about software, half from its place in the vocabulary. */
export function sharesOf(counts: Float64Array): Float64Array {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const places = counts.map((_, id) => (id < firstOrdered ? 0 : 1 / (id - firstOrdered + 10)))
  const allPlaces = places.reduce((sum, place) => sum + place, 0) || 1
  return counts.map((count, id) =>
    id < firstOrdered ? count / total : (0.5 * count) / total + (0.5 * places[id]!) / allPlaces,
  )
}

function weighRows(rows: Float32Array, counts: Float64Array, dimensions: number): void {
  for (const [id, share] of sharesOf(counts).entries()) {
    const weight = silentTokens.includes(id) ? 0 : rarity / (rarity + share)
    for (let d = 0; d < dimensions; d++) rows[id * dimensions + d]! *= weight
  }
}

function unitRows(matrix: Float32Array, dimensions: number): Float32Array {
  for (let start = 0; start < matrix.length; start += dimensions)
    normalize(matrix.subarray(start, start + dimensions))
  return matrix
}

/** One factor for all, so that the mean length is one: teachers differ in size, tokens of one teacher should. */
function unitSize(matrix: Float32Array, dimensions: number): Float32Array {
  const rows = matrix.length / dimensions
  let total = 0
  for (let start = 0; start < matrix.length; start += dimensions)
    total += normalize(matrix.slice(start, start + dimensions))
  return matrix.map((value) => (value * rows) / total)
}

function joinColumns(parts: readonly Float32Array[], width: number): Float32Array {
  const rows = parts[0]!.length / width
  const joined = new Float32Array(rows * width * parts.length)
  for (const [part, matrix] of parts.entries())
    for (let row = 0; row < rows; row++)
      joined.set(matrix.subarray(row * width, (row + 1) * width), (row * parts.length + part) * width)
  return joined
}
