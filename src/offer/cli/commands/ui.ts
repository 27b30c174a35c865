// How does a person explore the corpus in a browser? `yore ui` serves pages to this machine.
import { type Command, corpusCommand } from '../command.ts'
import { printable } from '../format.ts'
import { openBrowser } from '../open-browser.ts'
import { corpusOptions } from '../options.ts'
import { note, out, untilInterrupted } from '../terminal.ts'

export const command: Command = corpusCommand(
  {
    name: 'ui',
    summary: 'Open an explorer in the browser: digests and why, documents, references and links.',
    details: [
      'Pages: ask, documents, graph, links. It serves 127.0.0.1 only, and loads nothing from other hosts. Every page works without scripts but for the drawing, and is also available as JSON. On a desktop the browser opens, unless BROWSER=none.',
    ],
    arguments: {},
    options: {
      port: {
        type: 'number',
        default: 7421,
        min: 0,
        max: 65_535,
        help: 'Port to listen on; 0 for a free one.',
      },
      ...corpusOptions,
    },
    examples: ['yore ui', 'yore ui --port 0'],
  },
  ({ input, root, loaded, use }) =>
    untilInterrupted(async (signal) => {
      const { runUi } = await import('../../serve/run-ui.ts')
      const onListening = (url: string): void => {
        note(`exploring ${printable(root)}; stop with Ctrl-C`)
        out(`${url}\n`)
        const { platform, env, stdout } = process
        openBrowser(url, { platform, env, isTerminal: stdout.isTTY })
      }
      await use((engine) =>
        runUi({ engine, root, settings: loaded.settings }, input, { signal, onListening }),
      )
    }),
)
