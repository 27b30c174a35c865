import { afterEach, describe, expect, it } from 'vitest'
import { type ChatServer, type Reply, startChatServer } from '../../../test/support/chat-server.ts'
import type { Completion, Message } from '../../model/conversation.ts'
import { type ModelSettings, openModel } from './open-model.ts'
import { outputSchema } from './read-output.ts'

const answer = '{"action":"answer","content":"Three times."}'
const answerOnly = outputSchema(new Map(), 0)
const messages: Message[] = [
  { role: 'system', content: 'rules' },
  { role: 'user', content: 'question' },
]

let server: ChatServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

async function ask(
  script: readonly Reply[],
  settings: Partial<ModelSettings> = {},
  signal?: AbortSignal,
): Promise<Completion> {
  server = await startChatServer(script)
  const { complete } = openModel({
    provider: 'openai',
    url: server.url,
    model: 'scripted',
    apiKey: 'sk-secret',
    timeoutMs: 20_000,
    ...settings,
  })
  return complete(messages, {
    maxTokens: 500,
    schema: answerOnly,
    ...(signal === undefined ? {} : { signal }),
  })
}

describe('a turn', () => {
  it('sends the messages, the key and the schema, and reads the text', async () => {
    const completion = await ask([answer])
    expect(completion).toEqual({ text: answer, inputTokens: 100, outputTokens: 10 })
    const [request] = server!.requests
    expect(request).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer sk-secret' },
      body: { model: 'scripted', max_tokens: 500, stream: true, response_format: { type: 'json_schema' } },
    })
    expect(request?.body.messages).toMatchObject(messages)
  })
})

describe('a server that fails', () => {
  const soon = { 'retry-after-ms': '5' }

  it('with 429 and 500 is asked again, as it wishes', async () => {
    const completion = await ask([{ status: 429, headers: soon }, { status: 500, headers: soon }, answer])
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

  it.each([{ drop: '{"act' }, { breakOff: '{"act' }])('that breaks off is named: %j', async (reply) => {
    await expect(ask([reply])).rejects.toMatchObject({ code: 'MODEL_FAILED' })
    expect(server!.requests).toHaveLength(1)
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
    expect(await complete(messages, { maxTokens: 50, schema: answerOnly })).toEqual({
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

describe('Ollama', () => {
  const ollama = (script: readonly Reply[], asked = messages, more: Partial<ModelSettings> = {}) =>
    startChatServer(script).then(async (started) => {
      server = started
      const url = started.url.replace('/v1', '')
      const settings = { provider: 'ollama', model: 'scripted', apiKey: null, timeoutMs: 20_000 } as const
      return openModel({ ...settings, url, ...more }).complete(asked, {
        maxTokens: 500,
        schema: answerOnly,
      })
    })

  it('gets a context that holds the whole prompt and the answer', async () => {
    const digest = 'The queue retries a failed job three times, then parks it. '.repeat(2000)
    await ollama([answer], [messages[0]!, { role: 'user', content: digest }])
    const [{ body }] = server!.requests as [(typeof server & object)['requests'][number]]
    const { num_ctx, num_predict } = body['options'] as { num_ctx: number; num_predict: number }
    expect(body.messages.at(-1)?.content).toBe(digest)
    expect(num_predict).toBe(500)
    // The text has 26,000 tokens of o200k.
    expect(num_ctx).toBeGreaterThan(26_000 + 500)
    expect(num_ctx % 4096).toBe(0)
  })

  it('is sent the schema, streams, and reports its counts', async () => {
    expect(await ollama([answer])).toEqual({ text: answer, inputTokens: 100, outputTokens: 10 })
    expect(server?.requests[0]).toMatchObject({
      path: '/api/chat',
      body: { model: 'scripted', stream: true },
    })
    expect(server?.requests[0]?.body.format).toMatchObject({ type: 'object' })
  })

  it('is asked again after 500', async () => {
    expect(await ollama([{ status: 500 }, answer])).toMatchObject({ text: answer })
  })

  it('that never answers is left after the time', async () => {
    await expect(ollama([{ hang: true }], messages, { timeoutMs: 300 })).rejects.toThrow(
      'no answer within 0 seconds',
    )
  })
})
