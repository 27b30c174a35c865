// How are exact numbers of bytes taken from a stream of pieces?

export class ByteQueue {
  readonly #pieces: AsyncIterator<Uint8Array>
  readonly #cutOff: () => Error
  #held: Buffer = Buffer.alloc(0)

  /** `cutOff` makes the error for a stream that ends too early. */
  constructor(pieces: AsyncIterable<Uint8Array>, cutOff: () => Error) {
    this.#pieces = pieces[Symbol.asyncIterator]()
    this.#cutOff = cutOff
  }

  /** Null at the end of the stream. */
  async tryTake(count: number): Promise<Buffer | null> {
    if (this.#held.byteLength < count) {
      const gathered = [this.#held]
      for (let have = this.#held.byteLength; have < count; ) {
        const next = await this.#pieces.next()
        if (next.done === true && have === 0) return null
        if (next.done === true) throw this.#cutOff()
        gathered.push(Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength))
        have += next.value.byteLength
      }
      this.#held = Buffer.concat(gathered)
    }
    const taken = this.#held.subarray(0, count)
    this.#held = this.#held.subarray(count)
    return taken
  }

  async take(count: number): Promise<Buffer> {
    const taken = await this.tryTake(count)
    if (taken === null) throw this.#cutOff()
    return taken
  }

  async skip(count: number): Promise<void> {
    for (let left = count; left > 0; left -= 65_536) await this.take(Math.min(left, 65_536))
  }

  async close(): Promise<void> {
    await this.#pieces.return?.()
  }
}
