// Where does each coding agent keep its servers and its skills, and is it installed? One table, for a project and for a user.
import { existsSync } from 'node:fs'
import path from 'node:path'

export const agentClients = ['claude-code', 'cursor', 'vscode', 'codex', 'gemini', 'opencode'] as const

export type AgentClient = (typeof agentClients)[number]
export type SetupScope = 'project' | 'user'

/** The machine to set up; all paths are absolute. */
export interface SetupPlace {
  /** Folder of the project. */
  readonly root: string
  readonly home: string
  readonly platform: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The files of a client below the project or the home folder. */
interface Where {
  readonly config: string
  /** The skill or rule. */
  readonly guide: string
  /** The settings file with the client's hooks; null if yore writes none. */
  readonly hooks: string | null
}

interface ClientSpec {
  /** Signs that it is installed: its program, or its own folder. */
  readonly program: string
  readonly folder: string
  /** Name of the object that holds the servers. */
  readonly servers: string
  /** The form of an entry: JSON with or without a transport type or as one list of words, or TOML. */
  readonly form: 'plain' | 'typed' | 'list' | 'toml'
  /** The --root of the server, a variable of the client; null if the client starts it in the folder. */
  readonly openFolder: string | null
  /** The file of a project that the client always reads. */
  readonly memory: string
  readonly project: Where
  readonly user: Where
}

/** Absolute paths. */
export interface ClientFiles extends Where, Pick<ClientSpec, 'servers' | 'form' | 'openFolder'> {
  /** Everything is written below this folder. */
  readonly base: string
  /** Null for all projects. */
  readonly memory: string | null
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: the clients replace it
export const openFolder = '${workspaceFolder}'

function listSpecs({ home, platform, env }: SetupPlace): Readonly<Record<AgentClient, ClientSpec>> {
  const config = env['XDG_CONFIG_HOME'] ?? path.join(home, '.config')
  const roaming = env['APPDATA'] ?? path.join(home, 'AppData/Roaming')
  const library = path.join(home, 'Library/Application Support')
  const code = path.join(
    platform === 'darwin' ? library : platform === 'win32' ? roaming : config,
    'Code/User',
  )
  const codex = env['CODEX_HOME'] ?? path.join(home, '.codex')
  const opencode = path.join(config, 'opencode')
  const inHome = (name: string): string => path.join(home, name)
  const where = (file: string, guide: string, hooks: string | null = null): Where => ({
    config: file,
    guide: guide.endsWith('.mdc') ? guide : `${guide}/skills/yore/SKILL.md`,
    hooks,
  })
  const usual = { servers: 'mcpServers', openFolder: null, memory: 'AGENTS.md' }
  return {
    'claude-code': {
      ...usual,
      ...{ program: 'claude', folder: inHome('.claude'), form: 'typed', memory: 'CLAUDE.md' },
      project: where('.mcp.json', '.claude', '.claude/settings.json'),
      user: where('.claude.json', '.claude', '.claude/settings.json'),
    },
    cursor: {
      ...usual,
      ...{ program: 'cursor', folder: inHome('.cursor'), form: 'typed', openFolder },
      project: where('.cursor/mcp.json', '.cursor/rules/yore.mdc'),
      user: where('.cursor/mcp.json', '.cursor'),
    },
    vscode: {
      ...usual,
      ...{ program: 'code', folder: code, form: 'typed', servers: 'servers', openFolder },
      project: where('.vscode/mcp.json', '.github'),
      user: where(path.join(code, 'mcp.json'), '.copilot'),
    },
    codex: {
      ...usual,
      ...{ program: 'codex', folder: codex, form: 'toml', servers: 'mcp_servers' },
      project: where('.codex/config.toml', '.agents'),
      user: where(path.join(codex, 'config.toml'), '.agents'),
    },
    gemini: {
      ...usual,
      ...{ program: 'gemini', folder: inHome('.gemini'), form: 'plain', memory: 'GEMINI.md' },
      project: where('.gemini/settings.json', '.gemini'),
      user: where('.gemini/settings.json', '.gemini'),
    },
    opencode: {
      ...usual,
      ...{ program: 'opencode', folder: opencode, form: 'list', servers: 'mcp' },
      project: where('opencode.json', '.opencode'),
      user: where(path.join(opencode, 'opencode.json'), opencode),
    },
  }
}

/** Is there a program of this name on PATH? A package runner adds folders of its own while it runs. */
export function isOnPath(program: string, { platform, env }: Pick<SetupPlace, 'platform' | 'env'>): boolean {
  const names = platform === 'win32' ? [`${program}.cmd`, `${program}.exe`] : [program]
  const folders = (env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder) && !folder.endsWith(path.join('node_modules', '.bin')))
  return folders.some((folder) => names.some((name) => existsSync(path.join(folder, name))))
}

/** The clients that are installed here. */
export function detectClients(place: SetupPlace): readonly AgentClient[] {
  const specs = listSpecs(place)
  return agentClients.filter((client) => {
    const { program, folder } = specs[client]
    return existsSync(folder) || isOnPath(program, place)
  })
}

export function clientFiles(client: AgentClient, scope: SetupScope, place: SetupPlace): ClientFiles {
  const { [scope]: where, servers, form, memory, ...spec } = listSpecs(place)[client]
  const base = scope === 'project' ? place.root : place.home
  return {
    ...{ base, servers, form, openFolder: spec.openFolder },
    config: path.resolve(base, where.config),
    guide: path.resolve(base, where.guide),
    hooks: where.hooks === null ? null : path.resolve(base, where.hooks),
    memory: scope === 'user' ? null : path.resolve(base, memory),
  }
}
