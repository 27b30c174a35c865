// Does the adapter get right scores from every server of that shape, and end soon when a server misbehaves?
import { describe, expect, test } from 'vitest'
import { createHttpReranker, type HttpRerankerOptions, type HttpRerankerSettings } from './http-reranker.ts'
import { type RerankHandler, sendRaw, serverScore, useRerankServer } from './rerank-server.fixture.ts'
import type { Reranker } from './reranker.ts'

const key = 'sk-secret-key'
const question = 'which animals live near Peru'
const texts = ['the giant panda of China', 'llamas live near Peru', 'animals that live near Peru', 'cars']
const server = await useRerankServer()

function open(
  settings: Partial<HttpRerankerSettings> = {},
  options: Partial<HttpRerankerOptions> = {},
): Reranker {
  return createHttpReranker(
    { baseUrl: server.url, model: 'rerank-test', apiKey: key, ...settings },
    { random: () => 0.5, now: () => 1_000_000, ...options },
  )
}

describe('each server', () => {
  const asked = { model: 'rerank-test', query: question, documents: texts, top_n: 4 }

  test.each([
    ['', '/v1/rerank'],
    ['/v2', '/v2/rerank'],
  ])('at %j gets the request and gives scores in the order of the texts', async (base, path) => {
    const scores = await open({ baseUrl: server.url + base }).rerank(question, texts)
    expect(scores).toEqual(texts.map((text) => serverScore(question, text)))
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]).toMatchObject({ url: path, headers: { authorization: `Bearer ${key}` } })
    expect(server.requests[0]!.body).toEqual(asked)
  })

  test('with one model needs no name', async () => {
    expect(await open({ model: '' }).rerank(question, texts)).toHaveLength(4)
    expect(server.requests[0]!.body).not.toHaveProperty('model')
  })

  test('an address with a path is taken as it is, one that names the endpoint too', async () => {
    for (const baseUrl of [`${server.url}/v1`, `${server.url}/v1/`, `${server.url}/v1/rerank`])
      await open({ baseUrl }).rerank(question, texts)
    expect(server.requests.map(({ url }) => url)).toEqual(['/v1/rerank', '/v1/rerank', '/v1/rerank'])
  })

  test('no texts are no request, and long ones are cut between characters', async () => {
    expect(await open().rerank(question, [])).toEqual([])
    expect(server.requests).toEqual([])
    await open({}, { maxTextChars: 4 }).rerank('q', ['abc😀 and more'])
    expect(server.requests[0]!.body['documents']).toEqual(['abc'])
  })

  test('the id names the model and changes with all that changes scores', () => {
    expect(open().id).toMatch(/^rerank-test-[0-9a-f]{12}$/)
    const ids = [
      open(),
      open({ model: 'other' }),
      open({ baseUrl: `${server.url}/v2` }),
      open({}, { maxTextChars: 9 }),
    ]
    expect(new Set(ids.map(({ id }) => id)).size).toBe(4)
  })
})

describe('settings that cannot work', () => {
  test.each([
    [{ baseUrl: 'file:///etc/passwd' }, 'must begin with http:// or https://'],
    [{ baseUrl: 'http://me:secret@localhost' }, 'must not hold a password'],
  ])('%j are refused before anything is sent', (settings, reason) => {
    expect(() => open(settings)).toThrow(reason)
  })
})

describe('a server that misbehaves', () => {
  const answer =
    (value: unknown, status = 200): RerankHandler =>
    (response) =>
      sendRaw(response, status, value)
  const row = (index: unknown, relevance_score: unknown): object => ({ index, relevance_score })

  test.each([
    ['<html>', 'its answer is not JSON'],
    ['null', 'no list named results'],
    [{ data: [] }, 'no list named results'],
    [{ results: [row(0, 1)] }, '1 scores for 2 texts'],
    [{ results: [row(0, 1), row(0, 2)] }, 'it gave score 0 twice'],
    [{ results: [row(0, 1), row(2, 2)] }, 'it numbered a score 2'],
    [{ results: [row(0, 1), row(-1, 2)] }, 'it numbered a score -1'],
    [{ results: [row(0, 1), row('1', 2)] }, 'it numbered a score "1"'],
    [{ results: [row(0, 1), row(1, 'high')] }, 'a score is "high"'],
    [{ results: [row(0, 1), row(1, null)] }, 'a score is null'],
    [{ results: [row(0, 1), null] }, 'it numbered a score undefined'],
    ['{"results":[{"index":0,"relevance_score":1},{"index":1,"relevance_score":1e999}]}', 'a score is null'],
  ])('answers %j, which is refused', async (value, reason) => {
    server.handler = answer(value)
    await expect(open().rerank(question, ['a', 'b'])).rejects.toMatchObject({
      code: 'BAD_CONFIG',
      message: expect.stringContaining(reason),
    })
    expect(server.requests).toHaveLength(1)
  })

  test.each([
    [401, { message: 'invalid api token' }, 'status 401: invalid api token'],
    [422, { error: 'batch size 64 > 32', error_type: 'Validation' }, 'status 422: batch size 64 > 32'],
    [400, { detail: 'Model rerank-9 is not supported' }, 'status 400: Model rerank-9 is not supported'],
    [501, { error: { code: 501, message: 'no --reranking', type: 'not_supported_error' } }, 'no --reranking'],
    [429, { message: `slow down, ${key}` }, 'slow down, ***'],
    [503, 'busy', 'status 503: busy'],
  ])('refuses with %i in its own words, and is asked once', async (status, body, reason) => {
    server.handler = answer(body, status)
    await expect(open().rerank(question, texts)).rejects.toThrow(reason)
    expect(server.requests).toHaveLength(1)
  })

  test('sends elsewhere, which is not followed', async () => {
    server.handler = (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()
    await expect(open().rerank(question, texts)).rejects.toThrow('a redirect, which is not followed')
  })

  test('never answers, or never ends its answer: the time is up', async () => {
    const slow: RerankHandler[] = [
      () => {},
      (response) => void response.writeHead(200).write('{"results":['),
      (response) => {
        const timer = setInterval(() => response.write(' '), 20)
        response.writeHead(200).on('close', () => clearInterval(timer))
      },
    ]
    for (const handler of slow) {
      server.handler = handler
      await expect(open({}, { timeoutMs: 150 }).rerank(question, texts)).rejects.toThrow(
        'no answer within 150 ms',
      )
    }
  })

  test('answers without end, and is left as soon as it is too much', async () => {
    server.handler = (response) => {
      response.writeHead(200)
      const flood = (): void => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      }
      response.on('drain', flood)
      flood()
    }
    await expect(open({}, { timeoutMs: 20_000 }).rerank(question, texts)).rejects.toThrow(
      /its answer is larger than \d+ bytes/,
    )
  })

  test('is gone: the connection says so', async () => {
    const gone = await useRerankServer()
    await gone.close()
    await expect(open({ baseUrl: gone.url }).rerank(question, texts)).rejects.toThrow('ECONNREFUSED')
  })

  test('is left at once when the caller goes', async () => {
    server.handler = () => {}
    const signal = AbortSignal.timeout(50)
    await expect(open().rerank(question, texts, signal)).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})
