import { afterEach, describe, expect, it } from 'vitest'
import { type ChatServer, type Reply, startChatServer } from '../../../test/support/chat-server.ts'
import type { Completion, Message } from '../../model/conversation.ts'
import { type ModelSettings, openModel } from './open-model.ts'
import { outputSchemas } from './read-output.ts'

const answer = '{"action":"answer","content":"Three times."}'
const answerOnly = outputSchemas(new Map(), 0)
const messages: Message[] = [
  { role: 'system', content: 'rules' },
  { role: 'user', content: 'question' },
]

let server: ChatServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

interface Asked {
  readonly completion: Completion
  readonly restarts: readonly string[]
  readonly heard: string
}

async function ask(
  script: readonly Reply[],
  settings: Partial<ModelSettings> = {},
  signal?: AbortSignal,
): Promise<Asked> {
  server = await startChatServer(script)
  const restarts: string[] = []
  let heard = ''
  const { complete } = openModel({
    provider: 'openai',
    url: server.url,
    model: 'scripted',
    apiKey: 'sk-secret',
    timeoutMs: 20_000,
    ...settings,
  })
  const completion = await complete(messages, {
    maxTokens: 500,
    schemas: answerOnly,
    onText: (part) => {
      heard += part
    },
    onRestart: (why) => {
      restarts.push(why)
      heard = ''
    },
    ...(signal === undefined ? {} : { signal }),
  })
  return { completion, restarts, heard }
}

describe('a turn', () => {
  it('sends the messages, the key and the schema, and streams the text', async () => {
    const { completion, heard } = await ask([answer])
    expect(completion).toEqual({ text: answer, inputTokens: 100, outputTokens: 10 })
    expect(heard).toBe(answer)
    const [request] = server!.requests
    expect(request).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer sk-secret' },
      body: { model: 'scripted', max_tokens: 500, stream: true, response_format: { type: 'json_schema' } },
    })
    expect(request?.body.messages).toMatchObject(messages)
  })

  it('goes without the schema when the server refuses it, and from then on', async () => {
    server = await startChatServer((request) =>
      request.body.response_format === undefined ? answer : { status: 400 },
    )
    const { complete } = openModel({
      ...{ provider: 'openai', url: server.url, model: 'm', apiKey: null, timeoutMs: 20_000 },
    })
    for (let turn = 0; turn < 2; turn++)
      expect(await complete(messages, { maxTokens: 10, schemas: answerOnly })).toMatchObject({
        text: answer,
      })
    expect(server.requests.map(({ body }) => body.response_format !== undefined)).toEqual([
      true,
      false,
      false,
    ])
    expect(server.requests[0]?.headers.authorization).toBeUndefined()
  })

  it('goes from the exact shapes to one object with all keys when the server refuses them', async () => {
    const offer = { from: 'S1', via: 'links', target: 'docs/other.md', cost: 1, name: 'Other' }
    const schemas = outputSchemas(new Map([['S1', { artifacts: ['a.md'], offers: [offer] }]]), 4)
    server = await startChatServer(({ body }) =>
      JSON.stringify(body.response_format).includes('anyOf') ? { status: 400 } : answer,
    )
    const { complete } = openModel({
      ...{ provider: 'openai', url: server.url, model: 'm', apiKey: null, timeoutMs: 20_000 },
    })
    for (const some of [schemas, schemas, answerOnly])
      await complete(messages, { maxTokens: 10, schemas: some })
    const sent = server.requests.map(
      ({ body }) => body.response_format as { json_schema?: { schema?: unknown } },
    )
    expect(sent.map((format) => format.json_schema?.schema)).toMatchObject([
      {
        anyOf: [
          { required: ['action', 'source', 'content'] },
          { required: ['action', 'from', 'via', 'target_identifier'] },
        ],
      },
      { required: ['action', 'from', 'via', 'target_identifier', 'source', 'content'] },
      { required: ['action', 'from', 'via', 'target_identifier', 'source', 'content'] },
      { required: ['action', 'source', 'content'] },
    ])
  })
})

describe('a server that fails', () => {
  const soon = { 'retry-after-ms': '5' }

  it('with 429 and 500 is asked again, as it wishes', async () => {
    const { completion } = await ask([{ status: 429, headers: soon }, { status: 500, headers: soon }, answer])
    expect(completion.text).toBe(answer)
    expect(server!.requests).toHaveLength(3)
  })

  it('with 429 for ever is given up, with its own words', async () => {
    const busy = { status: 429, headers: soon, body: { error: { message: 'slow\u0007 down' } } }
    await expect(ask([busy])).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      message: expect.stringContaining('status 429: slow down'),
    })
  })

  it('in the middle of a stream is asked again, and what was heard does not count', async () => {
    const { completion, restarts, heard } = await ask([{ drop: '{"action":"answer","con' }, answer])
    expect(completion.text).toBe(answer)
    expect(heard).toBe(answer)
    expect(restarts).toHaveLength(1)
  })

  it('that ends a stream without an end is asked again, unless the object is whole', async () => {
    const { restarts } = await ask([{ breakOff: '{"action":"ans' }, { breakOff: answer }])
    expect(restarts).toHaveLength(1)
  })

  it('that breaks off every time is given up after three tries', async () => {
    await expect(ask([{ drop: '{"act' }])).rejects.toMatchObject({ code: 'MODEL_FAILED' })
    expect(server!.requests).toHaveLength(3)
  })

  it('that says nothing is left after the time', async () => {
    await expect(ask([{ hang: true }], { timeoutMs: 300 })).rejects.toThrow('no answer within')
  })

  it('that refuses is told at once, and the key stays hidden', async () => {
    const refusal = { status: 401, body: { error: { message: 'bad key sk-secret' } } }
    await expect(ask([refusal])).rejects.toThrow('status 401: bad key ***')
    expect(server!.requests).toHaveLength(1)
  })

  it('that redirects is not followed', async () => {
    const elsewhere = { status: 307, headers: { location: 'http://127.0.0.1:1/v1/chat/completions' } }
    await expect(ask([elsewhere])).rejects.toThrow('a redirect, which is not followed')
  })

  it('that is not there is said to be not there', async () => {
    await expect(ask([answer], { url: 'http://127.0.0.1:1/v1' })).rejects.toMatchObject({
      code: 'MODEL_FAILED',
    })
  })

  it('is left when the caller stops', async () => {
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error('stopped')), 100)
    await expect(ask([{ hang: true }], {}, stop.signal)).rejects.toThrow('stopped')
  })
})

it('speaks with Anthropic in its own way', async () => {
  const { createServer } = await import('node:http')
  const seen: { path: string; key: unknown; body: Record<string, unknown> }[] = []
  const events = [
    [
      'message_start',
      {
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          model: 'c',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 7, output_tokens: 1 },
        },
      },
    ],
    ['content_block_start', { index: 0, content_block: { type: 'text', text: '' } }],
    ['content_block_delta', { index: 0, delta: { type: 'text_delta', text: answer } }],
    ['content_block_stop', { index: 0 }],
    [
      'message_delta',
      { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 9 } },
    ],
    ['message_stop', {}],
  ] as const
  const http = createServer((request, response) => {
    let text = ''
    request.on('data', (part) => {
      text += part
    })
    request.on('end', () => {
      seen.push({ path: request.url ?? '', key: request.headers['x-api-key'], body: JSON.parse(text) })
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const [type, event] of events)
        response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...event })}\n\n`)
      response.end()
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as { port: number }
  const { complete } = openModel({
    provider: 'anthropic',
    url: `http://127.0.0.1:${port}/v1`,
    model: 'claude-x',
    apiKey: 'sk-ant',
    timeoutMs: 10_000,
  })
  try {
    expect(await complete(messages, { maxTokens: 50, schemas: [] })).toEqual({
      text: answer,
      inputTokens: 7,
      outputTokens: 9,
    })
    expect(seen).toMatchObject([
      { path: '/v1/messages', key: 'sk-ant', body: { model: 'claude-x', max_tokens: 50 } },
    ])
  } finally {
    http.closeAllConnections()
    http.close()
  }
})
