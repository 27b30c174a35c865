// How do documents come from a service? `yore pull` writes what differs here and indexes it; exits with 1 when a file was kept or refused.

import { formatQuantity } from '../../../model/format-numbers.ts'
import type { PullReport } from '../../exchange/pull-corpus.ts'
import { type Command, corpusCommand } from '../command.ts'
import { formatBytes, printable } from '../format.ts'
import { note, show } from '../terminal.ts'
import { corpus, exchangeOptions, listFiles } from './push.ts'

export const command: Command = corpusCommand(
  {
    name: 'pull',
    summary: 'Fetch the documents of a corpus of a service into this folder, and index them.',
    details: [
      'Each document is checked by its hash. The index is not fetched: it is built here and gives the same answers.',
      'A file that differs is kept unless --overwrite is given. Files that the corpus does not contain stay unchanged. Exits with 1 when a file was kept or refused.',
    ],
    arguments: { corpus },
    options: {
      overwrite: { type: 'switch', help: 'Replace files that differ from the corpus.' },
      ...exchangeOptions,
    },
    examples: ['yore pull handbook --root handbook', 'yore pull handbook --overwrite --dry-run'],
  },
  async ({ input, use }) => {
    const { overwrite, dryRun } = input
    const report = await use((engine) => engine.pull(input.corpus, { overwrite, dryRun, onStep: note }))
    show(input, report, () => printPull(report))
    return report.kept.length + report.refused.length > 0 ? 1 : 0
  },
)

function printPull(report: PullReport): string {
  const { dryRun, written, bytes, unchanged, kept, refused, version } = report
  const counts = [
    `${formatQuantity(written, 'document')} ${dryRun ? 'to fetch' : 'fetched'} (${formatBytes(bytes)})`,
    `${unchanged} unchanged`,
  ]
  const differ = kept.map((path) => ({ path, reason: 'it differs here; --overwrite replaces it' }))
  const lines = [`${report.corpus} at ${report.server}, version ${version}: ${counts.join(', ')}`]
  return printable(
    `${[...lines, ...listFiles('kept', differ), ...listFiles('refused', refused)].join('\n')}\n`,
  )
}
