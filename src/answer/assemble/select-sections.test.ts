// Does selection keep to its budget and its limits, take each text once, and say why the rest is left out?
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeSection } from '../../../test/support/sections.ts'
import { type Chosen, wholePieces } from './section-runs.ts'
import { type Costs, SectionSelector, type Selection, type SelectOptions } from './select-sections.ts'

const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length
/** A document costs 5, a passage 3, a word 1. */
const costs: Costs = {
  document: () => 5,
  passage: () => 3,
  piece: (_, text, piece) => text.pieces[piece]?.tokens ?? 0,
  text: words,
  gap: 4,
  relevance: () => 0,
}
type Made = ReturnType<typeof makeSection>

function open(made: readonly Made[], options: Partial<SelectOptions> & { budget: number }): SectionSelector {
  const texts = new Map(made.map(({ section, text }) => [section, text]))
  return new SectionSelector(
    { costs, textOf: (section) => texts.get(section) ?? { text: '', pieces: [] } },
    { smallestPart: 2, sectionShare: 1, ...options },
  )
}
const select = (made: readonly Made[], options: Partial<SelectOptions> & { budget: number }): Selection =>
  open(made, options).run(made.map(({ section }) => section))
const ids = ({ chosen }: Selection): string[] => chosen.map(({ section }) => section.artifact.id)
const reasons = ({ dropped }: Selection): string[] =>
  dropped.map(({ artifact, reason }) => `${artifact} ${reason}`)

/** The pieces that are shown whole. */
const placesOf = (chosen: Chosen | undefined): number[][] =>
  (chosen?.runs ?? []).map((run) => Object.values(wholePieces((chosen as Chosen).text, run)))
const shownText = ({ text: { text }, runs }: Chosen): string =>
  runs.map(({ from, to }) => text.slice(from, to)).join(' ')

const body = (count: number, word: string): string =>
  Array.from({ length: count }, (_, at) => `${word}${at}`).join(' ')

describe('what is left out', () => {
  const a = makeSection({ id: 'a.md#a', paragraphs: ['# A', body(10, 'a')] })
  const b = makeSection({ id: 'b.md#b', file: 2, paragraphs: ['# B', body(10, 'b')] })

  it('is what scores below the threshold', () => {
    const weak = makeSection({ id: 'w.md#w', file: 3, relevance: 0.1 })
    expect(reasons(select([a, weak], { budget: 1000 }))).toEqual(['w.md#w below threshold'])
  })

  it('is what comes after the limit of sections', () => {
    expect(reasons(select([a, b], { budget: 1000, maxSections: 1 }))).toEqual(['b.md#b section limit'])
  })

  it('is what finds no room', () => {
    expect(reasons(select([a, b], { budget: 21 }))).toEqual(['b.md#b no room'])
  })

  it('is a heading without text', () => {
    const bare = makeSection({ id: 'h.md#h', file: 4, paragraphs: ['# Only a heading'], match: 0 })
    expect(reasons(select([bare, a], { budget: 1000 }))).toEqual(['h.md#h no text of its own'])
  })

  it('is a second copy of a text, whose place is kept with the first', () => {
    const copy = makeSection({
      id: 'c.md#c',
      file: 5,
      line: 7,
      paragraphs: ['# C', `${body(10, 'a').toUpperCase()}!`],
    })
    const selection = select([a, copy], { budget: 1000 })
    expect(reasons(selection)).toEqual(['c.md#c duplicate'])
    expect(selection.chosen[0]?.alsoAt).toEqual([{ path: 'c.md', lines: { start: 7, end: 10 } }])
  })
})

describe('a section that does not fit', () => {
  const long = makeSection({
    id: 'a.md#a',
    paragraphs: ['# A', body(20, 'x'), body(20, 'y'), body(20, 'z')],
    match: 2,
  })

  it('gives the part around its best match', () => {
    const [chosen] = select([long], { budget: 8 + 20 }).chosen
    expect(placesOf(chosen)).toEqual([[2, 3]])
  })

  it('grows onwards, then backwards, when there is room', () => {
    const [chosen] = select([long], { budget: 8 + 41 }).chosen
    expect(placesOf(chosen)).toEqual([[2, 4]])
    const [more] = select([long], { budget: 8 + 62 }).chosen
    expect(placesOf(more)).toEqual([[0, 4]])
  })

  it('goes on after a piece above its share, when pieces may be cut', () => {
    const paragraphs = ['# A', body(20, 'x'), body(60, 'y')]
    const first = makeSection({ id: 'a.md#a', paragraphs, match: 1 })
    const budget = 8 + 2 + 20 + 15
    const [chosen] = select([first], { budget, cutPieces: true, smallestPart: 3, sectionShare: 0.3 }).chosen
    expect(words(shownText(chosen as Chosen))).toBe(2 + 20 + 15)
  })

  it('is cut when it is the best one, before a lesser one takes the room', () => {
    const best = makeSection({ id: 'a.md#a', paragraphs: ['# A', body(60, 'x')], match: 1 })
    const lesser = makeSection({ id: 'b.md#b', file: 2, paragraphs: ['# B', body(10, 'b')] })
    const { chosen, dropped } = select([best, lesser], { budget: 8 + 2 + 30, smallestPart: 10 })
    expect(chosen.map(({ section }) => section.artifact.id)).toEqual(['a.md#a'])
    expect(dropped.map(({ artifact, reason }) => `${artifact} ${reason}`)).toEqual(['b.md#b no room'])
  })

  it('shows its other matches too, where they come before what is next in the ranking', () => {
    const far = makeSection({
      id: 'a.md#a',
      paragraphs: ['# A', body(20, 'v'), body(20, 'w'), body(20, 'x'), body(20, 'y')],
      match: 4,
      more: [1],
    })
    const options = { budget: 8 + 20 + 4 + 20, sectionShare: 0.3 }
    const next = (score: number) =>
      makeSection({ id: 'b.md#b', file: 2, paragraphs: ['# B', body(10, 'b')], score })
    const both = select([far, next(0.4)], options)
    expect(placesOf(both.chosen[0])).toEqual([
      [1, 2],
      [4, 5],
    ])
    expect(reasons(both)).toEqual(['b.md#b no room'])
    expect(ids(select([far, next(0.6)], options))).toEqual(['a.md#a', 'b.md#b'])
  })

  it('takes no more than its share at first, and what is left over at the end', () => {
    const other = makeSection({ id: 'b.md#b', file: 2, paragraphs: ['# B', body(20, 'b')] })
    const budget = 8 + 22 + 8 + 62
    const { chosen } = select([long, other], { budget, sectionShare: 0.25 })
    expect(chosen.map(placesOf)).toEqual([[[0, 4]], [[0, 2]]])
  })
})

it('takes what found no room when more is granted, but not what came along meanwhile', () => {
  const made = ['a', 'b', 'c'].map((name, at) =>
    makeSection({ id: `${name}.md#${name}`, file: at + 1, paragraphs: [`# ${name}`, body(10, name)] }),
  )
  const selector = open(made, { budget: 21 })
  expect(ids(selector.run(made.map(({ section }) => section)))).toEqual(['a.md#a'])
  const after = selector.grant(42, new Set(['b.md#b']))
  expect(ids(after)).toEqual(['a.md#a', 'c.md#c'])
  expect(reasons(after)).toEqual(['b.md#b duplicate'])
})

it('lets what found no room come before a lesser section is cut later', () => {
  const a = makeSection({ id: 'a.md#a', paragraphs: ['# A', body(10, 'a')] })
  const b = makeSection({ id: 'b.md#b', file: 2, paragraphs: ['# B', body(200, 'b')], score: 0.9 })
  const c = makeSection({ id: 'c.md#c', file: 3, paragraphs: ['# C', body(30, 'c')], score: 0.8 })
  const selector = open([a, b, c], { budget: 8 + 12 + 8 + 30, cutPieces: true })
  expect(reasons(selector.run([a, b, c].map(({ section }) => section)))).toEqual(['c.md#c no room'])
  expect(ids(selector.grant(70, new Set()))).toEqual(['a.md#a', 'b.md#b', 'c.md#c'])
})

it('cuts a long section to what matches, the best one less, and more only where the budget is to be filled', () => {
  const long = (name: string): Made =>
    makeSection({
      id: `${name}.md#${name}`,
      file: name === 'a' ? 1 : 2,
      paragraphs: ['# Long', ...Array.from({ length: 20 }, (_, at) => body(10, `${name}${at}x`))],
      match: 7,
      score: name === 'a' ? 0.9 : 0.5,
    })
  const made = [long('a'), long('b')]
  const sectionTokens = { most: 20, share: 0, best: 50 }
  const shown = (fill: boolean): number[] =>
    select(made, { budget: 1000, sectionTokens, fill }).chosen.map((one) => words(shownText(one)))
  expect(shown(false)).toEqual([50, 20])
  expect(select(made, { budget: 1000, sectionTokens })).toMatchObject({ isComplete: true, dropped: [] })
  expect(shown(true)).toEqual([202, 202])
})

const anySection = fc.record({
  paragraphs: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }),
  file: fc.integer({ min: 1, max: 3 }),
  relevance: fc.double({ min: 0, max: 1, noNaN: true }),
  matches: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
})

it('never spends more than its budget, whatever is ranked', () => {
  fc.assert(
    fc.property(
      fc.array(anySection, { maxLength: 12 }),
      fc.integer({ min: 0, max: 300 }),
      fc.boolean(),
      fc.integer({ min: 0, max: 100 }),
      (sections, budget, cutPieces, granted) => {
        const made = sections.map(({ paragraphs, file, relevance, matches }, at) =>
          makeSection({
            id: `f${file}.md#s${at}`,
            file,
            line: 1 + at * 20,
            paragraphs: [`# s${at}`, ...paragraphs.map((count, index) => body(count, `w${at}x${index}y`))],
            relevance,
            match: Math.min(matches[0] as number, paragraphs.length),
            more: matches.slice(1).filter((match) => match <= paragraphs.length),
          }),
        )
        const selector = open(made, { budget, cutPieces, sectionShare: 0.35 })
        selector.run(made.map(({ section }) => section))
        const { chosen, dropped } = selector.grant(granted, new Set())
        let spent = 5 * new Set(chosen.map(({ section }) => section.artifact.file)).size
        for (const one of chosen) spent += 3 + 4 * (one.runs.length - 1) + words(shownText(one))
        expect(spent).toBeLessThanOrEqual(budget + granted)
        expect(chosen.length + dropped.length).toBe(made.length)
      },
    ),
    { numRuns: 500 },
  )
})
