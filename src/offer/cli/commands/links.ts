// Which references lead nowhere? `yore links` lists them with their lines, and rewrites links to files that moved.
import type { FaultyLink, LinkReport } from '../../../check/links/link-report.ts'
import { formatQuantity } from '../../../model/format-numbers.ts'
import { toggle } from '../../operations/operation.ts'
import { type Command, corpusCommand } from '../command.ts'
import { oneLine, outPalette, type Palette } from '../format.ts'
import { corpusOptions, json, refresh } from '../options.ts'
import { noteFreshness, show } from '../terminal.ts'

export const command: Command = corpusCommand(
  {
    name: 'links',
    summary: 'List broken references and documents that are out of date, with their lines.',
    details: [
      'Exits with 1 when a reference is broken, so that CI fails. Everything else is reported only.',
      'A document is superseded when its status or another document says so, and listed where it is still cited. It is stale when it quotes code that was there at its last commit and is gone.',
      'A link to a file that exists but is not indexed (ignored, too large, not text) is not broken; it is counted, and --unindexed lists it.',
      'Links in templates, examples in code or tests, and pages that a tool may generate are doubtful, not broken; they are counted, and --doubtful lists them with the reason.',
      'A comment with yore-ignore-link on the line of a link or the line above silences it; so does the setting ignoreLinks.',
      'An anchor is missing when its document exists but has no heading or anchor of that name.',
    ],
    arguments: {},
    options: {
      orphans: toggle('List the documents that nothing links to.'),
      anchors: toggle('List the links whose heading does not exist.'),
      doubtful: toggle(
        'List links that may be intentional although their target is missing, with the reason.',
      ),
      unindexed: toggle('List the links to files that exist but are not indexed.'),
      refresh,
      ...corpusOptions,
      json,
    },
    examples: ['yore links', 'yore links --orphans', 'yore links --json'],
  },
  async ({ input, now, use }) => {
    const { links, freshness } = await use((engine) => engine.checkLinks(input))
    show(input, links, () => printLinks(links, { ...input, palette: outPalette() }))
    noteFreshness(freshness, now)
    // An incomplete index was not checked completely.
    return links.broken.length > 0 || freshness.state === 'incomplete' ? 1 : 0
  },
)

type PrintLinksOptions = Readonly<Record<'orphans' | 'anchors' | 'unindexed' | 'doubtful', boolean>> & {
  readonly palette: Palette
}

export function printLinks(report: LinkReport, options: PrintLinksOptions): string {
  const { orphans, anchors, unindexed, doubtful, palette } = options
  const { red, yellow, dim } = palette
  const list = (
    label: string,
    paint: (text: string) => string,
    found: readonly (FaultyLink & { readonly why?: string })[],
  ): string[] =>
    found.map(({ path, line, target, candidates, why }) => {
      const meant = candidates.length === 0 ? '' : `: ${candidates.map(oneLine).join(', ')}`
      const reason = why === undefined ? '' : ` (${why})`
      const gap = ' '.repeat(11 - label.length)
      return `${paint(label)}${gap}${oneLine(path)}:${line} → ${oneLine(target)}${meant}${reason}`
    })
  const lines = [
    ...list('broken', red, report.broken),
    ...list('moved', yellow, report.moved),
    ...list('ambiguous', yellow, report.ambiguous),
    ...list('superseded', yellow, report.superseded),
    ...list('stale', yellow, report.stale ?? []),
    ...(doubtful ? list('doubtful', dim, report.doubtful) : []),
    ...(unindexed ? list('unindexed', dim, report.unindexed) : []),
    ...(anchors ? list('anchor', yellow, report.anchors) : []),
    ...(orphans ? report.orphans.map((path) => `${dim('orphan')}     ${oneLine(path)}:1`) : []),
  ]
  const others: readonly (readonly [count: number, text: string])[] = [
    [report.moved.length, 'to files that moved'],
    [report.ambiguous.length, 'ambiguous'],
    [report.superseded.length, 'to superseded documents'],
    [report.doubtful.length, `that may be right${hint(doubtful, '--doubtful')}`],
    [report.silenced, 'silenced'],
    [report.unindexed.length, `to files that are not indexed${hint(unindexed, '--unindexed')}`],
  ]
  const named: readonly (readonly [count: number, noun: string, text: string])[] = [
    [report.stale?.length ?? 0, 'quote', 'of code that is gone'],
    [report.anchors.length, 'anchor', `lost${hint(anchors, '--anchors')}`],
    [report.orphans.length, 'document', `that nothing links to${hint(orphans, '--orphans')}`],
  ]
  const sums = [
    `${formatQuantity(report.checked, 'reference')} checked, ${report.broken.length} broken`,
    ...others.flatMap(([count, text]) => (count > 0 ? [`${count} ${text}`] : [])),
    ...named.flatMap(([count, noun, text]) => (count > 0 ? [`${formatQuantity(count, noun)} ${text}`] : [])),
  ]
  return `${[...lines, ...sums].join('\n')}\n`
}

const hint = (shown: boolean, flag: string): string => (shown ? '' : ` (${flag} lists them)`)
