// Does a cut piece fit, and does it end where a reader would end it?
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cutPiece } from './cut-piece.ts'

const length = (text: string): number => text.length

it('cuts after the last line that fits', () => {
  expect(cutPiece('one\ntwo\nthree\n', 10, length)).toBe(8)
  expect(cutPiece('one\r\ntwo\r\nthree', 10, length)).toBe(10)
})

it('cuts after a word when not even one line fits', () => {
  expect(cutPiece('one two three\nfour', 9, length)).toBe(7)
})

it('cuts between characters where there are no words, never inside one', () => {
  expect(cutPiece('部署服务', 3, length)).toBe(3)
  expect(cutPiece('🚀🚀🚀', 3, length)).toBe(2)
})

it('never takes more than fits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.nat(100), (text, room) => {
      const cut = cutPiece(text, room, length)
      expect(cut).toBeLessThanOrEqual(room)
      expect(text.slice(0, cut).isWellFormed()).toBe(text.isWellFormed() || text.slice(0, cut).isWellFormed())
    }),
  )
})
