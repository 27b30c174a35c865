// Is this input what the operation takes? Unknown names, wrong types and values out of bounds are plain errors.

import { readNumber, showValue } from '../../model/config/check-settings.ts'
import { nearestName } from '../../model/config/nearest-name.ts'
import { readTime } from '../../model/config/read-time.ts'
import type { Settings } from '../../model/config/settings.ts'
import { YoreError } from '../../model/errors.ts'
import {
  type ArgumentSpec,
  type InputOf,
  type OperationSpec,
  type ResolvedOption,
  resolveOptions,
} from './operation.ts'

/** An input by the keys of its operation. */
export type Input = Readonly<Record<string, unknown>>

/** Turns what a command line gives (texts and lists of texts) into values of the right types; bounds are checked after. */
export function readCommandLine(operation: OperationSpec, given: Input): Input {
  const options = new Map(resolveOptions(operation).map((option) => [option.key, option]))
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => {
      const argument = operation.arguments[key]
      if (argument?.form === 'words' && Array.isArray(value))
        return [key, value.length === 0 && !argument.required ? undefined : value.join(' ')]
      const option = options.get(key)
      return [key, option === undefined || typeof value !== 'string' ? value : readValue(option, value)]
    }),
  )
}

/** JSON input with its lists as lists: models write `"a, b"` as often as `["a", "b"]`. */
export function readLists(operation: OperationSpec, given: Input): Input {
  const { arguments: positional, options } = operation
  const texts = Object.entries(given).flatMap(([key, value]) => {
    if (typeof value !== 'string') return []
    if (positional[key]?.form === 'paths') return [[key, [value]]]
    return options[key]?.type === 'list' ? [[key, value.split(',').filter(Boolean)]] : []
  })
  return texts.length === 0 ? given : { ...given, ...Object.fromEntries(texts) }
}

/** How a surface names inputs in errors, and its hint. */
export interface Wording {
  readonly code: 'BAD_INPUT' | 'BAD_USAGE'
  readonly nameOf: (option: ResolvedOption) => string
  readonly hintFor: (operation: OperationSpec) => string
}

const commandLineWording: Wording = {
  code: 'BAD_USAGE',
  nameOf: ({ flag }) => flag,
  hintFor: ({ name }) => `see \`yore ${name} --help\``,
}

/** Checks typed values, as JSON gives them; returns only what was given. Throws BAD_USAGE, or the code of the wording. */
export function checkInput(
  operation: OperationSpec,
  given: Input,
  wording: Wording = commandLineWording,
): Input {
  const bad = (message: string): YoreError =>
    new YoreError(wording.code, message, { hint: wording.hintFor(operation) })
  const options = new Map(resolveOptions(operation).map((option) => [option.key, option]))
  const checked: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined) continue
    const option = options.get(key)
    const argument = Object.hasOwn(operation.arguments, key) ? operation.arguments[key] : undefined
    const fault =
      option !== undefined
        ? optionFault(option, value, wording)
        : argument !== undefined
          ? argumentFault(key, argument, value)
          : describeUnknown(key, operation)
    if (fault !== null) throw bad(fault)
    checked[key] = value
  }
  for (const [name, argument] of Object.entries(operation.arguments))
    if (argument.required && checked[name] === undefined) throw bad(`missing ${name}`)

  return checked
}

/** Adds the defaults of everything that was not given. */
export function completeInput<const S extends OperationSpec>(
  operation: S,
  checked: Input,
  settings: Settings,
): InputOf<S> {
  const complete: Record<string, unknown> = {}
  for (const [name, argument] of Object.entries(operation.arguments))
    if (argument.form === 'paths') complete[name] = []

  for (const option of resolveOptions(operation))
    if (option.type === 'switch') complete[option.key] = false
    else {
      const value = option.setting === undefined ? option.default : settings[option.setting]
      if (value !== undefined && value !== '') complete[option.key] = value
    }

  return { ...complete, ...checked } as InputOf<S>
}

function readValue(option: ResolvedOption, text: string): unknown {
  // An invalid value stays text, so that the check reports it.
  if (option.type === 'number') return readNumber(text) ?? text
  if (option.type === 'time') return readTime(text) ?? text
  return text
}

function optionFault(option: ResolvedOption, value: unknown, { nameOf }: Wording): string | null {
  if (optionFits(option, value)) return null
  return `${nameOf(option)} must be ${describeOption(option)}, not ${showValue(value)}`
}

function optionFits(option: ResolvedOption, value: unknown): boolean {
  if (option.type === 'switch') return typeof value === 'boolean'
  if (option.type === 'time') return typeof value === 'number' && Number.isFinite(value)
  if (option.type === 'number') {
    if (typeof value !== 'number' || !Number.isFinite(value)) return false
    if (option.whole && !Number.isSafeInteger(value)) return false
    return value >= (option.min ?? -Infinity) && value <= (option.max ?? Infinity)
  }
  if (option.type === 'list')
    return Array.isArray(value) && value.every((entry) => typeof entry === 'string' && entry !== '')
  if (typeof value !== 'string') return false
  return option.choices?.includes(value) ?? value.trim() !== ''
}

/** What an option takes, in words. */
function describeOption(option: ResolvedOption): string {
  if (option.type === 'switch') return 'true or false'
  if (option.type === 'time') return 'an ISO 8601 time or epoch seconds'
  if (option.type === 'number')
    return `${option.whole ? 'a whole number' : 'a number'} from ${option.min ?? 0} to ${option.max ?? 'any'}`

  if (option.choices !== undefined) return orList(option.choices)
  if (option.type === 'list') return 'a list of texts'
  return option.type === 'text' ? 'a text' : 'a path'
}

function argumentFault(name: string, argument: ArgumentSpec, value: unknown): string | null {
  if (argument.form === 'paths') {
    const fits = Array.isArray(value) && value.every((entry) => typeof entry === 'string' && entry !== '')
    return fits ? null : `${name} must be a list of paths, not ${showValue(value)}`
  }
  if (typeof value !== 'string') return `${name} must be a text, not ${showValue(value)}`
  if (argument.choices !== undefined && !argument.choices.includes(value))
    return refuseChoice(name, argument.choices, value)
  return value.trim() === '' ? `the ${name} must not be empty` : null
}

function describeUnknown(key: string, operation: OperationSpec): string {
  const near = nearestName(key, [...Object.keys(operation.arguments), ...Object.keys(operation.options)])
  return `${operation.name} takes no ${showValue(key)}${near === null ? '' : `; did you mean "${near}"?`}`
}

const orList = (choices: readonly string[]): string =>
  `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`

/** Choices listed in an error; with more, only the nearest one is named. */
const MOST_CHOICES = 20

function refuseChoice(name: string, choices: readonly string[], value: string): string {
  const isShort = choices.length <= MOST_CHOICES
  const near = isShort ? choices.find((one) => one.startsWith(`${value}-`)) : nearestName(value, choices)
  const fault = isShort
    ? `${name} must be ${orList(choices)}, not ${showValue(value)}`
    : `no such ${name}: ${showValue(value)}`
  return `${fault}${near == null ? '' : `; did you mean ${near}?`}`
}
