// Does the agents' server keep to the protocol where a well-behaved client never looks? Raw lines, hostile and odd ones.
import { createInterface } from 'node:readline'
import { beforeAll, describe, expect, it } from 'vitest'
import { spawnServer } from './mcp-clients.ts'
import { indexFolder, makeFolder, writeFiles } from './temporary-corpus.ts'

let root: string
beforeAll(async () => {
  root = makeFolder()
  writeFiles(root, { 'a.md': '# A\n\nSome words.\n' })
  await indexFolder(root, { 'embedding.provider': 'none' })
})

// biome-ignore lint/suspicious/noExplicitAny: JSON-RPC of any shape
type Reply = any

const ping = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' })
const initialize = (protocolVersion: string): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  })

describe('standard input', () => {
  const converse = async (
    lines: readonly string[],
    expected: number = lines.filter((line) => line.includes('"id":')).length,
  ): Promise<{ replies: Reply[]; status: number | null }> => {
    const child = spawnServer(root)
    const replies: Reply[] = []
    const out = createInterface({ input: child.stdout! })
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    child.stdin!.write(`${lines.join('\n')}\n`)
    for await (const line of out) {
      // Whatever is not JSON would break a client.
      replies.push(JSON.parse(line))
      if (replies.length === expected) child.stdin!.end()
    }
    return { replies, status: await ended }
  }

  it('carries nothing but the protocol, survives odd lines, and ends with its client', async () => {
    const { replies, status } = await converse([
      'this is no JSON',
      initialize('2025-11-25'),
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}',
      '{"jsonrpc":"2.0","id":"two","method":"tools/call","params":{"name":"outline","arguments":{}}}',
      ping,
    ])
    expect(replies).toHaveLength(3)
    expect(replies).toContainEqual(expect.objectContaining({ id: 'two', result: expect.anything() }))
    expect(replies).toContainEqual(expect.objectContaining({ id: 7, result: {} }))
    expect(status).toBe(0)
  })

  it('does not answer a call that was cancelled', async () => {
    const call = (id: number): string =>
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'search', arguments: { query: 'words' } },
      })
    const cancel = JSON.stringify({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 11 },
    })
    const { replies } = await converse([initialize('2025-11-25'), call(11), cancel, call(12)], 2)
    expect(replies.map((reply) => reply.id)).toEqual([1, 12])
  })

  it.each(['2025-03-26', '2025-06-18', '2025-11-25'])('agrees on revision %s', async (version) => {
    const { replies } = await converse([initialize(version)])
    expect(replies[0].result).toMatchObject({ protocolVersion: version, capabilities: { tools: {} } })
    expect(Object.keys(replies[0].result.capabilities)).toEqual(['tools'])
    expect(replies[0].result.instructions).toContain('assemble_context')
  })

  it('offers a revision that it knows to a client from the future', async () => {
    const { replies } = await converse([initialize('2099-01-01')])
    expect(replies[0].result.protocolVersion).toMatch(/^2025-/)
  })

  it('answers odd requests with their codes, and has no method that it does not declare', async () => {
    const others =
      'logging/setLevel completion/complete resources/list resources/templates/list resources/read'
    const more = 'resources/subscribe resources/unsubscribe prompts/list prompts/get tasks/get'
    const asked: [method: string, params: object, code: number][] = [
      ...`${others} ${more}`.split(' ').map((method): [string, object, number] => [method, {}, -32_601]),
      ['tools/list', { cursor: '2' }, -32_602],
      ['tools/call', {}, -32_602],
      ['tools/call', { name: 'constructor', arguments: {} }, -32_602],
      ['tools/call', { name: 'search', arguments: [] }, -32_602],
    ]
    const lines = asked.map(([method, params], at) =>
      JSON.stringify({ jsonrpc: '2.0', id: 100 + at, method, params }),
    )
    const { replies } = await converse([initialize('2025-11-25'), ...lines])
    for (const [at, [method, , code]] of asked.entries())
      expect([method, replies.find(({ id }) => id === 100 + at).error.code]).toEqual([method, code])
  })

  it('does not mind arguments of the wrong kind, prototype keys among them', async () => {
    const search = (id: number, given: string): string =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"search","arguments":${given}}}`
    const bad = ['{"query":["x"]}', '{"query":""}', '{"constructor":1}', '{"query":"x","limit":"3"}']
    const { replies } = await converse([
      initialize('2025-11-25'),
      ...bad.map((given, at) => search(10 + at, given)),
      search(20, '{"__proto__":{"limit":1},"query":"words"}'),
    ])
    const resultOf = (id: number): Reply => replies.find((reply) => reply.id === id).result
    for (const at of bad.keys()) expect(resultOf(10 + at).isError).toBe(true)
    expect(resultOf(20).content[0].text.match(/^\d+\. /gm)).toHaveLength(1)
  })

  it('answers a message above 4 MiB with an error, and goes on', async () => {
    const search = (id: number | string, query: string): object => ({
      method: 'tools/call',
      params: { name: 'search', arguments: { query, id: 99 } },
      jsonrpc: '2.0',
      id,
    })
    const long = 'x'.repeat(5_000_000)
    const { replies, status } = await converse(
      [
        initialize('2025-11-25'),
        JSON.stringify(search('last', long)),
        JSON.stringify({ jsonrpc: '2.0', id: 8, method: 'ping', params: { long } }),
        `{"long":"${long}"}`,
        ping,
      ],
      5,
    )
    const refused = replies.filter((reply) => 'error' in reply)
    expect(refused).toEqual(
      ['last', 8, null].map((id) => ({
        jsonrpc: '2.0',
        id,
        error: { code: -32_600, message: expect.stringContaining('at most 4194304 bytes') },
      })),
    )
    expect(replies).toContainEqual(expect.objectContaining({ id: 7, result: {} }))
    expect(status).toBe(0)
  })

  it('ends by a signal, with success', async () => {
    const child = spawnServer(root)
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    child.stdin!.write(`${initialize('2025-11-25')}\n`)
    await new Promise((resolve) => child.stdout!.once('data', resolve))
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })
})
