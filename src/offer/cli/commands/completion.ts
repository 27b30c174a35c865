// What can be typed next? `yore completion` prints a script for each shell, written from the specs of all commands.
import { type OperationSpec, type ResolvedOption, resolveOptions } from '../../operations/operation.ts'
import { type Command, plainCommand } from '../command.ts'
import { resolvedTerminalOptions } from '../options.ts'
import { out } from '../terminal.ts'

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const

export const command: Command = plainCommand(
  {
    name: 'completion',
    summary: 'Print the completion script of a shell.',
    arguments: { shell: { form: 'choice', required: true, choices: shells, help: 'Which shell.' } },
    options: {},
    examples: [
      'source <(yore completion bash)',
      'source <(yore completion zsh)',
      'yore completion fish > ~/.config/fish/completions/yore.fish',
      'yore completion powershell | Out-String | Invoke-Expression',
    ],
  },
  async ({ shell }, { loadSpecs }) => {
    out(completionScript(shell, await loadSpecs()))
    return 0
  },
)

type Specs = readonly OperationSpec[]

export function completionScript(shell: (typeof shells)[number], specs: Specs): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript }[shell](specs)
}

const outerNames = (specs: Specs): readonly string[] =>
  specs.flatMap(({ name }) => (name.includes(' ') ? [] : [name]))

/** Names of two words, such as `rulebook check`. */
const innerNames = (specs: Specs): readonly string[] =>
  specs.flatMap(({ name }) => (name.includes(' ') ? [name] : []))

function optionsOf(operation: OperationSpec): readonly ResolvedOption[] {
  return [...resolveOptions(operation), ...resolvedTerminalOptions]
}

function powershellScript(specs: Specs): string {
  const words = (list: readonly string[]): string =>
    list.map((word) => `'${word.replaceAll("'", "''")}'`).join(', ')
  const commands = specs.map((operation) => {
    const known = [...optionsOf(operation).map(({ flag }) => flag), '--help', ...choicesOf(operation, specs)]
    return `    '${operation.name}' = @(${words(known)})`
  })
  const values = specs.flatMap((operation) =>
    optionsOf(operation).flatMap(({ flag, choices }) =>
      choices === undefined ? [] : [`    '${operation.name} ${flag}' = @(${words(choices)})`],
    ),
  )
  return `# yore completion for PowerShell: yore completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName yore -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @{
${commands.join('\n')}
  }
  $values = @{
${values.join('\n')}
  }
  $typed = @($commandAst.CommandElements | ForEach-Object { "$_" } | Select-Object -Skip 1)
  if ($wordToComplete -ne '') { $typed = @($typed | Select-Object -SkipLast 1) }
  if ($typed.Count -eq 0) {
    $found = @(${words([...outerNames(specs), 'help', '--help', '--version'])})
  } else {
    $command = $typed[0]
    if ($typed.Count -gt 1 -and $words.ContainsKey("$command $($typed[1])")) { $command = "$command $($typed[1])" }
    $value = "$command $($typed[-1])"
    $found = if ($values.ContainsKey($value)) { $values[$value] } else { $words[$command] }
  }
  $found | Where-Object { $_ -like "$wordToComplete*" } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`
}

function bashScript(specs: Specs): string {
  const names = outerNames(specs)
  const cases = specs.map((operation) => {
    const flags = [...optionsOf(operation).map((option) => option.flag), '--help']
    const words = [...flags, ...choicesOf(operation, specs)]
    return `    ${quote(operation.name)}) words=${quote(words.join(' '))} ;;`
  })
  return `# yore completion for bash: source <(yore completion bash)
_yore() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=
  local command="\${COMP_WORDS[1]}"
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quote([...names, 'help', '--help', '--version'].join(' '))} -- "$current"))
    return
  fi
  if [ "$COMP_CWORD" -gt 2 ]; then
    case "$command \${COMP_WORDS[2]}" in
      ${innerNames(specs).map(quote).join('|')}) command="$command \${COMP_WORDS[2]}" ;;
    esac
  fi
  case "$command $previous" in
${bashValues(specs).join('\n')}
  esac
  case "$command" in
${cases.join('\n')}
    help) words=${quote(names.join(' '))} ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _yore yore
`
}

function bashValues(specs: Specs): string[] {
  return specs.flatMap((operation) =>
    optionsOf(operation).flatMap((option) => {
      if (option.type === 'switch') return []
      const { choices } = option
      const reply =
        choices === undefined ? '' : `COMPREPLY=($(compgen -W ${quote(choices.join(' '))} -- "$current")); `
      return [`    ${quote(`${operation.name} ${option.flag}`)}) ${reply}return ;;`]
    }),
  )
}

/** zsh reads the script for bash. */
function zshScript(specs: Specs): string {
  return `autoload -U +X compinit bashcompinit && compinit && bashcompinit\n${bashScript(specs)}`
}

function fishScript(specs: Specs): string {
  const lines = [
    '# yore completion for fish: yore completion fish > ~/.config/fish/completions/yore.fish',
    'complete -c yore -f',
  ]
  for (const operation of specs) {
    const [first = '', second] = operation.name.split(' ')
    const place = second === undefined ? '__fish_use_subcommand' : fishQuote(fishWithin(first, specs))
    lines.push(`complete -c yore -n ${place} -a ${second ?? first} -d ${fishQuote(operation.summary)}`)
    const within = `complete -c yore -n ${fishQuote(fishWithin(operation.name, specs))}`
    for (const option of optionsOf(operation)) {
      lines.push(`${within} -l ${option.flag.slice(2)}${fishValue(option)} -d ${fishQuote(option.help)}`)
    }
    for (const choice of argumentChoices(operation)) lines.push(`${within} -a ${choice}`)
    if (Object.values(operation.arguments).some(({ form }) => form === 'paths' || form === 'file'))
      lines.push(`${within} -F`)
  }
  return `${lines.join('\n')}\n`
}

/** True where this command, and none of its subcommands, was typed. */
function fishWithin(name: string, specs: Specs): string {
  const [first = '', second] = name.split(' ')
  const seen = `__fish_seen_subcommand_from ${first}`
  if (second !== undefined) return `${seen}; and __fish_seen_subcommand_from ${second}`
  const below = namesBelow(first, specs)
  return below.length === 0 ? seen : `${seen}; and not __fish_seen_subcommand_from ${below.join(' ')}`
}

function fishValue(option: ResolvedOption): string {
  if (option.type === 'switch') return ''
  if (option.choices !== undefined) return ` -x -a ${fishQuote(option.choices.join(' '))}`
  if (option.type === 'folder') return " -x -a '(__fish_complete_directories)'"
  return option.type === 'file' ? ' -r -F' : ' -x'
}

function choicesOf(operation: OperationSpec, specs: Specs): readonly string[] {
  return [...namesBelow(operation.name, specs), ...argumentChoices(operation)]
}

function argumentChoices(operation: OperationSpec): readonly string[] {
  return Object.values(operation.arguments).flatMap((argument) => argument.choices ?? [])
}

/** The second words of the subcommands of a command. */
function namesBelow(name: string, specs: Specs): readonly string[] {
  return innerNames(specs).flatMap((other) =>
    other.startsWith(`${name} `) ? [other.slice(name.length + 1)] : [],
  )
}

/** A single-quoted word of a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function fishQuote(text: string): string {
  return `'${text.replaceAll(/[\\']/g, (character) => `\\${character}`)}'`
}
