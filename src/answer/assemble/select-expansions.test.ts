// What of a plan fits, and is everything that came along referred to by a line in the digest?
import { describe, expect, it } from 'vitest'
import { makeSection } from '../../../test/support/sections.ts'
import type { PlannedDocument, PlannedSection } from '../expand/plan.ts'
import {
  type ExpansionSource,
  type ExpansionTokens,
  expansionBudget,
  selectExpansions,
} from './select-expansions.ts'

describe('expansionBudget', () => {
  it('5.2.3 token budget cap: what is left binds before the share does', () => {
    expect(expansionBudget(1000, 1000 - 800, { share: 0.3, most: 2000 })).toBe(200)
  })

  it('5.2.4 no-budget scenario: nothing is left, nothing comes along', () => {
    expect(expansionBudget(1000, 1000 - 1000, { share: 0.3, most: 2000 })).toBe(0)
    expect(expansionBudget(1000, 1000 - 1200, { share: 0.3, most: 2000 })).toBe(0)
  })

  it('never takes more than its share or its absolute cap', () => {
    expect(expansionBudget(1000, 900, { share: 0.3, most: 2000 })).toBe(300)
    expect(expansionBudget(20_000, 19_000, { share: 0.3, most: 2000 })).toBe(2000)
  })
})

const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length
/** A document costs 5, a passage 3, a word 1. */
const costs = { document: () => 5, passage: () => 3, text: words }
const body = (count: number, word: string): string =>
  Array.from({ length: count }, (_, at) => `${word}${at}`).join(' ')

const sources = new Map<string, ExpansionSource>()
function planned(
  id: string,
  paragraphs: readonly string[],
  change: Partial<PlannedSection> = {},
): PlannedSection {
  const { section, text } = makeSection({ id, paragraphs, file: sources.size + 1 })
  const path = id.split('#')[0] as string
  sources.set(id, {
    artifact: section.artifact,
    text,
    language: 'markdown',
    title: path,
    canonicality: section.canonicality,
  })
  return {
    path,
    id,
    because: 'context and decision',
    paragraphs: null,
    from: 'here.md#a',
    via: 'links',
    depth: 1,
    cost: 1,
    referencedBy: [{ path: 'here.md', line: 3 }],
    ...change,
  }
}
const document = (...sections: readonly PlannedSection[]): PlannedDocument => ({
  path: sections[0]?.path ?? '',
  type: 'adr',
  score: 1,
  sections,
})
const select = (plan: readonly PlannedDocument[], limits: Partial<ExpansionTokens> = {}) =>
  selectExpansions(
    plan,
    { costs, sourceOf: ({ id }) => sources.get(id) as ExpansionSource },
    {
      budget: 1000,
      perDocument: 1000,
      code: { budget: 1000, definition: 1000 },
      smallestPart: 10,
      ...limits,
    },
  )
const ids = ({ documents }: ReturnType<typeof select>): string[] =>
  documents.flatMap(({ passages }) => passages.flatMap(({ artifacts }) => artifacts))

const a = planned('a.md#a', ['# A', body(20, 'a')])
const b = planned('b.md#b', ['# B', body(20, 'b')])

it('takes whole sections and says what they took', () => {
  expect(select([document(a), document(b)])).toMatchObject({ used: 2 * (5 + 3 + 22), dropped: [] })
})

it('5.2.3 drops what no longer fits, with the reason', () => {
  const { used, dropped } = select([document(a), document(b)], { budget: 40 })
  expect(used).toBeLessThanOrEqual(40)
  expect(dropped.map(({ artifact, reason }) => `${artifact} ${reason}`)).toEqual([
    'b.md#b no room for references',
  ])
})

it('cuts at paragraphs, and takes no stub', () => {
  const long = planned('l.md#l', ['# L', body(20, 'x'), body(20, 'y')])
  const cut = select([document(long)], { budget: 5 + 3 + 30 })
  expect(cut.documents[0]?.passages[0]).toMatchObject({ truncated: true })
  expect(cut.documents[0]?.passages[0]?.excerpts[0]?.text.split('\n')).toEqual(['# L', '', body(20, 'x')])
  expect(ids(select([document(long)], { budget: 5 + 3 + 8 }))).toEqual([])
})

it('keeps a document to its own cap, so that the next gets its turn', () => {
  const more = planned('a.md#more', ['# More', body(20, 'm')])
  expect(ids(select([document(a, more), document(b)], { perDocument: 40 }))).toEqual(['a.md#a', 'b.md#b'])
})

it('shares the cap of a document, so that a long section leaves the others their opening', () => {
  const long = (name: string): PlannedSection =>
    planned(`adr.md#${name}`, [
      `# ${name}`,
      ...Array.from({ length: 40 }, (_, at) => body(20, `${name}${at}x`)),
    ])
  const decision = planned('adr.md#decision', ['# Decision', body(100, 'd')])
  const whole = select([document(long('context'), decision)], { perDocument: 600 })
  expect(ids(whole)).toContain('adr.md#decision')
  expect(whole.used).toBeLessThanOrEqual(600)
  expect(ids(select([document(long('one'), long('two'), long('three'))], { perDocument: 600 }))).toHaveLength(
    3,
  )
})

it('cuts a first paragraph that is too long to its first lines', () => {
  const lines = Array.from({ length: 30 }, (_, at) => body(5, `w${at}x`)).join('\n')
  const cut = select([document(planned('w.md#w', ['# W', lines]))], { budget: 60 })
  expect(cut.documents[0]?.passages[0]).toMatchObject({ truncated: true })
  expect(cut.used).toBeLessThanOrEqual(60)
})

it('takes the first paragraphs only where the plan says so', () => {
  const overview = planned('o.md#o', ['# O', body(5, 'p'), body(5, 'q'), body(5, 'r')], { paragraphs: 2 })
  expect(select([document(overview)]).documents[0]?.passages[0]?.excerpts[0]?.text).not.toContain('r0')
})

describe('code', () => {
  const code = (...sections: readonly PlannedSection[]): PlannedDocument => ({
    ...document(...sections),
    type: 'code',
  })
  const define = (id: string, lines: readonly string[]): PlannedSection => {
    const section = planned(id, lines)
    const source = sources.get(id) as ExpansionSource
    sources.set(id, { ...source, artifact: { ...source.artifact, kind: 'typescript_function' } })
    return section
  }
  const long = define('run.ts#start', ['function start(port: number) {', body(60, 's'), '}'])
  const short = define('run.ts#stop', ['function stop() {', 'server.close()', '}'])

  it('brings a long definition as its signature, and a short one whole', () => {
    const { documents } = select([code(long, short)], { code: { budget: 1000, definition: 20 } })
    const [start, stop] = documents[0]?.passages ?? []
    expect(start).toMatchObject({ truncated: true, artifacts: ['run.ts#start'] })
    expect(start?.excerpts[0]?.text).toBe('function start(port: number) {')
    expect(stop).toMatchObject({ truncated: false })
  })

  it('brings it whole where nothing else wants the room', () => {
    expect(select([code(long)]).documents[0]?.passages[0]).toMatchObject({ truncated: false })
  })

  it('keeps code to its own budget, whatever documents leave', () => {
    const found = select([code(long, short), document(a)], { code: { budget: 15, definition: 20 } })
    expect(ids(found)).toEqual(['run.ts#start', 'a.md#a'])
    expect(found.dropped.map(({ artifact }) => artifact)).toEqual(['run.ts#stop'])
  })
})

describe('a second hop', () => {
  const far = planned('f.md#f', ['# F', body(15, 'f')], {
    from: 'b.md#b',
    depth: 2,
    referencedBy: [{ path: 'b.md', line: 3 }],
  })

  it('comes along with the section that refers to it', () => {
    expect(ids(select([document(a), document(b), document(far)]))).toEqual(['a.md#a', 'b.md#b', 'f.md#f'])
  })

  it('does not when that section found no room, and gives its own room back', () => {
    const selected = select([document(a), document(b), document(far)], { budget: 30 + 25 })
    expect(ids(selected)).toEqual(['a.md#a'])
    expect(selected.used).toBe(30)
    expect(selected.dropped.map(({ artifact }) => artifact)).toEqual(['b.md#b', 'f.md#f'])
  })

  it('does not when the line that refers to it was cut away', () => {
    const long = planned('b.md#long', ['# B', body(20, 'x'), body(20, 'see')])
    const late = planned('g.md#g', ['# G', body(3, 'g')], {
      from: 'b.md#long',
      depth: 2,
      referencedBy: [{ path: 'b.md', line: 5 }],
    })
    expect(ids(select([document(long), document(late)]))).toEqual(['b.md#long', 'g.md#g'])
    expect(ids(select([document(long), document(late)], { budget: 45 }))).toEqual(['b.md#long'])
  })
})
