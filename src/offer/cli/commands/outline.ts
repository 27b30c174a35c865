// What is in a file, which files matter most, and what changed since a commit? `yore outline`.
import { operations } from '../../operations/operations.ts'
import { type Command, corpusCommand } from '../command.ts'
import { corpusOptions, json, refresh } from '../options.ts'
import { showReport } from '../terminal.ts'

export const command: Command = corpusCommand(
  {
    ...operations.outline,
    details: [
      'Files are ranked by PageRank over links, citations, imports and uses; with --question the ranking starts from what the question finds. Code is shown by its signatures.',
      'With --since, files are compared as they are, committed or not. A document may be stale if it names changed code or links to something that is gone.',
    ],
    options: { ...operations.outline.options, refresh, ...corpusOptions, json },
    examples: [
      'yore outline src/server.ts',
      'yore outline',
      'yore outline --question "Where are retries made?"',
      'yore outline --since main',
    ],
  },
  async ({ input, now, use, useAt }) => {
    const { since } = input
    if (since !== undefined) return showReport(input, now, await use((engine) => engine.diff(since, input)))
    const report =
      input.place === undefined
        ? await use((engine) => engine.outline(null, input))
        : await useAt(input.place, (engine, place) => engine.outline(place, input))
    return showReport(input, now, report)
  },
)
