// What was read a moment ago? Rows and texts that were found right, kept for as long as the index stays as it is.

/** A table by id that is emptied when what it holds becomes too large. */
export class KeptRows<T> {
  readonly #rows = new Map<number, T>()
  readonly #most: number
  readonly #sizeOf: (row: T) => number
  #size = 0

  /** `most` of the sizes together; each row counts 1 when nothing else is said. */
  constructor(most: number, sizeOf: (row: T) => number = () => 1) {
    this.#most = most
    this.#sizeOf = sizeOf
  }

  /** The row, read when it is not known. What is read may fail: nothing is kept then. */
  get(id: number, read: (id: number) => T): T {
    const known = this.#rows.get(id)
    if (known !== undefined) return known
    const row = read(id)
    this.#size += this.#sizeOf(row)
    if (this.#size > this.#most) this.clear()
    this.#rows.set(id, row)
    return row
  }

  clear(): void {
    this.#rows.clear()
    this.#size = 0
  }
}
