// Can an operator prepare the service? The program itself, on a database that has nothing yet.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { findCaller } from '../src/control/keys.ts'
import { openDatabase } from '../src/control/open-database.ts'

const program = path.join(import.meta.dirname, '..', 'src', 'main.ts')

it('migrates, creates an organisation and a key, prints what it did, and revokes the key', async () => {
  const port = inject('postgresPort')
  const name = `yore_${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'yore_owner', database: 'postgres' })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const keySecret = 'x'.repeat(32)
  const run = (...args: string[]): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, [program, 'admin', ...args], {
      env: {
        ...process.env,
        YORE_OWNER_URL: `postgres://yore_owner@127.0.0.1:${port}/${name}`,
        YORE_KEY_SECRET: keySecret,
        YORE_APP_PASSWORD: "it's odd",
      },
      encoding: 'utf8',
    })
  expect(run('migrate').stdout).toMatch(/^ran 0001-control-plane\n(?:ran \d{4}-\S+\n)*$/)
  expect(run('migrate').stdout).toBe('the tables are up to date\n')
  expect(run('create-organisation', 'acme').stdout).toMatch(/^created organisation acme \([0-9a-f-]{36}\)\n$/)
  expect(run('organisations').stdout).toMatch(/ {2}acme\n$/)
  const limits = run('limits', 'acme', '--requests-per-minute', '10').stdout
  expect(limits).toMatch(/^requests-per-minute +10 {2}requests per minute/m)
  expect(limits).toMatch(/^quota-bytes +10737418240 {2}bytes of documents$/m)
  const created = run('create-key', 'acme', '--access', 'write')
  const text = created.stdout.trim()
  const app = openDatabase(`postgres://yore_app@127.0.0.1:${port}/${name}`)
  try {
    const caller = await findCaller(app, text, { keySecret, now: Date.now() })
    expect(caller.access).toBe('write')
    expect(created.stderr).toContain(caller.key)
    expect(run('revoke-key', 'acme', caller.key).stdout).toBe(`revoked key ${caller.key}\n`)
    await expect(findCaller(app, text, { keySecret, now: Date.now() })).rejects.toThrow(/revoked/)
  } finally {
    await app.destroy()
  }
  const wrong = run('create-key', 'nobody')
  expect([wrong.status, wrong.stderr]).toEqual([1, 'error: no organisation nobody\n'])
})
