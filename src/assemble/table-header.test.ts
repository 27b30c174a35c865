// Do rows find the header of their table, and other lines none?
import { expect, it } from 'vitest'
import { findTableHeader } from './table-header.ts'

const text = 'Codes:\n\n| Code | Meaning |\n|------|---------|\n| 1 | one |\n| 2 | two |\n\n a | b\n'

it('is the two lines above the first row', () => {
  const header = { lines: { start: 12, end: 13 }, text: '| Code | Meaning |\n|------|---------|' }
  expect(findTableHeader(text, 5, 10)).toEqual(header)
  expect(findTableHeader(text, 4, 10)).toEqual(header)
})

it('is none for the header itself, for text and for bars without a table', () => {
  for (const at of [0, 2, 3, 7, 99]) expect(findTableHeader(text, at, 10)).toBeNull()
})
