// What was read a moment ago? Rows and texts that were found right, kept for as long as the index stays as it is.

/** A table by id of bounded size: what is read again stays, what is not is let go. */
export class KeptRows<T> {
  /** When the younger half is full it becomes the older one, and the older one is let go. */
  #young = new Map<number, T>()
  #old = new Map<number, T>()
  #size = 0
  readonly #most: number
  readonly #sizeOf: (row: T) => number

  /** `most` of the sizes together; each row counts 1 when nothing else is said. */
  constructor(most: number, sizeOf: (row: T) => number = () => 1) {
    this.#most = most / 2
    this.#sizeOf = sizeOf
  }

  /** The row, read when it is not known. What is read may fail: nothing is kept then. */
  get(id: number, read: (id: number) => T): T {
    const known = this.#young.get(id)
    if (known !== undefined) return known
    const row = this.#old.get(id) ?? read(id)
    this.#size += this.#sizeOf(row)
    if (this.#size > this.#most) {
      this.#old = this.#young
      this.#young = new Map()
      this.#size = this.#sizeOf(row)
    }
    this.#young.set(id, row)
    return row
  }

  clear(): void {
    this.#young = new Map()
    this.#old = new Map()
    this.#size = 0
  }
}
