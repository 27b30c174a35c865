// How does a person read what is wrong with references? One line each, with its place, and the sums at the end.
import type { FaultyLink, LinkReport } from '../../check/links/check-links.ts'
import type { Palette } from './colors.ts'
import { formatMany } from './format-numbers.ts'
import { printable } from './printable.ts'

interface PrintLinksOptions {
  readonly orphans: boolean
  readonly anchors: boolean
  readonly unindexed: boolean
  readonly doubtful: boolean
  readonly palette: Palette
}

function oneLine(text: string): string {
  return printable(text).replaceAll(/[\n\t]/g, ' ')
}

function faultLine({ path, line, target, candidates }: FaultyLink, what: string): string {
  const meant = candidates.length === 0 ? '' : `: ${candidates.map(oneLine).join(', ')}`
  return `${oneLine(path)}:${line} ${what} ${oneLine(target)}${meant}`
}

/** The text for standard output. */
export function printLinks(report: LinkReport, options: PrintLinksOptions): string {
  const { orphans, anchors, unindexed, doubtful, palette } = options
  const lines = [
    ...report.broken.map((fault) => `${palette.red('broken')}    ${faultLine(fault, '→')}`),
    ...report.moved.map((fault) => `${palette.yellow('moved')}     ${faultLine(fault, '→')}`),
    ...report.ambiguous.map((fault) => `${palette.yellow('ambiguous')} ${faultLine(fault, '→')}`),
    ...(doubtful
      ? report.doubtful.map((fault) => `${palette.dim('doubtful')}  ${faultLine(fault, '→')} (${fault.why})`)
      : []),
    ...(unindexed
      ? report.unindexed.map((fault) => `${palette.dim('unindexed')} ${faultLine(fault, '→')}`)
      : []),
    ...(anchors
      ? report.anchors.map((fault) => `${palette.yellow('anchor')}    ${faultLine(fault, '→')}`)
      : []),
    ...(orphans ? report.orphans.map((path) => `${palette.dim('orphan')}    ${oneLine(path)}:1`) : []),
  ]
  const { broken, ambiguous, silenced } = report
  const others: readonly (readonly [count: number, text: string])[] = [
    [report.moved.length, `${report.moved.length} to files that moved (--fix rewrites them)`],
    [ambiguous.length, `${ambiguous.length} ambiguous`],
    [report.doubtful.length, `${report.doubtful.length} that may be right${hint(doubtful, '--doubtful')}`],
    [silenced, `${silenced} silenced`],
    [
      report.unindexed.length,
      `${report.unindexed.length} to files that are not indexed${hint(unindexed, '--unindexed')}`,
    ],
    [
      report.anchors.length,
      `${formatMany(report.anchors.length, 'anchor')} lost${hint(anchors, '--anchors')}`,
    ],
    [
      report.orphans.length,
      `${formatMany(report.orphans.length, 'document')} that none refers to${hint(orphans, '--orphans')}`,
    ],
  ]
  const sums = [
    `${formatMany(report.checked, 'reference')} checked, ${broken.length} broken`,
    ...others.filter(([count]) => count > 0).map(([, text]) => text),
  ]
  return `${[...lines, ...sums].join('\n')}\n`
}

function hint(shown: boolean, flag: string): string {
  return shown ? '' : ` (${flag} lists them)`
}
