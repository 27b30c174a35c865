// What did an indexing run do? A short summary: what was read, what was left out and why, what the index holds now.
import type { IndexReport } from '../../model/report.ts'
import type { Palette } from './colors.ts'
import { formatBytes, formatCount, formatDuration, formatMany } from './format-numbers.ts'
import { countUnlisted, skippedByReason } from './print-left-out.ts'
import { describeVectors } from './print-status.ts'
import { printable } from './printable.ts'

interface PrintIndexOptions {
  readonly palette: Palette
  /** What to add to a command so that it finds this corpus from here: ` --root docs`, or nothing. */
  readonly rootFlag: string
}

/** The text for standard output. */
export function printIndex(report: IndexReport, options: PrintIndexOptions): string {
  const { palette, rootFlag } = options
  const rows: [string, string][] = []
  for (const line of skippedByReason(report.skipped)) rows.push(['skipped', line])
  if (report.skipped.length > 0) rows.push(['', `\`yore status --skipped${rootFlag}\` lists them all`])
  for (const line of countUnlisted(report)) rows.push(['left out', line])
  rows.push([
    'holds',
    `${formatMany(report.files, 'file')}, ${formatMany(report.sections, 'section')}, ${formatMany(report.tokens, 'token')}`,
  ])
  if (report.vectors.note !== null) rows.push(['meaning', describeVectors(report.vectors)])
  const size = `${formatBytes(report.indexBytes)} for ${formatBytes(report.sourceBytes)} of text`
  rows.push(['index', `${printable(report.indexPath)} (${size})`])
  for (const notice of report.notices) rows.push(['note', printable(notice)])
  if (report.unchanged === 0 && report.files > 0)
    rows.push(['next', `yore assemble "<your question>"${rootFlag}`])
  const table = rows.map(([label, text], at) => {
    const repeated = label === rows[at - 1]?.[0]
    return `  ${palette.dim((repeated ? '' : label).padEnd(9))}${text}`
  })
  return `${[palette.bold(headline(report)), ...table].join('\n')}\n`
}

/** The first line, which is also all that `watch` prints per change. */
export function headline(report: IndexReport): string {
  const others = `${formatCount(report.unchanged)} unchanged, ${formatCount(report.removed)} removed`
  const rate =
    report.indexed > 0
      ? `, ${formatCount((report.indexed / Math.max(1, report.milliseconds)) * 1000)} files/s`
      : ''
  const skipped = report.skipped.length > 0 ? `, ${formatCount(report.skipped.length)} skipped` : ''
  const counts = `indexed ${formatMany(report.indexed, 'file')} (${others}${skipped})`
  return `${counts} in ${formatDuration(report.milliseconds)}${rate}`
}
