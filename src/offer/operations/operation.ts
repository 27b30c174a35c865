// What is an operation? Its name, what it takes and what it gives, as data that every surface is built from.
import type { AskHooks } from '../../answer/answering/question-options.ts'
import { isWhole, type SettingName, specOf } from '../../model/config/check-settings.ts'
import { kebabCase } from '../../model/config/load-settings.ts'
import type { Settings } from '../../model/config/settings.ts'
import type { ExpansionSession } from '../../model/expansion.ts'
import type { IndexProgress, IndexReport } from '../../model/report.ts'
import type { Engine } from '../engine/engine.ts'

/** One positional argument. `words` are joined by blanks to one text; `file` is one path. */
export interface ArgumentSpec {
  readonly form: 'words' | 'paths' | 'choice' | 'file'
  readonly required: boolean
  readonly help: string
  readonly choices?: readonly string[]
}

/** One option. With `setting`, the default, bounds and choices are those of the settings table. */
export interface OptionSpec {
  readonly type: 'number' | 'text' | 'switch' | 'file' | 'folder' | 'time'
  readonly help: string
  /** One letter for people: `n` is `-n`. */
  readonly short?: string
  readonly setting?: SettingName
  readonly default?: number | string
  readonly min?: number
  readonly max?: number
  readonly choices?: readonly string[]
  /** False for a number that may have decimals; a setting knows by itself. */
  readonly whole?: boolean
  /** What the value is called in help. */
  readonly value?: string
  /** What holds without the option, in words, when it is no fixed value. */
  readonly otherwise?: string
  /** Concerns files, streams or the clock of the caller's machine: no other surface may offer it. */
  readonly cliOnly?: boolean
}

/** Everything about an operation but how it runs. The keys of arguments and options are those of its input. */
export interface OperationSpec {
  /** One word, or two for an operation that stands below another: `eval init`. */
  readonly name: string
  readonly summary: string
  /** Paragraphs for the help text, after the summary. */
  readonly details: readonly string[]
  readonly arguments: Readonly<Record<string, ArgumentSpec>>
  readonly options: Readonly<Record<string, OptionSpec>>
  readonly examples: readonly string[]
  /** Changes nothing but, at most, the freshness of the index. */
  readonly readOnly: boolean
  /** Only the command line offers it. */
  readonly cliOnly?: boolean
}

/** What a surface can listen to while an operation runs. */
export interface RunHooks {
  readonly onProgress?: (progress: IndexProgress) => void
  readonly onIndexed?: (report: IndexReport) => void
  /** Each step of a longer exchange, in words. */
  readonly onStep?: (text: string) => void
  readonly signal?: AbortSignal
  /** The expansions of the query that a call belongs to. */
  readonly session?: ExpansionSession
  /** While an LLM answers. */
  readonly asking?: AskHooks
}

export interface Operation<Input, Result> extends OperationSpec {
  run(engine: Engine, input: Input, hooks: RunHooks): Promise<Result>
}

/** An option with its setting looked up: what is left to know is all here. */
export interface ResolvedOption extends OptionSpec {
  readonly key: string
  /** `--max-tokens`. */
  readonly flag: string
  /** Numbers only. */
  readonly whole: boolean
}

/** The options of an operation in the order of its table. */
export function resolveOptions(operation: OperationSpec): readonly ResolvedOption[] {
  return Object.entries(operation.options).map(([key, option]) => resolveOption(key, option))
}

function resolveOption(key: string, option: OptionSpec): ResolvedOption {
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

/** What every command of the terminal takes beside its own options; no other surface does. */
const terminalOptions: Readonly<Record<'quiet' | 'verbose' | 'color', OptionSpec>> = {
  quiet: { type: 'switch', short: 'q', help: 'Print nothing but data and errors.', cliOnly: true },
  verbose: {
    type: 'switch',
    short: 'v',
    help: 'Say how long it took, and of a fault where it happened.',
    cliOnly: true,
  },
  color: {
    type: 'text',
    default: 'auto',
    choices: ['auto', 'always', 'never'],
    help: 'Colours on a terminal.',
    cliOnly: true,
  },
}

export const resolvedTerminalOptions: readonly ResolvedOption[] = Object.entries(terminalOptions).map(
  ([key, option]) => resolveOption(key, option),
)

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

/** The settings that an input names, for the merge in which they win. */
export function settingsIn(
  operation: OperationSpec,
  input: Readonly<Record<string, unknown>>,
): Partial<Settings> {
  const named = Object.entries(operation.options).flatMap(([key, option]) =>
    option.setting !== undefined && input[key] !== undefined ? [[option.setting, input[key]]] : [],
  )
  return Object.fromEntries(named) as Partial<Settings>
}
