import fc from 'fast-check'
import { expect, it } from 'vitest'
import { loadTokenizer } from '../../read/assets/load-tokenizer.ts'
import { fitLines, fitParts, hardCap, sizeOf, type ToolResult } from './fit-result.ts'

const countTokens = loadTokenizer('o200k')

const make = (body: string): ToolResult => ({
  content: [{ type: 'text', text: `${body}\n\nfacts` }],
  structuredContent: { text: body, fact: 1 },
})

it('leaves alone what fits', () => {
  expect(fitLines('one\ntwo', make, { maxTokens: 100, countTokens })).toEqual(make('one\ntwo'))
})

it('takes as many parts as fit, and says when not even none does', () => {
  const hits = (count: number): ToolResult => make('a word '.repeat(count * 20))
  const fitted = fitParts(50, hits, { maxTokens: 400, countTokens })
  const count = fitted.content[0].text.split('a word').length - 1
  expect(count % 20).toBe(0)
  expect(sizeOf(hits(count / 20 + 1), countTokens)).toBeGreaterThan(400)
  expect(() => fitParts(3, hits, { maxTokens: 2, countTokens })).toThrow('too few')
})

it('keeps both forms within the budget and the whole below the cap, whatever the text is made of', () => {
  const line = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.constantFrom('"'.repeat(80), '\\'.repeat(80), '\u0001'.repeat(50), '漢字'.repeat(40), '\t\t\t', ''),
  )
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 300 }),
      fc.integer({ min: 100, max: 12_000 }),
      (lines, maxTokens) => {
        const result = fitLines(lines.join('\n'), make, { maxTokens, countTokens })
        expect(sizeOf(result, countTokens)).toBeLessThanOrEqual(maxTokens)
        expect(countTokens(JSON.stringify(result))).toBeLessThanOrEqual(hardCap)
      },
    ),
    { numRuns: 100 },
  )
})
