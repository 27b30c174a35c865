// Is a digest of the service the same bytes over HTTP, MCP and its pages as from the library? On the questions of test/one-digest.test.ts.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openEngine } from '../../src/offer/engine/open-engine.ts'
import { call } from '../../test/mcp-clients.ts'
import { corpusFixtures, questions } from '../../test/one-digest-questions.ts'
import { fixtureFolder, makeFolder, now, writeFiles } from '../../test/temporary-corpus.ts'
import { Client, signIn, startService, type TestService } from './service.ts'

const root = makeFolder()
process.env['SOURCE_DATE_EPOCH'] = String(now / 1000)
const engine = openEngine(root, { now })
let service: TestService
let client: Client
let agent: McpClient
let cookie = ''

beforeAll(async () => {
  const texts = Object.fromEntries(
    corpusFixtures.flatMap((name) =>
      readdirSync(fixtureFolder(name), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => {
          const file = path.join(entry.parentPath, entry.name)
          const below = path.relative(fixtureFolder(name), file).replaceAll(path.sep, '/')
          return [`${name}/${below}`, readFileSync(file)] as const
        }),
    ),
  )
  service = await startService({ now: () => now })
  client = new Client(service.url, service.key)
  await client.call('POST', '/v1/corpora', { name: 'handbook' })
  const uploads = await Promise.all(
    Object.entries(texts).map(
      async ([name, text]) => (await client.upload(name, text, { corpus: 'handbook' })).body.id,
    ),
  )
  for (const id of uploads) expect((await client.wait(id)).state).toBe('completed')
  // The service knows no other time of a file than that of its upload.
  writeFiles(root, texts, Object.fromEntries(Object.keys(texts).map((name) => [name, now])))
  await engine.index()
  agent = new McpClient({ name: 'test', version: '1' }, {})
  const requestInit = { headers: { authorization: `Bearer ${service.key}` } }
  await agent.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp/handbook`), { requestInit }),
  )
  cookie = await signIn(service.url, service.key)
})
afterAll(async () => {
  await agent.close()
  engine.close()
  await service.close()
  delete process.env['SOURCE_DATE_EPOCH']
})

async function byPages(question: string, maxTokens: number): Promise<string> {
  const query = new URLSearchParams({ q: question, max: String(maxTokens) })
  return (await fetch(`${service.url}/ui/handbook/ask.md?${query}`, { headers: { cookie } })).text()
}

it.each(questions.map((question, at) => [question, [700, 1500, 4000, 8000][at % 4] as number] as const))(
  'answers "%s" in %i tokens with the same bytes everywhere',
  async (question, maxTokens) => {
    const library = (await engine.assemble(question, { maxTokens })).output
    const { body } = await client.call('POST', '/v1/corpora/handbook/assemble', { question, maxTokens })
    const pages = await byPages(question, maxTokens)
    expect({ library, pages }).toEqual({ library: body.output, pages: body.output })
    // An agent gets numbered lines.
    const layout = 'numbered'
    const { text: mcp } = await call(agent, 'assemble_context', { question, maxTokens })
    const asked = await client.call('POST', '/v1/corpora/handbook/assemble', { question, maxTokens, layout })
    expect(asked.body.output).toBe(mcp)
  },
)
