// How does a person read a rulebook? A table of what may bring what along, and a list of what is wrong with a file.
import type { RulebookFileReport } from '../../check/rulebooks/check-rulebooks.ts'
import type { RulebookInForce } from '../../check/rulebooks/load-rulebooks.ts'
import type { ChunkRule } from '../../model/expansion.ts'
import type { Palette } from './colors.ts'
import { formatMany } from './format-numbers.ts'
import { printable } from './printable.ts'

const head = ['from', 'via', 'direction', 'cost', 'to']
/** Columns of a line; the last cell goes on below itself. */
const width = 100

/** The text for standard output. */
export function printRulebooks(rulebooks: readonly RulebookInForce[], palette: Palette): string {
  return `${rulebooks.map((rulebook) => printRulebook(rulebook, palette)).join('\n\n')}\n`
}

function printRulebook({ rulebook, tightenedBy }: RulebookInForce, palette: Palette): string {
  const rows = Object.entries(rulebook.chunk_rules).flatMap(([type, rule]) => rowsOf(type, rule))
  const origin = tightenedBy === null ? 'as shipped' : `tightened by ${printable(tightenedBy)}`
  const widths = head
    .slice(0, -1)
    .map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]!.length)))
  const before = widths.reduce((sum, cell) => sum + cell + 2, 0)
  const line = (cells: readonly string[]): string => {
    const start = widths.map((cell, column) => cells[column]!.padEnd(cell)).join('  ')
    const [first = '', ...rest] = wrapList(cells.at(-1)!, width - before)
    return [`${start}  ${first}`, ...rest.map((more) => ' '.repeat(before) + more)].join('\n')
  }
  return [
    `${palette.bold(rulebook.language)} ${palette.dim(`(${origin})`)}`,
    palette.dim(line(head)),
    ...rows.map(line),
  ].join('\n')
}

function rowsOf(type: string, { allow_expansion, expansions }: ChunkRule): readonly string[][] {
  if (!allow_expansion || expansions.length === 0) return [[type, '-', '-', '-', 'nothing: terminal']]
  return expansions.map(({ via, direction, allowed_target_types, cost }) => [
    type,
    via,
    direction,
    String(cost),
    allowed_target_types.join(', ') || 'nothing',
  ])
}

/** A list in lines of at most so many columns, broken behind its commas. */
function wrapList(list: string, most: number): string[] {
  const lines: string[] = []
  for (const word of list.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`
    if (lines.length > 0 && longer.length <= most) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

/** The text for standard output. */
export function printRulebookCheck(reports: readonly RulebookFileReport[], palette: Palette): string {
  const blocks = reports.map(({ file, form, errors, warnings }) => {
    const mark =
      errors.length > 0 ? palette.red('✗') : warnings.length > 0 ? palette.yellow('!') : palette.green('✓')
    const found = [
      ...(errors.length > 0 ? [formatMany(errors.length, 'error')] : []),
      ...(warnings.length > 0 ? [formatMany(warnings.length, 'warning')] : []),
    ]
    return [
      `${mark} ${palette.bold(printable(file))}: ${found.join(', ') || `valid ${form}`}`,
      ...errors.map((error) => `  error: ${printable(error)}`),
      ...warnings.map((warning) => `  warning: ${printable(warning)}`),
    ].join('\n')
  })
  return `${blocks.join('\n')}\n`
}
