// How are settings shown and changed? `yore config` lists them with their origin; `get` prints one, `set` writes one entry of one file.
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import {
  checkSetting,
  refuseFormer,
  type SettingName,
  settingNames,
} from '../../../model/config/check-settings.ts'
import { findCorpus } from '../../../model/config/find-root.ts'
import { loadSettings, readSetting } from '../../../model/config/load-settings.ts'
import { userConfigPath } from '../../../model/config/state-folder.ts'
import { YoreError } from '../../../model/errors.ts'
import { type Command, plainCommand } from '../command.ts'
import { outPalette, printable } from '../format.ts'
import { corpusOptions, json, scope } from '../options.ts'
import { readLoose } from '../setup/edit-json.ts'
import { note, show } from '../terminal.ts'
import { writeOutput } from '../write-output.ts'

const { root } = corpusOptions
const name = { form: 'choice', required: true, choices: settingNames, help: 'Which setting.' } as const

const rootOf = (given: string | undefined): string => findCorpus({ cwd: process.cwd(), root: given }).root

const get: Command = settingCommand(
  plainCommand(
    {
      name: 'config get',
      summary: 'Print the value of a setting.',
      arguments: { name },
      options: { root, json },
      examples: ['yore config get maxTokens'],
    },
    async (input) => {
      const { settings } = loadSettings({ root: rootOf(input.root), env: process.env })
      const value = settings[input.name]
      show(input, value, () => `${printable(typeof value === 'object' ? value.join(',') : String(value))}\n`)
      return 0
    },
  ),
)

const set: Command = settingCommand(
  plainCommand(
    {
      name: 'config set',
      summary: 'Write a setting to yore.json or to your own config; the rest of the file stays unchanged.',
      details: [
        'Separate a list by commas. Settings that a repository may not change (where text is sent, limits above the defaults) need --scope user.',
      ],
      arguments: { name, value: { form: 'words', required: true, help: 'Its value.' } },
      options: { scope, root },
      examples: ['yore config set maxTokens 4000', 'yore config set embedding.provider none --scope user'],
    },
    async (input) => {
      const { name, scope } = input
      const file = scope === 'user' ? userConfigPath(process.env) : path.join(rootOf(input.root), 'yore.json')
      const place = { name: file, trusted: scope === 'user' }
      const { value, warning } = checkSetting(name, readSetting(name, input.value, name), place, name)
      if (warning !== null)
        throw new YoreError('BAD_INPUT', warning, {
          hint: 'add --scope user to write it into your own config',
        })
      const before = readText(file)
      if (before !== null && readLoose(before) === null)
        throw new YoreError('BAD_CONFIG', `${file} does not hold one JSON object`)
      const after = await putSetting(before?.trim() ? before : '{}', name, value)
      mkdirSync(path.dirname(file), { recursive: true })
      writeOutput(file, after.endsWith('\n') || before?.trim() ? after : `${after}\n`)
      note(`${name} = ${JSON.stringify(value)} in ${printable(file)}`)
      return 0
    },
  ),
)

export const command: Command = {
  ...plainCommand(
    {
      name: 'config',
      summary: 'List every setting with its value and where it comes from.',
      details: ['What each setting means: {docs}/reference/configuration.md.'],
      arguments: {},
      options: { root, json },
      examples: ['yore config', 'yore config get maxTokens', 'yore config set maxTokens 4000'],
    },
    async (input) => {
      const { settings, places } = loadSettings({ root: rootOf(input.root), env: process.env })
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
      return 0
    },
  ),
  subcommands: [get, set],
}

/** Former names of settings are refused with the new name before the choices are checked. */
function settingCommand(command: Command): Command {
  return {
    ...command,
    run: (request) => {
      const { name } = request.given
      if (typeof name === 'string') refuseFormer(name, name)
      return command.run(request)
    },
  }
}

/** The text with the setting; all else stays byte for byte, comments too. */
async function putSetting(text: string, name: SettingName, value: unknown): Promise<string> {
  const { applyEdits, modify } = await import('jsonc-parser')
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const tabs = /^\t/m.test(text)
  const formattingOptions = { insertSpaces: !tabs, tabSize: 2, eol }
  return applyEdits(text, modify(text, name.split('.'), value, { formattingOptions }))
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new YoreError('BAD_CONFIG', `cannot read ${file}`, { cause })
  }
}
