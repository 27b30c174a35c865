// Are the runs of a section apart, inside its text and within their room, however its lines and matches lie?
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeSection } from '../../../test/support/sections.ts'
import type { ArtifactText, MatchedFragment } from '../../model/section.ts'
import {
  type Growth,
  growRuns,
  isCut,
  joinTouching,
  type Run,
  runOf,
  type TextCosts,
} from './section-runs.ts'
import { showSection } from './show-section.ts'

const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length
const wanted = (text: string): number => words(text.replace(/\b(?!wanted\b)\w+/g, ''))
const costs: TextCosts = {
  piece: (_, { text, pieces }, piece) => words(text.slice(pieces[piece]?.start, pieces[piece]?.end)),
  text: words,
  gap: 4,
  relevance: wanted,
}

/** Pieces that end their line or not: a line of thousands of characters is many pieces. */
function makeText(given: readonly { readonly words: number; readonly endsLine: boolean }[]): ArtifactText {
  let [text, line] = ['', 1]
  const pieces = given.map(({ words: count, endsLine }, at) => {
    const start = text.length
    const lines = { start: line, end: line }
    text += `${Array.from({ length: count }, (_, index) => `p${at}w${index}`).join(' ')}${endsLine ? '\n' : ' '}`
    if (endsLine) line++
    return { start, end: text.length, lines, tokens: count }
  })
  return { text, pieces }
}

const matchAt = (pieceStart: number, pieceEnd: number): MatchedFragment => ({
  pieceStart,
  pieceEnd,
  relevance: 1,
  score: 1,
})

const { section } = makeSection({ id: 'a.md#a' })
const plain = { ...section, artifact: { ...section.artifact, kind: 'markdown_module', level: 1 } as const }
const open = (text: ArtifactText) => growRuns({ section: plain, text }, costs)
const shownOf = ({ text }: ArtifactText, runs: readonly Run[]): string[] =>
  runs.map(({ from, to }) => text.slice(from, to).trimEnd())

describe('a match that is larger than the room', () => {
  const paragraphs = [
    'one two three',
    'four five six',
    'seven wanted nine',
    'wanted eleven twelve',
    'last one',
  ]
  const { text } = makeSection({ id: 'a.md#a', paragraphs })

  it('is shown where it fits the question best', () => {
    const { runs, cost } = open(text).takeAround(matchAt(0, 5), { room: 7, share: 7 })
    expect(runs).toEqual([runOf(text, 2, 4)])
    expect(cost).toBe(6)
  })

  it('is cut from the piece on that fits the question best', () => {
    const { runs, cost } = open(text).takeCut(matchAt(0, 5), 2)
    expect(shownOf(text, runs)).toEqual(['seven wanted'])
    expect(cost).toBe(2)
  })

  it.each([6, 20])('is cut at the line that fits the question best, in a piece of many: room %i', (room) => {
    const lines = Array.from({ length: 20 }, (_, at) => (at === 14 ? 'the wanted line' : `filler line ${at}`))
    const long = makeSection({ id: 'a.md#a', paragraphs: [lines.join('\n')] }).text
    const { runs, cost } = open(long).takeCut(matchAt(0, 1), room)
    expect(cost).toBeLessThanOrEqual(room)
    expect(shownOf(long, runs)).toMatchObject([expect.stringContaining('the wanted line')])
  })

  it('is cut at the first line of the entry that fits the question best', () => {
    const entries = Array.from(
      { length: 12 },
      (_, at) => `- option ${at}\n  ${at === 8 ? 'wanted wanted' : 'more'} words\n`,
    )
    const list = makeSection({ id: 'a.md#a', paragraphs: [entries.join('')] }).text
    const [shown] = shownOf(list, open(list).takeCut(matchAt(0, 1), 8).runs)
    expect(shown).toMatch(/^- option 8\n {2}wanted/)
  })

  it('does not grow backwards over the beginning of its piece, which was not paid for', () => {
    const long = `${'other words '.repeat(40)}\nthe wanted words\n${'more words '.repeat(40)}`
    const whole = makeSection({ id: 'a.md#a', paragraphs: ['short', long] }).text
    const { runs } = open(whole).takeCut(matchAt(1, 2), 30)
    const [{ from }] = runs as [Run]
    expect(from).toBeGreaterThan('short\n\n'.length)
    expect(open(whole).extend(runs, 1, true).runs[0]?.from).toBe(from)
  })
})

it('makes one run of what touches, with the rank of the better one', () => {
  const runs = [
    { from: 0, to: 2, rank: 3 },
    { from: 4, to: 6, rank: 0 },
    { from: 6, to: 9, rank: 2 },
    { from: 9, to: 10, rank: 1 },
  ]
  expect(joinTouching(runs)).toEqual([
    { from: 0, to: 2, rank: 3 },
    { from: 4, to: 10, rank: 0 },
  ])
})

const anyPieces = fc.array(fc.record({ words: fc.integer({ min: 1, max: 12 }), endsLine: fc.boolean() }), {
  minLength: 1,
  maxLength: 30,
})
const anyMatches = fc.array(fc.tuple(fc.nat(29), fc.integer({ min: 1, max: 4 })), {
  minLength: 1,
  maxLength: 8,
})

it('keeps runs apart and within their room, and says what they cost', () => {
  fc.assert(
    fc.property(
      anyPieces,
      anyMatches,
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 0, max: 60 }),
      (pieces, matches, room, share) => {
        const text = makeText(pieces)
        const grower = open(text)
        const asked = matches
          .map(([start, length]) => matchAt(start, Math.min(start + length, pieces.length)))
          .filter(({ pieceStart, pieceEnd }) => pieceStart < pieceEnd)
        let runs: readonly Run[] = []
        let spent = 0
        const spend = (grow: (left: number) => Growth): void => {
          const grown = grow(room - spent)
          runs = grown.runs
          spent += grown.cost
        }
        for (const match of asked)
          spend((left) =>
            runs.length === 0
              ? grower.takeAround(match, { room: left, share })
              : grower.takeMore(runs, match, left),
          )
        if (runs.length === 0 && asked[0] !== undefined)
          spend((left) => grower.takeCut(asked[0] ?? null, left))
        spend((left) => grower.extend(runs, Math.min(share, left), false))
        spend((left) => grower.extend(runs, left, true))
        expect(spent).toBeLessThanOrEqual(room)
        runs.forEach(({ from, to }, index) => {
          expect(from).toBeLessThan(to)
          expect(runs[index + 1]?.from ?? text.text.length + 1).toBeGreaterThan(to)
        })
        const counted = words(shownOf(text, runs).join(' '))
        expect(spent).toBeGreaterThanOrEqual(counted)
        const chosen = { section: plain, text, runs, alsoAt: [] }
        expect(isCut(chosen)).toBe(runs.length !== 1 || counted < words(text.text))
      },
    ),
    { numRuns: 2000 },
  )
})

describe('what a section shows', () => {
  const body = Array.from({ length: 80 }, (_, at) => (at === 40 ? 'the wanted step' : `step number ${at}`))
  const made = makeSection({ id: 'a.ts#run', kind: 'typescript_function', paragraphs: body, match: 40 })
  const show = (room: number, leads: boolean): string =>
    shownOf(made.text, showSection(made, { room, leads }, costs)).join(' … ')

  it('is its whole text where there are tokens for it', () => {
    expect(showSection(made, { room: 240, leads: false }, costs)).toEqual([runOf(made.text, 0, 80)])
  })

  it('is the match and what surrounds it where there are fewer', () => {
    expect(show(110, false)).toContain('the wanted step')
    expect(words(show(110, false))).toBeLessThanOrEqual(110)
  })

  it('keeps how a leading function ends', () => {
    expect(show(110, true)).toMatch(/the wanted step.* … .*step number 79$/s)
  })

  it('never costs more than its tokens', () => {
    fc.assert(
      fc.property(
        anyPieces,
        anyMatches,
        fc.integer({ min: 1, max: 200 }),
        fc.boolean(),
        (pieces, at, room, leads) => {
          const text = makeText(pieces)
          const matches = at
            .map(([start, length]) => matchAt(start, Math.min(start + length, pieces.length)))
            .filter(({ pieceStart, pieceEnd }) => pieceStart < pieceEnd)
          const runs = showSection({ section: { ...plain, matches }, text }, { room, leads }, costs)
          expect(words(shownOf(text, runs).join(' '))).toBeLessThanOrEqual(room)
          runs.forEach(({ from, to }, index) => {
            expect(from).toBeLessThan(to)
            expect(runs[index + 1]?.from ?? text.text.length + 1).toBeGreaterThan(to)
          })
        },
      ),
      { numRuns: 1000 },
    )
  })
})
