// Which settings are in effect, and where does each come from?
import { settingNames } from '../../../model/config/check-settings.ts'
import { findCorpus } from '../../../model/config/find-root.ts'
import { loadSettings } from '../../../model/config/load-settings.ts'
import { userConfigPath } from '../../../model/config/state-folder.ts'
import { type Command, plainCommand } from '../command.ts'
import { outPalette, printable } from '../format.ts'
import { corpusOptions, json } from '../options.ts'
import { note, show } from '../terminal.ts'

export const command: Command = plainCommand(
  {
    name: 'config',
    summary: 'List every setting with its value and where it comes from.',
    details: [
      'What each setting means: {docs}/reference/configuration.md. To change one, edit yore.json in the top folder, or your own file, which is named below the list.',
    ],
    arguments: {},
    options: { root: corpusOptions.root, json },
    examples: ['yore config', 'yore config --json'],
  },
  async (input) => {
    const { root } = findCorpus({ cwd: process.cwd(), root: input.root })
    const { settings, places } = loadSettings({ root, env: process.env })
    const { dim } = outPalette()
    const rows = settingNames.map((name) => ({ name, value: settings[name], place: places[name] }))
    show(input, rows, () =>
      rows
        .map(({ name, value, place }) => {
          const origin = place === 'default' ? '' : dim(`  (${printable(place)})`)
          return `${name} = ${printable(JSON.stringify(value))}${origin}\n`
        })
        .join(''),
    )
    note(`your own settings: ${printable(userConfigPath(process.env))}`)
    return 0
  },
)
