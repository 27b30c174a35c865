// Is every coding agent set up with files that it reads, and set back without a trace? Real runs in a temporary home.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { yoreVersion } from '../src/model/version.ts'
import { git } from './support/test-tree.ts'
import { makeFolder, removeFolder } from './temporary-corpus.ts'

const main = path.join(import.meta.dirname, '../src/offer/cli/main.ts')
const launcher = path.join(import.meta.dirname, '../bin/yore.js')

/** A folder of PATH with a program of this name. */
const programs = makeFolder()
writeFileSync(path.join(programs, 'yore'), '', { mode: 0o755 })

let home: string
let project: string
beforeEach(() => {
  home = makeFolder()
  project = path.join(home, 'project')
  mkdirSync(path.join(project, '.git'), { recursive: true })
})
afterEach(() => removeFolder(home))

const ownHome = (): NodeJS.ProcessEnv => ({
  PATH: `${programs}${path.delimiter}${process.env['PATH']}`,
  HOME: home,
  NODE_NO_WARNINGS: '1',
})

function setup(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'setup', ...args], {
    cwd: project,
    encoding: 'utf8',
    env: ownHome(),
  })
  return { status, stdout, stderr }
}

/** Every file below a folder, but those of git. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.includes('.git/') && statSync(path.join(folder, name)).isFile())
    .sort()
}

const read = (...parts: string[]): string => readFileSync(path.join(...parts), 'utf8')

// biome-ignore lint/suspicious/noTemplateCurlyInString: the clients replace it
const openFolder = '${workspaceFolder}'
const direct = { command: 'yore', args: ['mcp'] }
const inFolder = { command: 'yore', args: ['mcp', '--root', openFolder] }

const clients = [
  {
    client: 'claude-code',
    project: ['.claude/settings.json', '.claude/skills/yore/SKILL.md', '.mcp.json', 'CLAUDE.md'],
    user: ['.claude.json', '.claude/settings.json', '.claude/skills/yore/SKILL.md'],
    holds: { mcpServers: { yore: { type: 'stdio', ...direct } } },
  },
  {
    client: 'cursor',
    project: ['.cursor/mcp.json', '.cursor/rules/yore.mdc', 'AGENTS.md'],
    user: ['.cursor/mcp.json', '.cursor/skills/yore/SKILL.md'],
    holds: { mcpServers: { yore: { type: 'stdio', ...inFolder } } },
  },
  {
    client: 'vscode',
    project: ['.github/skills/yore/SKILL.md', '.vscode/mcp.json', 'AGENTS.md'],
    user: ['.config/Code/User/mcp.json', '.copilot/skills/yore/SKILL.md'],
    holds: { servers: { yore: { type: 'stdio', ...inFolder } } },
  },
  {
    client: 'codex',
    project: ['.agents/skills/yore/SKILL.md', '.codex/config.toml', 'AGENTS.md'],
    user: ['.agents/skills/yore/SKILL.md', '.codex/config.toml'],
    holds: null,
  },
  {
    client: 'gemini',
    project: ['.gemini/settings.json', '.gemini/skills/yore/SKILL.md', 'GEMINI.md'],
    user: ['.gemini/settings.json', '.gemini/skills/yore/SKILL.md'],
    holds: { mcpServers: { yore: direct } },
  },
  {
    client: 'opencode',
    project: ['.opencode/skills/yore/SKILL.md', 'AGENTS.md', 'opencode.json'],
    user: ['.config/opencode/opencode.json', '.config/opencode/skills/yore/SKILL.md'],
    holds: { mcp: { yore: { type: 'local', command: [direct.command, ...direct.args] } } },
  },
] as const

describe.each(clients)('$client', ({ client, holds, ...files }) => {
  it.each(['project', 'user'] as const)('is set up for a %s and set back without a trace', (scope) => {
    const folder = scope === 'project' ? project : home
    const shown = setup(client, '--scope', scope)
    for (const file of files[scope]) expect(shown.stdout).toContain(`create ${path.join(folder, file)}`)
    expect(shown.status).toBe(1)
    expect(shown.stderr).toContain('nothing was written: use --yes without a terminal')
    expect(filesIn(home)).toEqual([])

    expect(setup(client, '--scope', scope, '--yes').status).toBe(0)
    expect(filesIn(folder)).toEqual([...files[scope]])
    const config = files[scope].find(
      (file) => /\.(?:json|toml)$/.test(file) && !/claude\/settings/.test(file),
    )!
    const written = read(folder, config)
    const [program, ...first] = scope === 'project' ? ['yore'] : [process.execPath, launcher]
    // For all projects the entry names this installation; a project's may be committed.
    const expected = JSON.stringify(holds).replace(
      '"command":["yore",',
      `"command":${JSON.stringify([program, ...first]).slice(0, -1)},`,
    )
    const machine = expected.replace(
      '"command":"yore","args":[',
      `"command":${JSON.stringify(program)},"args":[${first.map((word) => `${JSON.stringify(word)},`).join('')}`,
    )
    if (holds !== null) expect(JSON.parse(written)).toEqual(JSON.parse(machine))
    else {
      const args = [...first, 'mcp'].map((word) => JSON.stringify(word)).join(', ')
      expect(written).toContain(
        `[mcp_servers.yore]\ncommand = ${JSON.stringify(program)}\nargs = [${args}]\n`,
      )
    }
    if (scope === 'project')
      for (const file of files.project)
        expect(read(project, file)).not.toContain(path.dirname(process.execPath))
    const guideFile = files[scope].find((file) => /yore.*\.mdc?$/.test(file))
    if (guideFile !== undefined) {
      const guide = read(folder, guideFile)
      const front = parse(/^---\n([\s\S]*?)\n---\n/.exec(guide)?.[1] ?? '') as Record<string, string>
      expect(front['description']).toContain('documents and code with yore')
      // The agent may not have yore on its path: the guide names the program that the server is started with.
      expect(guide).toContain(`run \`${[program, ...first].join(' ')} index\``)
      if (!guideFile.endsWith('.mdc')) expect(front['name']).toBe('yore')
    }

    expect(setup(client, '--scope', scope, '--yes').stderr).toContain('set up already')
    expect(setup(client, '--scope', scope, '--undo', '--yes').status).toBe(0)
    expect(readdirSync(project)).toEqual(['.git'])
    expect(readdirSync(home).filter((name) => !['project', '.config', '.local'].includes(name))).toEqual([])
    expect(setup(client, '--scope', scope, '--undo').stderr).toContain('nothing to undo')
  })
})

describe('what was there before', () => {
  it('stays, in its order and form, and comes back byte for byte', () => {
    const json = `${JSON.stringify({ theme: 'dark', mcpServers: { other: { command: 'x' } }, last: [1] }, null, 4)}\n`
    const toml = 'model = "o3"\n\n[mcp_servers.other]\ncommand = "x"\n'
    mkdirSync(path.join(home, '.gemini'))
    mkdirSync(path.join(home, '.codex'))
    writeFileSync(path.join(home, '.gemini/settings.json'), json)
    writeFileSync(path.join(home, '.codex/config.toml'), toml)
    for (const client of ['gemini', 'codex']) setup(client, '--scope', 'user', '--yes')
    const changed = JSON.parse(read(home, '.gemini/settings.json'))
    expect(Object.keys(changed)).toEqual(['theme', 'mcpServers', 'last'])
    expect(Object.keys(changed.mcpServers)).toEqual(['yore', 'other'])
    expect(read(home, '.codex/config.toml').startsWith(toml)).toBe(true)
    for (const client of ['gemini', 'codex']) setup(client, '--scope', 'user', '--undo', '--yes')
    expect(read(home, '.gemini/settings.json')).toBe(json)
    expect(read(home, '.codex/config.toml')).toBe(toml)
  })

  it.each([
    ['gemini', '.gemini/settings.json', '{"theme":"dark","mcpServers":{"other":{"command":"x"}}}'],
    ['gemini', '.gemini/settings.json', '{"theme":"dark"}'],
    [
      'vscode',
      '.vscode/mcp.json',
      '{\n  // mine\n  "servers": {\n    "a": { "url": "http://x" }, // a\n  },\n}\n',
    ],
    ['vscode', '.vscode/mcp.json', '{ // mine\n}'],
    ['vscode', '.vscode/mcp.json', ''],
    ['gemini', '.gemini/settings.json', '\n'],
    ['cursor', '.cursor/mcp.json', '\ufeff{\r\n  "mcpServers": {}\r\n}\r\n'],
    ['codex', '.codex/config.toml', 'model = "o3"\r\n\r\n[mcp_servers.other]\r\ncommand = "x"\r\n'],
    ['codex', '.codex/config.toml', 'model = "o3"'],
  ])('comes back byte for byte: %s, %s, %j', (client, file, text) => {
    mkdirSync(path.dirname(path.join(project, file)))
    writeFileSync(path.join(project, file), text)
    expect(setup(client, '--yes')).toMatchObject({ status: 0 })
    const changed = read(project, file)
    expect(changed).toMatch(/"yore"/)
    if (text.includes('\r\n')) expect(changed.replaceAll('\r\n', '')).not.toContain('\n')
    expect(setup(client, '--yes').stderr).toContain('set up already')
    expect(setup(client, '--undo', '--yes').stderr).toContain('removed what setup wrote')
    expect(read(project, file)).toBe(text)
  })

  it.each([
    ['gemini', '.gemini/settings.json', '{"theme":"dark","mcpServers":{"yore":{"command":"mine"}}}'],
    ['codex', '.codex/config.toml', '[mcp_servers.yore]\ncommand = "mine"\n'],
    ['codex', '.codex/config.toml', '[mcp_servers."yore".env]\nA = "b"\n'],
    ['codex', '.codex/config.toml', '[mcp_servers]\nyore = { command = "mine" }\n'],
    ['codex', '.codex/config.toml', '[mcp_servers]\nyore.command = "mine"\n'],
    ['codex', '.codex/config.toml', 'mcp_servers.yore.command = "mine"\n'],
    ['codex', '.codex/config.toml', 'mcp_servers = { yore = { command = "mine" } }\n'],
    ['codex', '.codex/config.toml', 'mcp_servers = { other = { command = "x" } }\n'],
  ])('is not replaced by an entry of the same name: %s', (client, file, text) => {
    mkdirSync(path.dirname(path.join(project, file)))
    writeFileSync(path.join(project, file), text)
    expect(setup(client, '--yes')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('that setup did not write'),
    })
    setup(client, '--undo', '--yes')
    expect(filesIn(project)).toEqual([file])
    expect(read(project, file)).toBe(text)
  })

  it('is never guessed at: what is not JSON gets the words to add or remove by hand', () => {
    mkdirSync(path.join(project, '.vscode'))
    writeFileSync(path.join(project, '.vscode/mcp.json'), '{ "servers": ')
    expect(setup('vscode', '--yes')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`add {"servers":{"yore":{"type":"stdio","command":`),
    })
    const { status, stderr } = setup('vscode', '--undo', '--yes')
    expect([status, stderr]).toEqual([1, expect.stringContaining('remove the entry "yore" from "servers"')])
    expect(existsSync(path.join(project, '.github'))).toBe(false)
  })

  it('keeps a skill that somebody else wrote', () => {
    mkdirSync(path.join(project, '.claude/skills/yore'), { recursive: true })
    writeFileSync(path.join(project, '.claude/skills/yore/SKILL.md'), 'mine\n')
    expect(setup('claude-code', '--yes').stderr).toContain('was not written by yore')
    setup('claude-code', '--undo', '--yes')
    expect(read(project, '.claude/skills/yore/SKILL.md')).toBe('mine\n')
  })
})

it('says in four lines what was written with --yes, and how to try it', () => {
  const { stdout, stderr } = setup('claude-code', '--yes')
  expect(stdout.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^claude-code {2}\.mcp\.json +MCP server$/),
    expect.stringMatching(/^claude-code {2}\.claude\/skills\/yore\/SKILL\.md {2}when to use it$/),
    expect.stringMatching(/^claude-code {2}CLAUDE\.md +three lines for every session$/),
    expect.stringMatching(/^claude-code {2}\.claude\/settings\.json +hooks for sessions and searches$/),
  ])
  expect(stderr).toMatch(
    /restart claude-code and ask .* the first question builds it\); --undo takes it back/,
  )
  expect(stderr).not.toContain('git ignores')
  setup('claude-code', '--undo', '--yes')
  removeFolder(path.join(project, '.git'))
  git(project, ['init', '-q'])
  writeFileSync(path.join(project, '.gitignore'), '.claude\n')
  expect(setup('claude-code', '--yes').stderr).toContain(
    'git ignores .claude/skills/yore/SKILL.md, .claude/settings.json: other clones do not get them',
  )
})

it('does not follow a link out of the project', () => {
  const target = path.join(home, 'target.json')
  writeFileSync(target, '{}')
  symlinkSync(target, path.join(project, '.mcp.json'))
  expect(setup('claude-code', '--yes')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('by a link'),
  })
  expect(readFileSync(target, 'utf8')).toBe('{}')
})

/** Puts a package yore of this version into node_modules. */
function installInProject(version: string): void {
  removeFolder(path.join(project, '.git'))
  git(project, ['init', '-q'])
  mkdirSync(path.join(project, 'node_modules/yore'), { recursive: true })
  writeFileSync(path.join(project, 'node_modules/yore/package.json'), JSON.stringify({ version }))
}

it("starts the project's own yore where it has one, without a path of this machine", () => {
  installInProject(yoreVersion)
  setup('claude-code', '--yes')
  const { mcpServers } = JSON.parse(read(project, '.mcp.json'))
  expect(mcpServers.yore).toEqual({ type: 'stdio', command: 'npx', args: ['--no', 'yore', 'mcp'] })
  expect(read(project, '.claude/skills/yore/SKILL.md')).toContain('run `npx --no yore index`')
  // npx takes longer to start than a search may wait.
  expect(read(project, '.claude/settings.json')).toContain(
    String.raw`node \"$CLAUDE_PROJECT_DIR/node_modules/yore/bin/yore.js\" hook before-search`,
  )
})

it.each([
  ['is committed', yoreVersion, ['node_modules/yore/package.json']],
  ['has a committed launcher', yoreVersion, ['node_modules/.bin/yore']],
  ['has another version', '0.0.1', []],
  ['is in no checkout', yoreVersion, null],
])('never starts a yore of the repository that %s', (_, version, committed) => {
  installInProject(version)
  mkdirSync(path.join(project, 'node_modules/.bin'))
  writeFileSync(path.join(project, 'node_modules/.bin/yore'), '#!/bin/sh\n')
  for (const file of committed ?? []) git(project, ['add', '-f', file])
  if (committed === null) removeFolder(path.join(project, '.git'))
  expect(setup('claude-code', '--yes', '--root', project).stderr).toContain('node_modules/yore is not used')
  const { mcpServers } = JSON.parse(read(project, '.mcp.json'))
  expect(mcpServers.yore).toEqual({ type: 'stdio', ...direct })
  for (const file of ['.claude/settings.json', '.claude/skills/yore/SKILL.md'])
    expect(read(project, file)).not.toMatch(/node_modules|npx/)
})

/** Runs setup on a terminal; writes the text to the file while the prompt waits, then answers yes. */
function setupWhile(file: string, text: string, ...args: string[]): { status: number | null; shown: string } {
  const onTerminal = `
import os, pty, sys
file, text, *command = sys.argv[1:]
child, terminal = pty.fork()
if child == 0: os.execv(command[0], command)
shown, answered = b'', False
while True:
  try: part = os.read(terminal, 65536)
  except OSError: break
  if not part: break
  shown += part
  if b'[y/N]' in shown and not answered:
    answered = True
    with open(file, 'w') as written: written.write(text)
    os.write(terminal, b'y\\n')
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
`
  const { status, stdout } = spawnSync(
    'python3',
    ['-c', onTerminal, file, text, process.execPath, main, 'setup', ...args],
    { cwd: project, encoding: 'utf8', env: ownHome() },
  )
  return { status, shown: stdout }
}

describe.skipIf(process.platform === 'win32')('a file that changes while the prompt waits', () => {
  it('keeps what was written meanwhile, and no other file is written', () => {
    const file = path.join(project, 'AGENTS.md')
    writeFileSync(file, 'original line\n')
    const { status, shown } = setupWhile(file, 'original line\nnew line\n', 'codex')
    // The terminal of the test is 80 columns wide.
    const said = shown.replaceAll(/\s+/g, ' ')
    expect([status, said]).toEqual([1, expect.stringContaining('AGENTS.md changed since it was shown')])
    expect(read(file)).toBe('original line\nnew line\n')
    expect(filesIn(project)).toEqual(['AGENTS.md'])
  })

  it('is not deleted by --undo', () => {
    setup('codex', '--yes')
    const file = path.join(project, 'AGENTS.md')
    const text = `${read(file)}my line\n`
    expect(setupWhile(file, text, 'codex', '--undo').status).toBe(1)
    expect(read(file)).toBe(text)
    expect(existsSync(path.join(project, '.codex/config.toml'))).toBe(true)
  })

  it('keeps the tokens that Claude Code writes', () => {
    const file = path.join(home, '.claude.json')
    writeFileSync(file, '{"oauth":"old"}')
    expect(setupWhile(file, '{"oauth":"new"}', 'claude-code', '--scope', 'user').status).toBe(1)
    expect(read(file)).toBe('{"oauth":"new"}')
  })

  it('is written where nothing changed', () => {
    const file = path.join(project, 'AGENTS.md')
    writeFileSync(file, 'original line\n')
    const { status, shown } = setupWhile(file, 'original line\n', 'codex')
    expect(status).toBe(0)
    // New files by name, the change of an existing one in full.
    expect(shown).toMatch(/^codex {2}\.codex\/config\.toml +MCP server\r\n/)
    expect(shown).toContain('+ <!-- yore:begin')
    expect(shown).not.toContain('# Ask yore first')
    expect(shown).toContain('Write this for codex (--verbose shows new files)? [y/N]')
    expect(read(file)).toMatch(/^original line\n\n<!-- yore:begin/)
  })
})

it('writes nothing that a search of the corpus would find', () => {
  writeFileSync(path.join(project, 'README.md'), '# Deploy\n\nHow to deploy.\n')
  setup('vscode', '--yes')
  const cli = (...args: string[]): string =>
    spawnSync(process.execPath, [main, ...args], { cwd: project, encoding: 'utf8' }).stdout
  cli('index')
  const { hits } = JSON.parse(cli('search', 'deploy yore documents', '--json')) as {
    hits: { path: string }[]
  }
  expect(new Set(hits.map((hit) => hit.path))).toEqual(new Set(['README.md']))
  expect(cli('status', '--skipped')).toContain('.github/skills/yore/SKILL.md  a guide for agents')
})

describe('hooks of Claude Code', () => {
  const hookOf = (does: string) => ({
    hooks: [{ type: 'command', command: `yore hook ${does}`, timeout: 5 }],
  })
  const ours = {
    SessionStart: [hookOf('session-start')],
    PreToolUse: [{ matcher: 'Grep|Glob|Bash', ...hookOf('before-search') }],
  }

  it.each([
    '',
    '{}',
    '{"model":"x"}\n',
    '{\n    // mine\n    "permissions": { "allow": [] },\n    "hooks": {\n        "Stop": []\n    }\n}\n',
    '{\r\n  "hooks": {}\r\n}',
  ])('come and go beside what is there: %j', (text) => {
    mkdirSync(path.join(project, '.claude'))
    const file = path.join(project, '.claude/settings.json')
    writeFileSync(file, text)
    expect(setup('claude-code', '--yes').status).toBe(0)
    expect(parse(read(file).replace('// mine', ''))).toMatchObject({ hooks: ours })
    expect(setup('claude-code', '--yes').stderr).toContain('set up already')
    setup('claude-code', '--undo', '--yes')
    expect(read(file)).toBe(text)
  })

  it('leave hooks of another hand alone', () => {
    mkdirSync(path.join(project, '.claude'))
    const file = path.join(project, '.claude/settings.json')
    const mine = { hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'mine' }] }] } }
    writeFileSync(file, JSON.stringify(mine))
    expect(setup('claude-code', '--yes').stderr).toContain(
      'has an entry hooks.SessionStart that setup did not write; it is kept',
    )
    expect(JSON.parse(read(file)).hooks).toEqual({ ...mine.hooks, PreToolUse: ours.PreToolUse })
    setup('claude-code', '--undo', '--yes')
    expect(read(file)).toBe(JSON.stringify(mine))
  })
})
