// Does the adapter get right vectors from a server that speaks the protocol, and survive one that fails?
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { describeEmbedderContract } from '../../../test/support/embedder-contract.ts'
import {
  answerOf,
  type EmbeddingsRequest,
  type EmbeddingsServer,
  type Misbehaviour,
  sendJson,
  serverDimensions,
  serverVector,
  startEmbeddingsServer,
} from '../../../test/support/embeddings-server.ts'
import { backOff } from '../../read/source/fetch/request.ts'
import type { Embedder } from './embedder.ts'
import { createOpenAiEmbedder, type OpenAiOptions, type OpenAiSettings } from './openai-embedder.ts'
import { normalizeVector } from './vector-numbers.ts'

const key = 'sk-secret-key'
let server: EmbeddingsServer
let asked = 0
let waits: number[] = []

beforeAll(async () => {
  server = await startEmbeddingsServer()
})
afterAll(() => server.close())
beforeEach(() => {
  asked = server.requests.length
  waits = []
  server.failNext()
})

/** Waits are written down and not waited for, unless a test says otherwise. */
function open(options: Partial<OpenAiOptions> = {}, settings: Partial<OpenAiSettings> = {}): Embedder {
  return createOpenAiEmbedder(
    { baseUrl: server.baseUrl, model: 'test-model', dimensions: serverDimensions, apiKey: key, ...settings },
    {
      random: () => 0.5,
      now: () => 1_000_000,
      wait: async (milliseconds) => void waits.push(milliseconds),
      maxRetries: 2,
      ...options,
    },
  )
}

const newRequests = (): readonly EmbeddingsRequest[] => server.requests.slice(asked)
const expected = (texts: readonly string[]): Float32Array[] =>
  texts.map((text) => normalizeVector(serverVector(text)))
const status =
  (code: number, headers: Record<string, string> = {}, message = 'no'): Misbehaviour =>
  (response) =>
    sendJson(response, code, { error: { message } }, headers)

describe('requests', () => {
  test('go to /v1/embeddings with model, key and texts, and come back as unit vectors', async () => {
    expect(await open().embed(['one', 'two'], 'passage')).toEqual(expected(['one', 'two']))
    const [request] = newRequests()
    expect(request!.url).toBe('/v1/embeddings')
    expect(request!.headers.authorization).toBe(`Bearer ${key}`)
    expect(request!.body).toEqual({ model: 'test-model', input: ['one', 'two'], encoding_format: 'float' })
  })

  test('carry no key when there is none', async () => {
    const embedder = createOpenAiEmbedder(
      { baseUrl: server.baseUrl.replace('/v1', ''), model: 'm', dimensions: serverDimensions },
      { random: () => 0, now: Date.now },
    )
    await embedder.embed(['x'], 'query')
    const [request] = newRequests()
    expect(request!.headers.authorization).toBeUndefined()
    expect(request!.url).toBe('/v1/embeddings')
  })

  test('are cut by number of texts and by characters, in order', async () => {
    const texts = ['a', 'bb', 'ccc', 'd'.repeat(50), 'e', 'f', 'g', 'h']
    expect(await open({ maxTexts: 3, maxChars: 20 }).embed(texts, 'passage')).toEqual(expected(texts))
    expect(newRequests().map(({ body }) => body.input.length)).toEqual([3, 1, 3, 1])
  })

  test('put vectors in the order of their index', async () => {
    server.failNext((response, request) =>
      sendJson(response, 200, { data: answerOf(request).data.reverse() }),
    )
    expect(await open().embed(['one', 'two', 'three'], 'passage')).toEqual(expected(['one', 'two', 'three']))
  })

  test('put the prefixes before texts, and cut long ones between characters', async () => {
    const embedder = open({ queryPrefix: 'query: ', passagePrefix: 'passage: ', maxTextChars: 4 })
    await embedder.embed(['abcdef'], 'query')
    await embedder.embed(['abc😀'], 'passage')
    expect(newRequests().map(({ body }) => body.input[0])).toEqual(['query: abcd', 'passage: abc'])
  })

  test('are not made for blank texts, nor when an embedder is opened and closed', async () => {
    const embedder = open()
    expect(await embedder.embed(['', '  '], 'query')).toEqual([new Float32Array(8), new Float32Array(8)])
    embedder.close()
    expect(newRequests()).toEqual([])
  })
})

describe('a server that is busy or broken for a while', () => {
  const cases: Record<string, readonly [fail: Misbehaviour, wait: number]> = {
    '429 with Retry-After in seconds': [status(429, { 'retry-after': '7' }), 7000],
    '429 with Retry-After as a date': [
      status(429, { 'retry-after': new Date(1_009_000).toUTCString() }),
      9000,
    ],
    '429 with retry-after-ms': [status(429, { 'retry-after-ms': '250', 'retry-after': '9' }), 250],
    '500': [status(500), backOff(0, 0.5)],
    '503': [status(503), backOff(0, 0.5)],
    'a connection dropped inside the body': [
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
        response.write('{"data": [', () => response.destroy())
      },
      backOff(0, 0.5),
    ],
  }
  test.each(Object.entries(cases))('%s: is asked again after the right time', async (_, [fail, wait]) => {
    server.failNext(fail)
    expect(await open().embed(['one'], 'passage')).toEqual(expected(['one']))
    expect(waits).toEqual([wait])
    expect(newRequests()).toHaveLength(2)
  })

  test('that closes a kept connection is asked again at once, even when there is no time to wait', async () => {
    server.failNext((response) => response.destroy())
    expect(await open({ maxRetries: 0 }).embed(['one'], 'query')).toEqual(expected(['one']))
    expect(waits).toEqual([])
    expect(newRequests()).toHaveLength(2)
  })

  test('that closes every connection is asked twice each time', async () => {
    server.failNext(...[1, 2, 3].map((): Misbehaviour => (response) => response.destroy()))
    expect(await open().embed(['one'], 'passage')).toEqual(expected(['one']))
    expect(waits).toEqual([backOff(0, 0.5)])
    expect(newRequests()).toHaveLength(4)
  })

  test('is asked less and less often, and then given up with its own words, without the key', async () => {
    server.failNext(...[1, 2, 3].map(() => status(500, {}, `overloaded, key ${key}`)))
    const work = open().embed(['one'], 'passage')
    await expect(work).rejects.toMatchObject({ code: 'BAD_CONFIG' })
    await expect(work).rejects.toThrow(/failed: status 500: overloaded, key \*\*\*, after 3 tries$/)
    expect(waits).toEqual([backOff(0, 0.5), backOff(1, 0.5)])
    expect(waits[1]).toBe(2 * waits[0]!)
  })

  test('is not waited for when it asks for hours', async () => {
    server.failNext(status(429, { 'retry-after': '7200' }))
    await expect(open().embed(['one'], 'passage')).rejects.toThrow('it asks to wait 7200 seconds')
    expect(waits).toEqual([])
  })

  test('that is slow runs into the time limit of each try', async () => {
    const silent: Misbehaviour = () => {}
    const halfway: Misbehaviour = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"data"')
    }
    server.failNext(silent, halfway)
    await expect(open({ timeoutMs: 150, maxRetries: 1 }).embed(['one'], 'passage')).rejects.toThrow(
      'no answer within 150 ms, after 2 tries',
    )
  })

  test('that is not there at all is named', async () => {
    const embedder = open({ maxRetries: 0 }, { baseUrl: 'http://127.0.0.1:1/v1' })
    await expect(embedder.embed(['one'], 'passage')).rejects.toThrow(
      /endpoint http:\/\/127\.0\.0\.1:1\/v1\/embeddings failed: the connection failed/,
    )
  })
})

describe('an answer that cannot be right is an error at once', () => {
  const change =
    (edit: (data: { index: unknown; embedding: unknown }[]) => unknown): Misbehaviour =>
    (response, request) =>
      sendJson(response, 200, { data: edit(answerOf(request).data) })
  const cases: Record<string, readonly [Misbehaviour, string]> = {
    'too few vectors': [change((data) => data.slice(1)), 'it gave 1 vectors for 2 texts'],
    'too many vectors': [change((data) => [...data, data[0]]), 'it gave 3 vectors for 2 texts'],
    'the same vector twice': [
      change((data) => data.map((row) => ({ ...row, index: 0 }))),
      'it gave vector 0 twice',
    ],
    'a number outside': [
      change((data) => data.map((row) => ({ ...row, index: 9 }))),
      'it has a vector with index 9',
    ],
    'wrong dimensions': [
      change((data) => data.map((row) => ({ ...row, embedding: [1, 2, 3] }))),
      'a vector has 3 dimensions, not 8',
    ],
    'no numbers': [
      change((data) => data.map((row) => ({ ...row, embedding: Array(8).fill(null) }))),
      'a vector holds something that is not a number',
    ],
    base64: [
      change((data) => data.map((row) => ({ ...row, embedding: 'AAAAAAA' }))),
      'a vector is not a list',
    ],
    'no list': [(response) => sendJson(response, 200, { vectors: [] }), 'its answer has no list named data'],
    'no JSON': [(response) => void response.writeHead(200).end('<html>'), 'its answer is not JSON'],
    '401': [status(401, {}, 'bad key'), 'status 401: bad key'],
    '404': [status(404), 'status 404: no'],
    'a redirect': [
      (response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
      'status 307 (a redirect, which is not followed)',
    ],
  }
  test.each(Object.entries(cases))('%s', async (_, [misbehave, reason]) => {
    server.failNext(misbehave)
    await expect(open().embed(['one', 'two'], 'passage')).rejects.toThrow(reason)
    expect(newRequests()).toHaveLength(1)
  })
})

describe('an abort', () => {
  test('ends a request that is under way', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    server.failNext(() => controller.abort(reason))
    await expect(open().embed(['one'], 'passage', controller.signal)).rejects.toBe(reason)
    expect(newRequests()).toHaveLength(1)
  })

  test('ends a wait', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    server.failNext((response) => {
      sendJson(response, 429, {}, { 'retry-after': '200' })
      setTimeout(() => controller.abort(reason), 20)
    })
    const embedder = createOpenAiEmbedder(
      { baseUrl: server.baseUrl, model: 'm', dimensions: serverDimensions },
      { random: () => 0, now: Date.now },
    )
    await expect(embedder.embed(['one'], 'passage', controller.signal)).rejects.toBe(reason)
  })
})

describe('settings', () => {
  test.each([
    [{ baseUrl: 'ftp://x' }, 'must begin with http'],
    [{ baseUrl: 'nonsense' }, 'must begin with http'],
    [{ baseUrl: 'http://user:pass@x/v1' }, 'must not hold a password'],
    [{ model: '' }, 'needs the name of a model'],
    [{ dimensions: 0 }, 'cannot have 0 dimensions'],
  ])('%j are refused', (settings, reason) => {
    expect(() => open({}, settings)).toThrow(reason)
  })

  test('whatever changes vectors changes the id, and the key does not', () => {
    const ids = [
      open(),
      open({}, { model: 'other' }),
      open({}, { dimensions: 9 }),
      open({}, { baseUrl: 'http://elsewhere/v1' }),
      open({ passagePrefix: 'passage: ' }),
    ].map(({ id }) => id)
    expect(new Set(ids).size).toBe(5)
    expect(open({}, { apiKey: 'another' }).id).toBe(ids[0])
    expect(ids.join()).not.toContain(key)
  })
})

test('pauses double up to half a minute, and random numbers spread them over half their length', () => {
  expect([backOff(0, 0), backOff(0, 1), backOff(1, 1), backOff(2, 1)]).toEqual([250, 500, 1000, 2000])
  expect([backOff(20, 0), backOff(20, 1)]).toEqual([15_000, 30_000])
})

describeEmbedderContract('the endpoint adapter', {
  open: () => open({ maxTexts: 16 }),
  runs: 20,
  longChars: 1_000_000,
})
