// Does a person find place, headings and matches, and does no document reach the terminal's controls?
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SearchHit, SearchResult } from '../../../model/report.ts'
import { makePalette } from '../format.ts'
import { printSearch } from './search.ts'

const hit: SearchHit = {
  artifact: 'docs/deploy.md#deploy.steps',
  path: 'docs/deploy.md',
  title: 'Deploy',
  headings: ['Deploy', 'Steps'],
  name: 'Steps',
  lines: { start: 4, end: 9 },
  matchedLines: [],
  furtherLines: [],
  score: 0.923,
  signals: {
    lexical: 1,
    document: 0.5,
    vector: null,
    ranks: { words: 1 },
    relevance: 0.9,
    canonicality: 0.7,
    parts: [],
  },
  canonicality: {
    score: 0.7,
    reasons: [
      { reason: 'guide', effect: 0.1 },
      { reason: 'old', effect: -0.3 },
    ],
  },
  excerpt: {
    line: 5,
    text: 'First deploy to staging.\n\nThen deploy to production.',
    matches: [
      [6, 12],
      [31, 37],
    ],
  },
}
const result: SearchResult = {
  query: 'deploy',
  hits: [hit],
  candidateSections: 3,
  documentsScanned: 2,
  confidence: { label: 'high', score: 0.9, why: '' },
  analysis: {
    text: '',
    intents: [],
    terms: [{ term: 'deploy', word: 'deploying', weight: 1 }],
    phrases: [],
    ignored: ['how'],
    identifiers: [],
    names: [],
  },
  strategy: { name: 'original', why: 'the question as it was asked' },
  suggestions: [],
  notices: [],
  freshness: { state: 'fresh', changedFiles: 0, indexedAt: 0 },
}
const plain = { explain: false, palette: makePalette(false), width: 80 }

describe('printSearch', () => {
  it('takes two rows for a hit on a small screen, with the line that matches most', () => {
    const text = 'First: deploy.\nDeploy, then deploy again.'
    const excerpt = {
      line: 5,
      text,
      matches: [
        [7, 13],
        [15, 21],
        [28, 34],
      ],
    } as const
    const short = { ...hit, furtherLines: [{ start: 20, end: 22 }], excerpt } as SearchHit
    const rows = printSearch({ ...result, hits: [short, short] }, { ...plain, isShort: true }).split('\n')
    expect(rows.map((row) => row.trim().replace(/^\d\. /, ''))).toEqual([
      ...Array(2).fill(['docs/deploy.md:4-9  Steps  0.92', 'Deploy, then deploy again.']).flat(),
      '',
    ])
  })

  it('says where to look in a long section', () => {
    const matchedLines = [
      { start: 219, end: 231 },
      { start: 40, end: 40 },
    ]
    const [, places] = printSearch({ ...result, hits: [{ ...hit, matchedLines }] }, plain).split('\n')
    expect(places).toBe('   best at lines 219-231, 40')
  })

  it('shows rank, place, headings, score and excerpt', () => {
    expect(printSearch(result, plain)).toBe(
      '1. docs/deploy.md:4-9  Steps  0.92\n   First deploy to staging.\n   Then deploy to production.\n',
    )
  })

  it('marks exactly the matches on a terminal', () => {
    const marked = printSearch(result, { ...plain, palette: makePalette(true) })
    const yellow = [...marked.matchAll(/\u001b\[33m\u001b\[1m(.*?)\u001b/g)].map(([, text]) => text)
    expect(yellow).toEqual(['deploy', 'deploy'])
  })

  it('explains scores and the reading of the words', () => {
    const text = printSearch(result, { ...plain, explain: true })
    expect(text).toContain('relevance 0.90 (section 1.00, document 0.50), authority 0.70')
    expect(text).toContain('authority: guide +0.10, old −0.30')
    expect(text).toContain('searched: deploy from deploying ×1.00\nignored: how\n')
  })

  it('says in one line that nothing was found, with near terms', () => {
    const none = { ...result, hits: [], query: 'deplyo', suggestions: ['deploy', 'depot'] }
    expect(printSearch(none, plain)).toBe('nothing found for deplyo; near terms: deploy, depot\n')
    expect(printSearch({ ...none, suggestions: [] }, plain)).toBe(
      'nothing found for deplyo; try fewer or other words\n',
    )
  })

  it('cuts a long line around its match', () => {
    const text = `${'a '.repeat(300)}needle${' b'.repeat(300)}`
    const excerpt = { line: 1, text, matches: [[600, 606]] as const }
    const [, line = ''] = printSearch({ ...result, hits: [{ ...hit, excerpt }] }, plain).split('\n')
    expect(line).toContain('needle')
    expect(line.length).toBeLessThanOrEqual(80)
  })

  it('never passes a control character on, whatever the document holds', () => {
    const nasty = fc.string({
      unit: fc.constantFrom('a', '\u001b', '\u009b', '\r', '\u0007', '\u202e', '\n', ' '),
    })
    fc.assert(
      fc.property(nasty, fc.nat(20), fc.nat(20), (text, start, length) => {
        const excerpt = { line: 1, text, matches: [[start, start + length]] as const }
        const printed = printSearch(
          { ...result, hits: [{ ...hit, path: text, headings: [text], excerpt }] },
          plain,
        )
        expect(printed).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
      }),
    )
  })
})
