// Does a question over several corpora of one tenant answer as each would, within one budget? Over HTTP, from real versions.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentId } from '../src/control/corpora.ts'
import { Client, startService, type TestService } from './service.ts'

let service: TestService
let client: Client

const documents = {
  kitchen: {
    'bread.md': '# Bread\n\n## Sourdough\n\nLet the sourdough rest overnight, then bake it at 230 degrees.\n',
  },
  harbour: { 'ferries.md': '# Ferries\n\n## Timetable\n\nThe ferry to the island leaves at seven.\n' },
  office: { 'bread.md': '# Bread order\n\nThe office orders bread on Mondays, never sourdough.\n' },
} as const

beforeAll(async () => {
  service = await startService({ now: () => Date.parse('2025-11-29T15:23:00Z') })
  client = new Client(service.url, service.key)
  const uploads: string[] = []
  for (const [corpus, files] of Object.entries(documents)) {
    await client.call('POST', '/v1/corpora', { name: corpus })
    for (const [path, text] of Object.entries(files))
      uploads.push((await client.upload(path, text, { corpus })).body.id)
  }
  await client.call('POST', '/v1/corpora', { name: 'empty' })
  for (const id of uploads) expect((await client.wait(id)).state).toBe('completed')
})
afterAll(() => service.close())

describe('search', () => {
  it('merges the hits of all corpora of the key, each with its corpus and its id', async () => {
    const { status, body } = await client.call('POST', '/v1/search', {
      words: 'How long does sourdough rest?',
    })
    expect(status).toBe(200)
    expect(body.versions).toEqual({ harbour: 1, kitchen: 1, office: 1 })
    const [first] = body.hits
    const { number } = (await client.call('GET', '/v1/corpora/kitchen')).body
    expect(first).toMatchObject({
      corpus: 'kitchen',
      path: 'kitchen/bread.md',
      document_id: documentId(number, 'bread.md#bread.sourdough'),
    })
    expect((await client.call('GET', `/v1/graph/docs/${first.document_id}`)).body.name).toBe('Sourdough')
    expect(new Set(body.hits.map(({ corpus }: { corpus: string }) => corpus)).has('office')).toBe(true)
  })

  it('asks only those that are named, in whatever order, and only those that the key is for', async () => {
    const ask = (corpora: readonly string[]): Promise<{ body: { hits: { corpus: string }[] } }> =>
      client.call('POST', '/v1/search', { words: 'sourdough', corpora })
    const { body } = await ask(['office', 'harbour'])
    expect(body.hits.every(({ corpus }) => corpus === 'office')).toBe(true)
    expect((await ask(['kitchen', 'office'])).body).toEqual((await ask(['office', 'kitchen'])).body)
    const { number } = (await client.call('GET', '/v1/corpora/office')).body
    const narrow = new Client(service.url, await service.makeKey(service.organisation, 'read', [number]))
    const own = await narrow.call('POST', '/v1/search', { words: 'sourdough' })
    expect(own.body.versions).toEqual({ office: 1 })
    const other = await narrow.call('POST', '/v1/search', { words: 'x', corpora: ['office', 'kitchen'] })
    expect(other.status).toBe(404)
  })
})

describe('assemble', () => {
  it('writes one digest within one budget, its sources below the names of their corpora', async () => {
    const question = 'What is said about bread and sourdough?'
    const { body } = await client.call('POST', '/v1/assemble', { question, maxTokens: 800 })
    expect(body.tokensUsed).toBeLessThanOrEqual(800)
    expect(body.output).toContain('kitchen/bread.md')
    expect(body.output).toContain('office/bread.md')
    expect(body.output).not.toContain('harbour/')
  })

  it('of one corpus is that of the corpus itself but for the names', async () => {
    const asked = { question: 'When does the ferry leave?', maxTokens: 1000, format: 'json' }
    const across = await client.call('POST', '/v1/assemble', { ...asked, corpora: ['harbour'] })
    const alone = await client.call('POST', '/v1/corpora/harbour/assemble', asked)
    const [merged, own] = [JSON.parse(across.body.output), JSON.parse(alone.body.output)]
    expect(merged.primary[0].text).toEqual(own.primary[0].text)
    expect(merged.primary[0].path).toBe(`harbour/${own.primary[0].path}`)
    expect(merged.confidence).toEqual(own.confidence)
  })
})

it('says what is wrong with the list of corpora, and which question it takes', async () => {
  for (const corpora of [[], 'kitchen', [1], Array.from({ length: 21 }, (_, at) => `c${at}`)]) {
    const { status, body } = await client.call('POST', '/v1/search', { words: 'x', corpora })
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.detail).toContain('1 to 20 names')
  }
  expect((await client.call('POST', '/v1/search', { words: 'x', corpora: ['empty'] })).status).toBe(404)
  expect((await client.call('POST', '/v1/search', { words: 'x', corpora: ['nothing'] })).status).toBe(404)
  expect((await client.call('POST', '/v1/search', { corpora: ['kitchen'] })).body.code).toBe('BAD_INPUT')
})
