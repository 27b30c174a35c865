// What does setup write? The entry of the server in JSON or TOML, the hooks, and the skill.
import { readFileSync } from 'node:fs'
import { packageFile } from '../../../model/config/read-formats.ts'
import { YoreError } from '../../../model/errors.ts'
import { product } from '../../../model/version.ts'
import { dropBlock, putBlock } from './edit-block.ts'
import { isObject, type OwnEntry } from './edit-json.ts'
import { type ClientFiles, openFolder } from './setup-clients.ts'

/** The command that starts yore; the first word is a program. */
export type CommandWords = readonly [string, ...string[]]

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

/** The server as a client reads it. */
export function serverEntry({ servers, form }: ClientFiles, [command, ...args]: CommandWords): OwnEntry {
  const plain = { ...(form === 'typed' ? { type: 'stdio' } : {}), command, args }
  const value = form === 'list' ? { type: 'local', command: [command, ...args] } : plain
  return { at: [servers, product.name], value, isOurs: isOwnServer }
}

const ownLauncher = /[\\/]bin[\\/]yore\.js mcp(?: |$)/

/** Setup writes `yore`, `npx --no yore`, the launcher of an installation or the executable, followed by `mcp`. */
function isOwnServer(value: unknown): boolean {
  if (!isObject(value)) return false
  const line = [...list(value['command']), ...list(value['args'] ?? [])].join(' ')
  const plain = line.replace(/^(?:cmd \/c|npx --no) /, '').replace(` --root ${openFolder}`, '')
  return plain === `${product.name} mcp` || plain === `${process.execPath} mcp` || ownLauncher.test(line)
}

/** What Claude Code runs when a session starts, and before it searches. */
export function hookEntries(command: string): readonly OwnEntry[] {
  const entry = (event: string, does: string, matcher: object = {}): OwnEntry => {
    const run = [{ type: 'command', command: `${command} hook ${does}`, timeout: 5 }]
    const ours = new RegExp(
      String.raw`^\[\{(?:"matcher":"[^"]*",)?"hooks":\[\{[^{}]*yore(?:\.js(?:\\")?)? hook ${does}"[^{}]*\}\]\}\]$`,
    )
    const isOurs = (value: unknown): boolean => ours.test(JSON.stringify(value))
    return { at: ['hooks', event], value: [{ ...matcher, hooks: run }], isOurs }
  }
  return [
    entry('SessionStart', 'session-start'),
    entry('PreToolUse', 'before-search', { matcher: 'Grep|Glob|Bash' }),
  ]
}

const tomlMarks = { begin: '# yore setup: begin', rest: '', end: '# yore setup: end' }

/** The TOML text with the table of the server. Throws BAD_INPUT where it would define a key twice, or extend an inline table. */
export function addToToml(text: string | null, servers: string, [command, ...args]: CommandWords): string {
  const others = removeFromToml(text ?? '') ?? ''
  const [outer, own] = [`["']?${servers}["']?`, `["']?yore["']?`]
  const has = (line: string): boolean => new RegExp(`^[ \\t]*${line}`, 'm').test(others)
  const isTaken =
    has(`\\[[ \\t]*${outer}[ \\t]*\\.[ \\t]*${own}[ \\t]*[.\\]]`) ||
    has(`${outer}[ \\t]*[.=]`) ||
    (has(`\\[[ \\t]*${outer}[ \\t]*\\]`) && has(`${own}[ \\t]*[.=]`))
  if (isTaken)
    throw new YoreError('BAD_INPUT', `it has ${servers} that setup did not write and cannot extend`, {
      hint: `write each server as a table [${servers}.NAME], and remove yore from them`,
    })
  const words = args.map((arg) => JSON.stringify(arg)).join(', ')
  const lines = [`[${servers}.yore]`, `command = ${JSON.stringify(command)}`, `args = [${words}]`]
  return putBlock(text, lines, tomlMarks)
}

/** The text without the block; null for a file that was made for it. */
export const removeFromToml = (text: string): string | null => dropBlock(text, tomlMarks)

/** What an agent always reads about yore; a command only where it has no path of this machine. */
export const blockLines = (command: string): readonly string[] => [
  '## Find things in this repository',
  '',
  `For a question about this repository, call the tool \`assemble_context\` of yore with the question and with \`words\` that the answer may use: for "calls hang", \`words: ["timeout", "abort"]\`. Open a file that you know.${/[\\/]/.test(command) ? '' : ` In a shell: \`${command} assemble "calls hang" --words "timeout, abort" --max-tokens 1500 --layout numbered\`.`}`,
]

/** A command as a person types it: `npx --no yore`. A shell takes a backslash for an escape. */
export const commandLine = (words: readonly string[]): string =>
  words.map((word) => (/[^\w@%+=:,./-]/.test(word) ? JSON.stringify(word) : word)).join(' ')

/** The skill, with the command that starts yore; Cursor's rules have another head. */
export function guideText(file: string, command: string): string {
  const skill = readFileSync(packageFile('assets/agent-skill.md'), 'utf8')
  const text = skill.replace(/`yore (?=assemble|index)/g, () => `\`${command} `)
  return file.endsWith('.mdc')
    ? text.replace(/^name: .*\n(description: .*\n)/m, '$1alwaysApply: false\n')
    : text
}
