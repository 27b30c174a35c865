// Does the service work behind a pooler of transactions? A real PgBouncer, whose connections lose what a session listens to.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { revokeKey } from '../src/control/keys.ts'
import { serve } from '../src/serve.ts'
import { freePort } from './processes.ts'
import { Client, startService, type TestService } from './service.ts'

const hasPooler = spawnSync('pgbouncer', ['--version']).error === undefined
let service: TestService
let pooler: ChildProcess
let folder: string
let url: string

beforeAll(async () => {
  if (!hasPooler) return
  service = await startService()
  folder = mkdtempSync(path.join(tmpdir(), 'yore-pooler-'))
  const port = await freePort()
  writeFileSync(path.join(folder, 'users'), '"yore_app" ""\n')
  writeFileSync(
    path.join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=127.0.0.1 port=${inject('postgresPort')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${folder}/users
pool_mode = transaction
default_pool_size = 4
ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout
`,
  )
  chmodSync(folder, 0o755)
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  pooler = spawn('pgbouncer', [...user, path.join(folder, 'pgbouncer.ini')], { stdio: 'ignore' })
  const address = new URL(service.database.appUrl)
  address.port = String(port)
  url = address.href
})
afterAll(async () => {
  if (!hasPooler) return
  pooler.kill('SIGKILL')
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

it.skipIf(!hasPooler)('takes uploads, answers, and refuses a key at once that was revoked', async () => {
  const data = path.join(service.folder, 'pooled')
  let node = null
  for (let attempt = 0; node === null; attempt++)
    try {
      node = await serve(service.serveOptions({ databaseUrl: url, data }))
    } catch (error) {
      if (attempt === 20) throw error
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  try {
    const client = new Client(node.url ?? '', service.key)
    await client.call('POST', '/v1/corpora', { name: 'docs' })
    for (const [name, text] of [
      ['a.md', '# Harbour\n'],
      ['b.md', '# Beacon\n'],
    ] as const) {
      const { body } = await client.upload(name, text, { corpus: 'docs' })
      expect(await client.wait(body.id)).toMatchObject({ state: 'completed' })
      // Every node sees the new version, from whichever node it came.
      const query = text.slice(2).trim()
      const found = await client.call('POST', '/v1/corpora/docs/search', { query, mode: 'lexical' })
      expect(found.body.hits[0]?.path).toBe(name)
    }
    const reader = new Client(node.url ?? '', await service.makeKey(service.organisation, 'read'))
    const ask = async (): Promise<number> =>
      (await reader.call('POST', '/v1/corpora/docs/search', { query: 'harbour' })).status
    for (let time = 0; time < 10; time++) expect(await ask()).toBe(200)
    const { body: keys } = await client.call('GET', '/v1/keys')
    const { id } = keys.items.find(({ access }: { access: string }) => access === 'read')
    await revokeKey(service.database.owner, service.organisation, id)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(await ask()).toBe(401)
  } finally {
    await node.stop()
  }
})
