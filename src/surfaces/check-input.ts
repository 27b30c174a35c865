// Is this input what the operation takes? Unknown names, wrong types and values out of bounds are plain errors.
import { nearestName } from '../config/nearest-name.ts'
import { readNumber } from '../config/read-number.ts'
import { readTime } from '../config/read-time.ts'
import type { Settings } from '../config/settings.ts'
import { YoreError } from '../errors.ts'
import { type ArgumentSpec, type OperationSpec, type ResolvedOption, resolveOptions } from './operation.ts'

/** An input by the keys of its operation. */
export type Input = Readonly<Record<string, unknown>>

/** Turns what a command line gives (texts and lists of texts) into values of the right types; bounds are checked after. */
export function readCommandLine(operation: OperationSpec, given: Input): Input {
  const options = new Map(resolveOptions(operation).map((option) => [option.key, option]))
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => {
      const argument = operation.arguments[key]
      if (argument?.form === 'words' && Array.isArray(value)) return [key, value.join(' ')]
      const option = options.get(key)
      return [key, option === undefined || typeof value !== 'string' ? value : readValue(option, value)]
    }),
  )
}

/** Checks values of the right types, as JSON gives them. Returns only what was given; throws BAD_INPUT. */
export function checkInput(operation: OperationSpec, given: Input): Input {
  const options = new Map(resolveOptions(operation).map((option) => [option.key, option]))
  const checked: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined) continue
    const option = options.get(key)
    const argument = Object.hasOwn(operation.arguments, key) ? operation.arguments[key] : undefined
    if (option !== undefined) checkOption(option, value, operation)
    else if (argument !== undefined) checkArgument(key, argument, value, operation)
    else throw unknownKey(key, operation)
    checked[key] = value
  }
  for (const [name, argument] of Object.entries(operation.arguments)) {
    if (argument.required && checked[name] === undefined) throw bad(operation, `missing ${name}`)
  }
  return checked
}

/** Adds what holds for everything that was not given. */
export function completeInput(operation: OperationSpec, checked: Input, settings: Settings): Input {
  const complete: Record<string, unknown> = {}
  for (const [name, argument] of Object.entries(operation.arguments)) {
    if (argument.form === 'paths') complete[name] = []
  }
  for (const option of resolveOptions(operation)) {
    if (option.type === 'switch') complete[option.key] = false
    else {
      const value = option.setting === undefined ? option.default : settings[option.setting]
      if (value !== undefined && value !== '') complete[option.key] = value
    }
  }
  return { ...complete, ...checked }
}

function readValue(option: ResolvedOption, text: string): unknown {
  // What cannot be read stays text, so that the check names it.
  if (option.type === 'number') return readNumber(text) ?? text
  if (option.type === 'time') return readTime(text) ?? text
  return text
}

function checkOption(option: ResolvedOption, value: unknown, operation: OperationSpec): void {
  const fits = optionFits(option, value)
  if (!fits) throw bad(operation, `${option.flag} must be ${describeOption(option)}, not ${show(value)}`)
}

function optionFits(option: ResolvedOption, value: unknown): boolean {
  if (option.type === 'switch') return typeof value === 'boolean'
  if (option.type === 'time') return typeof value === 'number' && Number.isFinite(value)
  if (option.type === 'number') {
    if (typeof value !== 'number' || !Number.isFinite(value)) return false
    if (option.whole && !Number.isSafeInteger(value)) return false
    return value >= (option.min ?? -Infinity) && value <= (option.max ?? Infinity)
  }
  if (typeof value !== 'string') return false
  return option.choices?.includes(value) ?? value.trim() !== ''
}

/** What an option takes, in words. */
function describeOption(option: ResolvedOption): string {
  if (option.type === 'switch') return 'true or false'
  if (option.type === 'time') return 'an ISO 8601 time or epoch seconds'
  if (option.type === 'number') {
    return `${option.whole ? 'a whole number' : 'a number'} from ${option.min ?? 0} to ${option.max ?? 'any'}`
  }
  if (option.choices !== undefined) return orList(option.choices)
  return option.type === 'text' ? 'a text' : 'a path'
}

function checkArgument(name: string, argument: ArgumentSpec, value: unknown, operation: OperationSpec): void {
  if (argument.form === 'paths') {
    const fits = Array.isArray(value) && value.every((entry) => typeof entry === 'string' && entry !== '')
    if (!fits) throw bad(operation, `${name} must be a list of paths, not ${show(value)}`)
    return
  }
  if (typeof value !== 'string') throw bad(operation, `${name} must be a text, not ${show(value)}`)
  if (argument.choices !== undefined && !argument.choices.includes(value)) {
    throw bad(operation, `${name} must be ${orList(argument.choices)}, not ${show(value)}`)
  }
  if (value.trim() === '') throw bad(operation, `the ${name} must not be empty`)
}

function unknownKey(key: string, operation: OperationSpec): YoreError {
  const near = nearestName(key, [...Object.keys(operation.arguments), ...Object.keys(operation.options)])
  return bad(
    operation,
    `${operation.name} takes no ${show(key)}${near === null ? '' : `; did you mean "${near}"?`}`,
  )
}

function bad(operation: OperationSpec, message: string): YoreError {
  return new YoreError('BAD_INPUT', message, { hint: `see \`yore ${operation.name} --help\`` })
}

function orList(choices: readonly string[]): string {
  return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
