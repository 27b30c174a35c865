// Which stored vectors point the same way as the query's? An exact scan: an integer dot product with every row. Where
// there are very many rows, only with those whose signs agree best with the query's (record 0039 in docs/decisions).
//
// The scanner owns the memory in which the rows lie, so a query copies nothing but itself. Rows are int8
// (src/corpus/embed/vector-numbers.ts), the query int16: the kernel widens rows to that anyway, and nothing is lost.
import { openKernel } from '../../corpus/embed/open-kernel.ts'
import { quantizationScale } from '../../corpus/embed/vector-numbers.ts'
import { YoreError } from '../../model/errors.ts'
import { keepBest, type ScoredRow } from './keep-best.ts'
import { scanKernel } from './scan-kernel.ts'

/** What a query's components are multiplied by; those of a unit vector then fill int16. */
const queryScale = 32_767
const rowAlignment = 16
/** Rows per call of the kernel: their scores stay in the processor's first cache. */
const blockRows = 2_048
/** What 32-bit addresses reach. */
const maxBytes = 2 ** 32

interface ScannerOptions {
  /** Number of rows from which on signs decide which rows are scored. */
  readonly signsFrom: number
}

const scannerDefaults: ScannerOptions = { signsFrom: 200_000 }

/** One row in `SCORED_SHARE` is scored after comparing signs; at least `fewestScored`, and all ties. */
const SCORED_SHARE = 32
const fewestScored = 16_384
/** Maximum magnitude of a quantized query component, and the factor from standard deviations to magnitudes. */
const largestSize = 3
const sizeScale = 1.2

interface TopOptions {
  readonly limit: number
  /** Rows for which this is false are passed over; asked only for rows that would be kept. */
  readonly accept?: (row: number) => boolean
}

export interface VectorScanner {
  readonly dimensions: number
  /** Bytes from one row to the next: the dimensions, rounded up to a multiple of 16. */
  readonly rowBytes: number
  readonly count: number
  /**
   * Makes room for exactly `count` rows and gives the memory to write them into, row after row, `rowBytes` each.
   * Rows that were there stay; new ones are zero until written. A view given earlier is no longer valid.
   */
  reserve(count: number): Int8Array
  /** Copies rows of `dimensions` bytes each, in place of all rows before. */
  load(matrix: Int8Array, count: number): void
  /** The dot product of every row with the query as integers; `similarityOf` gives the cosine. */
  score(query: Int8Array | Float32Array): Int32Array
  /** How far the signs of every row agree with the query's, weighted by its sizes. */
  agreement(query: Int8Array | Float32Array): Uint16Array
  /** The rows most similar to the query; the score is the cosine, up to what rounding to bytes costs. */
  top(query: Int8Array | Float32Array, options: TopOptions): ScoredRow[]
}

/**
 * An empty scanner for vectors of `dimensions` components.
 *
 * @example
 * const scanner = createVectorScanner(512)
 * scanner.load(matrix, 10_000)
 * scanner.top(queryVector, { limit: 100 }) // [{ row: 42, score: 0.81 }, …]
 */
export function createVectorScanner(
  dimensions: number,
  options: Partial<ScannerOptions> = {},
): VectorScanner {
  if (!Number.isInteger(dimensions) || dimensions < 1) {
    throw new YoreError('BAD_INPUT', `a vector cannot have ${dimensions} dimensions`)
  }
  const { signsFrom } = { ...scannerDefaults, ...options }
  const rowBytes = Math.ceil(dimensions / rowAlignment) * rowAlignment
  /** Bytes of a row's signs. */
  const stride = Math.ceil(rowBytes / 8 / rowAlignment) * rowAlignment
  const signsOfQuery = rowBytes * 2
  const scoresAt = signsOfQuery + stride * 3
  const rowsAt = scoresAt + blockRows * 4
  const room = openRoom(rowsAt)
  const fitsCounts = dimensions * largestSize < 2 ** 16
  let count = 0
  /** Whether the signs of all rows lie behind the rows. */
  let isMarked = false

  const writeQuery = (query: Int8Array | Float32Array): void => {
    if (query.length !== dimensions) {
      throw new YoreError('BAD_INPUT', `the query has ${query.length} dimensions, the rows ${dimensions}`)
    }
    const widened = new Int16Array(room.buffer(), 0, rowBytes)
    if (query instanceof Int8Array) widened.set(query)
    else for (let index = 0; index < dimensions; index++) widened[index] = widenComponent(query[index]!)
  }

  /** Hands over the scores block by block. */
  const scan = (query: Int8Array | Float32Array, take: (scores: Int32Array, first: number) => void): void => {
    writeQuery(query)
    for (let first = 0; first < count; first += blockRows) {
      const rows = Math.min(blockRows, count - first)
      const start = rowsAt + first * rowBytes
      room.scan(0, start, start + rows * rowBytes, rowBytes, scoresAt)
      take(new Int32Array(room.buffer(), scoresAt, rows), first)
    }
  }

  const agreement = (query: Int8Array | Float32Array): Uint16Array => {
    writeQuery(query)
    writeSigns(room.buffer(), { dimensions, signsOfQuery, stride })
    const signsAt = rowsAt + count * rowBytes
    if (!isMarked) {
      growRoom(room, signsAt + count * stride)
      if (count > 0) room.mark(rowsAt, signsAt, rowBytes, signsAt, stride)
      isMarked = true
    }
    const agreeing = new Uint16Array(count)
    for (let first = 0; first < count; first += blockRows) {
      const rows = Math.min(blockRows, count - first)
      const start = signsAt + first * stride
      room.match(signsOfQuery, start, start + rows * stride, stride, scoresAt)
      agreeing.set(new Int32Array(room.buffer(), scoresAt, rows), first)
    }
    return agreeing
  }

  /** Hands over the scores of the rows that signs leave. */
  const scanNear = (query: Int8Array | Float32Array, take: (score: number, row: number) => void): void => {
    const near = pickHighest(agreement(query), Math.max(fewestScored, Math.ceil(count / SCORED_SHARE)))
    const scores = new Int32Array(room.buffer(), scoresAt, blockRows)
    for (let first = 0; first < near.length; first += blockRows) {
      const rows = Math.min(blockRows, near.length - first)
      for (let index = 0; index < rows; index++) {
        const start = rowsAt + near[first + index]! * rowBytes
        room.scan(0, start, start + rowBytes, rowBytes, scoresAt + index * 4)
      }
      for (let index = 0; index < rows; index++) take(scores[index]!, near[first + index]!)
    }
  }

  const reserve = (wanted: number): Int8Array => {
    if (!Number.isInteger(wanted) || wanted < 0) {
      throw new YoreError('BAD_INPUT', `there cannot be ${wanted} rows`)
    }
    const end = rowsAt + wanted * rowBytes
    if (isMarked) new Int8Array(room.buffer(), rowsAt + count * rowBytes, count * stride).fill(0)
    isMarked = false
    growRoom(room, end)
    // Rows that are given up and reserved again later must be zero.
    if (wanted < count) new Int8Array(room.buffer(), end, (count - wanted) * rowBytes).fill(0)
    count = wanted
    return new Int8Array(room.buffer(), rowsAt, wanted * rowBytes)
  }

  return {
    dimensions,
    rowBytes,
    get count() {
      return count
    },
    reserve,
    load: (matrix, rows) => {
      if (matrix.length !== rows * dimensions) {
        throw new YoreError(
          'BAD_INPUT',
          `${rows} rows of ${dimensions} need ${rows * dimensions} bytes, not ${matrix.length}`,
        )
      }
      const target = reserve(rows)
      if (rowBytes === dimensions) target.set(matrix)
      else {
        for (let row = 0; row < rows; row++) {
          target.set(matrix.subarray(row * dimensions, (row + 1) * dimensions), row * rowBytes)
        }
      }
    },
    agreement,
    score: (query) => {
      const scores = new Int32Array(count)
      scan(query, (block, first) => scores.set(block, first))
      return scores
    },
    top: (query, { limit, accept }) => {
      const best = keepBest(Math.min(limit, count))
      // Rows come in ascending order, so one that only equals the worst kept never takes its place.
      let floor = best.floor()
      // By signs, rows that `accept` refuses would displace others, and a large `limit` could miss ties.
      const bySigns = count >= signsFrom && accept === undefined && limit * 16 <= fewestScored && fitsCounts
      if (bySigns) scanNear(query, (score, row) => best.offer(row, score))
      else
        scan(query, (block, first) => {
          for (let index = 0; index < block.length; index++) {
            const score = block[index]!
            if (score <= floor || (accept !== undefined && !accept(first + index))) continue
            best.offer(first + index, score)
            floor = best.floor()
          }
        })
      return best.list().map(({ row, score }) => ({ row, score: similarityOf(score, query) }))
    },
  }
}

/** Converts an integer score to a cosine. */
export function similarityOf(score: number, query: Int8Array | Float32Array): number {
  const scale = query instanceof Int8Array ? quantizationScale : queryScale
  return score / (scale * quantizationScale)
}

function widenComponent(value: number): number {
  return Math.max(-queryScale, Math.min(queryScale, Math.round(value * queryScale)))
}

/** Places of the `wanted` highest numbers, in ascending order; those that tie with the last are among them. */
function pickHighest(numbers: Uint16Array, wanted: number): Uint32Array {
  const holding = new Uint32Array(2 ** 16)
  for (let at = 0; at < numbers.length; at++) holding[numbers[at]!] = holding[numbers[at]!]! + 1
  let floor = holding.length
  let found = 0
  while (found < wanted && floor > 0) found += holding[--floor]!
  const picked = new Uint32Array(found)
  for (let at = 0, next = 0; at < numbers.length; at++) if (numbers[at]! >= floor) picked[next++] = at
  return picked
}

/** Writes signs and sizes of the query that lies widened at 0, as the kernel compares them with the signs of rows. */
function writeSigns(
  buffer: ArrayBuffer,
  at: { readonly dimensions: number; readonly signsOfQuery: number; readonly stride: number },
): void {
  const { dimensions, signsOfQuery, stride } = at
  const query = new Int16Array(buffer, 0, dimensions)
  const bits = new Uint8Array(buffer, signsOfQuery, stride * 3).fill(0)
  const squares = query.reduce((sum, value) => sum + value * value, 0)
  const scale = sizeScale / Math.sqrt(Math.max(1, squares) / dimensions)
  for (const [index, value] of query.entries()) {
    const [byte, bit] = [index >> 3, 1 << (index & 7)]
    const size = Math.min(largestSize, Math.round(Math.abs(value) * scale))
    if (value < 0) bits[byte] = bits[byte]! | bit
    if ((size & 1) !== 0) bits[stride + byte] = bits[stride + byte]! | bit
    if ((size & 2) !== 0) bits[stride * 2 + byte] = bits[stride * 2 + byte]! | bit
  }
}

/** Memory for the query, a block of scores and the rows with their signs, and the loops over it. */
interface Room {
  readonly buffer: () => ArrayBuffer
  readonly growTo: (bytes: number) => void
  readonly scan: (query: number, rows: number, end: number, rowBytes: number, scores: number) => void
  /** Writes the signs of rows; one bit for each dimension. */
  readonly mark: (rows: number, end: number, rowBytes: number, signs: number, stride: number) => void
  /** Adds up the query's sizes where its sign is that of the row. */
  readonly match: (query: number, signs: number, end: number, stride: number, scores: number) => void
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
  const { scan, mark, match } = exports as unknown as Pick<Room, 'scan' | 'mark' | 'match'>
  return { buffer, growTo, scan, mark, match }
}
