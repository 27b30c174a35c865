// What can one tenant, or somebody without a key, take from the others? Room in the store, places in queues, connections: each is bounded.
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { LimitName } from '../src/control/limits.ts'
import { asTenant } from '../src/control/open-database.ts'
import { openQueues, type ParseTask, parseQueue } from '../src/control/queues.ts'
import { openDirectoryStore } from '../src/versions/directory-store.ts'
import type { ObjectStore } from '../src/versions/store.ts'
import { Client, startService, type TestService } from './service.ts'

/** Nothing works on uploads here. */
let service: TestService
let client: Client
let store: ObjectStore
beforeAll(async () => {
  service = await startService({ role: 'api', graceMs: 500 })
  client = new Client(service.url, service.key)
  store = await openDirectoryStore({ directory: `${service.folder}/store` })
  await client.call('POST', '/v1/corpora', { name: 'docs' })
})
afterAll(() => service.close())

async function newTenant(name: string, limits: Partial<Record<LimitName, number>> = {}): Promise<Client> {
  const organisation = await service.makeOrganisation(name, limits)
  const tenant = new Client(service.url, await service.makeKey(organisation, 'admin'))
  await tenant.call('POST', '/v1/corpora', { name: 'docs' })
  return tenant
}

const countBlobs = async (): Promise<number> => {
  let count = 0
  for await (const _ of store.list('blobs/')) count++
  return count
}

describe('room in the store', () => {
  it('is not taken by what is refused', async () => {
    const keyed = { 'idempotency-key': 'one' }
    expect((await client.upload('a.md', '# A\n', { corpus: 'docs' }, keyed)).status).toBe(202)
    const before = await countBlobs()
    const reused = await client.upload('a.md', '# Another\n', { corpus: 'docs' }, keyed)
    const unknown = await client.upload('b.md', '# B\n', { corpus: 'nowhere' })
    const removals = await client.call('POST', '/v1/corpora/nowhere/documents/remove', { paths: ['c.md'] })
    const poor = await newTenant('poor', { quota_bytes: 3 })
    const large = await poor.upload('d.md', '# D, which is too much\n', { corpus: 'docs' })
    expect([reused, unknown, removals, large].map(({ body }) => body.code)).toEqual([
      'KEY_REUSED',
      'NOT_FOUND',
      'NOT_FOUND',
      'QUOTA',
    ])
    expect(await countBlobs()).toBe(before)
  })

  it('is as much for uploads that wait or failed as for documents', async () => {
    const tenant = await newTenant('hoarder', { quota_bytes: 1000 })
    const send = (number: number): Promise<{ status: number; body: { code?: string; id: string } }> =>
      tenant.upload(`${number}.md`, String(number).padEnd(400, 'x'), { corpus: 'docs' })
    const first = await send(1)
    expect([first.status, (await send(2)).status]).toEqual([202, 202])
    expect((await send(3)).body.code).toBe('QUOTA')
    // What was cancelled may be retried: its bytes are still there.
    await tenant.call('POST', `/v1/ingestions/${first.body.id}/cancel`)
    expect((await send(3)).body.code).toBe('QUOTA')
  })

  it('is not promised to more uploads at once than fit, and others find some', async () => {
    const tenant = await newTenant('streamer')
    const held = Array.from({ length: 8 }, () => {
      const sent = request(`${service.url}/v1/ingest/archive?corpus=docs`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tenant.key}`,
          'content-type': 'multipart/form-data; boundary=x',
          'content-length': 500_000_000,
        },
      })
      const status = new Promise<number>((resolve) => {
        sent.once('response', (answer) => resolve(answer.statusCode ?? 0))
        sent.once('error', () => resolve(0))
      })
      sent.write('--x\r\ncontent-disposition: form-data; name="file"; filename="a.tgz"\r\n\r\nx')
      return { sent, status }
    })
    onTestFinished(() => {
      for (const { sent } of held) sent.destroy()
    })
    const refused = await Promise.race([...held.map(({ status }) => status), sleep(5000, null)])
    expect(refused).toBe(429)
    expect((await client.upload('small.md', '# Small\n', { corpus: 'docs' })).status).toBe(202)
  })
})

describe('turns', () => {
  it('of who has one upload come before the many of another', async () => {
    const [many, one] = [await newTenant('many'), await newTenant('one')]
    const boss = await openQueues(
      { connectionString: service.database.appUrl },
      { works: false, onError: () => {} },
    )
    onTestFinished(() => boss.stop({ graceful: false }))
    await boss.deleteQueuedJobs(parseQueue)
    const sent: string[] = []
    for (let number = 0; number < 12; number++)
      sent.push((await many.upload(`${number}.md`, `# ${number}\n`, { corpus: 'docs' })).body.id)
    const late = (await one.upload('late.md', '# Late\n', { corpus: 'docs' })).body.id
    const order: string[] = []
    for (;;) {
      const [job] = await boss.fetch<ParseTask>(parseQueue)
      if (job === undefined) break
      order.push(job.data.ingestion)
    }
    expect(order.filter((id) => id !== late)).toEqual(sent)
    expect(order.indexOf(late)).toBeLessThanOrEqual(2)
  })

  it('of the database are left while many guess keys', async () => {
    expect((await client.call('GET', '/v1/corpora')).status).toBe(200)
    const guess = (): Promise<unknown> => {
      const hex = Array.from({ length: 16 }, () => Math.floor(Math.random() * 16).toString(16)).join('')
      return new Client(service.url, `yore_${hex}_${'A'.repeat(43)}`).call('GET', '/v1/corpora')
    }
    let guesses: Promise<unknown>[] = []
    // Keys cannot be looked up for a while: whoever looks one up waits with a connection.
    await service.database.owner.transaction().execute(async (transaction) => {
      await sql`lock table api_keys in access exclusive mode`.execute(transaction)
      guesses = Array.from({ length: 60 }, guess)
      await sleep(500)
      const ready = fetch(`${service.url}/readyz`).then(({ status }) => status)
      expect(await Promise.race([ready, sleep(3000, 'waits')])).toBe(200)
    })
    for (const answer of await Promise.all(guesses))
      expect([401, 503]).toContain((answer as { status: number }).status)
  })
})

describe('what cannot be stored', () => {
  it('is the fault of who sends it, and no failure of the service', async () => {
    const nul = encodeURIComponent('a\0b')
    for (const [method, route, body] of [
      ['GET', `/v1/corpora/${nul}`, undefined],
      ['GET', `/v1/corpora/${nul}/documents`, undefined],
      ['POST', '/v1/search', { query: 'x', corpora: ['a\0b'] }],
      ['POST', `/v1/corpora/${nul}/search`, { query: 'x' }],
    ] as const)
      expect((await client.call(method, route, body)).status, route).toBe(404)
    expect((await client.upload('a.md', '# A\n', { corpus: 'a\0b' })).status).toBe(404)
    for (const time of ['-200000-01-01T00:00:00Z', '+200000-01-01T00:00:00Z'])
      expect((await client.upload('a.md', '# A\n', { corpus: 'docs', modified_at: time })).status).toBe(400)
  })
})

it('a transaction that its owner left open keeps nobody waiting for long', async () => {
  const { organisation } = service
  const { app } = service.database
  let left = 0
  const lost = asTenant(app, organisation, async (transaction) => {
    await sql`select from corpora where name = 'docs' for update`.execute(transaction)
    left = performance.now()
    await sleep(6000)
    await sql`select 1`.execute(transaction)
  })
  const failure = expect(lost).rejects.toThrow()
  while (left === 0) await sleep(20)
  expect((await client.upload('waiting.md', '# Waiting\n', { corpus: 'docs' })).status).toBe(202)
  expect(performance.now() - left).toBeLessThan(5900)
  await failure
})
