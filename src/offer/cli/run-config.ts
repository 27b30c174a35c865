// How are settings shown and changed from a terminal? The loaded ones with their places; one entry of one file.
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import {
  checkSetting,
  refuseFormer,
  type SettingName,
  settingNames,
} from '../../model/config/check-settings.ts'
import { findCorpus } from '../../model/config/find-root.ts'
import { loadSettings, readSetting } from '../../model/config/load-settings.ts'
import { defaultSettings } from '../../model/config/settings.ts'
import { userConfigPath } from '../../model/config/state-folder.ts'
import { YoreError } from '../../model/errors.ts'
import { checkInput, completeInput, readCommandLine } from '../operations/check-input.ts'
import type { ConfigGetInput, ConfigListInput, ConfigSetInput } from '../operations/config-operations.ts'
import { operations } from '../operations/operations.ts'
import { outPalette } from './colors.ts'
import { readLoose } from './edit-json.ts'
import type { CommandRequest } from './parse-command-line.ts'
import { printable, printableJson } from './printable.ts'
import { note } from './terminal.ts'
import { writeOutput } from './write-output.ts'

function readInput<I>(request: CommandRequest): I & { readonly root: string } {
  const operation = operations[request.name]
  const { name } = request.given
  if (typeof name === 'string') refuseFormer(name, name)
  const checked = checkInput(operation, readCommandLine(operation, request.given))
  const input = completeInput(operation, checked, defaultSettings)
  const { root } = findCorpus({ cwd: process.cwd(), root: checked.root as string | undefined })
  return { ...input, root } as I & { readonly root: string }
}

export async function runConfigList(request: CommandRequest): Promise<number> {
  const { root, json } = readInput<ConfigListInput>(request)
  const { settings, places } = loadSettings({ root, env: process.env })
  const { dim } = outPalette()
  const rows = settingNames.map((name) => ({ name, value: settings[name], place: places[name] }))
  const line = ({ name, value, place }: (typeof rows)[number]): string =>
    `${name} = ${JSON.stringify(value)}${place === 'default' ? '' : dim(`  (${place})`)}\n`
  process.stdout.write(json ? printableJson(rows) : printable(rows.map(line).join('')))
  return 0
}

export async function runConfigGet(request: CommandRequest): Promise<number> {
  const { root, json, name } = readInput<ConfigGetInput>(request)
  const value = loadSettings({ root, env: process.env }).settings[name as SettingName]
  const shown = typeof value === 'object' ? value.join(',') : String(value)
  process.stdout.write(json ? printableJson(value) : `${printable(shown)}\n`)
  return 0
}

export async function runConfigSet(request: CommandRequest): Promise<number> {
  const { root, name, value: text, scope } = readInput<ConfigSetInput>(request)
  const file = scope === 'user' ? userConfigPath(process.env) : path.join(root, 'yore.json')
  const place = { name: file, trusted: scope === 'user' }
  const { value, warning } = checkSetting(
    name as SettingName,
    readSetting(name as SettingName, text, name),
    place,
    name,
  )
  if (warning !== null)
    throw new YoreError('BAD_INPUT', warning, { hint: 'add --scope user to write it into your own config' })
  const before = readText(file)
  if (before !== null && readLoose(before) === null)
    throw new YoreError('BAD_CONFIG', `${file} does not hold one JSON object`)
  const after =
    before === null || before.trim() === ''
      ? `${JSON.stringify(
          name.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value),
          null,
          2,
        )}\n`
      : await putSetting(before, name, value)
  mkdirSync(path.dirname(file), { recursive: true })
  writeOutput(file, after)
  note(`${name} = ${JSON.stringify(value)} in ${printable(file)}`)
  return 0
}

/** The text with the setting; all else stays byte for byte, comments too. */
async function putSetting(text: string, name: string, value: unknown): Promise<string> {
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
