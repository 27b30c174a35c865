// How do agents reach the corpus? `yore mcp` serves the Model Context Protocol over standard input.
import { type Command, corpusCommand } from '../command.ts'
import { corpusOptions } from '../options.ts'
import { untilInterrupted } from '../terminal.ts'

export const command: Command = corpusCommand(
  {
    name: 'mcp',
    summary: 'Serve the corpus to agents over the Model Context Protocol, on standard input.',
    details: [
      'Its tools assemble digests, search, expand, read, find uses, outline, compare with a commit and report the status. They only read, and refresh the index.',
    ],
    arguments: {},
    options: corpusOptions,
    examples: ['yore mcp', 'yore mcp --root ../handbook'],
  },
  ({ root, indexDir, loaded }) =>
    untilInterrupted(async (signal) => {
      const { runMcp } = await import('../../serve/run-mcp.ts')
      await runMcp({ root, indexDir, settings: loaded.settings }, signal)
    }),
)
