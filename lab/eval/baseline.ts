// Has a figure dropped? The committed table, the values behind its small part, and the comparison with a run.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeHead } from '../describe-head.ts'
import { type Figure, type FigureName, type FigureRow, keyOf, sumUp } from './figures.ts'
import { halfWidth, pairedChange } from './measures.ts'
import { renderRows } from './render-table.ts'

const tableFile = join(import.meta.dirname, 'baseline.txt')
/** Each question's value in the small run, so that the next run is compared question by question. */
const valuesFile = join(import.meta.dirname, 'baseline-small.jsonl')

export type Part = 'full' | 'small'

export interface Baseline {
  readonly rows: ReadonlyMap<string, FigureRow>
  readonly values: ReadonlyMap<string, ReadonlyMap<string, number>>
}

export type Verdict = 'new' | 'same' | 'moved' | 'dropped'

export interface Comparison extends FigureRow {
  readonly verdict: Verdict
  /** Against the baseline; null when the figure is new. */
  readonly change: number | null
}

const titles: Readonly<Record<Part, string>> = {
  full: '== full: half B of every set; own questions and references have no halves',
  small: '== small: a sample of half A of every set; all own questions',
}

const rowPattern =
  /^(?<set>\S+) +(?<mode>\S+) +(?<task>\S.*?) {2,}(?<measure>\S.*?) {2,}(?<mean>[\d.]+) +\[(?<low>[\d.]+), (?<high>[\d.]+)\] +(?<queries>\d+)$/

function parseRow(line: string): FigureRow | null {
  const found = rowPattern.exec(line)?.groups
  if (found === undefined) return null
  const { set = '', mode = '', task = '', measure = '' } = found
  const estimate = {
    mean: Number(found['mean']),
    low: Number(found['low']),
    high: Number(found['high']),
    queries: Number(found['queries']),
  }
  return { set, mode, task, measure, estimate }
}

/** The rows of one part of the committed table, in its order. */
export function parseTable(text: string, part: Part): FigureRow[] {
  const block = text.split(/^(?=== )/m).find((one) => one.startsWith(`== ${part}`)) ?? ''
  return block.split('\n').flatMap((line) => parseRow(line) ?? [])
}

interface StoredValues extends FigureName {
  readonly values: Readonly<Record<string, number>>
}

export function readBaseline(part: Part): Baseline {
  const text = existsSync(tableFile) ? readFileSync(tableFile, 'utf8') : ''
  const rows = new Map(parseTable(text, part).map((row) => [keyOf(row), row]))
  const stored =
    part === 'small' && existsSync(valuesFile) ? readFileSync(valuesFile, 'utf8').split('\n') : []
  const values = new Map(
    stored
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as StoredValues)
      .map((one) => [keyOf(one), new Map(Object.entries(one.values))]),
  )
  return { rows, values }
}

/** Values as they are stored: four decimals say all that a question can say. */
const round = (value: number): number => Math.round(value * 10_000) / 10_000

/**
 * Where the same questions were asked before, a drop counts when the interval of their mean change lies below zero;
 * else when it is larger than half the width of the old interval.
 */
export function compareFigure(figure: Figure, baseline: Baseline): Comparison {
  const row = sumUp(figure)
  const key = keyOf(figure)
  const before = baseline.rows.get(key)
  if (before === undefined) return { ...row, verdict: 'new', change: null }
  const change = round(row.estimate.mean) - before.estimate.mean
  if (Math.abs(change) < 0.00005) return { ...row, verdict: 'same', change: 0 }
  const values = baseline.values.get(key)
  const rounded = new Map([...figure.values].map(([question, value]) => [question, round(value)]))
  const paired = values === undefined ? null : pairedChange(values, rounded)
  const isPaired = paired !== null && paired.queries === figure.values.size
  const dropped = isPaired ? paired.high < 0 : -change > halfWidth(before.estimate)
  return { ...row, verdict: dropped ? 'dropped' : 'moved', change }
}

/** New rows in place of old ones with the same name; rows that were not measured stay, in the order of the new ones. */
export function mergeRows<T extends FigureName>(old: readonly T[], fresh: readonly T[]): T[] {
  const merged = new Map(old.map((row) => [keyOf(row), row]))
  for (const row of fresh) merged.set(keyOf(row), row)
  const order = new Map([...new Set([...merged.values()].map(({ set }) => set))].map((set, at) => [set, at]))
  return [...merged.values()].sort((a, b) => (order.get(a.set) as number) - (order.get(b.set) as number))
}

/** Rewrites what was measured and keeps the rest. */
export function writeBaseline(part: Part, figures: readonly Figure[], replace: boolean): void {
  const text = existsSync(tableFile) ? readFileSync(tableFile, 'utf8') : ''
  const blocks = (['full', 'small'] as const).map((one) => {
    const known = parseTable(text, one)
    const rows = one !== part ? known : replace ? figures.map(sumUp) : mergeRows(known, figures.map(sumUp))
    return `${titles[one]}\n\n${renderRows(rows)}\n`
  })
  const head = '# Written by `npm run eval -- --update`; lab/eval/README.md says what each figure means.'
  const known = /^# The full part: commit .*$/m.exec(text)?.[0] ?? ''
  const build = part === 'full' ? `# The full part: commit ${describeHead()}` : known
  writeFileSync(tableFile, `${head}\n${build}\n\n${blocks.join('\n')}`)
  if (part === 'small') writeValues(figures, replace)
}

function writeValues(figures: readonly Figure[], replace: boolean): void {
  const known = existsSync(valuesFile) && !replace ? readFileSync(valuesFile, 'utf8').split('\n') : []
  const old = known.filter((line) => line !== '').map((line) => JSON.parse(line) as StoredValues)
  const fresh = figures.map(({ set, mode, task, measure, values }): StoredValues => {
    const rounded = [...values].map(([question, value]) => [question, round(value)] as const)
    return { set, mode, task, measure, values: Object.fromEntries(rounded) }
  })
  writeFileSync(
    valuesFile,
    `${mergeRows(old, fresh)
      .map((one) => JSON.stringify(one))
      .join('\n')}\n`,
  )
}
