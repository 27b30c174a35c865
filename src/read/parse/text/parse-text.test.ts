import { expect, test } from 'vitest'
import type { ParsedDocument } from '../../../model/artifact.ts'
import { parseDocument } from '../parse-document.ts'

const parse = (text: string): ParsedDocument =>
  parseDocument({ path: 'docs/notes.txt', language: 'text', text })

test('a text is one document of paragraphs', () => {
  const text = 'One\ntwo\n\n \nThree\r\n\r\n# not a heading\n'
  const { artifacts } = parse(text)
  expect(artifacts[0]?.lines.end).toBe(7)
  expect(artifacts).toMatchObject([
    {
      id: 'docs/notes.txt',
      kind: 'text_document',
      name: 'notes',
      text,
      anchor: null,
      parent: null,
      lines: { start: 1, end: 7 },
      ownLines: { start: 1, end: 7 },
    },
  ])
  expect(artifacts[0]!.pieces.map((piece) => piece.lines)).toEqual([
    { start: 1, end: 4 },
    { start: 5, end: 6 },
    { start: 7, end: 7 },
  ])
})

test('frontmatter of a text is text', () => {
  expect(parse('---\ntitle: x\n---\n').facts).toEqual({
    title: 'notes',
    status: null,
    frontmatter: {},
  })
})

test.each([
  ['an underlined line', 'The Title\n=========\n\ntext', 'The Title'],
  ['a line between two rules', '*****\n Boxed\n*****\ntext', 'Boxed'],
  ['an AsciiDoc title', '\n= Guide  to yore\n:toc:\n', 'Guide to yore'],
  ['an underline two short', 'The Title\n-------\n', 'The Title'],
  ['a byte order mark', '\ufeffTitle\n=====\n', 'Title'],
])('takes the title from %s', (_, text, title) => {
  expect(parse(text).facts.title).toBe(title)
})

test.each([
  ['a short underline', 'A very long first line\n---\n'],
  ['a rule alone', '=====\n\ntext'],
  ['two rules', '=====\n=====\n'],
  ['== without a word', '=\n'],
  ['a mixed rule', 'Title\n=-=-=\n'],
  ['an empty text', ''],
])('takes no title from %s', (_, text) => {
  expect(parse(text).facts.title).toBe('notes')
})
