// What is the weighted sum of rows of 4-bit numbers? Plain TypeScript for a few, a SIMD kernel for thousands.

import { openKernel } from './open-kernel.ts'
import { sumKernel } from './sum-kernel.ts'

const kernelStep = 16

/** Adds `weight` times the row that starts at this byte of the table; both implementations give the same bits. */
export interface RowSum {
  readonly kernel: 'simd' | 'plain'
  /** The rows, filled by the caller. */
  readonly table: Uint8Array<ArrayBuffer>
  readonly clear: () => void
  readonly add: (rowStart: number, weight: number) => void
  /** The sum so far, valid until the next change. */
  readonly sum: Float32Array
}

/** For single rows: unwritten parts of the table take no memory. */
export function sumPlainly(tableBytes: number, dimensions: number): RowSum {
  const table = new Uint8Array(tableBytes)
  const sum = new Float32Array(dimensions)
  const { fround } = Math
  return {
    kernel: 'plain',
    table,
    sum,
    clear: () => sum.fill(0),
    add: (rowStart, weight) => {
      const scale = fround(weight)
      for (let at = rowStart, dimension = 0; dimension < dimensions; at++, dimension += 2) {
        const pair = (table[at]! << 24) >> 24
        // Rounded after the product and after the sum, as SIMD does.
        sum[dimension]! += fround(((pair << 28) >> 28) * scale)
        sum[dimension + 1]! += fround((pair >> 4) * scale)
      }
    },
  }
}

/** Null without SIMD, or when a row is not a multiple of 16 bytes. */
export function sumWithKernel(tableBytes: number, dimensions: number): RowSum | null {
  const rowBytes = dimensions / 2
  if (rowBytes % kernelStep !== 0) return null
  const tableAt = dimensions * 4
  const size = tableAt + tableBytes
  const kernel = openKernel(sumKernel, size, size)
  if (kernel === null) return null
  const addRow = kernel.exports['addRow'] as (row: number, end: number, sum: number, weight: number) => void
  const sum = new Float32Array(kernel.buffer(), 0, dimensions)
  return {
    kernel: 'simd',
    table: new Uint8Array(kernel.buffer(), tableAt, tableBytes),
    sum,
    clear: () => sum.fill(0),
    add: (rowStart, weight) => addRow(tableAt + rowStart, tableAt + rowStart + rowBytes, 0, weight),
  }
}
