// Does a match mean that the document text is really quoted?
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Digest, Passage } from '../../model/digest.ts'
import {
  foldText,
  holdsPhrase,
  namesDocument,
  quotedForbidden,
  quotedLines,
  quotedTexts,
  shareOfLines,
} from './match-expectations.ts'

const passage: Passage = {
  path: 'docs/a.md',
  kind: 'markdown_section',
  language: 'markdown',
  name: 'Rolling restart',
  artifacts: ['docs/a.md#rolling-restart'],
  excerpts: [
    { lines: { start: 3, end: 6 }, text: '\nRun  the\ncommand Twice' },
    { lines: { start: 9, end: 9 }, text: 'and wait' },
  ],
  truncated: true,
  score: 1,
  signals: { relevance: 1, lexical: 1, document: 1, vector: null, ranks: {}, canonicality: 0.5, parts: [] },
  origin: { kind: 'search' },
  alsoAt: [{ path: 'docs/twin.md', lines: { start: 1, end: 4 } }],
  referencedBy: [],
}
const digest = {
  query: { text: 'echoed question' },
  documents: [{ path: 'docs/a.md', title: 'Shown title' }],
  primary: [passage],
  expanded: [],
} as unknown as Digest

describe('quotedTexts', () => {
  const texts = quotedTexts(digest, () => 'Rolling restart').flat()

  it('holds quoted lines and the heading that starts them, in any case and spacing', () => {
    for (const phrase of ['run the command twice', 'ROLLING\nRESTART run', 'and wait'])
      expect(holdsPhrase(texts, phrase)).toBe(true)
  })

  it('holds neither the question nor the frame, and nothing across a gap', () => {
    for (const phrase of ['echoed question', 'Shown title', 'docs/a.md', 'Source', 'twice and wait'])
      expect(holdsPhrase(texts, phrase)).toBe(false)
  })

  it('holds what came along with another section', () => {
    const document = { path: 'b.md', passages: [{ ...passage, path: 'b.md' }] }
    const expanded = { ...digest, primary: [], expanded: [document] } as unknown as Digest
    expect(holdsPhrase(quotedTexts(expanded, () => '').flat(), 'and wait')).toBe(true)
    expect(quotedForbidden(expanded, ['b.md'])).toHaveLength(2)
  })

  it('leaves the heading out where its line is not quoted', () => {
    const cut = { ...passage, excerpts: [{ lines: { start: 5, end: 6 }, text: 'Run the\ncommand' }] }
    const cutTexts = quotedTexts({ ...digest, primary: [cut] }, () => 'Rolling restart')
    expect(cutTexts).toEqual([['run the command']])
  })
})

it('names a document by its path, or by a folder that it lies in', () => {
  expect(namesDocument('./docs/a.md', 'docs/a.md')).toBe(true)
  expect(namesDocument('docs/', 'docs/a.md')).toBe(true)
  expect(namesDocument('docs', 'docs/a.md')).toBe(false)
  expect(namesDocument('doc/', 'docs/a.md')).toBe(false)
})

it('finds forbidden documents that are quoted, not those that only hold the same text', () => {
  expect(quotedForbidden(digest, ['docs/a.md', 'docs/twin.md'])).toEqual([
    { path: 'docs/a.md', lines: { start: 3, end: 6 } },
    { path: 'docs/a.md', lines: { start: 9, end: 9 } },
  ])
  expect(quotedForbidden(digest, ['docs/twin.md'])).toEqual([])
})

it('measures the share of lines that is quoted', () => {
  expect(shareOfLines([3, 5, 6, 8], quotedLines(digest, 'docs/a.md'))).toBe(0.75)
  expect(shareOfLines([3], quotedLines(digest, 'docs/b.md'))).toBe(0)
  expect(shareOfLines([], quotedLines(digest, 'docs/a.md'))).toBe(0)
})

it('folds a text that is folded already to itself, and spacing away', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (words) => {
      const folded = foldText(words.join(' '))
      expect(foldText(folded)).toBe(folded)
      expect(foldText(words.join(' \n\t '))).toBe(folded)
    }),
  )
})
