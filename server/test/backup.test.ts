// Does a backup bring everything to an empty host? The same digests, what was only accepted goes on, and damage is refused.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'
import { backUp, restore } from '../src/backup.ts'
import { serve } from '../src/serve.ts'
import { openStore } from '../src/versions/open-store.ts'
import { Client, startService, type TestService } from './service.ts'

let service: TestService
let client: Client
let folder: string
const said: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'yore-backup-'))
  service = await startService({ now: () => Date.parse('2025-11-29T15:23:00Z') })
  client = new Client(service.url, service.key)
})
afterAll(async () => {
  // Its node was stopped by the test.
  await service.database.close()
  rmSync(service.folder, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
})

async function emptyDatabase(name: string): Promise<{ ownerUrl: string; appUrl: string }> {
  const port = inject('postgresPort')
  const admin = new pg.Client({ host: '127.0.0.1', port, user: 'yore_owner', database: 'postgres' })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  const urlOf = (role: string): string => `postgres://${role}@127.0.0.1:${port}/${name}`
  return { ownerUrl: urlOf('yore_owner'), appUrl: urlOf('yore_app') }
}

it('carries everything to an empty host: the same digests, and nothing accepted is lost', async () => {
  const uploads: string[] = []
  for (const corpus of ['kitchen', 'harbour']) {
    await client.call('POST', '/v1/corpora', { name: corpus })
    for (const part of ['one', 'two'])
      uploads.push(
        (
          await client.upload(`${part}.md`, `# ${corpus} ${part}\n\nThe ${part} of the ${corpus} rests.\n`, {
            corpus,
          })
        ).body.id,
      )
  }
  for (const id of uploads) expect((await client.wait(id)).state).toBe('completed')
  const ask = (of: Client, corpus: string): ReturnType<Client['call']> =>
    of.call('POST', `/v1/corpora/${corpus}/assemble`, { question: `What rests in the ${corpus}?` })
  const digests = [(await ask(client, 'kitchen')).body, (await ask(client, 'harbour')).body]
  // The node stops: what comes now is accepted, and read by nobody before the backup.
  await service.node.stop()
  const api = await serve(service.serveOptions({ role: 'api' }))
  const accepted = await new Client(api.url ?? '', service.key).upload(
    'late.md',
    '# Late\n\nIt comes late.\n',
    {
      corpus: 'harbour',
    },
  )
  expect(accepted.status).toBe(202)
  await api.stop()

  const store = await openStore(`dir:${path.join(service.folder, 'store')}`, {})
  const backup = { store, folder: path.join(folder, 'backup'), say: (line: string) => void said.push(line) }
  await backUp({ ...backup, ownerUrl: service.database.ownerUrl })
  await backUp({ ...backup, ownerUrl: service.database.ownerUrl })
  expect(said[0]).toMatch(/^backed up the database and (\d+) objects, \1 of them new/)
  expect(said[1]).toMatch(/ objects, 0 of them new/)

  const database = await emptyDatabase(path.basename(folder).replaceAll('-', '_').toLowerCase())
  const newStore = `dir:${path.join(folder, 'host', 'store')}`
  await restore({ ...backup, store: await openStore(newStore, {}), ownerUrl: database.ownerUrl })
  const node = await serve(
    service.serveOptions({
      databaseUrl: database.appUrl,
      store: newStore,
      data: path.join(folder, 'host', 'data'),
    }),
  )
  try {
    const restored = new Client(node.url ?? '', service.key)
    const again = await ask(restored, 'kitchen')
    expect(again.body).toEqual(digests[0])
    expect(await restored.wait(accepted.body.id)).toMatchObject({ state: 'completed' })
    expect((await ask(restored, 'harbour')).body.output).toContain('The one of the harbour rests.')
    const { body } = await restored.call('POST', '/v1/corpora/harbour/read', { place: 'late.md' })
    expect(body.output).toContain('It comes late.')
  } finally {
    await node.stop()
  }
  await expect(
    restore({ ...backup, store: await openStore(newStore, {}), ownerUrl: database.ownerUrl }),
  ).rejects.toThrow(/not empty/)
})

it('refuses a backup that is damaged or incomplete, before anything is written', async () => {
  const database = await emptyDatabase(`${path.basename(folder).replaceAll('-', '_').toLowerCase()}_damaged`)
  const blobs = (root: string): string[] =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /blobs\/.*\/[0-9a-f]{64}$/.test(name),
    )
  for (const harm of [(file: string) => writeFileSync(file, 'x'), (file: string) => rmSync(file)]) {
    const damaged = mkdtempSync(path.join(folder, 'damaged-'))
    cpSync(path.join(folder, 'backup'), damaged, { recursive: true })
    harm(path.join(damaged, 'objects', blobs(path.join(damaged, 'objects'))[0] ?? ''))
    const store = await openStore(`dir:${path.join(damaged, 'store')}`, {})
    await expect(
      restore({ ownerUrl: database.ownerUrl, store, folder: damaged, say: () => {} }),
    ).rejects.toThrow(/blobs\/\S+ is (?:damaged|missing) in the backup/)
  }
})

it('says so when the role would see only a part', async () => {
  const store = await openStore(`dir:${path.join(folder, 'any')}`, {})
  const options = {
    ownerUrl: service.database.appUrl,
    store,
    folder: path.join(folder, 'part'),
    say: () => {},
  }
  await expect(backUp(options)).rejects.toThrow(/sees every row/)
})

it('shows its password to nobody who may list the processes of the machine', async () => {
  const programs = path.join(folder, 'programs')
  mkdirSync(programs)
  // The programs of PostgreSQL, in front of which somebody looks at how they are called.
  for (const name of ['pg_dump', 'pg_restore'])
    writeFileSync(
      path.join(programs, name),
      `#!/bin/sh\nprintf '%s\\n' "${name}" "$@" >> '${programs}/seen'\nPATH='${process.env['PATH']}' exec ${name} "$@"\n`,
      { mode: 0o755 },
    )
  const withPassword = (url: string): string => url.replace('yore_owner@', 'yore_owner:p%40ssword@')
  const empty = await emptyDatabase(`restored_${Date.now()}`)
  const target = path.join(folder, 'secret')
  const store = await openStore(`dir:${path.join(folder, 'elsewhere-2')}`, {})
  vi.stubEnv('PATH', `${programs}:${process.env['PATH']}`)
  try {
    const source = await openStore(`dir:${path.join(service.folder, 'store')}`, {})
    await backUp({
      ownerUrl: withPassword(service.database.ownerUrl),
      store: source,
      folder: target,
      say: () => {},
    })
    await restore({ ownerUrl: withPassword(empty.ownerUrl), store, folder: target, say: () => {} })
  } finally {
    vi.unstubAllEnvs()
  }
  const seen = readFileSync(path.join(programs, 'seen'), 'utf8')
  expect(seen).toMatch(/pg_dump[\s\S]+pg_restore/)
  expect(seen).not.toMatch(/ssword/)
})
