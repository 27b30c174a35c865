// Is a deleted corpus or organisation gone? No object in the store, no row and no byte on the disks of nodes tells of it, without anything else happening.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCorpus } from '../src/control/corpora.ts'
import { deleteCorpus } from '../src/control/deleted-corpora.ts'
import { asTenant, type TenantTransaction } from '../src/control/open-database.ts'
import { createOrganisation } from '../src/control/organisations.ts'
import { pruneRows } from '../src/control/prune-rows.ts'
import { openQueues } from '../src/control/queues.ts'
import { lockCorpus } from '../src/ingest/ingestions.ts'
import { countRows, deleteOrganisation } from '../src/ingest/organisation-data.ts'
import { type Node, serve } from '../src/serve.ts'
import { openStore } from '../src/versions/open-store.ts'
import type { ObjectStore } from '../src/versions/store.ts'
import { createDatabase } from './databases.ts'
import { Client, startService, type TestService } from './service.ts'
import { stores } from './stores.ts'
import { makeTarGz } from './support/archives.ts'

const canary = 'xylocarpkiwi'
const pages = 150

describe.each(stores)('with a store in %s', (_, makeStore) => {
  let service: TestService
  let other: Node
  let client: Client
  let store: ObjectStore
  beforeAll(async () => {
    service = await startService(await makeStore())
    // Another node has the corpus, too: it hears of the deletion.
    other = await serve(service.serveOptions({ data: path.join(service.folder, 'other'), port: 0 }))
    client = new Client(service.url, service.key)
    const { store: address, environment } = service.serveOptions()
    store = await openStore(address, environment)
  })
  afterAll(async () => {
    await other.stop()
    await service.close()
  })

  const listStore = async (): Promise<string[]> => {
    const keys: string[] = []
    for await (const key of store.list('')) keys.push(key)
    return keys
  }
  /** Files of the nodes that hold the word, as bytes. */
  const searchDisks = (): string[] => {
    try {
      const folders = ['data', 'other'].map((name) => path.join(service.folder, name))
      return execFileSync('grep', ['-rla', canary, ...folders], { encoding: 'utf8' })
        .trim()
        .split('\n')
    } catch {
      return []
    }
  }
  /** Tables, those of the queues included, with a row that holds the word. */
  async function listRows(): Promise<string[]> {
    const { owner } = service.database
    const { rows } = await sql<{ name: string }>`
      select oid::regclass::text as name from pg_class
      where relkind = 'r' and relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace)`.execute(owner)
    const found = []
    for (const { name } of rows) {
      const holding = sql.raw(`select from ${name} as row where row::text like '%${canary}%' limit 1`)
      if ((await holding.execute(owner)).rows.length > 0) found.push(name)
    }
    return found
  }
  const noteLongAgo = (): Promise<unknown> =>
    asTenant(service.database.app, service.organisation, (transaction) =>
      sql`update blobs set noted_at = now() - interval '2 hours'`.execute(transaction),
    )

  async function fill(corpus: string): Promise<void> {
    await client.call('POST', '/v1/corpora', { name: corpus })
    const files = Array.from({ length: pages }, (_, number) => ({
      name: `${canary}-${number}.md`,
      content: `# Page ${number} of ${corpus}\n\nThe ${canary} is here.\n`,
    }))
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(makeTarGz(files))]), 'a.tgz')
    const { body } = await client.call('POST', `/v1/ingest/archive?corpus=${corpus}`, form)
    expect(await client.wait(body.id)).toMatchObject({ state: 'completed' })
    // Both nodes answer from a copy of their own.
    for (const url of [service.url, other.url ?? '']) {
      const asked = new Client(url, service.key)
      const { body } = await asked.call('POST', `/v1/corpora/${corpus}/search`, {
        query: canary,
        mode: 'lexical',
      })
      expect(body.hits.length).toBeGreaterThan(0)
    }
  }

  it('leaves nothing in the bucket and nothing on the disks, though nobody publishes again', async () => {
    await fill('secret')
    expect((await listStore()).filter((key) => key.startsWith('blobs/')).length).toBeGreaterThan(pages)
    expect(searchDisks().length).toBeGreaterThan(2)
    await noteLongAgo()
    expect((await client.call('DELETE', '/v1/corpora/secret')).status).toBe(204)
    await expect.poll(listStore, { timeout: 60_000, interval: 500 }).toEqual([])
    await expect.poll(searchDisks, { timeout: 60_000, interval: 500 }).toEqual([])
  })

  it('does not wait for an upload that waits for it', async () => {
    const { body } = await client.call('POST', '/v1/corpora', { name: 'read' })
    await client.upload('a.md', '# A\n', { corpus: 'read' })
    const { owner, app } = service.database
    const waiting = async (): Promise<number> => {
      const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock'`.execute(owner)
      return rows.length
    }
    await asTenant(app, service.organisation, async (transaction) => {
      expect(await lockCorpus(transaction, body.number)).toBeDefined()
      await expect.poll(waiting, { timeout: 3000, interval: 50 }).toBeGreaterThan(0)
      // The upload has looked for a deadlock by then, so that the deletion would find it.
      await sleep(1200)
      await deleteCorpus(transaction, body.number)
    })
  })

  it('comes again for what may still be named by an upload on its way', async () => {
    await fill('young')
    expect((await client.call('DELETE', '/v1/corpora/young')).status).toBe(204)
    const waiting = async (): Promise<unknown> => {
      const { rows } = await sql<{ minutes: number }>`
        select round(extract(epoch from start_after - now()) / 60)::int as minutes from pgboss.job
        where name = 'sweep' and state = 'created' and singleton_key like '% later'`.execute(
        service.database.owner,
      )
      return rows
    }
    await expect.poll(waiting, { timeout: 30_000 }).toEqual([{ minutes: 61 }])
    expect((await listStore()).length).toBeGreaterThan(pages)
    // An hour later.
    await noteLongAgo()
    await sql`update pgboss.job set start_after = now() where name = 'sweep'`.execute(service.database.owner)
    await expect.poll(listStore, { timeout: 60_000, interval: 500 }).toEqual([])
  })

  it('deletes an organisation with a receipt, and leaves neither objects, rows nor copies', async () => {
    await fill('first')
    await fill('second')
    expect(await listRows()).toEqual(['documents'])
    const stayed = await service.makeOrganisation('stays')
    const neighbour = new Client(service.url, await service.makeKey(stayed, 'admin'))
    await neighbour.call('POST', '/v1/corpora', { name: 'kept' })
    const upload = await neighbour.upload('a.md', '# Stays\n', { corpus: 'kept' })
    await neighbour.wait(upload.body.id)
    const { number } = (await neighbour.call('GET', '/v1/corpora/kept')).body
    const { store: address, environment } = service.serveOptions()
    const admin = (...args: string[]): { status: number | null; stdout: string; stderr: string } =>
      spawnSync(process.execPath, [path.join(import.meta.dirname, '../src/main.ts'), 'admin', ...args], {
        env: { ...environment, YORE_OWNER_URL: service.database.ownerUrl, YORE_STORE: address },
        encoding: 'utf8',
      })
    const asked = admin('delete-organisation', 'acme')
    expect([asked.status, asked.stderr]).toEqual([1, expect.stringContaining('nothing was deleted')])
    const blobs = (await listStore()).filter((key) => key.startsWith(`blobs/${service.organisation}/`))
    const deleted = admin('delete-organisation', 'acme', '--yes')
    expect(deleted.stderr).toBe('')
    expect(JSON.parse(deleted.stdout)).toMatchObject({
      organisation: { id: service.organisation, name: 'acme' },
      rows: { corpora: 2, documents: 2 * pages, api_keys: 1, ingestions: 2 },
      objects: { originals: blobs.length, versions: expect.any(Number) },
    })
    expect(JSON.parse(deleted.stdout).objects.versions).toBeGreaterThanOrEqual(2)
    const left = async (): Promise<string[]> =>
      (await listStore()).filter((key) => !key.includes(stayed) && !key.startsWith(`corpora/${number}/`))
    expect(await left()).toEqual([])
    await expect.poll(searchDisks, { timeout: 60_000, interval: 500 }).toEqual([])
    expect((await client.call('GET', '/v1/corpora')).status).toBe(401)
    const rows = async (table: string): Promise<unknown> =>
      (
        await sql`select from ${sql.table(table)} where organisation = ${service.organisation}`.execute(
          service.database.owner,
        )
      ).rows
    for (const table of ['api_keys', 'corpora', 'documents', 'versions', 'ingestions', 'blobs', 'audit'])
      expect([table, await rows(table)]).toEqual([table, []])
    expect(await listRows()).toEqual([])
    // What a node was writing meanwhile is found by the job that comes later.
    await store.put(`blobs/${service.organisation}/${'0'.repeat(64)}`, Buffer.from(canary))
    await sql`update pgboss.job set start_after = now() where name = 'sweep'`.execute(service.database.owner)
    await expect.poll(left, { timeout: 30_000, interval: 500 }).toEqual([])
    const { body } = await neighbour.call('POST', '/v1/corpora/kept/search', { query: 'stays' })
    expect(body.hits).toHaveLength(1)
  })
})

describe('retention', () => {
  it('deletes old ingestions, audit entries and deletions, of each organisation, and nothing else', async () => {
    const service = await startService()
    const { owner, app } = service.database
    try {
      const second = await service.makeOrganisation('second')
      const ids: string[] = []
      for (const organisation of [service.organisation, second]) {
        const client = new Client(service.url, await service.makeKey(organisation, 'admin'))
        await client.call('POST', '/v1/corpora', { name: 'docs' })
        for (const name of ['a.md', 'b.md']) {
          const { body } = await client.upload(name, `# ${name}\n`, { corpus: 'docs' })
          expect(await client.wait(body.id)).toMatchObject({ state: 'completed' })
          ids.push(body.id)
        }
      }
      const count = async (table: string): Promise<unknown> =>
        (await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(owner)).rows[0]?.n
      const audited = await count('audit')
      const days = { ingestionDays: 30, auditDays: 365 }
      await pruneRows(app, days)
      expect([await count('ingestions'), await count('audit')]).toEqual([4, audited])
      const aged = [ids[0], ids[2]]
      await sql`update ingestions set updated_at = now() - interval '31 days' where id in (${sql.join(aged)})`.execute(
        owner,
      )
      await sql`update audit set at = now() - interval '366 days' where action = 'ingestion.accept' or action like 'corpus.%'`.execute(
        owner,
      )
      const old = await sql<{
        n: number
      }>`select count(*) as n from audit where at < now() - interval '1 day'`.execute(owner)
      await sql`insert into deleted_corpora values (1, now() - interval '31 days'), (2, now())`.execute(owner)
      await pruneRows(app, days)
      expect(await count('ingestions')).toBe(2)
      expect(old.rows[0]?.n).toBeGreaterThan(1)
      expect(await count('audit')).toBe(Number(audited) - (old.rows[0]?.n ?? 0))
      expect(await count('deleted_corpora')).toBe(1)
      expect(await count('documents')).toBe(4)
      // Nor may the service's role shorten the log.
      await sql`update audit set at = now() - interval '29 days'`.execute(owner)
      const before = await count('audit')
      await pruneRows(app, { ingestionDays: 30, auditDays: 0 })
      expect(await count('audit')).toBe(before)
      await expect(sql`delete from audit`.execute(app)).rejects.toThrow(/permission denied/)
      // Finished jobs are deleted within the hour, waiting ones are not.
      const queues = await sql<{ name: string }>`
        select name from pgboss.queue where deletion_seconds > 3600 or retention_seconds < 31536000`.execute(
        owner,
      )
      expect(queues.rows.map(({ name }) => name).filter((name) => !name.startsWith('__'))).toEqual([])
    } finally {
      await service.close()
    }
  })

  it('works for an owner of the tables whom row-level security restricts', async () => {
    const { owner: superuser, close: closeFirst } = await createDatabase()
    await sql`create role plain_owner login createrole`.execute(superuser)
    const database = await createDatabase(undefined, 'plain_owner')
    const { owner: db, app, ownerUrl } = database
    const folder = mkdtempSync(path.join(tmpdir(), 'yore-owner-'))
    const boss = await openQueues({ connectionString: ownerUrl }, { works: false, onError: () => {} })
    try {
      const organisation = await createOrganisation(db, 'acme')
      const { id } = organisation
      const age = (transaction: TenantTransaction): Promise<unknown> =>
        sql`update audit set at = now() - interval '400 days'`.execute(transaction)
      await asTenant(db, id, async (transaction) => {
        await createCorpus(transaction, { organisation: id, key: id, access: 'admin', corpora: null }, 'docs')
        await age(transaction)
      })
      expect(await countRows(db, id)).toMatchObject({ corpora: 1, audit: 2 })
      await pruneRows(app, { ingestionDays: 30, auditDays: 365 })
      expect(await countRows(db, id)).toMatchObject({ corpora: 1, audit: 0 })
      const store = await openStore(`dir:${folder}`, {})
      const receipt = await deleteOrganisation(organisation, { db, store, boss, now: 0 })
      expect(receipt.rows).toMatchObject({ corpora: 1 })
      expect(await countRows(db, id)).toMatchObject({ corpora: 0 })
    } finally {
      await boss.stop({ graceful: false })
      await database.close()
      await closeFirst()
      rmSync(folder, { recursive: true })
    }
  })

  it('makes a node forget its copies that was stopped for longer than deletions are remembered', async () => {
    const service = await startService()
    try {
      const client = new Client(service.url, service.key)
      await client.call('POST', '/v1/corpora', { name: 'docs' })
      const { body } = await client.upload('a.md', `# ${canary}\n`, { corpus: 'docs' })
      await client.wait(body.id)
      const options = service.serveOptions({ data: path.join(service.folder, 'away'), role: 'api' })
      const found = (): boolean => spawnSync('grep', ['-rqa', canary, options.data]).status === 0
      let node = await serve(options)
      await new Client(node.url ?? '', service.key).call('POST', '/v1/corpora/docs/search', { query: canary })
      expect(found()).toBe(true)
      await node.stop()
      const monthAgo = Date.now() / 1000 - 31 * 86_400
      utimesSync(path.join(options.data, 'followed'), monthAgo, monthAgo)
      node = await serve(options)
      await expect.poll(found, { timeout: 20_000 }).toBe(false)
      await node.stop()
    } finally {
      await service.close()
    }
  })
})
