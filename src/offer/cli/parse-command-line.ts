// What does this command line ask for? Commander, built from the specs of the commands, finds out.
import { Argument, Command as CommanderCommand, CommanderError, Option } from 'commander'
import { nearestName } from '../../model/config/nearest-name.ts'
import { locateDocs, YoreError } from '../../model/errors.ts'
import { product, yoreVersion } from '../../model/version.ts'
import {
  argumentUsage,
  type OperationSpec,
  optionUsage,
  type ResolvedOption,
  resolveOptions,
} from '../operations/operation.ts'
import type { Command, CommandRequest, CommandSpec } from './command.ts'
import { commandList, loadCommands, removedCommands, specsOf } from './commands.ts'
import { wrapText } from './format.ts'
import { exitStatuses, resolvedTerminalOptions } from './options.ts'

type Parsed = Omit<CommandRequest, 'isBare'>

/** The request, or null when help or the version was printed instead. Throws BAD_USAGE. */
export async function parseCommandLine(typed: readonly string[]): Promise<CommandRequest | null> {
  const ordered = moveRoot(typed)
  const args = asUsual(ordered)
  let request: CommandRequest | null = null
  const onRequest = (found: Parsed): void => {
    request = { ...found, isBare: args !== ordered }
  }
  // One command is quicker to load and build than all of them.
  const commands = await loadCommands(args[0])
  const [first, second] = commands
  const alone = first && !second && buildCommand(first, onRequest, `${product.name} ${first.spec.name}`)
  try {
    if (alone) alone.parse(args.slice(1), { from: 'user' })
    else buildProgram(commands, onRequest).parse([...args], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return null
    throw toInputError(error, args, specsOf(commands))
  }
  return request
}

/** `yore -C folder status` is `yore status -C folder`, as with git. */
function moveRoot(typed: readonly string[]): readonly string[] {
  const [flag, folder, command, ...rest] = typed
  if (flag !== '-C' || folder === undefined || command === undefined) return typed
  return [command, flag, folder, ...rest]
}

/** `help search` asks for help; a quoted question, or a word that is near no command, asks for its digest. */
function asUsual(typed: readonly string[]): readonly string[] {
  const [first = '', second = ''] = typed
  const flags = typed.filter((word) => word.startsWith('--')).map((flag) => `${first} ${flag}`)
  const removed = [`${first} ${second}`, ...flags, first].find((name) => Object.hasOwn(removedCommands, name))
  if (removed !== undefined)
    throw new YoreError('BAD_USAGE', `\`yore ${removed}\` was removed`, {
      hint: removedCommands[removed] as string,
    })
  if (first === 'help') return asHelpFlag(typed.slice(1).filter((word) => !word.startsWith('-')))
  const names = Object.keys(commandList)
  // Flags may come before the question.
  const hasQuestion = typed.some((word) => /\s/.test(word)) && !typed.some((word) => names.includes(word))
  const isCommand = first === '' || (first.startsWith('-') && !hasQuestion) || names.includes(first)
  const isAsked = hasQuestion || /\s/.test(first) || nearestName(first, names) === null
  return isAsked && !isCommand ? ['assemble', ...typed] : typed
}

/** `help search` asks for the same as `search --help`. */
function asHelpFlag([name = 'help']: readonly string[]): readonly string[] {
  if (name === 'help') return ['--help']
  if (Object.hasOwn(commandList, name)) return [name, '--help']
  const near = nearestName(name, Object.keys(commandList))
  throw new YoreError('BAD_USAGE', `unknown command '${name}'`, {
    hint: `${near === null ? '' : `did you mean ${near}? `}see \`yore --help\``,
  })
}

/** The program with these commands; `onRequest` gets what the command line asked for. */
function buildProgram(commands: readonly Command[], onRequest: (request: Parsed) => void): CommanderCommand {
  const program = new CommanderCommand(product.name)
    .description(
      'A context engine: finds what a question needs and writes one digest that fits a token budget.\n\nAsk a question: yore "How do I deploy a new service?"',
    )
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeErr: () => {}, outputError: () => {} })
    .option('-V, --version', 'Print the version.')
    .helpOption('-h, --help', 'Print this help.')
    .commandsGroup('Service:')
    .helpCommand('help [command]', 'Print the help of a command.')
    .addHelpText('after', `\n${wrapText(exitStatuses, 80).join('\n')}`)
  program.on('option:version', () => {
    process.stdout.write(`${yoreVersion}\n`)
    throw new CommanderError(0, 'commander.version', 'version')
  })
  for (const command of commands)
    program.addCommand(
      buildCommand(command, onRequest).helpGroup(`${commandList[command.spec.name]?.group}:`),
    )
  return program
}

function buildCommand(
  command: Command,
  onRequest: (request: Parsed) => void,
  name: string = command.spec.name,
): CommanderCommand {
  const { spec } = command
  const built = new CommanderCommand(name)
    .summary(spec.summary)
    .description(locateDocs([spec.summary, ...(spec.details ?? [])].join('\n\n')))
    .helpOption('-h, --help', 'Print this help.')
    .exitOverride()
    .configureOutput({ writeErr: () => {}, outputError: () => {} })
    .addHelpText('after', `\nExamples:\n${spec.examples.map((example) => `  ${example}`).join('\n')}`)
  for (const [name, argument] of Object.entries(spec.arguments)) {
    const choices = argument.choices === undefined ? '' : ` (${argument.choices.join(', ')})`
    built.addArgument(new Argument(argumentUsage(name, argument), argument.help + choices))
  }
  for (const option of resolveOptions(spec)) {
    const made = new Option(optionUsage(option), describe(option))
    if (option.type === 'list')
      made.argParser((text: string, before: readonly string[] = []) => [...before, text])
    built.addOption(made)
  }
  built.optionsGroup('Every command:')
  for (const option of resolvedTerminalOptions)
    built.addOption(new Option(optionUsage(option), describe(option)))
  return built.action(() => {
    const names = Object.keys(spec.arguments)
    const given = Object.fromEntries(names.map((name, at) => [name, built.processedArgs[at]]))
    const { quiet, verbose, color, ...options } = built.opts()
    if (color !== undefined && !['auto', 'always', 'never'].includes(color))
      throw new YoreError('BAD_USAGE', `--color must be auto, always or never, not ${JSON.stringify(color)}`)
    onRequest({ command, given: { ...given, ...options }, terminal: { quiet, verbose, color } })
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

/** Commander's message as a YoreError, with the nearest name as the hint. */
function toInputError(error: CommanderError, args: readonly string[], specs: readonly CommandSpec[]) {
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n')
  const operation = specs.find((spec) => spec.name === args[0])
  const flag = /^unknown option '([^']+)'$/.exec(first)?.[1]
  const about = operation && flag && optionAbout(flag, operation)
  const suggestion = about ? `did you mean ${about}?` : rest.join(' ').replaceAll(/^\s*\(|\)\s*$/g, '')
  const help = operation === undefined ? 'see `yore --help`' : `see \`yore ${operation.name} --help\``
  const example = error.code === 'commander.missingArgument' ? operation?.examples[0] : undefined
  const hint =
    example === undefined
      ? [suggestion.toLowerCase(), help].filter(Boolean).join(' ') + searchedFlag(flag, operation)
      : `for example: ${example}${listChoices(operation)}`
  return new YoreError('BAD_USAGE', first, { hint })
}

/** The first option with this word in its name, or else in its help: `--budget` means `--max-tokens`. */
function optionAbout(unknown: string, operation: OperationSpec): string | undefined {
  const word = /^--([a-z]{4,})$/.exec(unknown)?.[1]
  if (word === undefined) return undefined
  const has = (text: string): boolean => new RegExp(`\\b${word}\\b`, 'i').test(text)
  const options = resolveOptions(operation)
  return (options.find(({ flag }) => has(flag)) ?? options.find(({ help }) => has(help)))?.flag
}

function listChoices(operation: OperationSpec | undefined): string {
  const choices = Object.values(operation?.arguments ?? {})[0]?.choices
  return choices === undefined ? '' : `; one of ${choices.join(', ')}`
}

/** A hint for searching a word that looks like an option. */
function searchedFlag(flag: string | undefined, operation: OperationSpec | undefined): string {
  const takesWords = Object.values(operation?.arguments ?? {}).some(({ form }) => form === 'words')
  if (flag === undefined || operation === undefined || !takesWords) return ''
  return `; if it is a word and no option: \`yore ${operation.name} -- "${flag}"\``
}
