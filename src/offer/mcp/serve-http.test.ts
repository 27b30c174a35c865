// Does whoever has gone stop the work, and is too much refused? The official client and bare requests, over real sockets.
import { request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ToolResult } from './fit-result.ts'
import { serveOverHttp } from './serve-http.ts'

let url: URL
let stop: AbortController
let served: Promise<void>
/** What was asked and is not answered yet. */
let asked: {
  readonly words: unknown
  readonly signal: AbortSignal
  readonly answer: () => void
  readonly fail: (error: Error) => void
}[]

const result = { content: [{ type: 'text', text: 'found' }] } as unknown as ToolResult

/** Every call waits until the test answers it, or its signal aborts. */
beforeEach(async () => {
  asked = []
  stop = new AbortController()
  url = await new Promise<URL>((resolve, reject) => {
    served = serveOverHttp(
      {
        ask: (_, given, signal) =>
          new Promise((answer, fail) => {
            asked.push({ words: given['words'], signal, answer: () => answer(result), fail })
            signal.addEventListener('abort', () => fail(signal.reason as Error))
          }),
        room: { capacity: 2, retryAfterSeconds: 7 },
      },
      {
        ...{ host: '127.0.0.1', port: 0, allowHosts: [], signal: stop.signal },
        onListening: (where) => resolve(new URL(where)),
      },
    )
    served.catch(reject)
  })
})
afterEach(async () => {
  stop.abort()
  await served
})

async function connectAs(era: 'legacy' | 'modern'): Promise<Client> {
  const pin = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const
  const client = new Client({ name: 'yore-test', version: '1.0.0' }, era === 'modern' ? pin : {})
  await client.connect(new StreamableHTTPClientTransport(url))
  return client
}

const search = (client: Client, words: string, signal?: AbortSignal): Promise<unknown> =>
  client
    .callTool({ name: 'search', arguments: { words } }, signal === undefined ? {} : { signal })
    .catch((error: unknown) => error)

async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; !holds() && waited < 10_000; waited += 10) await setTimeout(10)
  expect(holds()).toBe(true)
}

describe('whoever has gone', () => {
  it.each(['legacy', 'modern'] as const)('a cancelled call is stopped, and no other: %s', async (era) => {
    const [one, other] = [await connectAs(era), await connectAs(era)]
    const cancel = new AbortController()
    const cancelled = search(one, 'one', cancel.signal)
    await until(() => asked.length === 1)
    // The clients count alike, so both calls have the same id.
    const kept = search(other, 'other')
    await until(() => asked.length === 2)
    cancel.abort()
    expect(await cancelled).toBeInstanceOf(Error)
    await until(() => asked[0]!.signal.aborted)
    expect(asked[1]!.signal.aborted).toBe(false)
    asked[1]!.answer()
    expect(await kept).toMatchObject(result)
    // The room is free again.
    const next = [search(one, 'next'), search(other, 'next')]
    await until(() => asked.length === 4)
    for (const { answer } of asked.slice(2)) answer()
    expect(await Promise.all(next)).toMatchObject([result, result])
    await Promise.all([one.close(), other.close()])
  })

  it('a call whose connection closed is stopped', async () => {
    const sent = post({ query: 'x' })
    await until(() => asked.length === 1)
    sent.destroy()
    await until(() => asked[0]!.signal.aborted)
  })
})

it('an error of the engine is a result with a hint, not a protocol error', async () => {
  const client = await connectAs('modern')
  const answered = search(client, 'x')
  await until(() => asked.length === 1)
  asked[0]!.fail(new Error('UNIQUE constraint failed: artifacts.canonical_id'))
  expect(await answered).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^error: UNIQUE constraint failed.*\nhint: /) }],
    structuredContent: { error: { code: 'CRASHED' } },
  })
  await client.close()
})

/** A bare call. */
function post(given: object, hear: (status: number, body: string, retryAfter?: string) => void = () => {}) {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const sent = request(url, { method: 'POST', headers }, (reply) => {
    let body = ''
    reply.on('data', (part) => {
      body += part
    })
    reply.on('end', () => hear(reply.statusCode ?? 0, body, reply.headers['retry-after']))
  })
  sent.on('error', () => {})
  const params = { name: 'search', arguments: given }
  sent.end(JSON.stringify({ jsonrpc: '2.0', id: 'mine', method: 'tools/call', params }))
  return sent
}

describe('too much at once', () => {
  it('is refused with Retry-After, while everything else is answered', async () => {
    const first = [post({ query: '1' }), post({ query: '2' })]
    await until(() => asked.length === 2)
    const refused = await new Promise<{ status: number; body: string; retryAfter?: string }>((resolve) => {
      post({ query: '3' }, (status, body, retryAfter) =>
        resolve({ status, body, ...(retryAfter && { retryAfter }) }),
      )
    })
    expect(refused).toMatchObject({ status: 503, retryAfter: '7' })
    expect(JSON.parse(refused.body)).toMatchObject({
      ...{ jsonrpc: '2.0', id: 'mine' },
      error: { code: -32_000, data: { retryAfter: 7 } },
    })
    const client = await connectAs('legacy')
    expect((await client.listTools()).tools).toHaveLength(6)
    await client.close()
    for (const { answer } of asked) answer()
    for (const sent of first) sent.destroy()
    await until(() => asked.length === 2)
    post({ query: '4' })
    await until(() => asked.length === 3)
  })
})
