// Does a question over several corpora of one tenant answer as each would, within one budget? Over HTTP, from real versions.
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '../../test/mcp-clients.ts'
import { documentId } from '../src/control/corpora.ts'
import { Client, startService, type TestService } from './service.ts'

let service: TestService
let client: Client

const documents = {
  kitchen: {
    'bread.md':
      '# Bread\n\n## Sourdough\n\nLet the sourdough rest overnight, then bake it at 230 degrees, as [flour](flour.md) allows.\n',
    'flour.md': '# Flour\n\nRye takes more water.\n',
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

/** The numbers that the corpora have now: two uploads may be one version, or two. */
async function versionsOf(...names: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const versions: Record<string, number> = {}
  for (const name of names) versions[name] = (await client.call('GET', `/v1/corpora/${name}`)).body.version
  return versions
}

describe('search', () => {
  it('merges the hits of all corpora of the key, each with its corpus and its id', async () => {
    const { status, body } = await client.call('POST', '/v1/search', {
      query: 'How long does sourdough rest?',
    })
    expect(status).toBe(200)
    expect(body.versions).toEqual(await versionsOf('harbour', 'kitchen', 'office'))
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
      client.call('POST', '/v1/search', { query: 'sourdough', corpora })
    const { body } = await ask(['office', 'harbour'])
    expect(body.hits.every(({ corpus }) => corpus === 'office')).toBe(true)
    expect((await ask(['kitchen', 'office'])).body).toEqual((await ask(['office', 'kitchen'])).body)
    const { number } = (await client.call('GET', '/v1/corpora/office')).body
    const narrow = new Client(service.url, await service.makeKey(service.organisation, 'read', [number]))
    const own = await narrow.call('POST', '/v1/search', { query: 'sourdough' })
    expect(own.body.versions).toEqual({ office: 1 })
    const other = await narrow.call('POST', '/v1/search', { query: 'x', corpora: ['office', 'kitchen'] })
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
    const { status, body } = await client.call('POST', '/v1/search', { query: 'x', corpora })
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.detail).toContain('1 to 20 names')
  }
  expect((await client.call('POST', '/v1/search', { query: 'x', corpora: ['empty'] })).status).toBe(404)
  expect((await client.call('POST', '/v1/search', { query: 'x', corpora: ['nothing'] })).status).toBe(404)
  expect((await client.call('POST', '/v1/search', { corpora: ['kitchen'] })).body.code).toBe('BAD_INPUT')
})

const question = 'What is said about bread and sourdough?'

describe('an agent', () => {
  const connect = async (address: string, key = service.key): Promise<McpClient> => {
    const agent = new McpClient({ name: 'test', version: '1' }, {})
    const requestInit = { headers: { authorization: `Bearer ${key}` } }
    await agent.connect(new StreamableHTTPClientTransport(new URL(service.url + address), { requestInit }))
    return agent
  }

  it('has the tools over all corpora of its key, or those that it names', async () => {
    const agent = await connect('/mcp?corpora=kitchen,office')
    const { tools } = await agent.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['assemble_context', 'search', 'expand', 'read'])
    const digest = await call(agent, 'assemble_context', { question, maxTokens: 1000 })
    expect(digest.text).toContain('kitchen/bread.md')
    expect(digest.text).toContain('office/bread.md')
    const { text } = await call(agent, 'search', { query: 'sourdough rest' })
    expect(text).not.toContain('harbour/')
    const wanted = { from: 'kitchen/bread.md', via: 'links', target: 'kitchen/flour.md' }
    const brought = await call(agent, 'expand', wanted)
    expect(brought.text).toMatch(
      /^Followed: [\s\S]+\*\*Source:\*\* kitchen\/flour\.md:[\s\S]+budget left: 3,/,
    )
    expect(brought.text).toContain('Rye takes more water')
    expect((await call(agent, 'read', { place: 'office/bread.md' })).text).toContain('on Mondays')
    const lost = await call(agent, 'read', { place: 'bread.md' })
    expect([lost.isError, lost.text]).toEqual([true, expect.stringContaining('kitchen/, office/')])
    expect((await call(agent, 'read', { place: 'harbour/ferries.md' })).isError).toBe(true)
    const all = await connect('/mcp')
    expect((await call(all, 'read', { place: 'harbour/ferries.md' })).text).toContain('at seven')
    expect((await call(all, 'expand', wanted)).text).toMatch(/^Followed: /)
    for (const one of [agent, all]) await one.close()
  })

  it('finds nothing that its key is not for', async () => {
    const { number } = (await client.call('GET', '/v1/corpora/office')).body
    const narrow = await service.makeKey(service.organisation, 'read', [number])
    const agent = await connect('/mcp', narrow)
    const { text } = await call(agent, 'search', { query: 'bread' })
    expect([text.includes('office/'), text.includes('kitchen/')]).toEqual([true, false])
    expect((await call(agent, 'read', { place: 'kitchen/bread.md' })).isError).toBe(true)
    await agent.close()
    await expect(connect('/mcp?corpora=office,kitchen', narrow)).rejects.toThrow('404')
  })
})
