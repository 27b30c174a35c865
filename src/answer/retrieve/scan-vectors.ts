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
  /** The rows most similar to the query; the score is the cosine, up to what rounding to bytes costs. */
  top(query: Float32Array, options: TopOptions): ScoredRow[]
}

/**
 * An empty scanner for vectors of `dimensions` components.
 *
 * @example
 * const scanner = createVectorScanner(512)
 * scanner.reserve(10_000).set(matrix)
 * scanner.top(queryVector, { limit: 100 }) // [{ row: 42, score: 0.81 }, …]
 */
export function createVectorScanner(dimensions: number): VectorScanner {
  if (!Number.isInteger(dimensions) || dimensions < 1) {
    throw new YoreError('BAD_INPUT', `a vector cannot have ${dimensions} dimensions`)
  }
  const rowBytes = vectorBytes(dimensions)
  const scoresAt = rowBytes * 4
  const rowsAt = scoresAt + blockRows * 4
  const room = openRoom(rowsAt)
  let count = 0

  const writeQuery = (query: Float32Array): void => {
    if (query.length !== dimensions) {
      throw new YoreError('BAD_INPUT', `the query has ${query.length} dimensions, the rows ${dimensions}`)
    }
    const widened = new Int16Array(room.buffer(), 0, dimensions)
    for (let index = 0; index < dimensions; index++) widened[index] = widenComponent(query[index]!)
  }

  /** Hands over the scores block by block. */
  const scan = (query: Float32Array, take: (scores: Int32Array, first: number) => void): void => {
    writeQuery(query)
    for (let first = 0; first < count; first += blockRows) {
      const rows = Math.min(blockRows, count - first)
      const start = rowsAt + first * rowBytes
      room.scan(0, start, start + rows * rowBytes, rowBytes, scoresAt)
      take(new Int32Array(room.buffer(), scoresAt, rows), first)
    }
  }

  const reserve = (wanted: number): Uint8Array => {
    if (!Number.isInteger(wanted) || wanted < 0) {
      throw new YoreError('BAD_INPUT', `there cannot be ${wanted} rows`)
    }
    const end = rowsAt + wanted * rowBytes
    growRoom(room, end)
    // Rows that are given up and reserved again later must be zero.
    if (wanted < count) new Uint8Array(room.buffer(), end, (count - wanted) * rowBytes).fill(0)
    count = wanted
    return new Uint8Array(room.buffer(), rowsAt, wanted * rowBytes)
  }

  return {
    dimensions,
    rowBytes,
    get count() {
      return count
    },
    reserve,
    top: (query, { limit, accept }) => {
      const best = keepBest(Math.min(limit, count))
      // Rows come in ascending order, so one that only equals the worst kept never takes its place.
      let floor = best.floor()
      scan(query, (block, first) => {
        for (let index = 0; index < block.length; index++) {
          const score = block[index]!
          if (score <= floor || (accept !== undefined && !accept(first + index))) continue
          best.offer(first + index, score)
          floor = best.floor()
        }
      })
      return best.list().map(({ row, score }) => ({ row, score: similarityOf(score) }))
    },
  }
}

/** Converts an integer score to a cosine. */
export const similarityOf = (score: number): number => score / (queryScale * quantizationScale)

function widenComponent(value: number): number {
  return Math.max(-queryScale, Math.min(queryScale, Math.round(value * queryScale)))
}

/** Memory for the query, a block of scores and the rows, and the loop over it. */
interface Room {
  readonly buffer: () => ArrayBuffer
  readonly growTo: (bytes: number) => void
  readonly scan: (query: number, rows: number, end: number, rowBytes: number, scores: number) => void
}

function growRoom(room: Room, bytes: number): void {
  try {
    room.growTo(bytes)
  } catch (cause) {
    throw new YoreError('BAD_INPUT', `no memory for ${Math.ceil(bytes / 2 ** 20)} MB of vectors`, { cause })
  }
}

function openRoom(bytes: number): Room {
  const kernel = openKernel(scanKernel, bytes, maxBytes)
  if (kernel === null)
    throw new YoreError('BAD_INPUT', 'embeddings need WebAssembly, which this Node does not run')
  const { buffer, growTo, exports } = kernel
  const { scan } = exports as unknown as Pick<Room, 'scan'>
  return { buffer, growTo, scan }
}
