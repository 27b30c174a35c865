// Do agents get yore's tools over a corpus of the service, with the same keys? The official client, both revisions of the protocol.
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Era } from '../../test/mcp-clients.ts'
import { Client, startService, type TestService } from './service.ts'

let service: TestService
let client: Client

const guide = `# Retries

## Policy

Three attempts, as [the decision](decision.md) says.

## Limits

Never more than a minute.
`

beforeAll(async () => {
  service = await startService()
  client = new Client(service.url, service.key)
  const uploads: string[] = []
  for (const corpus of ['handbook', 'empty', 'other'])
    await client.call('POST', '/v1/corpora', { name: corpus })
  for (const [path, text, corpus] of [
    ['guide.md', guide, 'handbook'],
    ['decision.md', '# Decision\n\nThree attempts and an hour of patience.\n', 'handbook'],
    ['guide.md', '# Kites\n\nKites need wind.\n', 'other'],
  ] as const)
    uploads.push((await client.upload(path, text, { corpus })).body.id)
  for (const id of uploads) expect((await client.wait(id)).state).toBe('completed')
})
afterAll(() => service.close())

const modern = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const

async function connect(corpus: string, key: string, era: Era = 'legacy'): Promise<McpClient> {
  const agent = new McpClient({ name: 'test', version: '1' }, era === 'modern' ? modern : {})
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await agent.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp/${corpus}`), { requestInit }),
  )
  return agent
}

describe.each(['legacy', 'modern'] as const)('an agent of the %s protocol', (era) => {
  it('finds the tools that need no source tree, and gets answers within their budget', async () => {
    const agent = await connect('handbook', service.key, era)
    const { tools } = await agent.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      ...['assemble_context', 'search', 'expand', 'read', 'uses', 'outline'],
    ])
    expect(tools[0]?.description).toContain('a question about the corpus handbook:')
    const digest = await call(agent, 'assemble_context', {
      question: 'How many attempts does the retry policy make?',
      maxTokens: 1000,
    })
    expect(digest.text).toContain('Three attempts')
    expect((await call(agent, 'read', { place: 'guide.md' })).text).toContain('Never more than a minute')
    expect((await call(agent, 'read', { place: '/etc/passwd' })).isError).toBe(true)
    expect((await call(agent, 'outline')).text).toMatch(/^Index fresh\. .+\n2 files \(markdown 2\), /)
    expect((await call(agent, 'outline', { since: 'main' })).text).toContain('no commits to compare with')
    await expect(call(agent, 'status')).rejects.toThrow(/Unknown tool/)
    await agent.close()
  })

  it('follows a reference from a passage, judged alone, as far as the rulebook allows', async () => {
    const agent = await connect('handbook', service.key, era)
    const wanted = { from: 'guide.md#retries.policy', via: 'links', target: 'decision.md' }
    const denied = await call(agent, 'expand', { ...wanted, via: 'nonsense' })
    expect(denied.text).toMatch(/^Denied [\s\S]+budget left: 4,/)
    for (const _ of [1, 2]) {
      const brought = await call(agent, 'expand', wanted)
      expect(brought.text).toMatch(/^Followed: [\s\S]+budget left: 3,/)
      expect(brought.text).toContain('an hour of patience')
    }
    await agent.close()
  })
})

/** A raw call, for what a client never sends. */
async function post(
  corpus: string,
  headers: Record<string, string>,
): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(`${service.url}/mcp/${corpus}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('the door', () => {
  it('asks for a key, and says when one is wrong', async () => {
    const { status, headers } = await post('handbook', {})
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    const wrong = await post('handbook', { authorization: 'Bearer nonsense' })
    expect(wrong.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
  })

  it('is closed to pages of other origins', async () => {
    const authorization = `Bearer ${service.key}`
    for (const origin of ['https://evil.example', 'null'])
      expect((await post('handbook', { authorization, origin })).status).toBe(403)
    expect((await post('handbook', { authorization, origin: service.url })).status).toBe(200)
  })

  it('knows no corpus that the key is not for, nor one that is not there', async () => {
    const { number } = (await client.call('GET', '/v1/corpora/other')).body
    const narrow = await service.makeKey(service.organisation, 'read', [number])
    const stranger = await service.makeKey(await service.makeOrganisation('strangers'), 'admin')
    const answers = [
      await post('handbook', { authorization: `Bearer ${narrow}` }),
      await post('handbook', { authorization: `Bearer ${stranger}` }),
      await post('never-was', { authorization: `Bearer ${service.key}` }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(new Set(answers.map(({ text }) => JSON.parse(text).detail)).size).toBe(1)
  })
})
