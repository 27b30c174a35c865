// How does a row fit into four bits per number? Whole numbers from −7 to 7 times one scale, the best of several.

/** Parts of the largest number that become 7: cutting it off leaves finer steps for the rest. */
const clips: readonly number[] = [0.5, 0.6, 0.7, 0.8, 0.9, 1]
const top = 7

export interface QuantizedRow {
  readonly scale: number
  readonly numbers: Int8Array
}

/** The scale with the least squared error, and then the scale that fits these numbers best. */
export function quantizeRow(row: Float32Array): QuantizedRow {
  let largest = 0
  for (let d = 0; d < row.length; d++) largest = Math.max(largest, Math.abs(row[d]!))
  let best: QuantizedRow = { scale: 0, numbers: new Int8Array(row.length) }
  if (largest === 0) return best
  let least = Number.POSITIVE_INFINITY
  for (const clip of clips) {
    const step = (largest * clip) / top
    const numbers = new Int8Array(row.length)
    let [product, squares] = [0, 0]
    for (let d = 0; d < row.length; d++) {
      const number = Math.max(-top, Math.min(top, Math.round(row[d]! / step)))
      numbers[d] = number
      product += number * row[d]!
      squares += number * number
    }
    // The error that is left after the best scale is |row|² − product² / squares.
    const error = squares === 0 ? 0 : -(product * product) / squares
    if (squares === 0 || error >= least) continue
    least = error
    best = { scale: Math.fround(product / squares), numbers }
  }
  return best
}

/** The table file: two numbers per byte, the low one first, then one float32 scale per row. */
export function packTable(rows: Float32Array, dimensions: number): Uint8Array<ArrayBuffer> {
  const size = rows.length / dimensions
  const packed = new Uint8Array(size * (dimensions / 2 + 4))
  const view = new DataView(packed.buffer)
  for (let row = 0; row < size; row++) {
    const { scale, numbers } = quantizeRow(rows.subarray(row * dimensions, (row + 1) * dimensions))
    for (let d = 0; d < dimensions; d += 2)
      packed[(row * dimensions + d) / 2] = (numbers[d]! & 15) | ((numbers[d + 1]! & 15) << 4)
    view.setFloat32(size * (dimensions / 2) + row * 4, scale, true)
  }
  return packed
}

/** What a row is worth after packing, written into `target`. */
export function roundRow(row: Float32Array, target: Float32Array): void {
  const { scale, numbers } = quantizeRow(row)
  for (let d = 0; d < row.length; d++) target[d] = numbers[d]! * scale
}
