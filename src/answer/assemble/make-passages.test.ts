// Is each section a passage, and does each say exactly which lines it holds?
import { expect, it } from 'vitest'
import { makeSection, type PlainSection } from '../../../test/support/sections.ts'
import { findTableHeader, type HeaderOf, makePassages } from './make-passages.ts'
import { type Chosen, runOf } from './section-runs.ts'

/** Shows a section, whole or those of its pieces: starts and ends. */
function choose(
  given: Partial<PlainSection> & { readonly id: string },
  ...shown: readonly (readonly [number, number])[]
): Chosen {
  const { section, text } = makeSection(given)
  const ranges = shown.length > 0 ? shown : [[0, text.pieces.length] as const]
  const runs = ranges.map(([start, end], rank) => runOf(text, start, end, rank))
  return { section, text, runs, alsoAt: [] }
}
const first = { id: 'a.md#one', line: 1, paragraphs: ['# One', 'alpha'], score: 0.5 }
const second = { id: 'a.md#two', line: 5, paragraphs: ['# Two', 'beta', 'gamma'], score: 0.9 }

it('gives each section a passage of its own, also where one follows the other', () => {
  const { passages, documents } = makePassages([choose(second), choose(first)])
  expect(passages).toMatchObject([
    {
      name: 'two',
      artifacts: ['a.md#two'],
      score: 0.9,
      truncated: false,
      excerpts: [{ lines: { start: 5, end: 9 }, text: 'beta\n\ngamma' }],
    },
    {
      name: 'one',
      artifacts: ['a.md#one'],
      score: 0.5,
      excerpts: [{ lines: { start: 1, end: 3 }, text: 'alpha' }],
    },
  ])
  expect(documents).toMatchObject([{ path: 'a.md', sections: 2, score: 0.9, status: 'secondary' }])
})

it('says that a passage was shortened, and gives the lines of its part', () => {
  const { passages } = makePassages([choose(second, [2, 3])])
  expect(passages[0]).toMatchObject({
    truncated: true,
    excerpts: [{ lines: { start: 9, end: 9 }, text: 'gamma' }],
  })
})

it('never shows a line without its beginning as if it followed the signature above it', () => {
  const code = {
    id: 'a.lua#run',
    kind: 'blind' as const,
    paragraphs: ['run', 'first part. second part', 'end'],
  }
  const [all, from] = [choose({ ...code, line: 1 }), 'run\n\nfirst part.'.length]
  const chosen = { ...all, runs: all.runs.map((run) => ({ ...run, from })) }
  expect(makePassages([chosen]).passages[0]?.excerpts).toEqual([
    { lines: { start: 1, end: 1 }, text: 'run' },
    { lines: { start: 3, end: 5 }, text: ' second part\n\nend' },
  ])
})

it('shows the runs of one section under one source, with what lies between them left out', () => {
  const four = { ...second, paragraphs: ['# Two', 'alpha', 'beta', 'gamma'] }
  const { passages, documents } = makePassages([choose(four, [0, 2], [3, 4])])
  expect(passages).toHaveLength(1)
  expect(passages[0]).toMatchObject({
    artifacts: ['a.md#two'],
    truncated: true,
    excerpts: [
      { lines: { start: 5, end: 7 }, text: 'alpha' },
      { lines: { start: 11, end: 11 }, text: 'gamma' },
    ],
  })
  expect(documents).toMatchObject([{ sections: 1 }])
})

it('orders documents by their best section, then by path', () => {
  const { documents } = makePassages([
    choose({ id: 'b.md#b', file: 2, score: 0.7 }),
    choose({ id: 'c.md#c', file: 3, score: 0.9 }),
    choose({ id: 'a.md#a', file: 1, score: 0.7 }),
  ])
  expect(documents.map(({ path }) => path)).toEqual(['c.md', 'a.md', 'b.md'])
})

it('carries the places of copies along', () => {
  const alsoAt = [{ path: 'z.md', lines: { start: 1, end: 2 } }]
  expect(makePassages([{ ...choose(first), alsoAt }]).passages[0]?.alsoAt).toEqual(alsoAt)
})

it('gives each passage its own rank, whatever the order of its document', () => {
  const { passages } = makePassages([
    choose({ id: 'a.md#low', line: 1, score: 0.3 }),
    choose({ id: 'a.md#best', line: 90, score: 0.9 }),
    choose({ id: 'b.md#middle', file: 2, score: 0.5 }),
  ])
  expect(passages.map(({ name }) => name)).toEqual(['best', 'middle', 'low'])
})

it('keeps sections together that follow each other, the best first, at its rank', () => {
  const { passages } = makePassages([
    choose({ ...first, id: 'a.md#low', score: 0.3 }),
    choose({ ...second, id: 'a.md#best' }),
    choose({ id: 'b.md#middle', file: 2, score: 0.5 }),
  ])
  expect(passages.map(({ name }) => name)).toEqual(['best', 'low', 'middle'])
})

it('shows the header of a class at the first place that needs it, and no line of it again', () => {
  const header = { lines: { start: 1, end: 1 }, text: 'class A {' }
  const member = (name: string, line: number, score: number): Chosen =>
    choose({
      id: `a.ts#A.${name}`,
      kind: 'typescript_class_function',
      line,
      paragraphs: [`${name}() {}`],
      score,
    })
  const members = [member('a', 20, 0.8), member('b', 30, 0.7)]
  const ofClass = (...paragraphs: string[]): Chosen =>
    choose({ id: 'a.ts#A', kind: 'typescript_class', paragraphs: ['class A {', ...paragraphs], score: 0.5 })
  const headerOf: HeaderOf = ({ artifact }) => (artifact.kind === 'typescript_class' ? [] : [header])
  const shown = (chosen: readonly Chosen[]): unknown =>
    makePassages(chosen, headerOf).passages.map(({ artifacts, excerpts }) => [
      artifacts.length,
      ...excerpts.map(({ lines }) => lines.start),
    ])
  expect(shown([...members, ofClass('x = 1')])).toEqual([
    [1, 1, 20],
    [1, 30],
    [1, 3],
  ])
  // Of a class that is its header alone, nothing is left: the passage that shows it holds the class, too.
  expect(shown([...members, ofClass()])).toEqual([
    [2, 1, 20],
    [1, 30],
  ])
})

it('takes no line for the signature of statements that have no name', () => {
  const block = choose(
    { id: 'a.js#block', kind: 'javascript_block', paragraphs: ['use(block)', 'other()', 'last()'] },
    [2, 3],
  )
  expect(makePassages([block]).passages[0]?.excerpts.map(({ text }) => text)).toEqual(['last()'])
})

const text = 'Codes:\n\n| Code | Meaning |\n|------|---------|\n| 1 | one |\n| 2 | two |\n\n a | b\n'

it('is the two lines above the first row', () => {
  const header = { lines: { start: 12, end: 13 }, text: '| Code | Meaning |\n|------|---------|' }
  expect(findTableHeader(text, 5, 10)).toEqual(header)
  expect(findTableHeader(text, 4, 10)).toEqual(header)
})

it('is none for the header itself, for text and for bars without a table', () => {
  for (const at of [0, 2, 3, 7, 99]) expect(findTableHeader(text, at, 10)).toBeNull()
})
