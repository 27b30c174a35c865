// Does the plugin of this repository hold together? Its manifests by the rules that Claude Code documents for them.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { yoreVersion } from '../src/model/version.ts'
import { makeFolder, removeFolder } from './temporary-corpus.ts'

const root = path.join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const readJson = <T>(file: string): T => JSON.parse(read(file)) as T

const kebab = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

it('is listed by a marketplace with a name, an owner and a folder that has the manifest', () => {
  const { name, owner, plugins } = readJson<{
    name: string
    owner: { name: string }
    plugins: { name: string; source: string; version: string }[]
  }>('.claude-plugin/marketplace.json')
  expect(name).toMatch(kebab)
  expect(owner.name).not.toBe('')
  expect(plugins.map((one) => one.name)).toEqual(['yore'])
  for (const { source, ...listed } of plugins) {
    expect(source).toMatch(/^\.\//)
    const manifest = readJson<{ name: string; version: string }>(`${source}/.claude-plugin/plugin.json`)
    expect(manifest).toMatchObject({ name: listed.name, version: yoreVersion })
    expect(listed.version).toBe(yoreVersion)
  }
})

it('keeps its parts where they are looked for: beside the folder of the manifest, not in it', () => {
  for (const part of ['.mcp.json', 'hooks/hooks.json', 'skills/yore/SKILL.md', 'agents/repository-reader.md'])
    expect(existsSync(path.join(root, 'plugin', part)), part).toBe(true)
})

type Group = { matcher?: string; hooks: { type: string; command: string; timeout: number }[] }
const hooksOf = () => {
  const { hooks } = readJson<{ hooks: Record<string, Group[]> }>('plugin/hooks/hooks.json')
  return {
    events: Object.keys(hooks),
    runs: Object.values(hooks).flatMap((groups) => groups.flatMap((one) => one.hooks)),
  }
}
const serverOf = () =>
  readJson<{ mcpServers: { yore: { command: string; args: string[] } } }>('plugin/.mcp.json').mcpServers.yore

it('runs a program of its own, with hooks that end by themselves', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Code fills it in.
  const program = '${CLAUDE_PLUGIN_ROOT}/bin/run-yore.mjs'
  expect(serverOf()).toEqual({ command: 'node', args: [program, 'mcp'] })
  const { events, runs } = hooksOf()
  expect(events).toEqual(['SessionStart', 'PreToolUse'])
  expect(runs.map(({ command }) => command)).toEqual([
    `node "${program}" hook session-start`,
    `node "${program}" hook before-search`,
  ])
  for (const { type, timeout } of runs) {
    expect(type).toBe('command')
    expect(timeout).toBeLessThanOrEqual(5)
  }
})

it.skipIf(process.platform === 'win32')('runs no yore that the opened repository brings along', () => {
  const base = makeFolder()
  onTestFinished(() => removeFolder(base))
  const project = path.join(base, 'project')
  const bin = path.join(project, 'node_modules/.bin')
  const tools = path.join(base, 'tools')
  const below = path.join(project, 'docs')
  for (const folder of [path.join(project, '.git'), bin, tools, below]) mkdirSync(folder, { recursive: true })
  const plant = (place: string, says: string): void => {
    writeFileSync(place, `#!/bin/sh\necho ${says} "$@"\n`)
    chmodSync(place, 0o755)
  }
  for (const place of [path.join(bin, 'yore'), path.join(project, 'yore')]) plant(place, 'PLANTED')
  writeFileSync(path.join(project, 'package.json'), '{"name":"x"}\n')
  symlinkSync(path.join(bin, 'yore'), path.join(tools, 'yore'))
  const { command, args } = serverOf()
  const lines = [...hooksOf().runs.map((one) => one.command), [command, ...args].join(' ')]
  const run = (line: string, cwd: string, folders: readonly string[]) =>
    spawnSync('sh', ['-c', line], {
      cwd,
      encoding: 'utf8',
      env: {
        PATH: [...folders, path.dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
        HOME: base,
        CLAUDE_PLUGIN_ROOT: path.join(root, 'plugin'),
        CLAUDE_PROJECT_DIR: cwd,
      },
    })
  const planted = ['.', bin, tools]
  for (const line of lines)
    for (const cwd of [project, below, base]) {
      const { stdout, stderr, status } = run(line, cwd, planted)
      const isHook = line.includes(' hook ')
      expect([stdout, status], line).toEqual(['', isHook ? 0 : 1])
      expect(stderr).toContain(isHook ? '' : 'npm install --global yore')
    }
  // A nested repository: the outer one is no more trusted than the inner.
  const nested = path.join(project, 'vendor/inner')
  mkdirSync(path.join(nested, '.git'), { recursive: true })
  for (const line of lines) expect(run(line, nested, planted).stdout, line).toBe('')
  const own = path.join(base, 'own')
  mkdirSync(own)
  plant(path.join(own, 'yore'), 'INSTALLED')
  for (const line of lines)
    expect(run(line, project, [...planted, own]).stdout).toMatch(/^INSTALLED (?:hook [a-z-]+|mcp)\n$/)
  // A home folder that is a repository, too, may hold the installed one.
  mkdirSync(path.join(base, '.git'))
  for (const line of lines)
    expect(run(line, nested, [...planted, own]).stdout).toMatch(/^INSTALLED (?:hook [a-z-]+|mcp)\n$/)
})

it.each(['skills/yore/SKILL.md', 'agents/repository-reader.md'])(
  '%s says its name and when to use it',
  (file) => {
    const head = /^---\n([\s\S]*?)\n---\n/.exec(read(`plugin/${file}`))?.[1] ?? ''
    expect(/^name: (.*)$/m.exec(head)?.[1]).toMatch(kebab)
    const description = JSON.parse(/^description: (.*)$/m.exec(head)?.[1] ?? '""') as string
    expect(description.length).toBeGreaterThan(40)
    expect(description.length).toBeLessThanOrEqual(1024)
  },
)
