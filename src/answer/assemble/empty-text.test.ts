// Is text without content recognised, and short text kept?
import { expect, it } from 'vitest'
import { makeText } from '../../../test/support/sections.ts'
import { isContents, saysNothing } from './empty-text.ts'
import { findTableHeader } from './make-passages.ts'

it.each([
  ['<a id="properties"></a>\n', false],
  ['(a-label)=\n', false],
  ['.. _variables:\n', false],
  ['<!-- toc -->\n\n---\n', false],
  ['}\n', true],
  ['export default Dispatcher\n', true],
  ['module.exports = H2CClient\n', true],
])('nothing: %j', (body, isCode) => {
  expect(saysNothing(body, isCode)).toBe(true)
})

it.each([
  ['See <a href="x">the guide</a>.', false],
  ['7', false],
  ['const LIMIT = 5', true],
  ['// Closes the socket.\n}', true],
  ['module.exports = { parse, format: 2 }', true],
])('something: %j', (body, isCode) => {
  expect(saysNothing(body, isCode)).toBe(false)
})

const links = ['one', 'two', 'three', 'four'].map((name) => `- [${name}](#${name})`).join('\n')
const names = '1.1 Proxies\n1.2 Cookies\n1.3 Headers\n1.4 Redirects'
const text = makeText([links, names, ...names.split('\n').flatMap((name) => [name, 'Some words about it.'])])

it('knows a table of contents by links to the same document, or by lines that come again', () => {
  const parts = [links, names, 'Some words about it.', '- [a](a.md)\n- [b](b.md)\n- [c](c.md)\n- [d](d.md)']
  expect(parts.map((part) => isContents(part, text, 'text_document'))).toEqual([true, true, false, false])
  expect(isContents(names, text, 'python_function')).toBe(false)
})

it.each([
  ['spaces', ' '.repeat(200_000)],
  ['blank lines', '\n'.repeat(200_000)],
  ['open tags', '<a'.repeat(100_000)],
  ['open links', '- ['.repeat(70_000)],
  ['lines of a table', `${'-'.repeat(200_000)}x`],
])(
  'takes no longer for %s than for text',
  (_, hostile) => {
    const whole = { text: hostile, pieces: [] }
    saysNothing(hostile, false)
    saysNothing(hostile, true)
    isContents(hostile, whole, 'text_document')
    expect(findTableHeader(`a | b\n${hostile}|\n1 | 2`, 2, 1)).toBeNull()
  },
  2000,
)
