// What is not in the index, and why? Counts by reason with the first few paths, or the whole list.
import type { SkippedFile } from '../../model/source-file.ts'
import { formatCount } from './format-numbers.ts'
import { printable } from './printable.ts'

const pathsShown = 3
const kindsShown = 6

/** One line per reason, the most frequent first: `2 too large: a.md, b.md`. */
export function skippedByReason(skipped: readonly SkippedFile[]): readonly string[] {
  return [...groupByReason(skipped)].map(([reason, files]) => {
    const paths = files.slice(0, pathsShown).map((file) => printable(file.path))
    const more = files.length > pathsShown ? `, and ${formatCount(files.length - pathsShown)} more` : ''
    return `${formatCount(files.length)} ${reason.replaceAll('-', ' ')}: ${paths.join(', ')}${more}`
  })
}

/** Every skipped file with its reason, grouped by reason. */
export function listSkipped(skipped: readonly SkippedFile[]): string {
  if (skipped.length === 0) return 'no file was skipped\n'
  const lines = [...groupByReason(skipped)].flatMap(([reason, files]) => [
    `${reason.replaceAll('-', ' ')} (${formatCount(files.length)})`,
    ...files.map((file) => `  ${printable(file.path)}  ${printable(file.detail)}`.trimEnd()),
  ])
  return `${lines.join('\n')}\n`
}

/** `.png 12, .ts 8, and 3 other kinds`. */
export function countsByKind(counts: Readonly<Record<string, number>>): string {
  const kinds = Object.entries(counts).sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
  const shown = kinds
    .slice(0, kindsShown)
    .map(([kind, count]) => `${printable(kind) || 'no extension'} ${formatCount(count)}`)
  const rest = kinds.length - shown.length
  return [...shown, ...(rest > 0 ? [`and ${rest} other kinds`] : [])].join(', ')
}

/** The sum of such counts. */
export function totalOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

function groupByReason(skipped: readonly SkippedFile[]): ReadonlyMap<string, readonly SkippedFile[]> {
  const groups = Map.groupBy(skipped, (file) => file.reason)
  return new Map(
    [...groups].sort(([a, filesA], [b, filesB]) => filesB.length - filesA.length || (a < b ? -1 : 1)),
  )
}
