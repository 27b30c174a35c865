// How do agents reach the corpus? `yore mcp` serves the Model Context Protocol over standard input or HTTP.
import { type Command, questionCommand } from '../command.ts'
import { printable } from '../format.ts'
import { corpusOptions } from '../options.ts'
import { note, untilInterrupted } from '../terminal.ts'

export const command: Command = questionCommand(
  {
    name: 'mcp',
    summary: 'Serve the corpus to agents over the Model Context Protocol, on standard input or HTTP.',
    details: [
      'Its tools assemble digests, search, expand, read, find uses, outline, compare with a commit and report the status. They only read, and refresh the index.',
      'Over HTTP it serves /mcp to this machine only, unless --host is given. There is no login: anyone who reaches the port can read the corpus.',
    ],
    arguments: {},
    options: {
      http: { type: 'switch', help: 'Serve streamable HTTP instead of standard input.' },
      host: { type: 'text', default: '127.0.0.1', value: 'address', help: 'Address to listen on.' },
      port: {
        type: 'number',
        default: 7420,
        min: 0,
        max: 65_535,
        help: 'Port to listen on; 0 for a free one.',
      },
      allowHosts: {
        type: 'text',
        value: 'names',
        help: 'More host names, separated by commas, that requests may use.',
      },
      threads: {
        type: 'number',
        default: 0,
        min: 0,
        max: 64,
        help: 'Threads that answer over HTTP; 0 means one per core, at most 8.',
      },
      ...corpusOptions,
    },
    examples: ['yore mcp', 'yore mcp --http', 'yore mcp --http --port 9000'],
  },
  ({ input, root, indexDir, loaded, workspace }) =>
    untilInterrupted(async (signal) => {
      const { runMcp } = await import('../../serve/run-mcp.ts')
      await runMcp({ root, indexDir, settings: loaded.settings, workspace }, input, {
        signal,
        onListening: (url) => note(`serving ${printable(root)} at ${url}; stop with Ctrl-C`),
      })
    }),
)
