// Where does each coding agent keep its servers and its skills? One table, for a project and for a user.
import path from 'node:path'
import type { AgentClient } from '../agent-operations.ts'

/** The machine that is set up; all paths absolute. */
interface SetupPlace {
  /** Folder of the project. */
  readonly root: string
  readonly home: string
  readonly platform: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface ClientFiles {
  /** Below this folder everything is written. */
  readonly base: string
  readonly config: string
  readonly form: 'json' | 'toml'
  /** Name of the object that holds the servers. */
  readonly servers: string
  /** Some clients want to know how they talk to a server. */
  readonly typed: boolean
  /** How the client writes the folder that it has open; null when it starts servers there anyway. */
  readonly workspace: string | null
  /** The skill, or the rule. */
  readonly guide: string
  readonly guideForm: 'skill' | 'rule'
}

interface Where {
  readonly config: string
  readonly guide: string
}

interface ClientSpec extends Pick<ClientFiles, 'form' | 'servers' | 'typed' | 'workspace'> {
  readonly project: Where
  readonly user: Where | ((place: SetupPlace) => Where)
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: the clients replace it
const openFolder = '${workspaceFolder}'

const skill = (folder: string): string => `${folder}/skills/yore/SKILL.md`

const specs: Readonly<Record<AgentClient, ClientSpec>> = {
  'claude-code': {
    form: 'json',
    servers: 'mcpServers',
    typed: true,
    workspace: null,
    project: { config: '.mcp.json', guide: skill('.claude') },
    user: { config: '.claude.json', guide: skill('.claude') },
  },
  cursor: {
    form: 'json',
    servers: 'mcpServers',
    typed: true,
    workspace: openFolder,
    project: { config: '.cursor/mcp.json', guide: '.cursor/rules/yore.mdc' },
    user: { config: '.cursor/mcp.json', guide: skill('.cursor') },
  },
  vscode: {
    form: 'json',
    servers: 'servers',
    typed: true,
    workspace: openFolder,
    project: { config: '.vscode/mcp.json', guide: skill('.github') },
    user: (place) => ({ config: path.join(vscodeFolder(place), 'mcp.json'), guide: skill('.copilot') }),
  },
  codex: {
    form: 'toml',
    servers: 'mcp_servers',
    typed: false,
    workspace: null,
    project: { config: '.codex/config.toml', guide: skill('.agents') },
    user: ({ home, env }) => ({
      config: path.join(env['CODEX_HOME'] ?? path.join(home, '.codex'), 'config.toml'),
      guide: skill('.agents'),
    }),
  },
  gemini: {
    form: 'json',
    servers: 'mcpServers',
    typed: false,
    workspace: null,
    project: { config: '.gemini/settings.json', guide: skill('.gemini') },
    user: { config: '.gemini/settings.json', guide: skill('.gemini') },
  },
}

function vscodeFolder({ home, platform, env }: SetupPlace): string {
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'Code', 'User')
  if (platform === 'win32')
    return path.join(env['APPDATA'] ?? path.join(home, 'AppData/Roaming'), 'Code', 'User')
  return path.join(env['XDG_CONFIG_HOME'] ?? path.join(home, '.config'), 'Code', 'User')
}

/** The files of a client, absolute. */
export function clientFiles(client: AgentClient, scope: 'project' | 'user', place: SetupPlace): ClientFiles {
  const spec = specs[client]
  const base = scope === 'project' ? place.root : place.home
  const where =
    scope === 'project' ? spec.project : typeof spec.user === 'function' ? spec.user(place) : spec.user
  const { form, servers, typed, workspace } = spec
  const guide = path.resolve(base, where.guide)
  const guideForm = guide.endsWith('.mdc') ? 'rule' : 'skill'
  return { base, config: path.resolve(base, where.config), form, servers, typed, workspace, guide, guideForm }
}
