// What does this command line ask for? Commander, built from the table of operations, finds out.

import { Argument, Command, CommanderError, Option } from 'commander'
import { nearestName } from '../../model/config/nearest-name.ts'
import { locateDocs, YoreError } from '../../model/errors.ts'
import { product, yoreVersion } from '../../model/version.ts'
import type { Input } from '../operations/check-input.ts'
import {
  argumentUsage,
  type OperationSpec,
  optionUsage,
  type ResolvedOption,
  resolvedTerminalOptions,
  resolveOptions,
} from '../operations/operation.ts'
import { exitStatuses, type OperationName, operationSpecs, tasks } from '../operations/operations.ts'
import type { TerminalWishes } from './caller.ts'

export interface CommandRequest {
  readonly name: OperationName
  readonly operation: OperationSpec
  /** Texts as given, by the operation's keys; switches are true. Only what was given. */
  readonly given: Input
  readonly terminal: TerminalWishes
}

/** The request, or null when help or the version was printed instead. Throws BAD_USAGE. */
export function parseCommandLine(typed: readonly string[]): CommandRequest | null {
  const args = asUsual(typed)
  let request: CommandRequest | null = null
  // One command is quicker to build than all of them, and nobody waits longer than in front of a prompt.
  const named = operationSpecs.filter((operation) => operation.name.split(' ', 1)[0] === args[0])
  const program = buildProgram(named.length > 0 ? named : operationSpecs, (found) => {
    request = found
  })
  try {
    program.parse([...args], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return null
    throw toInputError(error, args)
  }
  return request
}

/** What people type elsewhere: `help search`, and `-v` alone, where there is nothing to be verbose about. */
function asUsual(typed: readonly string[]): readonly string[] {
  if (typed[0] === 'help') return asHelpFlag(typed.slice(1).filter((word) => !word.startsWith('-')))
  return typed.length === 1 && typed[0] === '-v' ? ['--version'] : typed
}

/** `help rulebook check` asks for the same as `rulebook check --help`. */
function asHelpFlag(names: readonly string[]): readonly string[] {
  const known = operationSpecs.map(({ name }) => name)
  const name = names.join(' ')
  if (name !== '' && name !== 'help' && !known.includes(name)) throw unknownCommand(name, known)
  return name === 'help' ? ['--help'] : [...names, '--help']
}

function unknownCommand(name: string, known: readonly string[]): YoreError {
  const near = nearestName(name, known)
  return new YoreError('BAD_USAGE', `unknown command '${name}'`, {
    hint: `${near === null ? '' : `did you mean ${near}? `}see \`yore --help\``,
  })
}

/** In lines of a terminal. */
function wrap(text: string): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string
    if (line.length + word.length < 80) lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
    else lines.push(word)
  }
  return lines.join('\n')
}

/** The program with these operations; `onRequest` gets what the command line asked for. */
function buildProgram(
  specs: readonly OperationSpec[],
  onRequest: (request: CommandRequest) => void,
): Command {
  const program = new Command(product.name)
    .description(
      'A context engine: finds what a question needs and writes one digest that fits a token budget.',
    )
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeErr: () => {}, outputError: () => {} })
    .option('-V, --version', 'Print the version.')
    .helpOption('-h, --help', 'Print this help.')
    .commandsGroup('Set up:')
    .helpCommand('help [command]', 'Print the help of a command.')
    .addHelpText('after', `\n${wrap(exitStatuses)}`)
  program.on('option:version', () => {
    process.stdout.write(`${yoreVersion}\n`)
    throw new CommanderError(0, 'commander.version', 'version')
  })
  const order = Object.values(tasks).flat()
  const place = ({ name }: OperationSpec): number => order.indexOf(name.split(' ', 1)[0] as string)
  for (const operation of specs.toSorted((a, b) => place(a) - place(b))) {
    const [first, second] = operation.name.split(' ')
    // What stands below another comes after it in the table.
    const parent =
      second === undefined ? program : program.commands.find((command) => command.name() === first)
    const command = buildCommand(operation, onRequest)
    const [task] = Object.entries(tasks).find(([, names]) => names.includes(operation.name)) ?? []
    if (task !== undefined) command.helpGroup(`${task}:`)
    parent?.addCommand(command)
  }
  return program
}

function buildCommand(operation: OperationSpec, onRequest: (request: CommandRequest) => void): Command {
  const command = new Command(operation.name.split(' ').at(-1))
    // Options after `eval init` belong to it, though `eval` has some of the same names.
    .enablePositionalOptions()
    .summary(operation.summary)
    .description(locateDocs([operation.summary, ...operation.details].join('\n\n')))
    .helpOption('-h, --help', 'Print this help.')
    .exitOverride()
    .configureOutput({ writeErr: () => {}, outputError: () => {} })
    .addHelpText('after', `\nExamples:\n${operation.examples.map((example) => `  ${example}`).join('\n')}`)
  for (const [name, argument] of Object.entries(operation.arguments)) {
    const choices = argument.choices === undefined ? '' : ` (${argument.choices.join(', ')})`
    command.addArgument(new Argument(argumentUsage(name, argument), argument.help + choices))
  }
  for (const option of resolveOptions(operation))
    command.addOption(new Option(optionUsage(option), describe(option)))
  command.optionsGroup('Every command:')
  for (const option of resolvedTerminalOptions)
    command.addOption(new Option(optionUsage(option), describe(option)))
  return command.action(() => {
    const names = Object.keys(operation.arguments)
    const given = Object.fromEntries(names.map((name, at) => [name, command.processedArgs[at]]))
    const outer = command.parent?.parent ? command.parent.opts() : {}
    const { quiet, verbose, color, ...options } = { ...outer, ...command.opts() }
    if (color !== undefined && !['auto', 'always', 'never'].includes(color))
      throw new YoreError('BAD_USAGE', `--color must be auto, always or never, not ${JSON.stringify(color)}`)
    const terminal = { quiet, verbose, color }
    onRequest({ name: operation.name as OperationName, operation, given: { ...given, ...options }, terminal })
  })
}

function describe(option: ResolvedOption): string {
  const notes: string[] = []
  if (option.choices !== undefined && option.value !== undefined) notes.push(option.choices.join(' or '))
  if (option.type === 'number') notes.push(`${option.min} to ${option.max}`)
  const otherwise = option.otherwise ?? option.default
  if (otherwise !== undefined) notes.push(`default: ${otherwise}`)
  return notes.length === 0 ? option.help : `${option.help} (${notes.join(', ')})`
}

/** Commander's message in our form: `unknown option '--limt'` with the near name as the hint. */
function toInputError(error: CommanderError, args: readonly string[]): YoreError {
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n')
  const suggestion = rest.join(' ').trim().replace(/^\(/, '').replace(/\)$/, '')
  const operation =
    operationSpecs.find((spec) => spec.name === args.slice(0, 2).join(' ')) ??
    operationSpecs.find((spec) => spec.name === args[0])
  const help = operation === undefined ? 'see `yore --help`' : `see \`yore ${operation.name} --help\``
  const example = error.code === 'commander.missingArgument' ? operation?.examples[0] : undefined
  const hint =
    example === undefined
      ? [suggestion.toLowerCase(), help].filter(Boolean).join(' ') + searchedFlag(first, operation)
      : `for example: ${example}${listChoices(operation)}`
  return new YoreError('BAD_USAGE', first, { hint })
}

/** More, such as all settings, are in the help. */
const MOST_CHOICES = 20

/** What the first argument may be, where that is one of some names. */
function listChoices(operation: OperationSpec | undefined): string {
  const choices = Object.values(operation?.arguments ?? {})[0]?.choices
  return choices === undefined || choices.length > MOST_CHOICES ? '' : `; one of ${choices.join(', ')}`
}

/** People look for flags too: then it was a word and no option. */
function searchedFlag(message: string, operation: OperationSpec | undefined): string {
  const flag = /^unknown option '([^']+)'$/.exec(message)?.[1]
  const takesWords = Object.values(operation?.arguments ?? {}).some(({ form }) => form === 'words')
  if (flag === undefined || operation === undefined || !takesWords) return ''
  return `; if it is a word and no option: \`yore ${operation.name} -- "${flag}"\``
}
