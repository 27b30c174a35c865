// Do pieces come back as they were packed, and does a hash tell every text from every other?
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CountedPiece } from '../../../model/section.ts'
import { artifactHash, packPieces, unpackPieces } from './document-batch.ts'

const number = fc.nat(0xffff_ffff)
const pieces = fc
  .array(fc.tuple(fc.nat(1_000_000), number, number, number), { maxLength: 20 })
  .map((list) => {
    let end = 0
    return list.map(([length, first, last, tokens]): CountedPiece => {
      const start = end
      end += length
      return { start, end, lines: { start: first, end: last }, tokens }
    })
  })

it('gives pieces back, wherever in memory their bytes lie', () => {
  fc.assert(
    fc.property(pieces, fc.nat(7), (list, offset) => {
      const packed = packPieces(list)
      const shifted = new Uint8Array(packed.length + offset)
      shifted.set(packed, offset)
      expect(unpackPieces(shifted.subarray(offset))).toEqual(list)
    }),
  )
})

it('packs the same bytes on every machine', () => {
  const first = { start: 0, end: 300, lines: { start: 5, end: 6 }, tokens: 70 }
  const second = { start: 300, end: 310, lines: { start: 8, end: 8 }, tokens: 2 }
  expect([...packPieces([first, second])]).toEqual([0xac, 2, 5, 1, 70, 10, 3, 0, 2])
})

it('hashes every part of an artifact, and where one ends and the next begins', () => {
  const bytes = Uint8Array.of(1, 2, 3)
  const artifact = { id: 'a.md#b', name: 'B' }
  const hashes = [
    artifactHash(artifact, 'text', bytes),
    artifactHash({ ...artifact, id: 'a.md#c' }, 'text', bytes),
    artifactHash({ ...artifact, name: 'C' }, 'text', bytes),
    artifactHash({ ...artifact, id: 'a.md#bB', name: '' }, 'text', bytes),
    artifactHash(artifact, 'texts', bytes),
    artifactHash(artifact, 'text', Uint8Array.of(1, 2, 4)),
  ].map((hash) => Buffer.from(hash).toString('hex'))
  expect(new Set(hashes).size).toBe(hashes.length)
  expect(hashes[0]).toHaveLength(32)
})
