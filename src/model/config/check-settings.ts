// Is this a valid setting, and may it hold? Pure: names, types, bounds, and the limits that a repository may not raise.
import { YoreError } from '../errors.ts'
import { nearestName } from './nearest-name.ts'
import { formerSettings, type SettingSpec, type Settings, settingSpecs } from './settings.ts'

export type SettingName = keyof Settings
export type SettingValue = Settings[SettingName]

/** Every setting's name, in the order of the table. */
export const settingNames: readonly SettingName[] = Object.keys(settingSpecs) as SettingName[]

/** Where values come from. A repository's files are not trusted to raise limits. */
export interface SettingsPlace {
  /** What messages call it: a file, an environment variable, a flag. */
  readonly name: string
  readonly trusted: boolean
  /** Has the user added what a repository cannot name by itself? */
  readonly isAdded?: (entry: string) => boolean
  /** Does an entry inside the repository lead to anything? */
  readonly isUsable?: (entry: string) => boolean
}

export interface CheckedSettings {
  readonly values: Partial<Settings>
  readonly warnings: readonly string[]
}

/** An own key of these names can only be an attack or an accident, never a setting. */
export const prototypeKeys: readonly string[] = ['__proto__', 'constructor', 'prototype']

/** The table's entry for a setting, with its type widened so that all settings are handled alike. */
export const specOf = (name: SettingName): SettingSpec<unknown> => settingSpecs[name]

/** Whole numbers only, unless the default has a fraction. */
export const isWhole = (spec: SettingSpec<unknown>): boolean => Number.isInteger(spec.default)

/** Checks a whole config object. Throws BAD_CONFIG for unknown keys, wrong types and values out of bounds. */
export function checkSettings(raw: unknown, place: SettingsPlace): CheckedSettings {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    throw new YoreError('BAD_CONFIG', `${place.name}: must hold one JSON object, not ${showValue(raw)}`)

  const values: Record<string, SettingValue> = {}
  const warnings: string[] = []
  for (const [key, value] of listEntries(raw)) {
    const name = requireName(key, place.name)
    const checked = checkSetting(name, value, place)
    if (checked.warning !== null) warnings.push(checked.warning)
    else values[name] = place.trusted ? checked.value : keepInside(name, checked.value, { place, warnings })
  }
  return { values: values as Partial<Settings>, warnings }
}

const groups: ReadonlySet<string> = new Set(
  settingNames.flatMap((name) => (name.includes('.') ? [name.slice(0, name.indexOf('.'))] : [])),
)

/** The entries of a config object, those of a group under their whole names: `llm.url`. */
const listEntries = (raw: object): [string, unknown][] =>
  Object.entries(raw).flatMap(([key, value]): [string, unknown][] => {
    // Editors look for the JSON Schema of this file in `$schema`.
    if (prototypeKeys.includes(key) || key === '$schema') return []
    return groups.has(key) && typeof value === 'object' && value !== null && !Array.isArray(value)
      ? listEntries(value).map(([inner, own]): [string, unknown] => [`${key}.${inner}`, own])
      : [[key, value]]
  })

/** Warnings about the entries of one list that are printed; more are counted. */
const WARNED_ENTRIES = 3

/** The entries of a list of paths that the repository that names them may use; the others are skipped with a warning. */
function keepInside(
  name: SettingName,
  value: SettingValue,
  { place, warnings }: { readonly place: SettingsPlace; readonly warnings: string[] },
): SettingValue {
  const { isInside } = specOf(name)
  if (isInside === undefined || !Array.isArray(value)) return value
  const skipped: string[] = []
  const kept = value.filter((entry: string) => {
    const problem = findProblem(entry, isInside, place)
    if (problem !== null && problem !== '')
      skipped.push(`${place.name}: ${name} names ${showValue(entry)} ${problem}`)
    return problem === null
  })
  warnings.push(...skipped.slice(0, WARNED_ENTRIES))
  const more = skipped.length - WARNED_ENTRIES
  if (more > 0) warnings.push(`${place.name}: ${name} has ${more} more entries that are skipped`)
  return kept
}

/** Why an entry is skipped; null if it is not, and '' if the user's own list has it already. */
function findProblem(
  entry: string,
  isInside: (entry: string) => boolean,
  { isAdded, isUsable }: SettingsPlace,
): string | null {
  try {
    if (isInside(entry))
      return isUsable?.(entry) === false ? 'which is not a folder below the repository, and is skipped' : null
  } catch (cause) {
    if (!(cause instanceof YoreError)) throw cause
    return 'which is not an entry, and is skipped'
  }
  // Without the entry itself: people and agents paste the commands of messages, and a stranger wrote it.
  return isAdded?.(entry) === true
    ? ''
    : 'outside the repository, which is skipped; `yore index` with the entry adds it'
}

interface CheckedSetting {
  readonly value: SettingValue
  /** Why the value does not hold; `value` is then the default. */
  readonly warning: string | null
}

/** Checks one value. `label` is what messages call the setting at that place. */
export function checkSetting(
  name: SettingName,
  value: unknown,
  place: SettingsPlace,
  label: string = `${place.name}: ${name}`,
): CheckedSetting {
  const spec = specOf(name)
  if (!place.trusted && spec.userOnly === true) {
    const warning = `${label} is ignored: only your own config, the environment or a flag may set it`
    return { value: spec.default as SettingValue, warning }
  }
  if (!hasRightType(spec, value)) throw wrong(label, spec, value)
  if (typeof value === 'number') {
    const limit = spec.default as number
    if (!place.trusted && spec.repositoryMayOnlyLower === true && value > limit) {
      const warning = `${label} ${value} is above the default; a repository may only lower it, so ${limit} applies`
      return { value: limit, warning }
    }
    if (value < (spec.min ?? -Infinity) || value > (spec.max ?? Infinity)) throw wrong(label, spec, value)
  }
  return { value: value as SettingValue, warning: null }
}

/** What a setting takes, for messages and documents: `a whole number from 0 to 2`. */
export function describeValues(spec: SettingSpec<unknown>): string {
  if (typeof spec.default === 'number') {
    const kind = isWhole(spec) ? 'a whole number' : 'a number'
    return `${kind} from ${spec.min ?? 0} to ${spec.max ?? 'any'}`
  }
  if (spec.values !== undefined) return spec.values.map((value) => `"${value}"`).join(' or ')
  return Array.isArray(spec.default) ? 'a list of strings' : 'a string'
}

/** Throws BAD_CONFIG for an unknown name and suggests the nearest one. */
export function requireName(key: string, place: string): SettingName {
  if (Object.hasOwn(settingSpecs, key)) return key as SettingName
  refuseFormer(key, `${place}: ${key}`)
  const near = nearestName(key, settingNames)
  const advice = near === null ? `valid keys are ${settingNames.join(', ')}` : `did you mean "${near}"?`
  throw new YoreError('BAD_CONFIG', `${place}: unknown key ${showValue(key)}; ${advice}`)
}

/** Throws BAD_CONFIG for the name of a setting that was removed. */
export function refuseFormer(key: string, label: string): void {
  if (Object.hasOwn(formerSettings, key))
    throw new YoreError('BAD_CONFIG', `${label} is no longer a setting; ${formerSettings[key]}`)
}

function hasRightType(spec: SettingSpec<unknown>, value: unknown): boolean {
  if (typeof spec.default === 'number')
    return (
      typeof value === 'number' && Number.isFinite(value) && (!isWhole(spec) || Number.isSafeInteger(value))
    )

  if (Array.isArray(spec.default))
    return Array.isArray(value) && value.every((entry) => typeof entry === 'string')

  return typeof value === 'string' && (spec.values === undefined || spec.values.includes(value))
}

const wrong = (label: string, spec: SettingSpec<unknown>, value: unknown): YoreError =>
  new YoreError('BAD_CONFIG', `${label} must be ${describeValues(spec)}, not ${showValue(value)}`)

/** A value as a message shows it: at most 60 characters of JSON. */
export function showValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}

export function readNumber(text: string): number | null {
  if (text.length > 20 || !/^-?\d+(\.\d+)?$/.test(text)) return null
  const value = Number(text)
  return Number.isFinite(value) ? value : null
}
