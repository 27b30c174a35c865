import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoDate } from './iso-date.ts'

test.each([
  ['2024-01-02', '2024-01-02'],
  ['2024-1-2', '2024-01-02'],
  [' 2024-02-29 ', '2024-02-29'],
  ['2024-01-02T10:20:30Z', '2024-01-02T10:20:30Z'],
  ['2024-01-02T10:20:30+02:00', '2024-01-02T08:20:30Z'],
  ['2001-12-14 21:59:43.10 -5', '2001-12-15T02:59:43.100Z'],
  ['2024-01-02 10:20', '2024-01-02T10:20:00Z'],
  ['0099-01-02', '0099-01-02'],
])('reads %j as %j', (value, date) => {
  expect(isoDate(value)).toBe(date)
})

test.each([
  '',
  'yesterday',
  '2024-02-30',
  '2024-13-01',
  '2024-01-02T25:00',
  '12/31/2024',
  20240102,
  null,
  {},
])('does not read %j as a date', (value) => {
  expect(isoDate(value)).toBeNull()
})

test('gives back every moment that JavaScript writes', () => {
  const date = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9998-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(date, (moment) => {
      expect(isoDate(moment.toISOString())).toBe(moment.toISOString().replace('.000Z', 'Z'))
    }),
  )
})
