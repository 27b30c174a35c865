// Where do results go? One dated JSON file per run under lab/bench/runs, and a table for people on stdout.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeHead } from '../describe-head.ts'
import { packageFolder } from './corpora.ts'

const folder = join(import.meta.dirname, 'runs')

function round(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value
}

/** Says which build was measured: a hash of everything that was run. */
export function buildId(): string {
  const dist = join(packageFolder(), 'dist')
  const hash = createHash('sha256')
  for (const name of readdirSync(dist).sort())
    if (name.endsWith('.js')) hash.update(name).update(readFileSync(join(dist, name)))
  return hash.digest('hex').slice(0, 12)
}

/** Writes `lab/bench/runs/<date>-<what>.json` and says where. A later run of the same day replaces it. */
export function writeRun(what: string, result: object): void {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${new Date().toISOString().slice(0, 10)}-${what}.json`)
  writeFileSync(
    file,
    `${JSON.stringify({ build: buildId(), commit: describeHead(), ...result }, round, 2)}\n`,
  )
  console.log(`\nwritten: lab/bench/runs/${file.slice(folder.length + 1)}`)
}

/** The last run of the same kind; null when there is none. */
export function readLastRun<T>(what: string): T | null {
  const last = readdirSync(folder)
    .filter((name) => name.endsWith(`-${what}.json`))
    .sort()
    .at(-1)
  return last === undefined ? null : (JSON.parse(readFileSync(join(folder, last), 'utf8')) as T)
}

export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US')
  return value === Math.round(value) ? String(value) : value.toPrecision(3)
}

type Cell = string | number

/** Prints columns that line up; numbers to the right. */
export function printTable(title: string, head: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const cells = [head, ...rows].map((row) =>
    row.map((cell) => (typeof cell === 'number' ? formatNumber(cell) : cell)),
  )
  const widths = head.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[], at: number): string =>
    row
      .map((cell, column) => {
        const right = at > 0 && typeof rows[at - 1]?.[column] === 'number'
        return right ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
      })
      .join('  ')
      .trimEnd()
  console.log(`\n${title}`)
  console.log(cells.map(line).join('\n'))
}
