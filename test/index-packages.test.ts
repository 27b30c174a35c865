// Do packages that others wrote become indexes? Those of this checkout's own node_modules, by the tool that tries repositories.
import { cpSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { plainVariables, runProgram } from './run-command-line.ts'
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
}, () => {
  const folder = makeFolder()
  for (const name of packages) {
    const from = path.join(modules, name)
    const isWanted = (place: string): boolean =>
      !/^(?:node_modules|prebuilds)(?:[\\/]|$)|^tsc$|^lib\.(?:dom|webworker)\.d\.ts$|\.(?:wasm|node|exe|map)$/.test(
        path.relative(from, place),
      )
    cpSync(from, path.join(folder, name.replaceAll('/', '+')), { recursive: true, filter: isWanted })
  }
  const { status, stdout, stderr } = runProgram(path.join(checkout, 'lab/eval/smoke.ts'), [folder], {
    env: plainVariables(),
  })
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`${packages.length} repositories, 0 failures`)
  const rows = stdout.split('\n').filter((line) => /^\| \S+ \| \d/.test(line))
  expect(rows).toHaveLength(packages.length)
  const seconds = rows.reduce((sum, row) => sum + Number(row.split(' | ')[4]), 0)
  expect(seconds).toBeLessThan(40)
})
