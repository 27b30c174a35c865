// Does the launcher refuse an old Node in plain words, and hide only the one warning that it means to?
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'yore-launcher-'))
  mkdirSync(path.join(folder, 'dist'))
  cpSync(path.join(import.meta.dirname, '..', 'bin'), path.join(folder, 'bin'), { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}')
})
afterAll(() => rmSync(folder, { recursive: true }))

function launch(program: string | null, ...nodeArguments: string[]) {
  const dist = path.join(folder, 'dist', 'cli.js')
  if (program === null) rmSync(dist, { force: true })
  else writeFileSync(dist, program)
  return spawnSync(process.execPath, [...nodeArguments, path.join(folder, 'bin', 'yore.js')], {
    encoding: 'utf8',
    env: { ...process.env, XDG_CACHE_HOME: path.join(folder, 'cache') },
  })
}

it('says which Node it needs', () => {
  const pretend = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"18.20.1"})'
  const run = launch('console.log("started")', '--import', pretend)
  expect(run).toMatchObject({
    status: 1,
    stdout: '',
    stderr: 'error: yore needs Node 24 or newer, and this is Node 18.20.1\nhint: install Node 24 or newer\n',
  })
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
