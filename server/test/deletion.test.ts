// Is a deleted corpus gone? No object in the store and no byte on the disks of nodes tells of it, without anything else happening.
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asTenant } from '../src/control/open-database.ts'
import { makeTarGz } from '../src/ingest/archives.fixture.ts'
import { type Node, serve } from '../src/serve.ts'
import { openStore } from '../src/versions/open-store.ts'
import type { ObjectStore } from '../src/versions/store.ts'
import { Client, startService, type TestService } from './service.ts'
import { stores } from './stores.ts'

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
  const noteLongAgo = (): Promise<unknown> =>
    asTenant(service.database.app, service.organisation, (transaction) =>
      sql`update blobs set noted_at = now() - interval '2 hours'`.execute(transaction),
    )

  async function fill(corpus: string): Promise<void> {
    await client.call('POST', '/v1/corpora', { name: corpus })
    const files = Array.from({ length: pages }, (_, number) => ({
      name: `${number}.md`,
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
})
