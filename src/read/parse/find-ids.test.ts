// Are decision ids found in text, and only there? Also T14 for the search that is made from configured prefixes.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { processorTime } from '../../../test/processor-time.ts'
import { findIds, makeIdSearch } from './find-ids.ts'

const idsOf = (text: string, configured: readonly string[] = []): string[] =>
  findIds(text, makeIdSearch(configured)).map((id) => id.text)

test.each([
  ['As described in ADR-013 and ADR 14, we changed it.', ['ADR-013', 'ADR 14']],
  ['Refer to ADR_0013', ['ADR_0013']],
  ['adr13, Adr-13', ['adr13', 'Adr-13']],
  ['EIP1559 (EIP-1559)', ['EIP1559', 'EIP-1559']],
  ['_ADR-013_ and **ADR-014**', ['ADR-013', 'ADR-014']],
  ['参见ADR-013的决定', ['ADR-013']],
  ['ADR-7', ['ADR-7']],
  ['ADR-12345', []],
  ['ADR--13', []],
  ['ADR  13', []],
  ['ADR-13a', []],
  ['QUADR-13', []],
  ['xADR 13', []],
  ['ADR', []],
  ['13', []],
  ['https://example.com/ADR-013 ADR-014', ['ADR-014']],
  ['RFC 2119 PEP 8 KEP-2400', ['RFC 2119', 'PEP 8', 'KEP-2400']],
])('finds in %j the ids %j', (text, ids) => {
  expect(idsOf(text)).toEqual(ids)
})

test('finds configured prefixes beside the known ones', () => {
  expect(idsOf('ERC20, ERC-721 and EIP-1', ['ERC'])).toEqual(['ERC20', 'ERC-721', 'EIP-1'])
  expect(idsOf('ERC20')).toEqual([])
})

test('refuses prefixes that are not letters, whatever they would mean in a pattern', () => {
  expect(idsOf('.*1 (1 X1', ['.*', '(', 'X', '', 'a|b'])).toEqual([])
})

test('gives the place of each id', () => {
  const text = 'a ADR-013 b EIP 7'
  for (const { at, text: id } of findIds(text, makeIdSearch([]))) expect(text.startsWith(id, at)).toBe(true)
})

test('never throws, and every id stands in the text', () => {
  const parts = fc.constantFrom('ADR', '-', ' ', '_', '0', '13', '9999', 'x', 'é', '://', '\n', '\ud800')
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 40 }), (words) => {
      const text = words.join('')
      for (const { at, text: id } of findIds(text, makeIdSearch([]))) {
        expect(text.slice(at, at + id.length)).toBe(id)
        expect(id).toMatch(/^ADR[-_ ]?\d{1,4}$/)
      }
    }),
    { numRuns: 2_000 },
  )
})

test.each(['ADR', 'ADR-13 ', 'ADR-13-', 'a', '1', 'ADR1', '-', 'PEPEIPRFC', ':', '://', 'x1'])(
  'T14: ids in a row of %j take linear time',
  (seed) => {
    const search = makeIdSearch(['ERC', 'abcdefghijklmnop'])
    const timeOf = (chars: number): number => {
      const text = seed.repeat(Math.ceil(chars / seed.length))
      let best = Number.POSITIVE_INFINITY
      for (let round = 0; round < 3; round++) {
        const started = processorTime()
        findIds(text, search)
        best = Math.min(best, processorTime() - started)
      }
      return best
    }
    let fault: string | null = null
    for (let attempt = 0; attempt < 5; attempt++) {
      const times = [250_000, 500_000, 1_000_000].map(timeOf)
      const grows = times.some((time, index) => index > 0 && time > Math.max(50, 2.5 * times[index - 1]!))
      fault = grows || times[2]! > 400 ? times.join() : null
      if (fault === null) break
    }
    expect(fault).toBeNull()
  },
)
