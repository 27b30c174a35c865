// What is an operation? Its name and what it takes, as data that every surface is built from.
import { isWhole, type SettingName, specOf } from '../../model/config/check-settings.ts'
import { kebabCase } from '../../model/config/load-settings.ts'
import type { Settings } from '../../model/config/settings.ts'

/** One positional argument. `words` are joined by blanks to one text; `file` is one path. */
export interface ArgumentSpec {
  readonly form: 'words' | 'paths' | 'choice' | 'file'
  readonly required: boolean
  readonly help: string
  readonly choices?: readonly string[]
}

/** One option. A `list` is given more than once, or as a text with commas. With `setting`, the default, bounds and choices are those of the settings table. */
export interface OptionSpec {
  readonly type: 'number' | 'text' | 'list' | 'switch' | 'file' | 'folder' | 'time'
  readonly help: string
  /** One letter for people: `n` is `-n`. */
  readonly short?: string
  readonly setting?: SettingName
  readonly default?: number | string
  readonly min?: number
  readonly max?: number
  readonly choices?: readonly string[]
  /** False for a number that may have decimals. */
  readonly whole?: boolean
  /** What the value is called in help. */
  readonly value?: string
  /** Describes the default in words when it is not a fixed value. */
  readonly otherwise?: string
}

export const toggle = (help: string) => ({ type: 'switch', help }) as const satisfies OptionSpec

/** A text that is one of these. */
export const oneOf = <const Choice extends string>(
  value: NoInfer<Choice>,
  choices: readonly Choice[],
  help: string,
) => ({ type: 'text', default: value, choices, help }) as const satisfies OptionSpec

/** Everything about an operation but how it runs. The keys of arguments and options are those of its input. */
export interface OperationSpec {
  readonly name: string
  readonly summary: string
  readonly arguments: Readonly<Record<string, ArgumentSpec>>
  readonly options: Readonly<Record<string, OptionSpec>>
}

type Field = ArgumentSpec | OptionSpec

type ValueOf<F extends Field> = F extends { form: 'paths' } | { type: 'list' }
  ? readonly string[]
  : F extends { type: 'switch' }
    ? boolean
    : F extends { type: 'number' | 'time' }
      ? number
      : F extends { choices: readonly (infer Choice)[] }
        ? Choice
        : F extends { setting: infer Name extends SettingName }
          ? Settings[Name]
          : string

/** A field that has a value even when it is not given. */
type Filled =
  | { readonly required: true }
  | { readonly form: 'paths' }
  | { readonly type: 'switch' }
  | { readonly default: number | string }
  | { readonly setting: SettingName }

type Fields<S extends Pick<OperationSpec, 'arguments' | 'options'>> = S['arguments'] & S['options']

/** The checked and completed input of an operation. */
export type InputOf<S extends Pick<OperationSpec, 'arguments' | 'options'>> = {
  readonly [Key in keyof Fields<S> as Fields<S>[Key] extends Filled ? Key : never]: ValueOf<Fields<S>[Key]>
} & {
  readonly [Key in keyof Fields<S> as Fields<S>[Key] extends Filled ? never : Key]?: ValueOf<Fields<S>[Key]>
}

/** An option with the default, bounds and choices of its setting. */
export interface ResolvedOption extends OptionSpec {
  readonly key: string
  /** `--max-tokens`. */
  readonly flag: string
  /** Numbers only. */
  readonly whole: boolean
}

/** The options of an operation in the order of its table. */
export const resolveOptions = (operation: OperationSpec): readonly ResolvedOption[] =>
  Object.entries(operation.options).map(([key, option]) => resolveOption(key, option))

export function resolveOption(key: string, option: OptionSpec): ResolvedOption {
  const named = { key, flag: `--${kebabCase(key)}`, whole: true }
  if (option.setting === undefined) return { ...named, ...option }
  const spec = specOf(option.setting)
  return {
    ...named,
    whole: isWhole(spec),
    default: spec.default as number | string,
    ...(spec.min === undefined ? {} : { min: spec.min }),
    ...(spec.max === undefined ? {} : { max: spec.max }),
    ...(spec.values === undefined ? {} : { choices: spec.values }),
    ...option,
  }
}

/** How an argument is written in usage lines: `<question...>`, `[path...]`. */
export function argumentUsage(name: string, argument: ArgumentSpec): string {
  const inner = argument.form === 'words' || argument.form === 'paths' ? `${name}...` : name
  return argument.required ? `<${inner}>` : `[${inner}]`
}

/** How an option is written in help: `--max-tokens <n>`. */
export function optionUsage(option: ResolvedOption): string {
  const flag = option.short === undefined ? option.flag : `-${option.short}, ${option.flag}`
  if (option.type === 'switch') return flag
  const value = option.value ?? option.choices?.join('|') ?? (option.type === 'number' ? 'n' : option.type)
  return `${flag} <${value}>`
}

/** The settings that an input overrides. */
export function settingsIn(operation: OperationSpec, input: Readonly<Record<string, unknown>>) {
  const named = Object.entries(operation.options).flatMap(([key, option]) =>
    option.setting !== undefined && input[key] !== undefined ? [[option.setting, input[key]]] : [],
  )
  return Object.fromEntries(named) as Partial<Settings>
}
