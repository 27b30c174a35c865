// Do packages that others wrote become indexes? Those of this checkout's own node_modules.
import { cpSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { openEngine } from '../src/offer/engine/open-engine.ts'
import { makeFolder } from './temporary-corpus.ts'

const checkout = path.join(import.meta.dirname, '..')
const modules = path.join(checkout, 'node_modules')
/** The declarations of the platform stand in a package for each system. */
const declarations = readdirSync(path.join(modules, '@typescript'))
  .filter((name) => name.startsWith('typescript-'))
  .map((name) => `@typescript/${name}/lib`)
const packages: readonly string[] = [
  ...['commander', 'fast-check', 'markdown-it', 'web-tree-sitter', 'tree-sitter-c', 'tree-sitter-cpp'],
  ...declarations,
]

it('indexes packages of node_modules without a failure, in less than 40 s of processor time', {
  timeout: 600_000,
}, async () => {
  const folder = makeFolder()
  for (const name of packages) {
    const from = path.join(modules, name)
    const isWanted = (place: string): boolean =>
      !/^(?:node_modules|prebuilds)(?:[\\/]|$)|^tsc$|^lib\.(?:dom|webworker)\.d\.ts$|\.(?:wasm|node|exe|map)$/.test(
        path.relative(from, place),
      )
    cpSync(from, path.join(folder, name.replaceAll('/', '+')), { recursive: true, filter: isWanted })
  }
  const start = process.cpuUsage()
  for (const name of packages) {
    using engine = openEngine(path.join(folder, name.replaceAll('/', '+')))
    const { files, skipped } = await engine.index()
    expect([files > 0, skipped.filter(({ reason }) => reason === 'not-stored')], name).toEqual([true, []])
    const asked = 'How is it installed and configured, and where does it start?'
    expect((await engine.assemble(asked, { refresh: 'never' })).tokensUsed, name).toBeGreaterThan(0)
  }
  const { user, system } = process.cpuUsage(start)
  expect((user + system) / 1e6).toBeLessThan(40)
})
