// What is in the index, how fresh is it, and what was skipped? `yore status`.
import { describeIncomplete } from '../../../corpus/indexing/describe-freshness.ts'
import { YoreError } from '../../../model/errors.ts'
import { formatQuantity } from '../../../model/format-numbers.ts'
import type { SourceReport, StatusReport } from '../../../model/report.ts'
import { toggle } from '../../operations/operation.ts'
import { operations } from '../../operations/operations.ts'
import { type Command, corpusCommand } from '../command.ts'
import { describeVectors } from '../describe-index.ts'
import { formatAge, formatBytes, labelRows, outPalette, type Palette, printable } from '../format.ts'
import { corpusOptions, json } from '../options.ts'
import {
  countsByKind,
  countUnlisted,
  describeMasked,
  listMasked,
  listSkipped,
  skippedByReason,
} from '../print-skipped.ts'
import { out, show } from '../terminal.ts'

export const command: Command = corpusCommand(
  {
    ...operations.status,
    options: {
      skipped: toggle('List every skipped file with the reason.'),
      masked: toggle('List every line with a masked secret, and the kind of secret.'),
      ...corpusOptions,
      json,
    },
    examples: ['yore status', 'yore status --skipped', 'yore status --masked'],
  },
  async ({ input, loaded, now, root, indexDir, use }) => {
    const { skipped, masked } = input
    const report = await use((engine) => engine.status()).catch((cause: unknown) => {
      // One that failed to be built says why; a program gets the error, as does a place that was named.
      const isMissing = cause instanceof YoreError && cause.message === `no index at ${indexDir}`
      if (isMissing && !input.json && input.index === undefined) return null
      throw cause
    })
    if (report === null) {
      out(`${printable(root)} is not indexed yet: the first question does it, or \`yore index\`\n`)
      return 0
    }
    show(input, { ...report, warnings: loaded.warnings }, () =>
      printStatus(report, { palette: outPalette(), now, skipped, masked }),
    )
    return 0
  },
)

interface PrintStatusOptions {
  readonly palette: Palette
  readonly now: number
  /** Print only the skipped files. */
  readonly skipped: boolean
  /** Print only the masked lines. */
  readonly masked: boolean
}

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
      'content',
      `${formatQuantity(report.files, 'file')}${report.files === 0 ? '' : ` (${countsByKind(report.languages)})`}, ${formatBytes(report.sourceBytes)} of text`,
    ],
    ...describeKinds(report).map((line): [string, string] => ['', line]),
    [
      '',
      `${formatQuantity(report.sections, 'section')}, ${formatQuantity(report.fragments, 'fragment')}, ${formatQuantity(report.tokens, 'token')}`,
    ],
    ['embeddings', describeVectors(report.vectors)],
    ...describeSources(report.sources, options.now).map((line): [string, string] => ['sources', line]),
    ...describeMasked(report.masked).map((line): [string, string] => ['masked', line]),
    ...[
      ...skippedByReason(report.skipped),
      ...countUnlisted(report),
      ...(report.skipped.length > 0 ? ['(`yore status --skipped` lists them all)'] : []),
    ].map((line): [string, string] => ['excluded', line]),
  ]
  return `${labelRows(rows, options.palette).join('\n')}\n`
}

/** Files by kind, as Documents of the explorer counts them; kinds of generic text, and files that rank lower. */
const describeKinds = ({ kinds, generic, roles }: StatusReport): readonly string[] => [
  ...(Object.keys(kinds).length > 1 ? [`by kind: ${countsByKind(kinds)}`] : []),
  ...(Object.keys(generic).length > 0 ? [`generic text: ${countsByKind(generic)}`] : []),
  ...(Object.keys(roles).length > 0
    ? [`ranked lower: ${countsByKind(roles).replace('a test', 'code of tests')}`]
    : []),
]

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
  return `no, ${age}; ${formatQuantity(report.freshness.changedFiles, 'file')} ${verb} changed since: run \`yore index\``
}
