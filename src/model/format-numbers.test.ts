// Are numbers and times written the same everywhere?
import { describe, expect, it } from 'vitest'
import {
  describeGap,
  formatCount,
  formatInstant,
  formatQuantity,
  formatScore,
  lastUpdated,
  roundScore,
} from './format-numbers.ts'

describe('format-numbers', () => {
  it('separates thousands with commas', () => {
    expect([0, 7, 999, 1000, 7850, 1_234_567, -1000].map(formatCount)).toEqual([
      ...['0', '7', '999', '1,000', '7,850', '1,234,567', '-1,000'],
    ])
  })

  it('writes scores with two decimals and keeps four in data', () => {
    expect(formatScore(0.9)).toBe('0.90')
    expect(roundScore(0.123456)).toBe(0.1235)
  })

  it('counts one line and many lines', () => {
    expect([formatQuantity(1, 'line'), formatQuantity(1200, 'line')]).toEqual(['1 line', '1,200 lines'])
  })

  it('says what is left out between two excerpts, also inside a line', () => {
    const at = (start: number, end: number) => ({ start, end })
    expect(describeGap(at(1, 5), at(18, 20))).toBe('12 lines')
    expect(describeGap(at(1, 5), at(7, 9))).toBe('1 line')
    expect([describeGap(at(1, 5), at(5, 9)), describeGap(at(1, 5), at(6, 9))]).toEqual([
      'part of a line',
      'part of a line',
    ])
  })

  it('writes UTC seconds and days, and null for what is no time', () => {
    expect(formatInstant(Date.UTC(2025, 10, 29, 15, 23, 0, 999))).toBe('2025-11-29T15:23:00Z')
    expect(lastUpdated({ modifiedAt: Date.UTC(2025, 10, 29, 23, 59) })).toBe('2025-11-29')
    expect([formatInstant(9e15), lastUpdated({ modifiedAt: Number.NaN })]).toEqual([null, null])
    // What npm writes into every archive is no day of a change.
    expect(lastUpdated({ modifiedAt: Date.UTC(1985, 9, 26, 8, 15) })).toBeNull()
  })
})
