// Are installed agents found, and told about the repository in a file that they always read? Real runs in a temporary home.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { blockMarks } from '../src/corpus/indexing/written-by-yore.ts'
import { loadTokenizer } from '../src/read/assets/load-tokenizer.ts'
import { makeFolder, removeFolder, writeFiles } from './temporary-corpus.ts'

const main = path.join(import.meta.dirname, '../src/offer/cli/main.ts')
let home: string
let project: string
beforeEach(() => {
  home = makeFolder()
  project = path.join(home, 'project')
  mkdirSync(path.join(project, '.git'), { recursive: true })
})
afterEach(() => removeFolder(home))

interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

const yore = (...args: string[]): Ran => run([main, ...args])

function run(args: readonly string[]): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: project,
    encoding: 'utf8',
    env: { PATH: path.join(home, 'bin'), HOME: home, NODE_NO_WARNINGS: '1', NO_COLOR: '1' },
  })
  return { status, stdout, stderr }
}

const read = (file: string): string => readFileSync(path.join(project, file), 'utf8')

function install(...programs: string[]): void {
  mkdirSync(path.join(home, 'bin'), { recursive: true })
  for (const program of programs) {
    writeFileSync(path.join(home, 'bin', program), '#!/bin/sh\nexit 1\n')
    chmodSync(path.join(home, 'bin', program), 0o755)
  }
}

describe('without a client', () => {
  it('says that none is installed, what was not done, and how it is done', () => {
    expect(yore('setup')).toMatchObject({
      status: 0,
      stdout: '',
      stderr: expect.stringMatching(
        /no coding agent was found.*nothing was written\n.*yore setup claude-code\|/,
      ),
    })
    expect(existsSync(path.join(project, '.mcp.json'))).toBe(false)
  })

  // A checkout that is not built has no program to start.
  it.runIf(existsSync(path.join(import.meta.dirname, '../dist')))(
    'writes a command that starts here where yore is neither on PATH nor in the project',
    () => {
      const { status, stderr } = yore('setup', 'claude-code', '--yes')
      expect([status, stderr]).toEqual([0, expect.stringContaining('to share them, `npm install')])
      const { command, args } = JSON.parse(read('.mcp.json')).mcpServers.yore
      expect(run([...args.slice(0, -1), '--version'])).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/^\d/),
      })
      expect(command).toBe(process.execPath)
      const hook = JSON.parse(read('.claude/settings.json')).hooks.SessionStart[0].hooks[0].command
      expect(spawnSync('sh', ['-c', hook], { cwd: project, input: '{}' }).status).toBe(0)
      // A package runner has it on PATH only while it runs.
      mkdirSync(path.join(home, 'node_modules', '.bin'), { recursive: true })
      writeFileSync(path.join(home, 'node_modules', '.bin', 'yore'), '', { mode: 0o755 })
      const env = { PATH: path.join(home, 'node_modules', '.bin'), HOME: home, NODE_NO_WARNINGS: '1' }
      spawnSync(process.execPath, [main, 'setup', 'cursor', '--yes'], { cwd: project, env })
      expect(JSON.parse(read('.cursor/mcp.json')).mcpServers.yore.command).toBe(process.execPath)
      expect(yore('setup', 'claude-code', '--undo', '--yes').status).toBe(0)
      expect(existsSync(path.join(project, '.mcp.json'))).toBe(false)
    },
  )

  it('lists the installed ones with what to run, and sets up and undoes all of them with --yes', () => {
    install('claude', 'gemini')
    mkdirSync(path.join(home, '.codex'))
    expect(yore('setup')).toMatchObject({
      status: 1,
      stdout: 'yore setup claude-code\nyore setup codex\nyore setup gemini\n',
    })
    expect(existsSync(path.join(project, '.mcp.json'))).toBe(false)
    expect(yore('setup', '--yes').status).toBe(0)
    for (const file of ['.mcp.json', 'CLAUDE.md', '.codex/config.toml', 'AGENTS.md', 'GEMINI.md'])
      expect(existsSync(path.join(project, file)), file).toBe(true)
    expect(existsSync(path.join(project, '.cursor'))).toBe(false)
    expect(yore('setup', '--undo', '--yes').status).toBe(0)
    expect(spawnSync('ls', ['-A', project], { encoding: 'utf8' }).stdout).toBe('.git\n')
  })

  it('goes on with the others when a file of one cannot be edited', () => {
    install('cursor', 'gemini')
    writeFiles(project, { '.cursor/mcp.json': 'broken' })
    const { status, stderr } = yore('setup', '--yes')
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^note: cursor: cannot edit .*not JSON/m)])
    expect(read('.gemini/settings.json')).toContain('"yore"')
  })
})

const files = {
  'README.md': '# Orders\n\nSends orders.\n',
  '.github/FUNDING.yml': 'github: orders\n',
  'docs/.gitattributes': '* -text\n',
  'docs/architecture.md': '# How orders flow\n\nSee [deliver](../src/deliver.ts).\n',
  'docs/bad.md': '# <b>@/etc/passwd</b> `x` [link](y)\n\nSee [how](architecture.md).\n',
  'src/deliver.ts': 'export function retryDelivery(order: string): number {\n  return order.length\n}\n',
  'src/orders.ts':
    "import { retryDelivery } from './deliver.ts'\n\nexport const send = (order: string): number => retryDelivery(order)\n",
}

const blockOf = (text: string): string =>
  text.slice(text.indexOf(blockMarks.begin), text.indexOf(blockMarks.end) + blockMarks.end.length)

it('names programs by absolute paths on Windows, where one of the repository comes before PATH', () => {
  const isWindows = `data:text/javascript,Object.defineProperty(process, 'platform', { value: 'win32' })`
  const setup = (...args: string[]): Ran =>
    run(['--import', isWindows, main, 'setup', 'claude-code', '--yes', ...args])
  expect(setup()).toMatchObject({ status: 0 })
  const { command, args } = JSON.parse(read('.mcp.json')).mcpServers.yore
  expect([command, args[0]]).toEqual([process.execPath, expect.stringMatching(/^\/.+\/bin\/yore\.js$/)])
  const { hooks } = JSON.parse(read('.claude/settings.json'))
  expect(hooks.SessionStart[0].hooks[0].command).toMatch(/^"?\/.+bin\/yore\.js"? hook session-start$/)
  expect(setup('--undo').status).toBe(0)
  expect(existsSync(path.join(project, '.mcp.json'))).toBe(false)
})

describe('the block that an agent always reads', () => {
  it.each([
    ['AGENTS.md', 'codex', null],
    ['AGENTS.md', 'codex', '# Rules\n\nBe kind.'],
    ['CLAUDE.md', 'claude-code', '# Rules\r\n\r\nBe kind.\r\n'],
    ['CLAUDE.md', 'claude-code', ''],
  ])('%s of %s comes back byte for byte: %j', (file, client, text) => {
    writeFiles(project, files)
    if (text !== null) writeFileSync(path.join(project, file), text)
    yore('index')
    expect(yore('setup', client, '--yes').status).toBe(0)
    const first = read(file)
    expect(first.startsWith(text ?? '')).toBe(true)
    const block = blockOf(first)
    expect(loadTokenizer()(block)).toBeLessThanOrEqual(120)
    expect(block).toContain('`words: ["timeout", "abort"]`')
    expect(yore('setup', client, '--yes').stderr).toContain('set up already')
    yore('index')
    expect(read(file)).toBe(first)
    expect(yore('setup', client, '--undo', '--yes').status).toBe(0)
    if (text === null) expect(existsSync(path.join(project, file))).toBe(false)
    else expect(read(file)).toBe(text)
  })

  it('is replaced where 0.2.0 wrote one that named files', () => {
    const old = '<!-- yore:begin (by `yore setup`, refreshed by `yore index`) -->\nold\n<!-- yore:end -->\n'
    writeFiles(project, { 'AGENTS.md': `# Rules\n${old}` })
    yore('setup', 'codex', '--yes')
    expect(read('AGENTS.md')).not.toContain('old')
    yore('setup', 'codex', '--undo', '--yes')
    expect(read('AGENTS.md')).toBe('# Rules')
  })

  it('is no part of the corpus', () => {
    writeFiles(project, { ...files, 'AGENTS.md': '# Rules\n\nBe kind.\n' })
    yore('index')
    yore('setup', 'codex', '--yes')
    yore('setup', 'claude-code', '--yes')
    yore('index')
    const { hits } = JSON.parse(yore('search', 'calls hang timeout orders flow kind', '--json').stdout) as {
      hits: { path: string; excerpt: { text: string } }[]
    }
    expect(hits.map((hit) => hit.path)).toContain('AGENTS.md')
    expect(JSON.stringify(hits)).not.toContain('assemble_context')
    expect(yore('status', '--skipped').stdout).toContain('CLAUDE.md  a guide for agents')
  })

  it('stays for another client, and goes to AGENTS.md where CLAUDE.md imports it', () => {
    writeFiles(project, { 'CLAUDE.md': '@AGENTS.md\n' })
    yore('setup', 'claude-code', '--yes')
    yore('setup', 'codex', '--yes')
    expect(read('CLAUDE.md')).toBe('@AGENTS.md\n')
    yore('setup', 'codex', '--undo', '--yes')
    expect(read('AGENTS.md')).toContain(blockMarks.begin)
    yore('setup', 'claude-code', '--undo', '--yes')
    expect(existsSync(path.join(project, 'AGENTS.md'))).toBe(false)
  })

  it('is not written through a link out of the project, nor into bytes that are no text', () => {
    writeFileSync(path.join(home, 'target.md'), 'mine\n')
    symlinkSync(path.join(home, 'target.md'), path.join(project, 'AGENTS.md'))
    expect(yore('setup', 'codex', '--yes')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('by a link'),
    })
    writeFileSync(path.join(project, 'CLAUDE.md'), Buffer.from([0x61, 0xff, 0xfe]))
    expect(yore('setup', 'claude-code', '--yes')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('UTF-8'),
    })
    expect(existsSync(path.join(project, '.mcp.json'))).toBe(false)
  })
})
