// Is a time the same time on every machine?
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readNow, readTime } from './read-time.ts'

describe('readTime', () => {
  it.each([
    ['0', 0],
    ['1764429780', 1764429780000],
    ['1.5', 1500],
    ['2025-11-29', Date.UTC(2025, 10, 29)],
    ['2025-11-29T15:23', Date.UTC(2025, 10, 29, 15, 23)],
    ['2025-11-29T15:23:00Z', Date.UTC(2025, 10, 29, 15, 23)],
    ['2025-11-29T15:23:00+02:00', Date.UTC(2025, 10, 29, 13, 23)],
  ])('reads %s', (text, expected) => {
    expect(readTime(text)).toBe(expected)
  })

  it.each([
    '',
    'now',
    'yesterday',
    '2025-13-01',
    '2025-02-30',
    '2025-11-29 15:23',
    'Nov 29 2025',
    '-5',
    '9'.repeat(14),
  ])('refuses %j', (text) => {
    expect(readTime(text)).toBeNull()
  })

  it('reads back every time that JavaScript writes', () => {
    const dates = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
    fc.assert(fc.property(dates, (date) => readTime(date.toISOString()) === date.getTime()))
  })
})

describe('readNow', () => {
  it('prefers what was given, then SOURCE_DATE_EPOCH, then the clock', () => {
    expect(readNow({ given: 1, env: { SOURCE_DATE_EPOCH: '2' }, clock: 3 })).toBe(1)
    expect(readNow({ env: { SOURCE_DATE_EPOCH: '2' }, clock: 3 })).toBe(2000)
    expect(readNow({ env: { SOURCE_DATE_EPOCH: '' }, clock: 3 })).toBe(3)
  })

  it('refuses a SOURCE_DATE_EPOCH that is not whole seconds', () => {
    expect(() => readNow({ env: { SOURCE_DATE_EPOCH: '2025-01-01' }, clock: 3 })).toThrow('SOURCE_DATE_EPOCH')
  })
})
