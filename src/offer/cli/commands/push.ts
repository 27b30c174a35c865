// How do documents get to a service? `yore push` sends what differs from its corpus, and prints what went and what stayed.

import { formatQuantity } from '../../../model/format-numbers.ts'
import type { PushReport, WithheldFile } from '../../exchange/push-corpus.ts'
import { toggle } from '../../operations/operation.ts'
import { type Command, corpusCommand } from '../command.ts'
import { formatBytes, printable } from '../format.ts'
import { corpusOptions, json } from '../options.ts'
import { note, show } from '../terminal.ts'

export const command: Command = corpusCommand(
  {
    name: 'push',
    summary: 'Send the documents of this folder to a corpus of a service; later runs send only what changed.',
    details: [
      'It sends what `yore index` reads here: no ignored file, and no file that is likely to hold secrets. The service builds its own index from the documents.',
      'Files with masked secrets are not sent. Documents that only the corpus contains stay there unless --prune is given.',
    ],
    arguments: { corpus: { form: 'words', required: true, help: 'Name of the corpus on the service.' } },
    options: {
      create: toggle('Create the corpus if it does not exist.'),
      prune: toggle('Remove from the corpus what this folder does not contain.'),
      server: {
        type: 'text',
        value: 'url',
        help: 'Address of the service, if not in YORE_SERVER_URL; its key is read from YORE_SERVER_KEY.',
      },
      ...corpusOptions,
      json,
    },
    examples: [
      'yore push handbook --server https://yore.example.com',
      'yore push handbook --create',
      'yore push handbook --prune',
    ],
  },
  async ({ input, use }) => {
    const { create, prune, server } = input
    const options = { create, prune, onStep: note, ...(server === undefined ? {} : { server }) }
    const report = await use((engine) => engine.push(input.corpus, options))
    show(input, report, () => printPush(report))
    return 0
  },
)

const mostShown = 20

/** The first of some files, each with its reason; `count` where not all of them are known. */
function listFiles(heading: string, files: readonly WithheldFile[], count: number = files.length): string[] {
  const lines = files.slice(0, mostShown).map(({ path, reason }) => `  ${heading}  ${path}: ${reason}`)
  const hint = count === files.length ? ' (--json lists all)' : ''
  return count <= lines.length ? lines : [...lines, `  ${heading}  and ${count - lines.length} more${hint}`]
}

export function printPush(report: PushReport): string {
  const { sent, bytes, removed, unchanged, elsewhere, version, withheld, skipped } = report
  const counts = [
    `${formatQuantity(sent, 'document')} sent (${formatBytes(bytes)})`,
    `${removed} removed`,
    `${unchanged} unchanged`,
  ]
  const lines = [`${report.corpus} at ${report.server}: ${counts.join(', ')}; version ${version}`]
  if (elsewhere > 0)
    lines.push(
      `  left    ${formatQuantity(elsewhere, 'document')} that this folder does not have; --prune removes them`,
    )
  lines.push(
    ...listFiles('stays', withheld),
    ...listFiles('skipped by the service', skipped.first, skipped.count),
  )
  return printable(`${lines.join('\n')}\n`)
}
