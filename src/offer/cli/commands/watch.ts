// How does an index stay fresh while files change? `yore watch` re-indexes until it is interrupted.
import { type Command, corpusCommand } from '../command.ts'
import { describeRun } from '../describe-index.ts'
import { printable } from '../format.ts'
import { corpusOptions } from '../options.ts'
import { note, untilInterrupted } from '../terminal.ts'

export const command: Command = corpusCommand(
  {
    name: 'watch',
    summary: 'Keep the index fresh while files change, until interrupted.',
    arguments: {},
    options: corpusOptions,
    examples: ['yore watch'],
  },
  ({ root, use }) =>
    untilInterrupted((signal) => {
      note(`watching ${printable(root)}; stop with Ctrl-C`)
      return use((engine) => engine.watch({ signal, onIndexed: (report) => note(describeRun(report)) }))
    }),
  { startsIndex: true },
)
