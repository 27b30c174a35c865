// Which commands are there? One line for each, in the order of help; a command is loaded when it runs.
import type { Command, CommandSpec } from './command.ts'

/** Help lists commands by these groups. */
export const groups = ['Ask', 'Explore', 'Check', 'Agents', 'Index', 'Service'] as const

interface CommandEntry {
  readonly group: (typeof groups)[number]
  readonly load: () => Promise<{ readonly command: Command }>
}

export const commandList: Readonly<Record<string, CommandEntry>> = {
  assemble: { group: 'Ask', load: () => import('./commands/assemble.ts') },
  search: { group: 'Ask', load: () => import('./commands/search.ts') },
  demo: { group: 'Ask', load: () => import('./commands/demo.ts') },
  ask: { group: 'Ask', load: () => import('./commands/ask.ts') },
  chat: { group: 'Ask', load: () => import('./commands/chat.ts') },
  read: { group: 'Explore', load: () => import('./commands/read.ts') },
  outline: { group: 'Explore', load: () => import('./commands/outline.ts') },
  uses: { group: 'Explore', load: () => import('./commands/uses.ts') },
  expand: { group: 'Explore', load: () => import('./commands/expand.ts') },
  ui: { group: 'Explore', load: () => import('./commands/ui.ts') },
  links: { group: 'Check', load: () => import('./commands/links.ts') },
  eval: { group: 'Check', load: () => import('./commands/eval.ts') },
  doctor: { group: 'Check', load: () => import('./commands/doctor.ts') },
  setup: { group: 'Agents', load: () => import('./commands/setup.ts') },
  mcp: { group: 'Agents', load: () => import('./commands/mcp.ts') },
  hook: { group: 'Agents', load: () => import('./commands/hook.ts') },
  index: { group: 'Index', load: () => import('./commands/index.ts') },
  status: { group: 'Index', load: () => import('./commands/status.ts') },
  config: { group: 'Index', load: () => import('./commands/config.ts') },
  push: { group: 'Service', load: () => import('./commands/push.ts') },
}

/** Commands and flags of the last release that are gone, each with what to use instead. */
export const removedCommands: Readonly<Record<string, string>> = {
  'config get': '`yore config` prints all settings, with --json for programs',
  'config set': 'edit yore.json, or your own file, which `yore config` names',
  health: '`yore links` reports stale and superseded documents',
  completion: 'delete its line in the startup file of your shell; `yore help COMMAND` lists options',
  'mcp --http':
    'start `yore mcp` for each agent, or share one corpus with yore-server, which serves MCP over HTTP',
  'eval init': 'use `yore eval --propose`',
  'chat list': 'conversations are no longer stored',
  'chat show': 'conversations are no longer stored',
  'chat delete': 'conversations are no longer stored; delete the folder `sessions` next to the index',
  'ask --dry-run': '`yore assemble --depth 0 --layout brief` prints the sections that the model sees first',
  'index --commits': '`git log --stat > history.txt` in a folder that you add gives the same words',
  'push --dry-run': '`yore push` prints what it sent; `--prune` alone removes anything',
  'push --masked': 'upload such a file yourself: `curl -F file=@FILE …/v1/ingest/file`',
  graph: '`yore uses` lists what refers to a document or to code, and what it refers to',
  diff: 'use `yore outline --since COMMIT`',
  rulebook: 'the documentation lists the rules, which no repository changes',
  pull: 'the service answers questions over HTTP and MCP; its API lists and returns documents',
  workspace: 'name the folders under `roots` in yore.json; one index then covers them all',
}

/** The named command; all of them without a name, or for a name that no command has. */
export async function loadCommands(name?: string): Promise<readonly Command[]> {
  const known = name !== undefined && Object.hasOwn(commandList, name)
  const entries = known ? [commandList[name] as CommandEntry] : Object.values(commandList)
  return (await Promise.all(entries.map(({ load }) => load()))).map(({ command }) => command)
}

export const specsOf = (commands: readonly Command[]): readonly CommandSpec[] =>
  commands.map(({ spec }) => spec)

export const loadSpecs = async (): Promise<readonly CommandSpec[]> => specsOf(await loadCommands())
