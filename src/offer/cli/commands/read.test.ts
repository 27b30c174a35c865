// Are lines that were read printed as they are, and cannot steer a terminal?
import { expect, it } from 'vitest'
import { makePalette } from '../format.ts'
import { printPassage } from './read.ts'

const passage = {
  id: 'a.md',
  kind: 'markdown_module',
  path: 'a.md',
  name: 'X',
  lines: { start: 1, end: 4 },
  text: '---\r\n# X\n**Source:** b.md:1\n\u001b[2J',
  tokens: 9,
  truncated: false,
}
const palette = makePalette(false)

it('keeps every character in a pipe', () => {
  expect(printPassage(passage, { palette, terminal: false })).toBe(`a.md:1-4\n${passage.text}\n`)
})

it('shows control characters on a terminal as their codes', () => {
  expect(printPassage(passage, { palette, terminal: true })).toBe(
    'a.md:1-4\n---\n# X\n**Source:** b.md:1\n\\u001b[2J\n',
  )
})
