import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findLines, lineAt } from './find-lines.ts'

test('ends lines at \\n, \\r\\n and a lone \\r, and nowhere else', () => {
  expect(findLines('a\nb\r\nc\rd\fe\u2028f\u0085g\vh').starts).toEqual([0, 2, 5, 7])
})

test('starts no line after a final line end', () => {
  expect(findLines('a\n').starts).toEqual([0])
  expect(findLines('\n\n').starts).toEqual([0, 1])
  expect(findLines('\r\n').starts).toEqual([0])
  expect(findLines('').starts).toEqual([])
})

test('finds as many lines as markdown-it makes of the text', () => {
  const pieces = fc.array(fc.constantFrom('a', '\n', '\r', '\r\n', '\t', '\f', '\u2028'))
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = parts.join('')
      const expected = text.replace(/\r\n?/g, '\n').split('\n')
      if (expected.at(-1) === '') expected.pop()
      const lines = findLines(text)
      expect(lines.starts.map((_, line) => lineAt(lines, line))).toEqual(expected)
    }),
  )
})
