// How do documents get to a service? `yore push` sends what differs from its corpus, and prints what went and what stayed.

import { formatQuantity } from '../../../model/format-numbers.ts'
import type { PushReport, WithheldFile } from '../../exchange/push-corpus.ts'
import type { ArgumentSpec, OptionSpec } from '../../operations/operation.ts'
import { type Command, corpusCommand } from '../command.ts'
import { formatBytes, printable } from '../format.ts'
import { corpusOptions, json } from '../options.ts'
import { note, show } from '../terminal.ts'

export const corpus = {
  form: 'words',
  required: true,
  help: 'Name of the corpus on the service.',
} as const satisfies ArgumentSpec

/** Of `push` and `pull`. */
export const exchangeOptions = {
  server: {
    type: 'text',
    setting: 'serverUrl',
    value: 'url',
    help: 'Address of the service; its key is read from YORE_SERVER_KEY.',
    otherwise: 'the setting serverUrl',
  },
  dryRun: { type: 'switch', short: 'n', help: 'Print what would be done, and do nothing.' },
  ...corpusOptions,
  json,
} as const satisfies Record<string, OptionSpec>

export const command: Command = corpusCommand(
  {
    name: 'push',
    summary: 'Send the documents of this folder to a corpus of a service; later runs send only what changed.',
    details: [
      'It sends what `yore index` reads here: no ignored file, and no file that is likely to hold secrets. The service builds its own index from the documents.',
      'Files with masked secrets are not sent unless --masked is given. Documents that only the corpus contains stay there unless --prune is given.',
    ],
    arguments: { corpus },
    options: {
      create: { type: 'switch', help: 'Create the corpus if it does not exist.' },
      prune: { type: 'switch', help: 'Remove from the corpus what this folder does not contain.' },
      masked: { type: 'switch', help: 'Send files with masked secrets, secrets included.' },
      ...exchangeOptions,
    },
    examples: [
      'yore push handbook --server https://yore.example.com',
      'yore push handbook --create',
      'yore push handbook --prune --dry-run',
    ],
  },
  async ({ input, use }) => {
    const { create, prune, masked, dryRun } = input
    const options = { create, prune, masked, dryRun, onStep: note }
    const report = await use((engine) => engine.push(input.corpus, options))
    show(input, report, () => printPush(report))
    return 0
  },
)

const mostShown = 20

/** The first of some files, each with its reason; `count` where not all of them are known. */
export function listFiles(
  heading: string,
  files: readonly WithheldFile[],
  count: number = files.length,
): string[] {
  const lines = files.slice(0, mostShown).map(({ path, reason }) => `  ${heading}  ${path}: ${reason}`)
  const hint = count === files.length ? ' (--json lists all)' : ''
  return count <= lines.length ? lines : [...lines, `  ${heading}  and ${count - lines.length} more${hint}`]
}

export function printPush(report: PushReport): string {
  const { dryRun, sent, bytes, removed, unchanged, elsewhere, version, withheld, skipped } = report
  const counts = [
    `${formatQuantity(sent, 'document')} ${dryRun ? 'to send' : 'sent'} (${formatBytes(bytes)})`,
    `${formatQuantity(removed, 'document')} ${dryRun ? 'to take out' : 'taken out'}`,
    `${unchanged} unchanged`,
  ]
  const end = version === null ? '' : `; version ${version}`
  const lines = [`${report.corpus} at ${report.server}: ${counts.join(', ')}${end}`]
  if (elsewhere > 0)
    lines.push(
      `  left    ${formatQuantity(elsewhere, 'document')} that this folder does not hold; --prune takes them out`,
    )
  lines.push(
    ...listFiles('stays', withheld),
    ...listFiles('skipped by the service', skipped.first, skipped.count),
  )
  return printable(`${lines.join('\n')}\n`)
}
