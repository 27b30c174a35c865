import fc from 'fast-check'
import { expect, it } from 'vitest'
import { loadTokenizer } from '../../read/assets/load-tokenizer.ts'
import { fitLines, hardCap, mostParts, sizeOf, type ToolResult, textResult } from './fit-result.ts'

const countTokens = loadTokenizer()

const make = (body: string): ToolResult => textResult(`${body}\n\nfacts`)

it('leaves alone what fits', () => {
  expect(fitLines('one\ntwo', make, { maxTokens: 100, countTokens })).toEqual(make('one\ntwo'))
})

it('takes as many parts as fit, and says when not even none does', () => {
  for (const most of [0, 1, 7, 49, 50]) expect(mostParts(50, (count) => count <= most)).toBe(most)
  expect(mostParts(50, () => false)).toBe(null)
  expect(() => fitLines('one', make, { maxTokens: 2, countTokens })).toThrow('too few')
})

it('keeps the text within the budget and the whole below the cap, whatever the text is made of', () => {
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
