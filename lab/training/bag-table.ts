// How does a table of token vectors learn? A text is the sum of its rows at unit length; slopes flow back into those rows.
import { openKernel } from '../../src/corpus/embed/open-kernel.ts'
import { bagKernel } from './bag-kernel.ts'

/** The rows, and what Adam remembers about each number. */
export interface BagTable {
  readonly size: number
  readonly dimensions: number
  /** One after another; steps change them. */
  readonly rows: Float32Array
  /** What `embed` reads instead of `rows` while `reads` is 'copy': their rounded form, say. */
  readonly copy: Float32Array
  reads: 'rows' | 'copy'
  /** Row by row, the vectors of these texts; a text without tokens is zero. */
  readonly embed: (lists: readonly Int32Array[]) => Embedded
  /** Adds the slopes of embedded texts to those of their rows. */
  readonly learn: (embedded: Embedded, slopes: Float32Array) => void
  /** One step of Adam over every row that got a slope. */
  readonly step: (rate: number) => void
  /** Everything that a later run needs to go on: rows and Adam's memory, one after another. */
  readonly state: { readonly floats: Float32Array; steps: number }
}

export interface Embedded {
  readonly lists: readonly Int32Array[]
  readonly vectors: Float32Array
  /** Length of each sum before it was made one. */
  readonly lengths: Float64Array
}

const [decay, squareDecay, tiny] = [0.9, 0.99, 1e-8] as const
const kernelStep = 16

type AddRow = (row: number, end: number, target: number) => void
type StepRow = (...numbers: readonly number[]) => void

/** A table that begins with these rows. */
export function createBagTable(first: Float32Array, dimensions: number): BagTable {
  if (dimensions % kernelStep !== 0) throw new Error(`${dimensions} is no multiple of ${kernelStep}`)
  const size = first.length / dimensions
  const rowBytes = dimensions * 4
  const tableBytes = size * rowBytes
  const bytes = tableBytes * 5 + rowBytes
  const kernel = openKernel(bagKernel, bytes, bytes)
  if (kernel === null) throw new Error('training needs WebAssembly with SIMD and room for five tables')
  const addRow = kernel.exports['addRow'] as AddRow
  const stepRow = kernel.exports['stepRow'] as StepRow
  const [meanAt, squareAt, slopeAt, copyAt] = [tableBytes, tableBytes * 2, tableBytes * 3, tableBytes * 4]
  const sumAt = tableBytes * 5
  const floats = (start: number, count: number): Float32Array =>
    new Float32Array(kernel.buffer(), start, count)
  const [rows, copy] = [floats(0, first.length), floats(copyAt, first.length)]
  rows.set(first)
  const sum = floats(sumAt, dimensions)
  const isTouched = new Uint8Array(size)
  const touched: number[] = []
  const state = { floats: floats(0, first.length * 3), steps: 0 }

  const embed = (lists: readonly Int32Array[]): Embedded => {
    const from = table.reads === 'rows' ? 0 : copyAt
    const vectors = new Float32Array(lists.length * dimensions)
    const lengths = new Float64Array(lists.length)
    for (const [index, list] of lists.entries()) {
      sum.fill(0)
      for (let at = 0; at < list.length; at++) {
        const row = from + list[at]! * rowBytes
        addRow(row, row + rowBytes, sumAt)
      }
      lengths[index] = normalize(sum)
      vectors.set(sum, index * dimensions)
    }
    return { lists, vectors, lengths }
  }

  const learn = ({ lists, vectors, lengths }: Embedded, slopes: Float32Array): void => {
    for (const [index, list] of lists.entries()) {
      if (lengths[index] === 0) continue
      projectSlope(sum, { vectors, slopes, start: index * dimensions, length: lengths[index]! })
      for (let at = 0; at < list.length; at++) {
        const id = list[at]!
        if (isTouched[id] === 0) {
          isTouched[id] = 1
          touched.push(id)
        }
        addRow(sumAt, sumAt + rowBytes, slopeAt + id * rowBytes)
      }
    }
  }

  const step = (rate: number): void => {
    const steps = ++state.steps
    const stride = (rate * Math.sqrt(1 - squareDecay ** steps)) / (1 - decay ** steps)
    for (const id of touched) {
      isTouched[id] = 0
      const at = id * rowBytes
      const places = [at, at + rowBytes, slopeAt + at, meanAt + at, squareAt + at] as const
      stepRow(...places, stride, decay, 1 - decay, squareDecay, 1 - squareDecay, tiny)
    }
    touched.length = 0
  }
  const table: BagTable = { size, dimensions, rows, copy, reads: 'rows', embed, learn, step, state }
  return table
}

/** Makes the length one and gives what it was. */
export function normalize(vector: Float32Array): number {
  let sum = 0
  for (let d = 0; d < vector.length; d++) sum += vector[d]! * vector[d]!
  const length = Math.sqrt(sum)
  if (length > 0) for (let d = 0; d < vector.length; d++) vector[d]! /= length
  return length
}

interface Projection {
  readonly vectors: Float32Array
  readonly slopes: Float32Array
  readonly start: number
  readonly length: number
}

/** The slope by the sum: only what turns the vector counts, not what makes it longer. */
function projectSlope(target: Float32Array, { vectors, slopes, start, length }: Projection): void {
  let along = 0
  for (let d = 0; d < target.length; d++) along += slopes[start + d]! * vectors[start + d]!
  for (let d = 0; d < target.length; d++)
    target[d] = (slopes[start + d]! - along * vectors[start + d]!) / length
}
