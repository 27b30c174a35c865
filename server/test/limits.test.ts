// Does what one organisation spends stay its own affair? Each limit over HTTP, with when to try again.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LimitName, limitRequests, makeAllowance, setLimits } from '../src/control/limits.ts'
import { LookupCache } from '../src/control/lookup-cache.ts'
import { readQueues } from '../src/control/queues.ts'
import { Client, startService, type TestService } from './service.ts'

let service: TestService
/** Asked as is; nothing works on uploads here. */
let client: Client

beforeAll(async () => {
  service = await startService({ role: 'api' })
  client = new Client(service.url, service.key)
  await client.call('POST', '/v1/corpora', { name: 'one' })
})
afterAll(() => service.close())

const limit = (organisation: string, limits: Partial<Record<LimitName, number>>): Promise<unknown> =>
  setLimits(service.database.owner, organisation, limits)

describe('requests', () => {
  it('are refused beyond the limit with Retry-After, for this organisation alone', async () => {
    const organisation = await service.makeOrganisation('hasty', { requests_per_minute: 6 })
    const hasty = new Client(service.url, await service.makeKey(organisation, 'admin'))
    const answers = await Promise.all(Array.from({ length: 12 }, () => hasty.call('GET', '/v1/corpora')))
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(5)
    expect(refused.length).toBeGreaterThan(0)
    for (const { headers, body } of refused) {
      expect(body.code).toBe('RATE_LIMITED')
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(20)
    }
    expect((await client.call('GET', '/v1/corpora')).status).toBe(200)
  })

  it('are not lost to one that came before and was counted later', async () => {
    const organisation = await service.makeOrganisation('unordered', { requests_per_minute: 6 })
    const requests = limitRequests(service.database.app, new LookupCache(null))
    const now = Date.now()
    await requests.spend(organisation, now)
    for (let earlier = 1; earlier < 5; earlier++) await requests.spend(organisation, now - earlier * 1000)
    await expect(requests.spend(organisation, now)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })

  it('come back evenly, in bursts of ten seconds; what cost more is waited for', async () => {
    const organisation = await service.makeOrganisation('counted', { requests_per_minute: 60 })
    const requests = limitRequests(service.database.app, new LookupCache(null))
    const start = Date.now()
    const allowed = async (after: number): Promise<number> => {
      for (let count = 0; ; count++)
        try {
          await requests.spend(organisation, start + after)
        } catch {
          return count
        }
    }
    expect(await allowed(0)).toBe(10)
    expect(await allowed(3000)).toBe(3)
    requests.charge(organisation, 5)
    expect(await allowed(8000)).toBe(0)
    await expect(requests.spend(organisation, start + 8000)).rejects.toMatchObject({ retryAfter: 1 })
    expect(await allowed(120_000)).toBe(10)
    // The new limit holds once it is read again.
    await limit(organisation, { requests_per_minute: 600 })
    expect(await allowed(240_000)).toBe(100)
  })
})

it('does not count a question that waits for the store', () => {
  const questions = makeAllowance('questions', () => 4)
  const releases = Array.from({ length: 3 }, () => questions.take('one', 1))
  expect(() => questions.take('one', 1)).toThrow('this organisation has too many questions')
  const takeBack = questions.lend('one')
  releases.push(questions.take('one', 1))
  takeBack()
  expect(questions.taken()).toBe(4)
  for (const release of releases) release()
  expect(questions.taken()).toBe(0)
})

it('takes no more uploads than may wait, and acknowledges again what it has taken', async () => {
  await limit(service.organisation, { uploads_waiting: 2 })
  const keyed = { 'idempotency-key': 'first' }
  expect((await client.upload('a.md', '# A\n', { corpus: 'one' }, keyed)).status).toBe(202)
  expect((await client.upload('b.md', '# B\n', { corpus: 'one' })).status).toBe(202)
  const third = await client.upload('c.md', '# C\n', { corpus: 'one' })
  expect([third.status, third.body.code]).toEqual([429, 'RATE_LIMITED'])
  expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await client.upload('a.md', '# A\n', { corpus: 'one' }, keyed)).status).toBe(202)
  expect((await client.call('DELETE', '/v1/corpora/one/documents?path=a.md')).status).toBe(202)
})

it('creates no more corpora and stores no more bytes than the organisation may have', async () => {
  const organisation = await service.makeOrganisation('tiny', { quota_corpora: 1, quota_bytes: 10 })
  const tiny = new Client(service.url, await service.makeKey(organisation, 'admin'))
  expect((await tiny.call('POST', '/v1/corpora', { name: 'first' })).status).toBe(201)
  const second = await tiny.call('POST', '/v1/corpora', { name: 'second' })
  expect([second.status, second.body.code]).toEqual([403, 'QUOTA'])
  const large = await tiny.upload('large.md', '# More than ten bytes\n', { corpus: 'first' })
  expect([large.status, large.body.code]).toEqual([403, 'QUOTA'])
})

it('tells an organisation what it may and what it uses', async () => {
  const { status, body } = await client.call('GET', '/v1/usage')
  expect(status).toBe(200)
  expect(body.limits).toMatchObject({ uploads_waiting: 2 })
  expect(body.used).toMatchObject({ quota_corpora: 1, uploads_waiting: 3 })
  const busiest = (await readQueues(service.database.app)).filter(({ queue }) => queue === null)
  expect(busiest).toMatchObject([{ organisation: service.organisation, jobs: 3 }])
})
