// Does a document get the authority that its place, name, age, status and readers give it, each with its reason?
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CanonicalityInput, canonicalStatus, roleOf, scoreCanonicality } from './score-canonicality.ts'

const now = Date.parse('2025-11-29T00:00:00Z')
const daysAgo = (days: number): number => now - days * 86_400_000
const score = (path: string, change: Partial<CanonicalityInput> = {}): number =>
  scoreCanonicality({ path, modifiedAt: daysAgo(200), ...change }, { now }).score
const reasons = (path: string, change: Partial<CanonicalityInput> = {}): string[] =>
  scoreCanonicality({ path, modifiedAt: daysAgo(200), ...change }, { now }).reasons.map(
    ({ reason }) => reason,
  )

it.each([
  ['notes/x.md', 0.5],
  ['docs/adr/x.md', 0.7],
  ['sub/docs/architecture/deep/x.md', 0.7],
  ['docs/index/x.md', 0.65],
  ['scratch/x.md', 0.2],
  ['docs/archive/x.md', 0.2],
  ['notes/OLD-x.md', 0.2],
  ['notes/folder-holder.md', 0.5],
  ['README.md', 0.6],
  ['docs/DeployGuide.md', 0.6],
  ['docs/guidelines.md', 0.5],
  ['docs/adr/README.md', 0.8],
])('%s: %f', (path, expected) => {
  expect(score(path)).toBe(expected)
})

it('adds for recent changes and takes for a year without any', () => {
  expect(score('x.md', { modifiedAt: daysAgo(10) })).toBe(0.6)
  expect(score('x.md', { modifiedAt: daysAgo(400) })).toBe(0.4)
})

describe('status', () => {
  it.each([
    ['canonical', 0.7],
    ['accepted', 0.6],
    ['draft', 0.4],
    ['deprecated', 0.2],
    ['superseded by ADR-9', 0.2],
    ['something else', 0.5],
    ['constructor', 0.5],
  ])('%s: %f', (status, expected) => {
    expect(score('x.md', { status })).toBe(expected)
  })

  it('names the successor of a superseded document, and counts that once', () => {
    expect(reasons('x.md', { status: 'superseded', successor: 'y.md' })).toContain('superseded by y.md')
    expect(score('x.md', { status: 'superseded', successor: 'y.md' })).toBe(0.2)
  })
})

it('adds for references, more for more, up to a tenth', () => {
  const scores = [0, 1, 3, 15, 10_000].map((inbound) => score('x.md', { inbound }))
  expect(scores).toEqual([...scores].sort((a, b) => a - b))
  expect(scores.at(-1)).toBe(0.6)
  expect(reasons('x.md', { inbound: 1 })).toContain('referenced by 1 document')
})

it('adds for a place among the most referenced', () => {
  expect(reasons('x.md', { rank: 0.95 })).toContain('among the most referenced')
  expect(reasons('x.md', { rank: 0.5 })).toEqual(['baseline'])
})

it('stays between 0 and 1, and is the sum of its reasons before that', () => {
  fc.assert(
    fc.property(
      fc.record({
        path: fc.constantFrom(
          'docs/adr/README.md',
          'archive/old/scratch.md',
          'a.md',
          'docs/architecture/PLAN.md',
        ),
        modifiedAt: fc.integer({ min: daysAgo(1000), max: now }),
        status: fc.constantFrom(null, 'canonical', 'rejected', 'draft'),
        inbound: fc.nat(1000),
        rank: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      (file) => {
        const { score: total, reasons: found } = scoreCanonicality(file, { now })
        const sum = found.reduce((sofar, { effect }) => sofar + Math.round(effect * 100), 0) / 100
        expect(total).toBeCloseTo(Math.min(1, Math.max(0, sum)), 10)
        expect(found.every(({ effect }) => effect !== 0)).toBe(true)
      },
    ),
  )
})

it('says in words what the number means', () => {
  const status = (score: number, reason = 'path says "old"', language = 'markdown'): string =>
    canonicalStatus({ score, reasons: [{ reason, effect: -0.1 }] }, language)
  expect([1, 0.7, 0.69, 0.5, 0.49, 0].map((score) => status(score))).toEqual([
    'canonical',
    'canonical',
    'secondary',
    'secondary',
    'possibly stale',
    'possibly stale',
  ])
  expect(status(0.4, 'not updated for a year')).toBe('possibly stale')
  expect(status(0.4, 'not updated for a year', 'rust')).toBe('secondary')
  expect(status(0.3, 'a test', 'rust')).toBe('secondary')
})

it('takes no age from a time that archives write into every file', () => {
  expect(score('x.md', { modifiedAt: Date.UTC(1985, 9, 26, 8, 15) })).toBe(0.5)
})

it.each<[string, Partial<Parameters<typeof scoreCanonicality>[0]>, string | null]>([
  ['a file that says so', { path: 'src/help.h', language: 'generic', role: 'generated' }, 'generated code'],
  ['a page that says so', { path: 'docs/x.1', language: 'text', role: 'generated' }, 'generated'],
  ['a vendored page', { path: 'deps/lua/README', language: 'text' }, 'vendored'],
  ['vendored text', { path: 'third_party/x/Makefile', language: 'generic' }, 'vendored code'],
  ['a folder of dependencies below the top', { path: 'src/deps/x.go', language: 'go' }, null],
  ['a translated page', { path: 'docs/README.zh-CN.md', language: 'markdown' }, 'a translation'],
  ['a page with a short name behind it', { path: 'README.v2.md', language: 'markdown' }, null],
  ['a page about tests', { path: 'test/README.md', language: 'markdown' }, null],
  ['a test', { path: 't/t0001-init.sh', language: 'generic' }, 'a test'],
])('counts %s by what it is', (_, file, role) => {
  expect(roleOf({ path: '', modifiedAt: now, ...file })?.reason ?? null).toBe(role)
})

it('does not hold the age of code against it, and rates a generated copy lower than its source', () => {
  const years = { modifiedAt: Date.parse('2020-01-01T00:00:00Z'), language: 'cpp' }
  const options = { now: Date.parse('2025-11-29T00:00:00Z') }
  const source = scoreCanonicality({ ...years, path: 'include/acme/json.hpp' }, options)
  const copy = scoreCanonicality({ ...years, path: 'single_include/acme/json.hpp', inbound: 20 }, options)
  expect(source.score).toBe(0.5)
  expect(copy.score).toBeLessThan(source.score)
  expect(scoreCanonicality({ ...years, language: 'markdown', path: 'docs/a.md' }, options).score).toBe(0.4)
})
