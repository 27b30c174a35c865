import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Crc64 } from './crc64.ts'

/** Bit by bit, as the definition says it. */
function crcByBits(bytes: Uint8Array): bigint {
  let crc = 0xffff_ffff_ffff_ffffn
  for (const byte of bytes) {
    crc ^= BigInt(byte)
    for (let bit = 0; bit < 8; bit++) crc = crc & 1n ? (crc >> 1n) ^ 0xd800_0000_0000_0000n : crc >> 1n
  }
  return crc ^ 0xffff_ffff_ffff_ffffn
}

it('gives the check value of CRC-64/GO-ISO', () => {
  expect(new Crc64().add(Buffer.from('123456789')).value).toBe(0xb909_56c7_75a4_1001n)
  expect(new Crc64().value).toBe(0n)
})

it('says the same as the definition, however the bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 }), (pieces) => {
      const crc = new Crc64()
      for (const piece of pieces) crc.add(piece)
      expect(crc.value).toBe(crcByBits(Buffer.concat(pieces)))
    }),
  )
})
