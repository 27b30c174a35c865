// Can the instrument be trusted? Samples, coverage, spans, the committed table and the verdicts.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareFigure, mergeRows, parseTable } from './baseline.ts'
import { type Figure, keyOf, pickQuestions, sumUp } from './figures.ts'
import { estimate, pairedChange } from './measures.ts'
import { halfOf } from './read-sets.ts'
import { renderRows } from './render-table.ts'
import { coverGold } from './score-coverage.ts'
import { readCounts } from './score-resolution.ts'
import { lineStarts, shareOfCharacters, spanOf } from './score-spans.ts'

const questions = Array.from({ length: 200 }, (_, at) => ({ _id: `q${at}` }))

describe('pickQuestions', () => {
  it('gives two halves that are everything and share nothing', () => {
    const a = pickQuestions(questions, { half: 'A', sample: null })
    const b = pickQuestions(questions, { half: 'B', sample: null })
    expect(a.length + b.length).toBe(questions.length)
    expect(a.every(({ _id }) => halfOf(_id) === 'A')).toBe(true)
    expect(b.every(({ _id }) => halfOf(_id) === 'B')).toBe(true)
  })

  it('samples the same questions whatever else is in the file behind them', () => {
    const small = pickQuestions(questions, { half: 'A', sample: 20 })
    expect(small.length).toBe(20)
    const shuffled = [...questions].reverse()
    const again = pickQuestions(shuffled, { half: 'A', sample: 20 }).reverse()
    expect(again).toEqual(small)
  })

  it('gives all questions when fewer than the sample are there', () => {
    expect(pickQuestions(questions.slice(0, 5), { half: 'all', sample: 60 }).length).toBe(5)
  })
})

describe('coverGold', () => {
  const gold = { path: 'a.md', heading: 'A', line_start: 10, line_end: 30, own_end: 19 }

  it('counts own lines, a touch below the section, and the page', () => {
    expect(coverGold([{ start: 1, end: 14 }], gold)).toEqual({ 'own lines': 0.5, touched: 1, page: 1 })
    expect(coverGold([{ start: 25, end: 40 }], gold)).toEqual({ 'own lines': 0, touched: 1, page: 1 })
    expect(coverGold([{ start: 31, end: 40 }], gold)).toEqual({ 'own lines': 0, touched: 0, page: 1 })
    expect(coverGold([], gold)).toEqual({ 'own lines': 0, touched: 0, page: 0 })
  })

  it('counts a line once when two passages quote it', () => {
    const twice = [
      { start: 10, end: 14 },
      { start: 12, end: 14 },
    ]
    expect(coverGold(twice, gold)['own lines']).toBe(0.5)
  })
})

describe('spanOf', () => {
  it('finds any cut of any text, inside long lines too', () => {
    const text = fc
      .array(fc.stringMatching(/^[a-z ]{0,40}$/), { minLength: 1, maxLength: 12 })
      .map((lines) => lines.map((line, at) => `${at}:${line}`).join('\n'))
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (source, a, b) => {
        const start = a % source.length
        const end = start + 1 + (b % (source.length - start))
        const starts = lineStarts(source)
        const lineAt = (offset: number): number => starts.filter((one) => one <= offset).length
        const excerpt = {
          text: source.slice(start, end),
          lines: { start: lineAt(start), end: lineAt(end - 1) },
        }
        const found = spanOf(excerpt, source, starts)
        expect(source.slice(found.start, found.end)).toBe(excerpt.text)
        expect(found.start).toBeLessThanOrEqual(start)
      }),
    )
  })

  it('refuses a text that its lines do not hold', () => {
    const source = 'one\ntwo\nthree\n'
    const excerpt = { text: 'three', lines: { start: 1, end: 2 } }
    expect(() => spanOf(excerpt, source, lineStarts(source))).toThrow('do not hold')
  })

  it('counts each wanted character once', () => {
    const wanted = [
      { start: 0, end: 10 },
      { start: 5, end: 20 },
    ]
    expect(shareOfCharacters(wanted, [{ start: 5, end: 15 }])).toBe(0.5)
    expect(shareOfCharacters(wanted, [])).toBe(0)
  })
})

function figureOf(values: readonly number[], measure = 'own lines'): Figure {
  const named = new Map(values.map((value, at) => [`q${at}`, value]))
  return { set: 'raydocs', mode: 'hybrid', task: 'digest 2k, depth 1', measure, values: named }
}

describe('the committed table', () => {
  it('reads back as it was written', () => {
    const rows = [figureOf([0, 1, 1, 0.5]), figureOf([1, 1, 1], 'page')].map(sumUp)
    const text = `# head\n\n== full: half B\n\n${renderRows(rows)}\n\n== small: sample\n\n${renderRows(rows.slice(1))}\n`
    const [first, second] = parseTable(text, 'full')
    expect(first).toMatchObject({ task: 'digest 2k, depth 1', measure: 'own lines' })
    expect(first?.estimate.mean).toBeCloseTo(0.625, 4)
    expect(second?.estimate.queries).toBe(3)
    expect(parseTable(text, 'small').map(keyOf)).toEqual([keyOf(rows[1]!)])
  })

  it('keeps what was not measured again', () => {
    const [lines, page] = [figureOf([0, 1]), figureOf([1, 1], 'page')].map(sumUp)
    const better = sumUp(figureOf([1, 1]))
    expect(mergeRows([lines!, page!], [better])).toEqual([better, page])
  })
})

describe('compareFigure', () => {
  const before = figureOf(Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? 1 : 0)))
  const rows = new Map([[keyOf(before), sumUp(before)]])
  const paired = { rows, values: new Map([[keyOf(before), before.values]]) }
  const unpaired = { rows, values: new Map() }
  const losing = (count: number): Figure =>
    figureOf([...before.values.values()].map((value, at) => (at < 2 * count ? 0 : value)))

  it('lets one question go, and fails when many do and none is won', () => {
    expect(compareFigure(before, paired).verdict).toBe('same')
    expect(compareFigure(losing(1), paired).verdict).toBe('moved')
    expect(compareFigure(losing(6), paired).verdict).toBe('dropped')
  })

  it('falls back to the width of the interval when the old values are unknown', () => {
    expect(compareFigure(losing(6), unpaired).verdict).toBe('moved')
    expect(compareFigure(losing(12), unpaired).verdict).toBe('dropped')
  })

  it('never fails for what became better, or for what is new', () => {
    const better = figureOf([...before.values.values()].map(() => 1))
    expect(compareFigure(better, paired).verdict).toBe('moved')
    expect(compareFigure(figureOf([1], 'another'), paired).verdict).toBe('new')
  })
})

it('estimates give the same interval on every run', () => {
  const values = [0, 0.2, 1, 1, 0.7]
  expect(estimate(values)).toEqual(estimate(values))
  const change = pairedChange(
    new Map([['a', 1]]),
    new Map([
      ['a', 0.5],
      ['b', 1],
    ]),
  )
  expect(change).toMatchObject({ mean: -0.5, queries: 1 })
})

it('reads the totals that lab/eval/resolution.ts prints', () => {
  const figures = readCounts(
    '\n== eips\n949 documents\nlink: 75.00 % (3 of 4)\n  miss a:1\nid: 50.00 % (1 of 2)\n',
  )
  expect(figures.map(sumUp).map((row) => [row.set, row.measure, row.estimate.mean])).toEqual([
    ['eips', 'link resolved', 0.75],
    ['eips', 'id resolved', 0.5],
  ])
})
