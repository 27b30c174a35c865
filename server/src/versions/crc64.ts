// What is the CRC-64 of some bytes? With the ISO polynomial, which LTX uses for files and pages.

/**
 * Reflected, with all bits inverted at the start and the end. The polynomial x⁶⁴ + x⁴ + x³ + x + 1 is so sparse that 32
 * bits at once need six shifts and no table: bits that leave at the low end return at the high end, shifted by 0, 1, 3
 * and 4.
 *
 * @example new Crc64().add(Buffer.from('123456789')).value // 0xb90956c775a41001n
 */
export class Crc64 {
  #high = 0xffffffff
  #low = 0xffffffff

  add(bytes: Uint8Array): this {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const words = bytes.byteLength & ~3
    let high = this.#high
    let low = this.#low
    for (let at = 0; at < words; at += 4) {
      const out = low ^ view.getUint32(at, true)
      low = high ^ (out << 31) ^ (out << 29) ^ (out << 28)
      high = out ^ (out >>> 1) ^ (out >>> 3) ^ (out >>> 4)
    }
    for (let at = words; at < bytes.byteLength; at++) {
      const out = (low ^ bytes[at]!) << 24
      low = (low >>> 8) | (high << 24)
      high = (high >>> 8) ^ out ^ (out >>> 1) ^ (out >>> 3) ^ (out >>> 4)
    }
    this.#high = high
    this.#low = low
    return this
  }

  get value(): bigint {
    return (BigInt(~this.#high >>> 0) << 32n) | BigInt(~this.#low >>> 0)
  }
}
