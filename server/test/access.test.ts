// Does an administrator of an organisation see and manage its keys, and find in the audit log what was done? Over HTTP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findCaller } from '../src/control/keys.ts'
import { openMetrics } from '../src/metrics.ts'
import { Client, keySecret, signIn, startService, type TestService } from './service.ts'

let service: TestService
let admin: Client
const events: { readonly event: string; readonly details: Readonly<Record<string, unknown>> }[] = []

beforeAll(async () => {
  service = await startService({
    healthPort: 0,
    onEvent: (event, details) => void events.push({ event, details }),
  })
  admin = new Client(service.url, service.key)
  await admin.call('POST', '/v1/corpora', { name: 'docs' })
})
afterAll(() => service.close())

describe('keys', () => {
  it('are created, listed without their secret, and revoked at once', async () => {
    const made = await admin.call('POST', '/v1/keys', { name: 'reader', access: 'read' })
    expect(made.status).toBe(201)
    const reader = new Client(service.url, made.body.key)
    expect((await reader.call('GET', '/v1/corpora')).status).toBe(200)
    expect((await reader.call('GET', '/v1/keys')).status).toBe(403)
    const { body } = await admin.call('GET', '/v1/keys')
    const listed = body.items.find(({ id }: { id: string }) => id === made.body.id)
    expect(listed).toMatchObject({ name: 'reader', access: 'read', corpora: null, revoked_at: null })
    expect(JSON.stringify(body)).not.toContain(made.body.key.split('_').at(-1))
    expect((await admin.call('DELETE', `/v1/keys/${made.body.id}`)).status).toBe(204)
    expect((await reader.call('GET', '/v1/corpora')).status).toBe(401)
    expect((await admin.call('DELETE', `/v1/keys/${made.body.id}`)).status).toBe(404)
    expect((await admin.call('DELETE', '/v1/keys/none')).status).toBe(404)
  })

  it('of another organisation are not seen and not revoked', async () => {
    const other = await service.makeOrganisation('other')
    const stranger = new Client(service.url, await service.makeKey(other, 'admin'))
    const mine = (await admin.call('GET', '/v1/keys')).body.items.map(({ id }: { id: string }) => id)
    const theirs = (await stranger.call('GET', '/v1/keys')).body.items.map(({ id }: { id: string }) => id)
    expect(theirs).toHaveLength(1)
    expect(mine).not.toContain(theirs[0])
    expect((await stranger.call('DELETE', `/v1/keys/${mine[0]}`)).status).toBe(404)
  })

  it('limited to some corpora create no keys', async () => {
    const { number } = (await admin.call('GET', '/v1/corpora/docs')).body
    const limited = new Client(service.url, await service.makeKey(service.organisation, 'admin', [number]))
    expect((await limited.call('POST', '/v1/keys', { name: 'all', access: 'admin' })).status).toBe(403)
  })

  it('are not listed from a cursor that the service did not give', async () => {
    const cursor = (text: string): string => Buffer.from(text).toString('base64url')
    for (const address of [`/v1/keys?cursor=${cursor('x')}`, `/v1/audit?cursor=${cursor('1e999')}`])
      expect(await admin.call('GET', address)).toMatchObject({
        status: 400,
        body: { detail: 'invalid cursor' },
      })
  })

  it('are not created from what the database cannot hold', async () => {
    const given = [{ corpora: [1e30] }, { name: 'a\0b' }, { expires_at: '2026-12-31T23:59:60Z' }]
    for (const one of given) {
      const wanted = { name: 'far', access: 'read', ...one }
      expect(await admin.call('POST', '/v1/keys', wanted)).toMatchObject({ status: 400 })
    }
  })

  it('hold while the secret that hashes them is replaced', async () => {
    const rotated = `${'n'.repeat(32)},${keySecret}`
    const find = (secret: string): Promise<unknown> =>
      findCaller(service.database.app, service.key, { keySecret: secret, now: Date.now() })
    await expect(find(rotated)).resolves.toMatchObject({ access: 'admin' })
    await expect(find('n'.repeat(32))).rejects.toThrow()
  })
})

it('the audit log has keys, uploads, deletions and sign-ins, each with its key', async () => {
  const { body } = await admin.upload('a.md', '# A\n', { corpus: 'docs' })
  await admin.wait(body.id)
  await admin.call('DELETE', '/v1/corpora/docs/documents?path=a.md')
  await signIn(service.url, service.key)
  await admin.call('DELETE', '/v1/corpora/docs')
  const entries = (await admin.call('GET', '/v1/audit?limit=1000')).body.items as {
    action: string
    api_key: string | null
  }[]
  const byKey = entries.filter(({ api_key }) => api_key !== null).map(({ action }) => action)
  for (const action of [
    'key.create',
    'key.revoke',
    'upload.file',
    'documents.delete',
    'session.sign-in',
    'corpus.delete',
  ])
    expect(byKey).toContain(action)
  const [first, ...rest] = (await admin.call('GET', '/v1/audit?limit=1')).body.items
  expect([rest, first.action]).toEqual([[], 'organisation.create'])
})

it('the log has a line for each request, with the id that an error names', async () => {
  const { body } = await admin.call('GET', '/v1/corpora/nowhere')
  expect(body.instance).toBeDefined()
  await expect
    .poll(() => events.find(({ event, details }) => event === 'request' && details['id'] === body.instance))
    .toMatchObject({
      details: { status: 404, organisation: service.organisation, corpus: 'nowhere', method: 'GET' },
    })
})

it('metrics are on the health port only, and count what was done', async () => {
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404)
  const text = await (await fetch(`${service.node.healthUrl}/metrics`)).text()
  for (const line of [
    /^yore_uploads_total\{outcome="read"\} [1-9]/m,
    /^yore_publish_seconds_count\{outcome="published"\} [1-9]/m,
    /^yore_store_seconds_count\{operation="put"\} [1-9]/m,
    /^yore_store_seconds_count\{operation="stream"\} [1-9]/m,
    /^yore_publications_total\{from="\w+"\} [1-9]/m,
    /^yore_requests_total\{route="\/v1\/keys",method="GET",status="200"\} [1-9]/m,
    /^yore_worker_paused 0$/m,
    /^yore_questions 0$/m,
    new RegExp(`^yore_organisation_requests\\{organisation="${service.organisation}"\\} [1-9]`, 'm'),
  ])
    expect(text).toMatch(line)
})

it('metrics that cannot be read are left out, and the others are there', async () => {
  const metrics = openMetrics()
  metrics.gauge('yore_unreadable', 'Fails.', [], () => {
    throw new Error('away')
  })
  expect(await metrics.text()).toContain('yore_requests_total')
})
