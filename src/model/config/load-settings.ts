// What are the effective settings, and where does each come from? Defaults < repository < user < .env < environment < flags.
import { statSync } from 'node:fs'
import path from 'node:path'
import { YoreError } from '../errors.ts'
import { product } from '../version.ts'
import { readAddedRoots } from './added-roots.ts'
import {
  type CheckedSettings,
  checkSetting,
  checkSettings,
  describeValues,
  readNumber,
  refuseFormer,
  type SettingName,
  type SettingsPlace,
  type SettingValue,
  settingNames,
  specOf,
} from './check-settings.ts'
import { nearestName } from './nearest-name.ts'
import { readEnvFile, readJsonFile } from './read-config-file.ts'
import { latestByName, locateEntry, readRootEntry } from './root-entries.ts'
import { defaultSettings, formerSettings, type Settings, secretVariables } from './settings.ts'
import { type Environment, userConfigPath } from './state-folder.ts'

export interface SettingsSources {
  /** Folder of the corpus, absolute; null for what holds without one. */
  readonly root: string | null
  readonly env: Environment
  /** Values given on the command line or by a caller, already of the right type. */
  readonly flags?: Partial<Settings>
  /** Instead of what is kept in the user's state folder. */
  readonly addedRoots?: readonly string[]
}

export interface LoadedSettings {
  readonly settings: Settings
  /** For each setting the place its value came from, for example `default`, `yore.json`, `--depth`. */
  readonly places: Readonly<Record<SettingName, string>>
  /** One sentence for each value that was not allowed to hold. */
  readonly warnings: readonly string[]
}

/** Reads and merges every place. Throws BAD_CONFIG, naming the file and the key. */
export function loadSettings(sources: SettingsSources): LoadedSettings {
  const merged = startMerge()
  const { root } = sources
  const added = root === null ? [] : (sources.addedRoots ?? readAddedRoots(root, sources.env))
  const isAdded = (entry: string): boolean => added.includes(locateEntry(entry, root ?? ''))
  const isUsable = (entry: string): boolean => root === null || isFolderBelow(root, entry)
  const place = { name: 'yore.json', trusted: false, isAdded, isUsable }
  if (root !== null) mergeFile(merged, path.join(root, 'yore.json'), place, root)
  mergeFile(merged, userConfigPath(sources.env), { name: userConfigPath(sources.env), trusted: true }, null)
  if (root !== null) mergeEnvFile(merged, root)
  mergeEnvironment(merged, sources.env)
  put(merged, 'roots', added, '`yore index`')
  for (const [name, value] of Object.entries(sources.flags ?? {}))
    if (value !== undefined) put(merged, name as SettingName, value, `--${kebabCase(name)}`)

  merged.values['roots'] = latestByName(merged.values['roots'] as readonly string[])
  return {
    settings: merged.values as unknown as Settings,
    places: merged.places as Record<SettingName, string>,
    warnings: merged.warnings,
  }
}

/** Does an entry of a repository's own yore.json lead to a folder? True for one that names none. Links out are refused later. */
function isFolderBelow(root: string, text: string): boolean {
  const entry = readRootEntry(text)
  if (entry.kind !== 'folder') return true
  const folder = path.resolve(root, entry.folder)
  try {
    return folder !== path.resolve(root) && statSync(folder).isDirectory()
  } catch {
    return false
  }
}

/** The settings without any file, for `doctor`, which must work with a broken config. */
export function withoutConfigFiles(): LoadedSettings {
  const merged = startMerge()
  return { settings: defaultSettings, places: merged.places as Record<SettingName, string>, warnings: [] }
}

/** The environment variable of a setting: `llm.promptTokens` → `YORE_LLM_PROMPT_TOKENS`. */
export const environmentName = (name: string): string =>
  `${product.environment}${kebabCase(name).replaceAll(/[-.]/g, '_').toUpperCase()}`

/** `maxTokens` → `max-tokens`. */
export const kebabCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

interface Merge {
  readonly values: Record<string, SettingValue>
  readonly places: Record<string, string>
  readonly warnings: string[]
}

function startMerge(): Merge {
  const places = Object.fromEntries(settingNames.map((name) => [name, 'default']))
  return { values: { ...defaultSettings }, places, warnings: [] }
}

/** Numbers and words replace earlier values; lists are joined, so that no ignore patterns get lost. */
function put(merged: Merge, name: SettingName, value: SettingValue, place: string): void {
  const before = merged.values[name]
  if (Array.isArray(before) && Array.isArray(value)) {
    if (value.length === 0) return
    merged.values[name] = [...before, ...value]
    merged.places[name] = before.length === 0 ? place : `${merged.places[name]} and ${place}`
    return
  }
  merged.values[name] = value
  merged.places[name] = place
}

function mergeFile(merged: Merge, file: string, place: SettingsPlace, confinedTo: string | null): void {
  const raw = readJsonFile(file, { name: place.name, confinedTo })
  if (raw === undefined) return
  const checked: CheckedSettings = checkSettings(raw, place)
  merged.warnings.push(...checked.warnings)
  for (const [name, value] of Object.entries(checked.values))
    put(merged, name as SettingName, value, place.name)
}

/** The names that an .env file, and the environment, may use for settings of expansion. */
const expansionVariables = {
  EXPANSION_BUDGET: 'expansionBudget',
  MAX_EXPANSION_DEPTH: 'depth',
} as const satisfies Record<string, SettingName>

/** A repository's .env may lower these, also below what the user's config says, and nothing else. */
function mergeEnvFile(merged: Merge, root: string): void {
  const variables = readEnvFile(path.join(root, '.env'), { name: '.env', confinedTo: root })
  for (const [variable, name] of Object.entries(expansionVariables)) {
    const text = variables[variable]
    if (text === undefined || text === '') continue
    const label = `.env: ${variable}`
    const place = { name: '.env', trusted: false }
    const { value, warning } = checkSetting(name, readSetting(name, text, label), place, label)
    if (warning !== null) merged.warnings.push(warning)
    else if ((value as number) < (merged.values[name] as number))
      put(merged, name, value, `.env (${variable})`)
  }
}

function mergeEnvironment(merged: Merge, env: Environment): void {
  for (const [variable, name] of Object.entries(expansionVariables)) {
    const text = env[variable]
    if (text !== undefined && text !== '') putVariable(merged, name, variable, text)
  }
  const byVariable = new Map(settingNames.map((name) => [environmentName(name), name]))
  for (const variable of Object.keys(env)
    .filter((key) => key.startsWith(product.environment))
    .sort()) {
    const text = env[variable]
    if (text === undefined || text === '' || Object.hasOwn(secretVariables, variable)) continue
    const name = byVariable.get(variable)
    if (name === undefined) {
      const former = Object.keys(formerSettings).find((one) => environmentName(one) === variable)
      if (former !== undefined) refuseFormer(former, variable)
      const near = nearestName(variable.slice(product.environment.length), settingNames)
      if (near !== null)
        merged.warnings.push(`${variable} is not a setting; did you mean ${environmentName(near)}?`)
      continue
    }
    putVariable(merged, name, variable, text)
  }
}

/** The environment is the user's own: it may raise a limit. */
function putVariable(merged: Merge, name: SettingName, variable: string, text: string): void {
  const place = { name: variable, trusted: true }
  put(merged, name, checkSetting(name, readSetting(name, text, variable), place, variable).value, variable)
}

/** A setting written as text, as far as its type goes; bounds are checked after. */
function readSetting(name: SettingName, text: string, label: string): unknown {
  const spec = specOf(name)
  if (Array.isArray(spec.default))
    return text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
  if (typeof spec.default !== 'number') return text
  const value = readNumber(text.trim())
  if (value !== null) return value
  throw new YoreError(
    'BAD_CONFIG',
    `${label} must be ${describeValues(spec)}, not ${JSON.stringify(text.slice(0, 60))}`,
  )
}
