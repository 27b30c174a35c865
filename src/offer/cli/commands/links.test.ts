// Does each faulty reference get a line that an editor can jump to?
import { expect, it } from 'vitest'
import type { LinkReport } from '../../../check/links/link-report.ts'
import { makePalette } from '../format.ts'
import { printLinks } from './links.ts'

const palette = makePalette(false)
const report: LinkReport = {
  moved: [],
  superseded: [],
  stale: null,
  doubtful: [],
  silenced: 0,
  checked: 1234,
  broken: [{ path: 'a.md', line: 3, form: 'link', target: 'gone\u001b.md', candidates: [] }],
  unindexed: [{ path: 'a.md', line: 5, form: 'link', target: 'Makefile', candidates: [] }],
  ambiguous: [{ path: 'a.md', line: 4, form: 'id', target: 'ADR-7', candidates: ['x.md', 'y.md'] }],
  anchors: [{ path: 'b.md', line: 1, form: 'link', target: 'c.md#d', candidates: ['c.md'] }],
  orphans: ['d.md'],
}

it('lists what is broken and ambiguous, and counts the rest', () => {
  expect(
    printLinks(report, { orphans: false, anchors: false, unindexed: false, doubtful: false, palette }),
  ).toBe(
    [
      'broken     a.md:3 → gone\\u001b.md',
      'ambiguous  a.md:4 → ADR-7: x.md, y.md',
      '1,234 references checked, 1 broken',
      '1 ambiguous',
      '1 to files that are not indexed (--unindexed lists them)',
      '1 anchor lost (--anchors lists them)',
      '1 document that nothing links to (--orphans lists them)',
      '',
    ].join('\n'),
  )
})

it('lists anchors, orphans and what is not indexed when asked', () => {
  const text = printLinks(report, { orphans: true, anchors: true, unindexed: true, doubtful: true, palette })
  expect(text).toContain('unindexed  a.md:5 → Makefile\n')
  expect(text).toContain('anchor     b.md:1 → c.md#d: c.md\n')
  expect(text).toContain('orphan     d.md:1\n')
  expect(text).not.toContain('lists them')
})
