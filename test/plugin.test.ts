// Does the plugin of this repository hold together? Its manifests by the rules that Claude Code documents for them.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { yoreVersion } from '../src/version.ts'

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

it('runs the yore of the project, with hooks that end by themselves', () => {
  const { mcpServers } = readJson<{ mcpServers: Record<string, { command: string; args: string[] }> }>(
    'plugin/.mcp.json',
  )
  expect(mcpServers).toEqual({ yore: { command: 'npx', args: ['--no', 'yore', 'mcp'] } })
  type Group = { matcher?: string; hooks: { type: string; command: string; timeout: number }[] }
  const { hooks } = readJson<{ hooks: Record<string, Group[]> }>('plugin/hooks/hooks.json')
  expect(Object.keys(hooks)).toEqual(['SessionStart', 'PreToolUse'])
  for (const { hooks: run } of Object.values(hooks).flat())
    for (const { type, command, timeout } of run) {
      expect(type).toBe('command')
      expect(command).toMatch(/^npx --no yore hook (?:session-start|before-search)$/)
      expect(timeout).toBeLessThanOrEqual(5)
    }
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
