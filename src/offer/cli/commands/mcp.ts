// How do agents reach the corpus? `yore mcp` serves the Model Context Protocol over standard input or HTTP.
import { type Command, corpusCommand } from '../command.ts'
import { corpusOptions } from '../options.ts'
import { printable } from '../printable.ts'
import { note, untilInterrupted } from '../terminal.ts'

export const command: Command = corpusCommand(
  {
    name: 'mcp',
    summary: 'Serve the corpus to agents by the Model Context Protocol, over standard input or HTTP.',
    details: [
      'Tools: assemble_context, search, expand, read, uses, outline, diff, status. They change nothing but the freshness of the index.',
      'Over HTTP it answers at /mcp, to this machine only unless --host says otherwise. There is no login: whoever reaches the port reads the corpus.',
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
        help: 'Port to listen on; 0 takes a free one.',
      },
      allowHosts: {
        type: 'text',
        value: 'names',
        help: 'Host names, with commas, that requests may name beside those of this machine.',
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
  ({ input, root, indexDir, loaded }) =>
    untilInterrupted(async (signal) => {
      const { runMcp } = await import('../../serve/run-mcp.ts')
      await runMcp({ root, indexDir, settings: loaded.settings }, input, {
        signal,
        onListening: (url) => note(`serving ${printable(root)} at ${url}; stop with Ctrl-C`),
      })
    }),
)
