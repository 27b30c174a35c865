// Do bytes that nothing names go, and never those that somebody is about to name? A real database and store, and races on purpose.
import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asTenant } from '../src/control/open-database.ts'
import { blobKey, collectBlobs, collectDefaults, noteBlobs } from '../src/ingest/blobs.ts'
import { openStore } from '../src/versions/open-store.ts'
import type { ObjectStore } from '../src/versions/store.ts'
import { Client, startService, type TestService } from './service.ts'

let service: TestService
let client: Client
let store: ObjectStore

beforeAll(async () => {
  service = await startService()
  client = new Client(service.url, service.key)
  store = await openStore(service.serveOptions().store, {})
  await client.call('POST', '/v1/corpora', { name: 'docs' })
})
afterAll(() => service.close())

const old = { ...collectDefaults, olderThanMs: 0 }
const collect = (options = old): Promise<number> =>
  collectBlobs(service.database.app, store, service.organisation, options)
const isThere = async (text: string): Promise<boolean> =>
  (await store.head(blobKey(service.organisation, hash('sha256', text)))) !== null

async function bring(path: string, text: string): Promise<string> {
  const { state } = await client.wait((await client.upload(path, text, { corpus: 'docs' })).body.id)
  return state
}

it('deletes what was replaced, deleted or failed long ago, and keeps what is named', async () => {
  const [first, second, other, left] = ['# First\n', '# Second\n', '# Other\n', '\0\0\0binary']
  await bring('a.md', first)
  await bring('a.md', second)
  await bring('b.md', other)
  expect(await bring('c.bin', left)).toBe('failed')
  expect(await collect(collectDefaults)).toBe(0)
  expect(await isThere(first)).toBe(true)
  // What failed may be tried again, for a while.
  expect(await collect()).toBe(1)
  expect([await isThere(first), await isThere(second), await isThere(left)]).toEqual([false, true, true])
  expect(await collect({ ...old, retryForMs: 0 })).toBe(1)
  expect(await isThere(left)).toBe(false)
  const { body } = await client.call('DELETE', '/v1/corpora/docs/documents?path=b.md')
  await client.wait(body.id)
  expect(await collect()).toBe(1)
  expect([await isThere(other), await isThere(second)]).toEqual([false, true])
  // Sent again, it is written again.
  expect(await bring('b.md', other)).toBe('completed')
  expect(await isThere(other)).toBe(true)
})

it('deletes nothing of another organisation', async () => {
  const stranger = await service.makeOrganisation('stranger')
  expect(await collectBlobs(service.database.app, store, stranger, old)).toBe(0)
})

it('never takes what is being written again in the same moment', async () => {
  const { app } = service.database
  // Deleting takes its time, so that writers come in between.
  const slow: ObjectStore = Object.assign(Object.create(store), {
    delete: async (key: string) => {
      await sleep(5)
      await store.delete(key)
    },
  })
  let collected = 0
  for (let round = 0; round < 40; round++) {
    const sha256 = hash('sha256', `round ${round % 4}`)
    const key = blobKey(service.organisation, sha256)
    await asTenant(app, service.organisation, (t) => noteBlobs(t, service.organisation, [sha256]))
    await store.put(key, Buffer.from(`round ${round % 4}`), { ifAbsent: true, sha256 })
    await asTenant(app, service.organisation, (transaction) =>
      sql`update blobs set noted_at = now() - interval '2 days' where sha256 = ${sha256}`.execute(
        transaction,
      ),
    )
    const write = async (): Promise<void> => {
      await sleep(round % 8)
      await asTenant(app, service.organisation, (t) => noteBlobs(t, service.organisation, [sha256]))
      await store.put(key, Buffer.from(`round ${round % 4}`), { ifAbsent: true, sha256 })
    }
    const [deleted] = await Promise.all([collectBlobs(app, slow, service.organisation), write()])
    collected += deleted
    expect(await store.head(key), `round ${round}`).not.toBeNull()
  }
  // Both orders came about.
  expect(collected).toBeGreaterThan(0)
})
