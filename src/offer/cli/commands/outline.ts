// What is in a file, or which files matter most? `yore outline`.
import { operations } from '../../operations/operations.ts'
import { type Command, questionCommand } from '../command.ts'
import { corpusOptions, json, refresh } from '../options.ts'
import { showReport } from '../terminal.ts'

export const command: Command = questionCommand(
  {
    ...operations.outline,
    details: [
      'Files are ranked by PageRank over links, citations, imports and uses; with --question the ranking starts from what the question finds. Code is shown by its signatures.',
    ],
    options: { ...operations.outline.options, refresh, ...corpusOptions, json },
    examples: [
      'yore outline src/server.ts',
      'yore outline',
      'yore outline --question "Where are retries made?"',
    ],
  },
  async ({ input, now, use, useAt }) => {
    const report =
      input.place === undefined
        ? await use((engine) => engine.outline(null, input))
        : await useAt(input.place, (engine, place) => engine.outline(place, input))
    return showReport(input, now, report)
  },
)
