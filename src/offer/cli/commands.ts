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
  ask: { group: 'Ask', load: () => import('./commands/ask.ts') },
  chat: { group: 'Ask', load: () => import('./commands/chat.ts') },
  read: { group: 'Explore', load: () => import('./commands/read.ts') },
  outline: { group: 'Explore', load: () => import('./commands/outline.ts') },
  uses: { group: 'Explore', load: () => import('./commands/uses.ts') },
  expand: { group: 'Explore', load: () => import('./commands/expand.ts') },
  graph: { group: 'Explore', load: () => import('./commands/graph.ts') },
  diff: { group: 'Explore', load: () => import('./commands/diff.ts') },
  ui: { group: 'Explore', load: () => import('./commands/ui.ts') },
  health: { group: 'Check', load: () => import('./commands/health.ts') },
  links: { group: 'Check', load: () => import('./commands/links.ts') },
  eval: { group: 'Check', load: () => import('./commands/eval.ts') },
  rulebook: { group: 'Check', load: () => import('./commands/rulebook.ts') },
  doctor: { group: 'Check', load: () => import('./commands/doctor.ts') },
  setup: { group: 'Agents', load: () => import('./commands/setup.ts') },
  mcp: { group: 'Agents', load: () => import('./commands/mcp.ts') },
  hook: { group: 'Agents', load: () => import('./commands/hook.ts') },
  index: { group: 'Index', load: () => import('./commands/index.ts') },
  status: { group: 'Index', load: () => import('./commands/status.ts') },
  workspace: { group: 'Index', load: () => import('./commands/workspace.ts') },
  config: { group: 'Index', load: () => import('./commands/config.ts') },
  push: { group: 'Service', load: () => import('./commands/push.ts') },
  pull: { group: 'Service', load: () => import('./commands/pull.ts') },
  completion: { group: 'Service', load: () => import('./commands/completion.ts') },
}

/** The named command; all of them without a name, or for a name that no command has. */
export async function loadCommands(name?: string): Promise<readonly Command[]> {
  const known = name !== undefined && Object.hasOwn(commandList, name)
  const entries = known ? [commandList[name] as CommandEntry] : Object.values(commandList)
  return (await Promise.all(entries.map(({ load }) => load()))).map(({ command }) => command)
}

export function specsOf(commands: readonly Command[]): readonly CommandSpec[] {
  return commands.flatMap(({ spec, subcommands = [] }) => [spec, ...specsOf(subcommands)])
}

export async function loadSpecs(): Promise<readonly CommandSpec[]> {
  return specsOf(await loadCommands())
}
