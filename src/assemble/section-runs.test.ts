// Are the runs of a section apart, inside its text and within their room, however its lines and matches lie?
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ArtifactText, MatchedFragment } from '../model/section.ts'
import { type Chosen, isCut, joinTouching, RunGrower, runsInOrder, type TextCosts } from './section-runs.ts'
import { makeSection } from './sections.fixture.ts'

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

function open(text: ArtifactText): { chosen: Chosen; grower: RunGrower } {
  const { section } = makeSection({ id: 'a.md#a' })
  const plain = { ...section, artifact: { ...section.artifact, kind: 'markdown_module', level: 1 } as const }
  const chosen: Chosen = { section: plain, text, runs: [], alsoAt: [] }
  return { chosen, grower: new RunGrower(chosen, costs) }
}

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
    const { chosen, grower } = open(text)
    expect(grower.takeAround(matchAt(0, 5), { room: 7, share: 7 })).toBe(6)
    expect(chosen.runs).toMatchObject([{ start: 2, end: 4 }])
  })

  it('is cut from the piece on that fits the question best', () => {
    const { chosen, grower } = open(text)
    expect(grower.takeCut(matchAt(0, 5), 2)).toBe(2)
    expect(chosen.runs).toMatchObject([{ start: 2, end: 2 }])
  })

  it.each([6, 20])('is cut at the line that fits the question best, in a piece of many: room %i', (room) => {
    const lines = Array.from({ length: 20 }, (_, at) => (at === 14 ? 'the wanted line' : `filler line ${at}`))
    const [piece] = makeSection({ id: 'a.md#a', paragraphs: [lines.join('\n')] }).text.pieces
    const { chosen, grower } = open({ text: `${lines.join('\n')}\n\n`, pieces: piece ? [piece] : [] })
    expect(grower.takeCut(matchAt(0, 1), room)).toBeLessThanOrEqual(room)
    const [run] = chosen.runs
    expect(chosen.text.text.slice(run?.cutStart ?? 0, run?.cutEnd ?? undefined)).toContain('the wanted line')
    const before = run === undefined ? null : { ...run }
    if (run !== undefined) expect(grower.recut(run, 0)).toBe(0)
    expect(run).toEqual(before)
  })

  it('is cut at the first line of the entry that fits the question best', () => {
    const entries = Array.from(
      { length: 12 },
      (_, at) => `- option ${at}\n  ${at === 8 ? 'wanted wanted' : 'more'} words\n`,
    )
    const whole = entries.join('')
    const [piece] = makeSection({ id: 'a.md#a', paragraphs: [whole] }).text.pieces
    const { chosen, grower } = open({ text: `${whole}\n\n`, pieces: piece ? [piece] : [] })
    grower.takeCut(matchAt(0, 1), 8)
    const [run] = chosen.runs
    expect(chosen.text.text.slice(run?.cutStart ?? 0, run?.cutEnd ?? undefined)).toMatch(
      /^- option 8\n {2}wanted/,
    )
  })
})

it('makes one run of what touches, in the place of the better one', () => {
  const whole = { cutStart: null, cutEnd: null }
  const runs = [
    { start: 4, end: 6, ...whole },
    { start: 9, end: 10, ...whole },
    { start: 6, end: 9, ...whole },
    { start: 0, end: 2, ...whole },
  ]
  joinTouching({ runs })
  expect(runs.map(({ start, end }) => [start, end])).toEqual([
    [4, 10],
    [0, 2],
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
      fc.boolean(),
      (pieces, matches, room, share, again) => {
        const { chosen, grower } = open(makeText(pieces))
        const { text, runs } = chosen
        const asked = matches
          .map(([start, length]) => matchAt(start, Math.min(start + length, pieces.length)))
          .filter(({ pieceStart, pieceEnd }) => pieceStart < pieceEnd)
        let spent = 0
        for (const match of asked)
          spent +=
            runs.length === 0
              ? grower.takeAround(match, { room, share })
              : grower.takeMore(match, room - spent)
        for (const run of [...runs]) {
          spent += grower.growAfter(run, Math.min(share, room - spent))
          spent += grower.regrowBefore(run, Math.min(share, room - spent), false)
          spent += grower.cutAfter(run, room - spent)
          spent += grower.cutBefore(run, room - spent)
        }
        joinTouching(chosen)
        // Cut again with all that is left, as when more room is granted.
        if (again) {
          spent -= grower.uncut()
          for (const run of [...runs]) {
            if (run.end > run.start) spent += grower.regrowBefore(run, room - spent, true)
            spent +=
              run.start === run.end ? grower.recut(run, room - spent) : grower.fillAfter(run, room - spent)
          }
          joinTouching(chosen)
        }
        const shown = runsInOrder(chosen).map(({ start, end, cutStart, cutEnd }) => ({
          from: cutStart ?? text.pieces[start]?.start ?? 0,
          to: cutEnd ?? text.pieces[end - 1]?.end ?? 0,
        }))
        expect(spent).toBeLessThanOrEqual(room)
        shown.forEach(({ from, to }, index) => {
          expect(from).toBeLessThan(to)
          expect(shown[index + 1]?.from ?? text.text.length + 1).toBeGreaterThan(to)
        })
        const counted = shown.reduce((sum, { from, to }) => sum + words(text.text.slice(from, to)), 0)
        expect(spent).toBeGreaterThanOrEqual(counted)
        expect(isCut(chosen)).toBe(shown.length !== 1 || counted < words(text.text))
      },
    ),
    { numRuns: 2000 },
  )
})
