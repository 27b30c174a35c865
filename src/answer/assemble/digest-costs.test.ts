// Does what selection counts cover what is printed?
import { expect, it } from 'vitest'
import { makeSection } from '../../../test/support/sections.ts'
import { estimateTokens } from '../../read/tokens/token-counter.ts'
import { markdownCosts } from './digest-costs.ts'
import { makePassages } from './make-passages.ts'
import { renderDocumentEntry, renderPassage } from './render-markdown.ts'

const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length
const { section, text } = makeSection({
  id: 'docs/a.md#A "b"',
  paragraphs: ['# A', 'one two', 'three "four"'],
})
const run = { from: 0, to: text.text.length, rank: 0 }
const chosen = { section, text, runs: [run], alsoAt: [] }
const [passage] = makePassages([chosen]).passages
const [document] = makePassages([chosen]).documents
if (passage === undefined || document === undefined) throw new Error('no passage')

it('charges no entry for a document that a brief digest does not list', () => {
  expect(markdownCosts(() => 99, 'brief').primary.document(section)).toBe(0)
})

it('covers a passage in Markdown: its frame and its pieces', () => {
  const { primary } = markdownCosts(words, 'full')
  const pieces = [0, 1, 2].reduce((sum, piece) => sum + primary.piece(section, text, piece), 0)
  expect(primary.passage(section) + pieces).toBeGreaterThanOrEqual(words(renderPassage(passage, 'full')))
  expect(primary.document(section)).toBeGreaterThanOrEqual(words(renderDocumentEntry(document, 9)))
})

it('takes the counts of the index', () => {
  expect(markdownCosts(() => 99, 'full').primary.piece(section, text, 1)).toBe(2)
})

it('covers what came along', () => {
  const { expanded } = markdownCosts(estimateTokens, 'full')
  const bare = { ...passage, excerpts: [{ lines: { start: 1, end: 1 }, text: '' }] }
  expect(expanded.passage(bare) + expanded.text('one two')).toBeGreaterThan(estimateTokens('one two'))
})
