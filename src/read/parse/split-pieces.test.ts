import { expect, test } from 'vitest'
import { parseDocument } from './parse-document.ts'
import { maxPieceChars } from './split-pieces.ts'

/** The texts of all pieces of a Markdown file, in order. */
function piecesOf(text: string): string[] {
  const { artifacts } = parseDocument({ path: 'a.md', language: 'markdown', text })
  return artifacts.flatMap((artifact) =>
    artifact.pieces.map((piece) => artifact.text.slice(piece.start, piece.end)),
  )
}

const words = (count: number): string => 'word '.repeat(count).trim()

test('each block is a piece, and blank lines trail the one before', () => {
  const blocks = [
    '---\na: b\n---\n\n',
    '# A\n\n',
    'One\ntwo.\n\n\n',
    '- a\n\n- b\n\n',
    '| a |\n|--|\n| 1 |\n\n',
    '```\n\ncode\n```\n',
    '<div>\n</div>\n\n',
    '> q\n\n',
    '***\n',
    '[x]: y\n',
  ]
  expect(piecesOf(blocks.join(''))).toEqual(blocks)
})

test('blank lines above the first block belong to it', () => {
  expect(piecesOf('\n\ntext\n')).toEqual(['\n\ntext\n'])
  expect(piecesOf('\n \n')).toEqual(['\n \n'])
})

test('pieces carry the lines of the file', () => {
  const { artifacts } = parseDocument({
    path: 'a.md',
    language: 'markdown',
    text: 'x\n\n# A\r\n\r\none\rtwo\n\nthree',
  })
  expect(artifacts.map((artifact) => artifact.pieces)).toEqual([
    [{ start: 0, end: 3, lines: { start: 1, end: 2 } }],
    [
      { start: 0, end: 7, lines: { start: 3, end: 4 } },
      { start: 7, end: 16, lines: { start: 5, end: 7 } },
      { start: 16, end: 21, lines: { start: 8, end: 8 } },
    ],
  ])
})

test('a long list is cut between its items', () => {
  const item = `- ${words(60)}\n  ${words(60)}\n`
  const pieces = piecesOf(item.repeat(6))
  expect(pieces).toEqual([item, item, item, item, item, item])
  expect(piecesOf(`- ${words(60)}\n`.repeat(6)).length).toBe(2)
})

test('a long item is cut between its blocks, then between nested items', () => {
  const lead = `- ${words(100)}\n`
  const nested = `  - ${words(120)}\n`
  const pieces = piecesOf(`${lead}${nested.repeat(4)}- short\n`)
  expect(pieces).toEqual([lead, nested.repeat(1), nested, nested, nested, '- short\n'])
})

test('code inside a long item stays whole when it fits', () => {
  const code = `  \`\`\`\n${`  ${words(30)}\n`.repeat(6)}  \`\`\`\n`
  const pieces = piecesOf(`- ${words(100)}\n\n${code}\n  ${words(100)}\n`)
  expect(pieces).toContain(`${code}\n`)
})

test('a long table is cut between rows, with its head beside the first ones', () => {
  const row = `| ${words(20)} | ${words(20)} |\n`
  const pieces = piecesOf(`| a | b |\n|---|---|\n${row.repeat(20)}`)
  expect(pieces[0]).toBe(`| a | b |\n|---|---|\n${row.repeat(5)}`)
  expect(pieces.every((piece) => piece.endsWith('|\n'))).toBe(true)
})

test('long code is cut between lines', () => {
  const pieces = piecesOf(`\`\`\`\n${`${words(20)}\n`.repeat(40)}\`\`\`\n`)
  expect(pieces.length).toBe(4)
  expect(pieces.every((piece) => piece.endsWith('\n') && piece.length <= maxPieceChars)).toBe(true)
})

test('a long line is cut after a sentence, else after a space, and keeps its line number', () => {
  const sentence = `${words(50)}. `
  const { artifacts } = parseDocument({
    path: 'a.md',
    language: 'markdown',
    text: `a\n\n${sentence.repeat(10)}end\n`,
  })
  const module = artifacts[0]!
  const long = module.pieces.slice(1)
  expect(long.length).toBeGreaterThan(2)
  expect(long.every((piece) => piece.lines.start === 3 && piece.lines.end === 3)).toBe(true)
  expect(long.slice(0, -1).every((piece) => module.text.slice(piece.start, piece.end).endsWith('. '))).toBe(
    true,
  )
  expect(piecesOf('word '.repeat(900)).every((piece) => piece.endsWith(' '))).toBe(true)
})

test('a line without spaces is cut at a whole code point, and never leaves a bare line end', () => {
  for (const text of [
    '😀'.repeat(1_000),
    `a${'😀'.repeat(1_000)}`,
    `${'x'.repeat(maxPieceChars)}\r\n`,
    '。'.repeat(3_000),
  ]) {
    const pieces = piecesOf(text)
    expect(pieces.join('')).toBe(text)
    for (const piece of pieces) {
      expect(piece.isWellFormed()).toBe(true)
      expect(piece.trim()).not.toBe('')
      expect(piece.length).toBeLessThanOrEqual(maxPieceChars)
    }
  }
})
