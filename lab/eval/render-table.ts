// How does the table read? One line for each figure, in columns, so that a change is one line of a diff.
import type { FigureRow } from './figures.ts'

const heads = ['set', 'mode', 'task', 'measure', 'mean', '95 % interval', 'questions']

function cellsOf({ set, mode, task, measure, estimate }: FigureRow): string[] {
  const { mean, low, high, queries } = estimate
  const interval = `[${low.toFixed(4)}, ${high.toFixed(4)}]`
  return [set, mode, task, measure, mean.toFixed(4), interval, String(queries)]
}

/** Two spaces between columns; `note` adds words at the end of a line. */
export function renderRows<T extends FigureRow>(
  rows: readonly T[],
  note: (row: T) => string = () => '',
): string {
  const table = [heads, ...rows.map(cellsOf)]
  const widths = heads.map((_, column) => Math.max(...table.map((cells) => (cells[column] as string).length)))
  const last = heads.length - 1
  const lines = table.map((cells) =>
    cells
      .map((cell, column) =>
        column === last ? cell.padStart(widths[column] as number) : cell.padEnd(widths[column] as number),
      )
      .join('  '),
  )
  return lines.map((line, at) => `${line}${at === 0 ? '' : note(rows[at - 1] as T)}`.trimEnd()).join('\n')
}
