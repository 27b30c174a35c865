// Does the page for operators still work? Its commands, one after the other, on an empty database.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { freePort } from './processes.ts'

const repository = path.join(import.meta.dirname, '..', '..')

it('goes from nothing to a first answer', async () => {
  const page = readFileSync(path.join(repository, 'docs', 'guides', 'run-the-service.md'), 'utf8')
  const commands = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join('\n')
  const folder = mkdtempSync(path.join(tmpdir(), 'yore-tour-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const port = await freePort()
  const name = `tour_${randomBytes(6).toString('hex')}`
  // What differs on this machine: ports, folders, the name of the database, and that the service is run from its
  // sources (scripts/try-server.ts tries the package).
  const script = commands
    .replaceAll('npm install yore-server\n', '')
    .replaceAll(/npx yore-server|\.\/node_modules\/\.bin\/yore-server/g, 'node server/src/main.ts')
    .replaceAll('5432', String(inject('postgresPort')))
    .replaceAll('7430', String(port))
    .replaceAll('/var/lib/yore', folder)
    .replaceAll('/yore\n', `/${name}\n`)
    .replaceAll('create database yore', `create database ${name}`)
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', `set -m\n${script}`], {
    cwd: repository,
    encoding: 'utf8',
    timeout: 110_000,
  })
  expect(stderr).not.toContain('rror:')
  expect(stdout).toContain('created organisation acme')
  expect(stdout).toContain('"state":"completed"')
  expect(stdout).toContain('npm install')
  expect(status).toBe(0)
})
