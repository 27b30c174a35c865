// Does the launcher refuse an old Node in plain words, and hide only the one warning that it means to?
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { neededSqlite } from '../src/corpus/store/ownership/check-sqlite.ts'
import { errorTable } from '../src/model/errors.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'yore-launcher-'))
  mkdirSync(path.join(folder, 'dist'))
  cpSync(path.join(import.meta.dirname, '..', 'bin'), path.join(folder, 'bin'), { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}')
})

function launch(program: string | null, ...nodeArguments: string[]) {
  const dist = path.join(folder, 'dist', 'cli.js')
  if (program === null) rmSync(dist, { force: true })
  else writeFileSync(dist, program)
  return spawnSync(process.execPath, [...nodeArguments, path.join(folder, 'bin', 'yore.js')], {
    encoding: 'utf8',
    env: { ...process.env, XDG_CACHE_HOME: path.join(folder, 'cache') },
  })
}

function pretend(versions: Readonly<Record<string, string>>): string {
  const set = Object.entries(versions).map(([name, value]) => `${name}:{value:"${value}"}`)
  return `data:text/javascript,Object.defineProperties(process.versions,{${set.join(',')}})`
}

it('says which Node it needs, by its SQLite', () => {
  for (const [node, sqlite] of [
    ['18.20.1', ''],
    ['24.14.0', '3.51.3'],
    ['24.18.1', '3.53.1'],
    ['25.9.0', '3.51.3'],
    ['26.3.1', '3.53.1'],
  ] as const) {
    const run = launch('console.log("started")', '--import', pretend({ node, sqlite }))
    const wanted = 'Node 24.19 or newer, or Node 26.4 or newer'
    const found = `this is Node ${node} (SQLite ${sqlite || 'none'}; ${neededSqlite} is the first that is safe)`
    const stderr = `error: yore needs ${wanted}, and ${found}\nhint: ${errorTable.WRONG_NODE.hint}\n`
    expect(run).toMatchObject({ status: 1, stdout: '', stderr })
  }
  for (const [node, sqlite] of [
    ['24.19.0', '3.53.3'],
    ['26.4.0', '3.53.2'],
    ['28.0.0', '4.0.0'],
  ] as const) {
    const run = launch('console.log("started")', '--import', pretend({ node, sqlite }))
    expect(run).toMatchObject({ status: 0, stdout: 'started\n' })
  }
})

it('hides the notice about SQLite and passes every other warning on', () => {
  const run = launch(`
    process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning')
    process.emitWarning('something else', 'ExperimentalWarning')
    process.emitWarning(new Error('a fault'))`)
  expect(run.stderr).toContain('ExperimentalWarning: something else')
  expect(run.stderr).toContain('a fault')
  expect(run.stderr).not.toContain('SQLite')
})

it('says that the installation is incomplete when the program is missing', () => {
  const run = launch(null)
  expect(run.status).toBe(1)
  expect(run.stderr).toMatch(/^error: yore could not start: .*\nhint: the installation looks incomplete/)
})
