// What do endless, huge and slow servers of LLMs cost? T37, over real sockets.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openModel } from '../src/answer/converse/open-model.ts'
import { loadSettings } from '../src/model/config/load-settings.ts'
import { makeFolder, writeFiles } from './temporary-corpus.ts'

const megabyte = 2 ** 20

interface WrongServer {
  readonly url: string
  /** Bytes that left for the client, over all requests. */
  readonly sent: () => number
  readonly requests: () => number
  close(): Promise<void>
}

type Answer = (response: ServerResponse, count: (bytes: number) => void) => void

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function serve(answer: Answer): Promise<WrongServer> {
  let sent = 0
  let requests = 0
  const server = createServer((request, response) => {
    request.resume()
    requests++
    answer(response, (bytes) => {
      sent += bytes
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = (): Promise<void> => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(() => resolve()))
  }
  closing.push(close)
  return { url: `http://127.0.0.1:${port}/v1`, sent: () => sent, requests: () => requests, close }
}

/** Writes the chunk again and again, as fast as it is read, up to a limit. */
const pour =
  (status: number, chunk: string, limit = Number.POSITIVE_INFINITY): Answer =>
  (response, count) => {
    response.writeHead(status, {
      'content-type': chunk.startsWith('data:') ? 'text/event-stream' : 'application/json',
    })
    let left = limit
    const more = (): void => {
      while (!response.destroyed && left > 0) {
        count(chunk.length)
        left -= chunk.length
        if (!response.write(chunk)) return void response.once('drain', more)
      }
      if (left <= 0) response.end()
    }
    more()
  }

const blanks = ' '.repeat(65_536)
const event = (text: string): string =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content: text }, finish_reason: null }] })}\n\n`

describe('T37: the server of an LLM', () => {
  const ask = (url: string): Promise<unknown> =>
    openModel({
      provider: 'openai',
      url,
      model: 'm',
      apiKey: null,
      timeoutMs: 60_000,
    }).complete([{ role: 'user', content: 'question' }], { maxTokens: 500, schema: {} })

  it.each<[string, Answer]>([
    ['sends one line without end', pour(200, `data:${blanks}`)],
    ['sends words without end', pour(200, event('word '))],
    ['sends 1 GB', pour(200, event('word '.repeat(10_000)), 1024 * megabyte)],
    ['sends events without words', pour(200, event(''))],
    ['refuses without end', pour(400, blanks)],
  ])('that %s is cut off, and not asked again', async (_, answer) => {
    const server = await serve(answer)
    await expect(ask(server.url)).rejects.toMatchObject({ code: 'MODEL_FAILED' })
    expect(server.requests()).toBe(1)
    await expect.poll(server.sent).toBeLessThan(64 * megabyte)
  })
})

describe('the key of the server', () => {
  it('is known, and comes from the environment alone', () => {
    const root = makeFolder()
    writeFiles(root, { '.env': 'YORE_LLM_KEY=planted\n' })
    const env = { HOME: root, YORE_LLM_KEY: 'sk-other' }
    const { settings, warnings } = loadSettings({ root, env })
    expect(warnings).toEqual([])
    expect(JSON.stringify(settings)).not.toMatch(/sk-|planted/)
    expect(process.env['YORE_LLM_KEY']).toBeUndefined()
  })
})
