// What do endless, huge, slow and absent servers of embeddings and LLMs cost? T37, over real sockets.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openModel } from '../src/answer/converse/open-model.ts'
import { createOpenAiEmbedder } from '../src/corpus/embed/openai-embedder.ts'
import { loadSettings } from '../src/model/config/load-settings.ts'
import type { Settings } from '../src/model/config/settings.ts'
import type { Engine } from '../src/offer/engine/engine.ts'
import { indexFolder, makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

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

/** One byte at a time, for ever. */
const drip: Answer = (response, count) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => {
    count(1)
    response.write(' ')
  }, 50)
  response.once('close', () => clearInterval(timer))
}

const hang: Answer = () => {}

/** An address where nobody listens. */
async function freeAddress(): Promise<string> {
  const { url, close } = await serve(hang)
  await close()
  return url
}

const blanks = ' '.repeat(65_536)
const event = (text: string): string =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content: text }, finish_reason: null }] })}\n\n`

describe('T37: an embedding server', () => {
  const embed = (url: string): Promise<unknown> =>
    createOpenAiEmbedder(
      { baseUrl: url, model: 'm', dimensions: 8 },
      { random: () => 0, now: Date.now, maxRetries: 0, timeoutMs: 20_000 },
    ).embed(['text'], 'query')

  it.each([
    ['never ends', pour(200, blanks)],
    ['sends 1 GB', pour(200, blanks, 1024 * megabyte)],
    ['refuses without end', pour(400, blanks)],
  ])('that %s is cut off', async (_, answer) => {
    const server = await serve(answer)
    await expect(embed(server.url)).rejects.toThrow('the embedding endpoint')
    await expect.poll(server.sent).toBeLessThan(16 * megabyte)
  })

  const withServer = (url: string): Partial<Settings> => ({
    'embedding.provider': 'openai',
    'embedding.url': url,
    'embedding.model': 'm',
    'embedding.dimensions': 8,
  })

  /** An engine over a folder that was indexed without vectors, so that only questions meet the server. */
  async function corpus(url: string, settings: Partial<Settings> = {}): Promise<Engine> {
    const root = makeFolder()
    writeFiles(root, { 'a.md': '# Keeper\n\nThe lighthouse keeper.\n', 'b.md': '# Ship\n\nA ship.\n' })
    await indexFolder(root, { 'embedding.provider': 'none' })
    const engine = openCorpus(root, { ...withServer(url), ...settings })
    closing.push(() => engine.close())
    return engine
  }

  it.each<[string, Answer | null]>([
    ['is not there', null],
    ['never answers', hang],
    ['drips', drip],
    ['answers something else', pour(200, '<html>', 6)],
    ['never ends', pour(200, blanks)],
    ['refuses', pour(503, '{}', 2)],
  ])('that %s leaves the answer to words, at once and with a notice', async (_, answer) => {
    const server = answer === null ? null : await serve(answer)
    const engine = await corpus(server?.url ?? (await freeAddress()))
    const started = performance.now()
    const { output } = await engine.assemble('lighthouse keeper')
    expect(output).toContain('The lighthouse keeper.')
    expect(output).toContain('Found by words alone')
    expect(performance.now() - started).toBeLessThan(6_000)
    // It is known to be down now: nobody asks it again for a while.
    const asked = server?.requests()
    const again = performance.now()
    const { hits, notices } = await engine.search('lighthouse keeper', { mode: 'vector' })
    expect(performance.now() - again).toBeLessThan(1_000)
    expect(server?.requests()).toBe(asked)
    expect(hits[0]?.path).toBe('a.md')
    expect(notices.join()).toContain('Found by words alone')
  })

  it('that is down does not hold up a question that finds changed files', async () => {
    const engine = await corpus((await serve(hang)).url, { refresh: 'auto' })
    const root = (await engine.status()).root
    writeFiles(root, { 'a.md': '# Keeper\n\nThe lighthouse keeper sleeps.\n' }, { 'a.md': Date.now() })
    const started = performance.now()
    const { output } = await engine.assemble('lighthouse keeper')
    expect(output).toContain('sleeps')
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})

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

describe('the key of the embedding server', () => {
  it('is known, and comes from the environment alone', () => {
    const root = makeFolder()
    writeFiles(root, { '.env': 'YORE_EMBEDDING_KEY=planted\nYORE_LLM_KEY=planted\n' })
    const env = { HOME: root, YORE_EMBEDDING_KEY: 'sk-secret', YORE_LLM_KEY: 'sk-other' }
    const { settings, warnings } = loadSettings({ root, env })
    expect(warnings).toEqual([])
    expect(JSON.stringify(settings)).not.toMatch(/sk-|planted/)
    expect(process.env['YORE_EMBEDDING_KEY']).toBeUndefined()
  })
})
