// Does a cut piece fit, and does it end where a reader would end it?
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type CutSide, cutPiece } from './cut-piece.ts'

const length = (text: string): number => text.length
const startOf = (text: string, room: number): string =>
  text.slice(0, cutPiece(text, 'start', { room, cost: length }))
const endOf = (text: string, room: number): string =>
  text.slice(cutPiece(text, 'end', { room, cost: length }))

it('takes the lines that fit', () => {
  expect(startOf('one\ntwo\nthree\n', 10)).toBe('one\ntwo\n')
  expect(startOf('one\r\ntwo\r\nthree', 10)).toBe('one\r\ntwo\r\n')
  expect(endOf('one\ntwo\nthree\n', 10)).toBe('two\nthree\n')
})

it('takes the words that fit when not even one line does', () => {
  expect(startOf('one two three\nfour', 9)).toBe('one two')
  expect(endOf('four\none two three', 11)).toBe('two three')
})

it('does not take blank lines at the end for a line', () => {
  expect(endOf('one two three\n\n', 12)).toBe('two three\n\n')
})

it('cuts between characters where there are no words, never inside one', () => {
  expect(startOf('部署服务', 3)).toBe('部署服')
  expect(endOf('部署服务', 3)).toBe('署服务')
  expect(startOf('🚀🚀🚀', 3)).toBe('🚀')
  expect(endOf('🚀🚀🚀', 3)).toBe('🚀')
})

it('never takes more than fits, and never half a character', () => {
  const anySide = fc.constantFrom<CutSide>('start', 'end')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.nat(100), anySide, (text, room, side) => {
      const taken = side === 'start' ? startOf(text, room) : endOf(text, room)
      expect(taken.length).toBeLessThanOrEqual(room)
      expect(taken.isWellFormed()).toBe(true)
    }),
  )
})
