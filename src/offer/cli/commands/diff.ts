// What differs from a commit, and what may be stale because of it? `yore diff`.
import { operations } from '../../operations/operations.ts'
import { type Command, corpusCommand } from '../command.ts'
import { corpusOptions, json, refresh } from '../options.ts'
import { showReport } from '../terminal.ts'

export const command: Command = corpusCommand(
  {
    ...operations.diff,
    details: [
      'Files are compared as they are, committed or not. A document may be stale if it names changed code or links to something that is gone.',
    ],
    options: { ...operations.diff.options, refresh, ...corpusOptions, json },
    examples: ['yore diff main', 'yore diff HEAD~3 --json'],
  },
  async ({ input, now, use }) => showReport(input, now, await use((engine) => engine.diff(input.ref, input))),
)
