// Does the block for agents come and go without a trace, in any file?
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { blankBlock, blockMarks } from '../../../corpus/indexing/written-by-yore.ts'
import { dropBlock, putBlock } from './edit-block.ts'

const lines = ['## Find things', '', '- `src/`: `main.ts`']

it.each([
  ['no file', null],
  ['an empty file', ''],
  ['a line end alone', '\n'],
  ['no line end at the end', '# Rules\n\nBe kind.'],
  ['a line end at the end', '# Rules\n\nBe kind.\n'],
  ['blank lines at the end', '# Rules\n\n\n\n'],
  ['Windows line ends', '# Rules\r\n\r\nBe kind.\r\n'],
  ['Windows line ends, none at the end', '# Rules\r\nBe kind.'],
  ['a lone carriage return', 'Be kind.\r'],
  ['a byte order mark', '\ufeff# Rules\n'],
])('%s: written, replaced and removed byte for byte', (_, text) => {
  const put = putBlock(text, lines)
  expect(put).toContain('## Find things')
  expect(putBlock(put, lines)).toBe(put)
  expect(dropBlock(put)).toBe(text)
  expect(dropBlock(putBlock(put, ['other']))).toBe(text)
  if (text?.includes('\r\n')) expect(put.replaceAll('\r\n', '')).not.toContain('\n')
})

it('any text comes back', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', '\r', '#', ' ', '-->'), maxLength: 30 })
  fc.assert(
    fc.property(text, (before) => {
      expect(dropBlock(putBlock(before, lines))).toBe(before)
    }),
  )
})

it('keeps what was written around it meanwhile', () => {
  const put = putBlock('Above.\n', lines)
  expect(dropBlock(`First.\n${put}Below.\n`)).toBe('First.\nAbove.\nBelow.\n')
  expect(dropBlock(`${putBlock(null, lines)}Below.\n`)).toBe('Below.\n')
})

it('ends with a mark at the start of a line only', () => {
  const hostile = [...lines, `- \`docs/${blockMarks.end}.md\``]
  const put = putBlock('Above.\n', hostile)
  expect(putBlock(put, hostile)).toBe(put)
  expect(dropBlock(put)).toBe('Above.\n')
  expect(blankBlock(put).trim()).toBe('Above.')
})

it('touches nothing where a mark is missing', () => {
  expect(() => putBlock(`${blockMarks.begin}\nmine\n`, lines)).toThrow('without')
  expect(dropBlock(`${blockMarks.begin}\nmine\n`)).toBe(`${blockMarks.begin}\nmine\n`)
  expect(dropBlock('nothing of ours\n')).toBe('nothing of ours\n')
})

it('is empty lines for the index, so that other lines keep their numbers', () => {
  const put = `${putBlock('Above.\n', lines)}Below.\n`
  const blank = blankBlock(put)
  expect(blank.split('\n')).toHaveLength(put.split('\n').length)
  expect(blank.replaceAll('\n', '')).toBe('Above.Below.')
})
