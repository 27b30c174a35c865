import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../test/processor-time.ts'
import type { ContextSection } from '../../model/conversation.ts'
import { checkCitations, listShownLines } from './check-citations.ts'

const section = (path: string, start: number, end: number): ContextSection => ({
  artifacts: [path],
  kind: 'markdown_section',
  path,
  name: path,
  excerpts: [{ lines: { start, end }, text: 'line\n'.repeat(end - start).concat('line') }],
  truncated: false,
  offers: [],
})

const shown = listShownLines([section('docs/deploy.md', 10, 20), section('docs/a b, c.md', 1, 5)])
const verdicts = (text: string): string[] =>
  checkCitations(text, shown).citations.map(
    ({ path, start, end, verdict }) => `${path}:${start}-${end} ${verdict}`,
  )

describe('a place in brackets', () => {
  it('is judged by the lines that were shown', () => {
    expect(verdicts('It is so [docs/deploy.md:12-14].')).toEqual(['docs/deploy.md:12-14 shown'])
    expect(verdicts('It is so [docs/deploy.md:12].')).toEqual(['docs/deploy.md:12-12 shown'])
    expect(verdicts('It is so [docs/deploy.md:18-25].')).toEqual(['docs/deploy.md:18-25 partly_shown'])
    expect(verdicts('It is so [docs/deploy.md:90-95].')).toEqual(['docs/deploy.md:90-95 lines_not_shown'])
    expect(verdicts('It is so [docs/other.md:1-2].')).toEqual(['docs/other.md:1-2 unknown_document'])
    expect(verdicts('It is so [docs/deploy.md:14-12].')).toEqual(['docs/deploy.md:14-12 lines_not_shown'])
  })

  it('may be several, may name a section by its handle, and comes out as path and lines', () => {
    const text = 'So [docs/deploy.md:11, 13-14; S1:15] and [S2] and [`docs/deploy.md:L16-L17`].'
    expect(checkCitations(text, shown).text).toBe(
      'So [docs/deploy.md:11; docs/deploy.md:13-14; docs/deploy.md:15] and [docs/a b, c.md:1-5] and [docs/deploy.md:16-17].',
    )
  })

  it('that was not shown is marked in the text', () => {
    expect(checkCitations('So [docs/deploy.md:90].', shown).text).toBe('So [docs/deploy.md:90 (not shown)].')
    expect(checkCitations('So [x/y.md:1].', shown).text).toBe('So [x/y.md:1 (not shown)].')
  })

  it('is left alone when it is something else', () => {
    for (const text of ['see [1]', 'a[0]', '[TODO: 12]', '[ ] a task', '[note:3]'])
      expect(checkCitations(text, shown)).toEqual({ text, citations: [] })
  })
})

it('takes any text, in proportion to its length', () => {
  fc.assert(fc.property(fc.string(), (text) => void checkCitations(text, shown)))
  for (const text of [
    '['.repeat(300_000),
    '[a:1;'.repeat(60_000),
    'a/b:'.repeat(75_000),
    '[docs/deploy.md:1-9999999]',
  ]) {
    const before = processorTime()
    checkCitations(text, shown)
    expect(processorTime() - before).toBeLessThan(1000)
  }
})
