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

function yore(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
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
  it('says that none is installed', () => {
    expect(yore('setup')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('no coding agent was found'),
    })
  })

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
    expect(loadTokenizer('o200k')(block)).toBeLessThanOrEqual(400)
    expect(block).toContain('- `src/`: `deliver.ts`')
    expect(block).toContain('- `docs/architecture.md`: How orders flow')
    expect(block).not.toMatch(/\.git/)
    expect(block).toContain('`words: ["timeout", "abort"]`')
    // A title is data: it imports no file and opens no tag in the agent's instructions.
    expect(block).not.toMatch(/@|<b>/)
    expect(block).not.toContain(home)
    expect(yore('setup', client, '--yes').stderr).toContain('set up already')
    yore('index')
    expect(read(file)).toBe(first)
    expect(yore('setup', client, '--undo', '--yes').status).toBe(0)
    if (text === null) expect(existsSync(path.join(project, file))).toBe(false)
    else expect(read(file)).toBe(text)
  })

  it('is refreshed by index when it is stale, until it is undone or removed', () => {
    expect(yore('setup', 'codex', '--yes').status).toBe(0)
    expect(read('AGENTS.md')).not.toContain('by folder')
    expect(read('AGENTS.md')).toContain('For any question, call')
    writeFiles(project, files)
    expect(yore('index').stderr).toContain('refreshed the block for agents in AGENTS.md')
    expect(read('AGENTS.md')).toContain('- `src/`: `deliver.ts`')
    // Consent for a project does not end with a setup for all projects.
    yore('setup', 'codex', '--scope', 'user', '--yes')
    writeFiles(project, { 'lib/a.ts': "import '../src/orders.ts'\n" })
    yore('index')
    expect(read('AGENTS.md')).toContain('- `lib/`: `a.ts`')
    writeFileSync(path.join(project, 'AGENTS.md'), 'No block.\n')
    yore('index')
    expect(read('AGENTS.md')).toBe('No block.\n')
  })

  it('is not touched by index where the user never ran setup, whatever the repository brings', () => {
    const brought = `${blockMarks.begin}\nold\n${blockMarks.end}\n`
    writeFiles(project, { ...files, 'AGENTS.md': brought })
    expect(yore('index').stderr).not.toContain('refreshed')
    expect(read('AGENTS.md')).toBe(brought)
    expect(existsSync(path.join(home, '.local/state/yore/agent-blocks'))).toBe(false)
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
