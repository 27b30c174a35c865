// What was skipped or masked, and why? Files by reason and secrets by kind, the first few or all.
import type { LeftOut } from '../../corpus/indexing/refuse-indexing.ts'
import { formatCount, formatQuantity } from '../../model/format-numbers.ts'
import type { MaskedPlace } from '../../model/report.ts'
import type { SkippedFile } from '../../model/source-file.ts'
import { printable } from './format.ts'

const pathsShown = 3
const kindsShown = 8

/** One line per reason, the most frequent first: `2 too large: a.md, b.md`. */
export const skippedByReason = (skipped: readonly SkippedFile[]): readonly string[] =>
  [...groupByReason(skipped)].map(([reason, files]) => {
    const paths = files.slice(0, pathsShown).map((file) => printable(file.path))
    const more = files.length > pathsShown ? `, and ${formatCount(files.length - pathsShown)} more` : ''
    return `${formatCount(files.length)} ${reason.replaceAll('-', ' ')}: ${paths.join(', ')}${more}`
  })

const placeOf = ({ path, line, kind }: MaskedPlace): string => `${printable(path)}:${line} ${kind}`

/** What was masked by kind, and the first few places. */
export function describeMasked(masked: readonly MaskedPlace[]): readonly string[] {
  if (masked.length === 0) return []
  const byKind = [...Map.groupBy(masked, ({ kind }) => kind)]
  const kinds = countsByKind(Object.fromEntries(byKind.map(([kind, { length }]) => [kind, length])))
  const files = new Set(masked.map(({ path }) => path)).size
  return [
    `${formatQuantity(masked.length, 'secret')} in ${formatQuantity(files, 'file')}: ${kinds}`,
    ...masked.slice(0, pathsShown).map(placeOf),
    ...(masked.length > pathsShown ? ['(`yore status --masked` lists them all)'] : []),
  ]
}

/** Every place, one per line. */
export const listMasked = (masked: readonly MaskedPlace[]): string =>
  masked.length === 0 ? 'nothing was masked\n' : `${masked.map(placeOf).join('\n')}\n`

/** Every skipped file by reason, then counts of the rest. */
export function listSkipped({ skipped, ...unlisted }: LeftOut): string {
  const lines = [...groupByReason(skipped)].flatMap(([reason, files]) => [
    `${reason.replaceAll('-', ' ')} (${formatCount(files.length)})`,
    ...files.map((file) => `  ${printable(file.path)}  ${printable(file.detail)}`.trimEnd()),
  ])
  const others = countUnlisted(unlisted).map((line) => `not listed: ${line}`)
  return `${[...(lines.length === 0 ? ['no file was skipped'] : lines), ...others].join('\n')}\n`
}

/** Files that ignore rules or their types exclude: counted only, since they may be most of a repository. */
export function countUnlisted({ ignored, unsupported }: Omit<LeftOut, 'skipped'>): readonly string[] {
  const unread = Object.values(unsupported).reduce((sum, count) => sum + count, 0)
  return [
    ...(ignored > 0 ? [`${formatCount(ignored)} by ignore rules`] : []),
    ...(unread > 0
      ? [`${formatCount(unread)} that are not text by their names: ${countsByKind(unsupported)}`]
      : []),
  ]
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

function groupByReason(skipped: readonly SkippedFile[]): ReadonlyMap<string, readonly SkippedFile[]> {
  const groups = Map.groupBy(skipped, ({ reason }) => reason)
  return new Map(
    [...groups].sort(([a, filesA], [b, filesB]) => filesB.length - filesA.length || (a < b ? -1 : 1)),
  )
}
