// Where does each coding agent keep its servers and its skills, and is it installed? One table, for a project and for a user.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { YoreError } from '../../../model/errors.ts'

export const agentClients = [
  'claude-code',
  'cursor',
  'vscode',
  'codex',
  'gemini',
  'opencode',
  'windsurf',
  'zed',
  'cline',
  'continue',
  'junie',
] as const

export type AgentClient = (typeof agentClients)[number]

/** The machine to set up; all paths are absolute. */
export interface SetupPlace {
  /** Folder of the project. */
  readonly root: string
  readonly home: string
  readonly platform: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface ClientFiles {
  /** Everything is written below this folder. */
  readonly base: string
  readonly config: string
  readonly form: 'json' | 'toml'
  /** Name of the object that holds the servers. */
  readonly servers: string
  /** The form of an entry: with or without a transport type, or one list of words. */
  readonly entry: 'plain' | 'typed' | 'list'
  /** The --root of the server: a variable of the client or a path; null if the client starts it in the folder. */
  readonly workspace: string | null
  /** The file of the skill or rule; null for a client without one. */
  readonly guide: string | null
  readonly guideForm: 'skill' | 'rule'
  /** The settings file with the client's hooks; null if yore writes none. */
  readonly hooks: string | null
  /** The file of the project that the client always reads; null if there is none, or for all projects. */
  readonly memory: string | null
}

interface Where {
  readonly config: string
  readonly guide?: string
  readonly hooks?: string
}

interface ClientSpec extends Pick<ClientFiles, 'form' | 'servers' | 'entry' | 'memory'> {
  /** Signs that it is installed: its program, and its own folder in the home folder. */
  readonly program: string | null
  readonly folder: string | ((place: SetupPlace) => string)
  readonly workspace: string | null | 'path'
  readonly project: Where | ((place: SetupPlace) => Where)
  /** Null for a client that cannot start the server in the open project. */
  readonly user: Where | ((place: SetupPlace) => Where) | null
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: the clients replace it
export const openFolder = '${workspaceFolder}'

const skill = (folder: string): string => `${folder}/skills/yore/SKILL.md`

/** The defaults of a client. */
const usual = {
  form: 'json',
  servers: 'mcpServers',
  entry: 'plain',
  workspace: null,
  user: null,
  memory: 'AGENTS.md',
  program: null,
} as const

const specs: Readonly<Record<AgentClient, Partial<ClientSpec> & Pick<ClientSpec, 'project' | 'folder'>>> = {
  'claude-code': {
    program: 'claude',
    folder: '.claude',
    memory: 'CLAUDE.md',
    entry: 'typed',
    project: { config: '.mcp.json', guide: skill('.claude'), hooks: '.claude/settings.json' },
    user: { config: '.claude.json', guide: skill('.claude'), hooks: '.claude/settings.json' },
  },
  cursor: {
    program: 'cursor',
    folder: '.cursor',
    entry: 'typed',
    workspace: openFolder,
    project: { config: '.cursor/mcp.json', guide: '.cursor/rules/yore.mdc' },
    user: { config: '.cursor/mcp.json', guide: skill('.cursor') },
  },
  vscode: {
    program: 'code',
    folder: vscodeFolder,
    servers: 'servers',
    entry: 'typed',
    workspace: openFolder,
    project: { config: '.vscode/mcp.json', guide: skill('.github') },
    user: (place) => ({ config: path.join(vscodeFolder(place), 'mcp.json'), guide: skill('.copilot') }),
  },
  codex: {
    program: 'codex',
    folder: codexFolder,
    form: 'toml',
    servers: 'mcp_servers',
    project: { config: '.codex/config.toml', guide: skill('.agents') },
    user: (place) => ({ config: path.join(codexFolder(place), 'config.toml'), guide: skill('.agents') }),
  },
  gemini: {
    program: 'gemini',
    folder: '.gemini',
    memory: 'GEMINI.md',
    project: { config: '.gemini/settings.json', guide: skill('.gemini') },
    user: { config: '.gemini/settings.json', guide: skill('.gemini') },
  },
  opencode: {
    program: 'opencode',
    folder: (place) => path.join(configFolder(place), 'opencode'),
    servers: 'mcp',
    entry: 'list',
    project: { config: 'opencode.json', guide: skill('.opencode') },
    user: (place) => ({
      config: path.join(configFolder(place), 'opencode', 'opencode.json'),
      guide: skill(path.join(configFolder(place), 'opencode')),
    }),
  },
  windsurf: {
    program: 'windsurf',
    folder: '.codeium/windsurf',
    workspace: 'path',
    project: ({ home }) => ({ config: path.join(home, '.codeium/windsurf/mcp_config.json') }),
  },
  zed: {
    program: 'zed',
    folder: zedFolder,
    servers: 'context_servers',
    project: { config: '.zed/settings.json' },
    user: (place) => ({ config: path.join(zedFolder(place), 'settings.json') }),
  },
  cline: {
    folder: clineFolder,
    workspace: 'path',
    project: (place) => ({
      config: path.join(clineFolder(place), 'settings/cline_mcp_settings.json'),
      guide: '.clinerules/yore.md',
    }),
  },
  continue: {
    folder: '.continue',
    memory: null,
    workspace: 'path',
    project: ({ home }) => ({
      config: path.join(home, '.continue/mcpServers/yore.json'),
      guide: '.continue/rules/yore.md',
    }),
  },
  junie: {
    folder: '.junie',
    workspace: 'path',
    project: ({ home }) => ({ config: path.join(home, '.junie/mcp/mcp.json') }),
  },
}

function clineFolder(place: SetupPlace): string {
  return path.join(vscodeFolder(place), 'globalStorage/saoudrizwan.claude-dev')
}

function codexFolder({ home, env }: SetupPlace): string {
  return env['CODEX_HOME'] ?? path.join(home, '.codex')
}

function vscodeFolder({ home, platform, env }: SetupPlace): string {
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'Code', 'User')
  if (platform === 'win32')
    return path.join(env['APPDATA'] ?? path.join(home, 'AppData/Roaming'), 'Code', 'User')
  return path.join(configFolder({ home, env }), 'Code', 'User')
}

function zedFolder({ home, platform, env }: SetupPlace): string {
  if (platform === 'win32') return path.join(env['APPDATA'] ?? path.join(home, 'AppData/Roaming'), 'Zed')
  return path.join(configFolder({ home, env }), 'zed')
}

function configFolder({ home, env }: Pick<SetupPlace, 'home' | 'env'>): string {
  return env['XDG_CONFIG_HOME'] ?? path.join(home, '.config')
}

/** Is there a program of this name on PATH? */
export function isOnPath(program: string, { platform, env }: SetupPlace): boolean {
  const names = platform === 'win32' ? [`${program}.cmd`, `${program}.exe`] : [program]
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter(path.isAbsolute)
  return folders.some((folder) => names.some((name) => existsSync(path.join(folder, name))))
}

/** The clients that are installed here and have this scope. */
export function detectClients(scope: 'project' | 'user', place: SetupPlace): readonly AgentClient[] {
  return agentClients.filter((client) => {
    const { program, folder, user }: ClientSpec = { ...usual, ...specs[client] }
    if (scope === 'user' && user === null) return false
    const own = typeof folder === 'function' ? folder(place) : path.join(place.home, folder)
    return existsSync(own) || (program !== null && isOnPath(program, place))
  })
}

export function clientFiles(client: AgentClient, scope: 'project' | 'user', place: SetupPlace): ClientFiles {
  const spec: ClientSpec = { ...usual, ...specs[client] }
  const base = scope === 'project' ? place.root : place.home
  const given = spec[scope]
  if (given === null)
    throw new YoreError('BAD_INPUT', `${client} needs the path of a project`, {
      hint: `run \`yore setup ${client}\` in the project`,
    })
  const where = typeof given === 'function' ? given(place) : given
  const absolute = (file: string | undefined): string | null =>
    file === undefined ? null : path.resolve(base, file)
  const { form, servers, entry } = spec
  return {
    base,
    config: path.resolve(base, where.config),
    form,
    servers,
    entry,
    workspace: spec.workspace === 'path' ? place.root : spec.workspace,
    guide: absolute(where.guide),
    guideForm: where.guide?.endsWith('SKILL.md') === true ? 'skill' : 'rule',
    hooks: absolute(where.hooks),
    memory: scope === 'user' || spec.memory === null ? null : path.resolve(base, spec.memory),
  }
}
