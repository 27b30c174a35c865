// Does the agents' server keep to the protocol where a well-behaved client never looks? Raw requests, hostile and odd ones.
import { request } from 'node:http'
import { createInterface } from 'node:readline'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpServer, memoryOf, serveHttp, spawnServer } from './mcp-clients.ts'
import { indexFolder, makeFolder, writeFiles } from './temporary-corpus.ts'

let root: string
let http: HttpServer
beforeAll(async () => {
  root = makeFolder()
  writeFiles(root, { 'a.md': '# A\n\nSome words.\n' })
  await indexFolder(root, { 'embedding.provider': 'none' })
  http = await serveHttp(root, ['--allow-hosts', 'docs.example'])
})
afterAll(async () => {
  expect(await http.stop()).toBe(0)
})

interface Reply {
  readonly status: number
  readonly body: string
  // biome-ignore lint/suspicious/noExplicitAny: JSON-RPC of any shape
  readonly json: any
}

const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** node:http rather than fetch, which does not let a caller choose its Host. */
function send(
  body: string | Buffer | null,
  headers: Record<string, string> = {},
  { method = 'POST', path = '/mcp' }: { method?: string; path?: string } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: http.url.port, path, method, headers: { ...usual, ...headers } },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => {
          text += part
        })
        response.on('end', () => {
          const data = /^data: (.+)$/m.exec(text)?.[1] ?? text
          resolve({ status: response.statusCode ?? 0, body: text, json: parse(data) })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body ?? undefined)
  })
}

/** The status that answers a body in chunks without an end; 413 too when the line is closed first. */
function sendEndlessly(): Promise<number> {
  return new Promise((resolve) => {
    const sent = request({
      host: '127.0.0.1',
      port: http.url.port,
      path: '/mcp',
      method: 'POST',
      headers: usual,
    })
    const chunk = Buffer.alloc(65_536, 'a')
    const more = setInterval(() => sent.write(chunk), 1)
    const end = (status: number): void => {
      clearInterval(more)
      sent.destroy()
      resolve(status)
    }
    sent.on('response', ({ statusCode = 0 }) => end(statusCode))
    sent.on('error', () => end(413))
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const ping = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' })
const initialize = (protocolVersion: string): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  })

describe('who may ask over HTTP', () => {
  it.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost.evil.example' },
    { origin: 'not an origin' },
    { host: 'evil.example' },
    { host: 'localhost.evil.example:80' },
    { host: '127.0.0.1.evil.example' },
    { host: '169.254.169.254' },
    { host: 'evil.example', origin: 'http://localhost' },
  ] as Record<string, string>[])('refuses %j with 403', async (headers) => {
    expect(await send(ping, headers)).toMatchObject({ status: 403 })
    expect(await send(null, headers, { method: 'GET' })).toMatchObject({ status: 403 })
    expect(await send(null, headers, { method: 'OPTIONS' })).toMatchObject({ status: 403 })
  })

  it.each([
    {},
    { host: 'localhost' },
    { host: '127.0.0.1:9999' },
    { host: '[::1]:80' },
    { host: 'docs.example' },
    { origin: 'http://localhost:6274' },
    { origin: 'https://docs.example' },
  ] as Record<string, string>[])('answers %j', async (headers) => {
    expect(await send(ping, headers)).toMatchObject({ status: 200, json: { id: 7, result: {} } })
  })

  it('says nothing at other addresses', async () => {
    for (const path of ['/', '/mcp/', '/../mcp2', '//evil.example/mcp'])
      expect(await send(ping, {}, { path })).toMatchObject({ status: 404 })
  })
})

describe('what a request over HTTP may be', () => {
  it.each(['2025-03-26', '2025-06-18', '2025-11-25'])('agrees on revision %s', async (version) => {
    const { json } = await send(initialize(version))
    expect(json.result).toMatchObject({ protocolVersion: version, capabilities: { tools: {} } })
    expect(json.result.instructions).toContain('assemble_context')
  })

  it('offers a revision that it knows to a client from the future', async () => {
    const { json } = await send(initialize('2099-01-01'))
    expect(json.result.protocolVersion).toMatch(/^2025-/)
  })

  it.each([
    ['text that is no JSON', '{', -32_700],
    ['a method that there is not', '{"jsonrpc":"2.0","id":2,"method":"resources/list"}', -32_601],
    ['no JSON-RPC', '{"id":2,"method":"ping"}', -32_600],
    ['an id that is none', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32_600],
    [
      'a page that there is not',
      '{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"2"}}',
      -32_602,
    ],
    ['a call without a name', '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{}}', -32_602],
    [
      'a tool that only looks like one',
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"constructor","arguments":{}}}',
      -32_602,
    ],
  ])('answers %s with its code', async (_, body, code) => {
    expect((await send(body)).json.error.code).toBe(code)
  })

  it('declares tools alone, and has no method of what it does not declare', async () => {
    const { json } = await send(initialize('2025-11-25'))
    expect(Object.keys(json.result.capabilities)).toEqual(['tools'])
    const others =
      'logging/setLevel completion/complete resources/list resources/templates/list resources/read'
    const more = 'resources/subscribe resources/unsubscribe prompts/list prompts/get tasks/get'
    for (const method of `${others} ${more}`.split(' '))
      expect(
        (await send(JSON.stringify({ jsonrpc: '2.0', id: 2, method, params: {} }))).json.error.code,
      ).toBe(-32_601)
  })

  it('refuses a revision that it does not know in the header, and takes those that it does', async () => {
    expect(await send(ping, { 'mcp-protocol-version': '1999-01-01' })).toMatchObject({ status: 400 })
    expect(await send(ping, { 'mcp-protocol-version': '2025-06-18' })).toMatchObject({ status: 200 })
  })

  it('answers a call that would like to hear of progress, and one alone', async () => {
    const params = { name: 'search', arguments: { query: 'words' }, _meta: { progressToken: 'p' } }
    const { body } = await send(JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/call', params }))
    expect(body.match(/^data: /gm)).toHaveLength(1)
  })

  it('takes notifications without an answer, and no other methods', async () => {
    const notified = await send('{"jsonrpc":"2.0","method":"notifications/initialized"}')
    expect(notified).toMatchObject({ status: 202, body: '' })
    expect(await send(null, {}, { method: 'GET' })).toMatchObject({ status: 405 })
    expect(await send(null, {}, { method: 'DELETE' })).toMatchObject({ status: 405 })
  })

  it('wants JSON of bounded size, and a client that can read the answer', async () => {
    expect(await send(ping, { 'content-type': 'text/plain' })).toMatchObject({ status: 415 })
    expect(await send(ping, { accept: 'text/html' })).toMatchObject({ status: 406 })
    const large = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'ping',
      params: { x: 'y'.repeat(1_100_000) },
    })
    expect(await send(large)).toMatchObject({ status: 413 })
    // Who sends on for long may find the line closed before the answer arrives.
    const huge = send('x'.repeat(12_000_000))
    expect(
      await huge.then(
        ({ status }) => status,
        () => 413,
      ),
    ).toBe(413)
    expect(await send(ping)).toMatchObject({ status: 200 })
  })

  it('never inflates a body: a bomb of 200 MB, an endless body and 10,000 parts are refused (T30)', async () => {
    const before = memoryOf(http.pid)
    const bomb = gzipSync(Buffer.alloc(200_000_000, 'a'), { level: 1 })
    for (const encoding of ['gzip', 'deflate', 'br'])
      expect((await send(bomb, { 'content-encoding': encoding })).status).toBe(400)
    const parts = Array.from(
      { length: 10_000 },
      (_, at) => `--x\r\ncontent-disposition: form-data; name="${at}"\r\n\r\nv`,
    )
    expect(
      await send(parts.join('\r\n'), { 'content-type': 'multipart/form-data; boundary=x' }),
    ).toMatchObject({ status: 415 })
    expect(await sendEndlessly()).toBe(413)
    expect(memoryOf(http.pid) - before).toBeLessThan(64)
  })

  it('does not mind arguments of the wrong kind, prototype keys among them', async () => {
    const call = (given: string): Promise<Reply> =>
      send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"search","arguments":${given}}}`)
    for (const given of ['{"query":["x"]}', '{"query":""}', '{"constructor":1}', '{"query":"x","limit":"3"}'])
      expect((await call(given)).json.result.isError).toBe(true)
    const odd = await call('{"__proto__":{"limit":1},"query":"words"}')
    expect(odd.json.result.content[0].text.match(/^\d+\. /gm)).toHaveLength(1)
    expect(Object.hasOwn(Object.prototype, 'limit')).toBe(false)
    expect((await call('[]')).json.error.code).toBe(-32_602)
  })
})

describe('standard input', () => {
  const converse = async (
    lines: readonly string[],
    expected: number = lines.filter((line) => line.includes('"id":')).length,
  ): Promise<{ replies: unknown[]; status: number | null }> => {
    const child = spawnServer(root)
    const replies: unknown[] = []
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
    expect(replies.map((reply) => (reply as { id: number }).id)).toEqual([1, 12])
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
