// Which stored vectors point the same way as the query's? An exact scan: an integer dot product with every row.
//
// The scanner owns the memory in which the rows lie, so a query copies nothing but itself. Rows are int4
// (src/corpus/embed/vector-numbers.ts), the query int16: the kernel widens rows to that, and nothing is lost.
import { openKernel } from '../../corpus/embed/open-kernel.ts'
import { quantizationScale, vectorBytes } from '../../corpus/embed/vector-numbers.ts'
import { YoreError } from '../../model/errors.ts'
import { keepBest, type ScoredRow } from './keep-best.ts'
import { scanKernel } from './scan-kernel.ts'

/** What a query's components are multiplied by; those of a unit vector then fill int16. */
const queryScale = 32_767
/** Rows per call of the kernel: their scores stay in the processor's first cache. */
const blockRows = 2_048
/** An integer score, divided by it, is the cosine. */
export const scoreScale: number = queryScale * quantizationScale
/** What 32-bit addresses reach. */
const maxBytes = 2 ** 32

interface TopOptions {
  readonly limit: number
  /** Rows for which this is false are passed over; asked only for rows that would be kept. */
  readonly accept?: (row: number) => boolean
}

export interface VectorScanner {
  readonly dimensions: number
  /** Bytes from one row to the next. */
  readonly rowBytes: number
  readonly count: number
  /**
   * Makes room for exactly `count` rows and gives the memory to write them into, row after row, `rowBytes` each.
   * Rows that were there stay; new ones are zero until written. A view given earlier is no longer valid.
   */
  reserve(count: number): Uint8Array
  /** The rows most similar to the query; the score, divided by `scoreScale`, is the cosine, up to what rounding costs. */
  top(query: Float32Array, options: TopOptions): ScoredRow[]
}

/**
 * An empty scanner for vectors of `dimensions` components.
 *
 * @example
 * const scanner = createVectorScanner(512)
 * scanner.reserve(10_000).set(matrix)
 * scanner.top(queryVector, { limit: 100 }) // [{ row: 42, score: 1_752_000 }, …]
 */
export function createVectorScanner(dimensions: number): VectorScanner {
  if (!Number.isInteger(dimensions) || dimensions < 1) {
    throw new YoreError('BAD_INPUT', `a vector cannot have ${dimensions} dimensions`)
  }
  const rowBytes = vectorBytes(dimensions)
  const scoresAt = rowBytes * 4
  const rowsAt = scoresAt + blockRows * 4
  const kernel = openKernel(scanKernel, rowsAt, maxBytes)
  if (kernel === null)
    throw new YoreError('BAD_INPUT', 'embeddings need WebAssembly, which this Node does not run')
  const { buffer, growTo, exports } = kernel
  const { scan } = exports as unknown as { readonly scan: Scan }
  let count = 0
  return {
    dimensions,
    rowBytes,
    get count() {
      return count
    },
    reserve: (wanted) => {
      if (!Number.isInteger(wanted) || wanted < 0)
        throw new YoreError('BAD_INPUT', `there cannot be ${wanted} rows`)
      const end = rowsAt + wanted * rowBytes
      try {
        growTo(end)
      } catch (cause) {
        const megabytes = Math.ceil(end / 2 ** 20)
        throw new YoreError('BAD_INPUT', `no memory for ${megabytes} MB of vectors`, { cause })
      }
      // Rows that are given up and reserved again later must be zero.
      if (wanted < count) new Uint8Array(buffer(), end, (count - wanted) * rowBytes).fill(0)
      count = wanted
      return new Uint8Array(buffer(), rowsAt, wanted * rowBytes)
    },
    top: (query, { limit, accept }) => {
      if (query.length !== dimensions)
        throw new YoreError('BAD_INPUT', `the query has ${query.length} dimensions, the rows ${dimensions}`)
      const widened = new Int16Array(buffer(), 0, dimensions)
      for (let index = 0; index < dimensions; index++)
        widened[index] = Math.max(-queryScale, Math.min(queryScale, Math.round(query[index]! * queryScale)))
      const best = keepBest(Math.min(limit, count))
      // Rows come in ascending order, so one that only equals the worst kept never takes its place.
      let floor = best.floor()
      for (let first = 0; first < count; first += blockRows) {
        const rows = Math.min(blockRows, count - first)
        const start = rowsAt + first * rowBytes
        scan(0, start, start + rows * rowBytes, rowBytes, scoresAt)
        const block = new Int32Array(buffer(), scoresAt, rows)
        for (let index = 0; index < rows; index++) {
          const score = block[index]!
          if (score <= floor || (accept !== undefined && !accept(first + index))) continue
          best.offer(first + index, score)
          floor = best.floor()
        }
      }
      return best.list()
    },
  }
}

/** The loop over rows that have the query and room for their scores in front of them. */
type Scan = (query: number, rows: number, end: number, rowBytes: number, scores: number) => void
