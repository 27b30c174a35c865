// Does a checksum notice every change of one bit or one value, and is it the same in SQL?
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openList, PostingList, sealList } from '../postings/postings.ts'
import { blobSum, defineRowSum, rowSum, textSum } from './checksum.ts'

it('notices every flipped bit of a blob', () => {
  const blob = fc.uint8Array({ minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(blob, fc.nat(), (bytes, bit) => {
      const flipped = Uint8Array.from(bytes)
      const at = (bit >>> 3) % bytes.length
      flipped[at] = (flipped[at] as number) ^ (1 << (bit & 7))
      expect(blobSum(1, flipped)).not.toBe(blobSum(1, bytes))
    }),
  )
})

it('notices a changed character, and where one value ends and the next begins', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }),
      fc.nat(),
      fc.integer({ min: 1, max: 0xffff }),
      (text, where, change) => {
        const at = where % text.length
        const other = String.fromCharCode(text.charCodeAt(at) ^ change)
        expect(textSum(text.slice(0, at) + other + text.slice(at + 1))).not.toBe(textSum(text))
      },
    ),
  )
  expect(rowSum('ab', 'c')).not.toBe(rowSum('a', 'bc'))
})

it('does not depend on where in memory the bytes lie', () => {
  const bytes = Uint8Array.from({ length: 23 }, (_, at) => at * 11)
  const shifted = new Uint8Array(24)
  shifted.set(bytes, 1)
  expect(blobSum(7, shifted.subarray(1))).toBe(blobSum(7, bytes))
})

it('is the same in SQL, for numbers, texts and nothing', () => {
  using db = new DatabaseSync(':memory:')
  defineRowSum(db)
  const values = [1, 0.25, -3, 1_700_000_000_000, 'text', '', null, 0] as const
  const row = db.prepare('SELECT row_sum(?, ?, ?, ?, ?, ?, ?, ?) AS sum').get(...values)
  expect(row).toEqual({ sum: rowSum(...values) })
})

it('finds a list under another term, in another segment, or with other bytes', () => {
  const list = new PostingList()
  for (const fragment of [1, 5, 300]) list.add(fragment, 1)
  const sealed = sealList(list.finish(), 'alpha', 3)
  expect(Uint8Array.from(openList(sealed, 'alpha', 3))).toEqual(Uint8Array.from(list.finish()))
  for (const [term, segment] of [
    ['alphb', 3],
    ['alpha', 2],
  ] as const) {
    expect(() => openList(sealed, term, segment)).toThrow('checksum mismatch')
  }
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const flipped = Uint8Array.from(sealed)
    flipped[bit >>> 3] = (flipped[bit >>> 3] as number) ^ (1 << (bit & 7))
    expect(() => openList(flipped, 'alpha', 3)).toThrow('checksum mismatch')
  }
})
