// What does the index hold, how fresh is it, and what was left out?
import { describeIncomplete } from '../../corpus/indexing/describe-freshness.ts'
import type { SourceReport, StatusReport, VectorReport } from '../../model/report.ts'
import type { Palette } from './colors.ts'
import { formatAge, formatBytes, formatCount, formatMany } from './format-numbers.ts'
import {
  countsByKind,
  countUnlisted,
  describeMasked,
  listMasked,
  listSkipped,
  skippedByReason,
} from './print-left-out.ts'
import { printable } from './printable.ts'

interface PrintStatusOptions {
  readonly palette: Palette
  readonly now: number
  /** Only the list of what was left out. */
  readonly skipped: boolean
  /** Only the list of what was masked. */
  readonly masked: boolean
}

/** The text for standard output. */
export function printStatus(report: StatusReport, options: PrintStatusOptions): string {
  if (options.skipped) return listSkipped(report)
  if (options.masked) return listMasked(report.masked)
  const rows: [string, string][] = [
    ['corpus', printable(report.root)],
    [
      'index',
      `${printable(report.indexPath)} (${formatBytes(report.indexBytes)}, schema ${report.schemaVersion}, yore ${report.yoreVersion})`,
    ],
    ['fresh', describeFreshness(report, options.now)],
    [
      'holds',
      `${formatMany(report.files, 'file')}${report.files === 0 ? '' : ` (${countsByKind(report.languages)})`}, ${formatBytes(report.sourceBytes)} of text`,
    ],
    ...describeKinds(report).map((line): [string, string] => ['', line]),
    [
      '',
      `${formatMany(report.sections, 'section')}, ${formatMany(report.fragments, 'fragment')}, ${formatMany(report.tokens, 'token')}`,
    ],
    ['meaning', describeVectors(report.vectors)],
    ...describeSources(report.sources, options.now).map((line): [string, string] => ['beside', line]),
    ...describeMasked(report.masked).map((line): [string, string] => ['masked', line]),
    ...describeLeftOut(report).map((line): [string, string] => ['left out', line]),
  ]
  const table = rows.map(([label, text], at) => {
    const repeated = label === rows[at - 1]?.[0]
    return `${options.palette.dim((repeated ? '' : label).padEnd(10))}${text}`
  })
  return `${table.join('\n')}\n`
}

/** How far search by meaning is; words are always searched. */
export function describeVectors({ model, embedded, total, note }: VectorReport): string {
  if (model === null) return `searched by words only: ${note ?? 'no model'}`
  const done =
    embedded === total
      ? `all ${formatCount(total)} fragments`
      : `${formatCount(embedded)} of ${formatCount(total)} fragments`
  return `${model}, ${done}${note === null ? '' : `; ${note}`}`
}

/** What generic text is there, and what counts less than the rest. */
function describeKinds({ generic, roles }: StatusReport): readonly string[] {
  return [
    ...(Object.keys(generic).length > 0 ? [`generic text: ${countsByKind(generic)}`] : []),
    ...(Object.keys(roles).length > 0 ? [`counts less: ${countsByKind(roles)}`] : []),
  ]
}

/** `kit: https://example.org/kit.git#v1 (v1, 3f1c9a2b), fetched 3 days ago`. */
function describeSources(sources: readonly SourceReport[], now: number): readonly string[] {
  const lines = sources.map(({ name, entry, origin, fetchedAt }) => {
    const version = origin === null ? '' : ` (${origin})`
    const age = fetchedAt === null ? '' : `, fetched ${formatAge(now - fetchedAt)}`
    return printable(`${name}: ${entry.replace(`${name}=`, '')}${version}${age}`)
  })
  const isFetched = sources.some(({ fetchedAt }) => fetchedAt !== null)
  return isFetched ? [...lines, '(`yore index --fetch` fetches again)'] : lines
}

function describeFreshness(report: StatusReport, now: number): string {
  const incomplete = describeIncomplete(report.freshness)
  if (incomplete !== null) return `no, ${incomplete}`
  const age = `indexed ${formatAge(now - report.indexedAt)}`
  if (report.freshness.changedFiles === 0) return `yes, ${age}; no file has changed since`
  const verb = report.freshness.changedFiles === 1 ? 'has' : 'have'
  return `no, ${age}; ${formatMany(report.freshness.changedFiles, 'file')} ${verb} changed since: run \`yore index\``
}

function describeLeftOut(report: StatusReport): readonly string[] {
  return [
    ...skippedByReason(report.skipped),
    ...countUnlisted(report),
    ...(report.skipped.length + report.ignored > 0 ? ['(`yore status --skipped` lists them all)'] : []),
  ]
}
