// How do tests get a rerank endpoint? A real HTTP server on this machine that speaks each API as it is documented.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach } from 'vitest'

export interface RerankRequest {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Readonly<Record<string, unknown>>
}

/** Handles one request in place of the ordinary answer. */
export type RerankHandler = (response: ServerResponse, request: RerankRequest) => void

export interface RerankServer {
  readonly url: string
  readonly requests: RerankRequest[]
  /** Handles every request until it is set to null. */
  handler: RerankHandler | null
  readonly close: () => Promise<void>
}

/** More shared words, more score; each text has its own. */
export function serverScore(query: string, text: string): number {
  const words = new Set(query.toLowerCase().split(/\W+/))
  const shared = text
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => words.has(word)).length
  return shared / (1 + text.length / 100)
}

/** Which API is spoken where, with its own refusals; the paths differ as those of the real ones do. */
const apis: Readonly<Record<string, RerankHandler>> = { '/v2/rerank': cohere, '/v1/rerank': jinaOrLlama }

export function sendRaw(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(typeof value === 'string' ? value : JSON.stringify(value))
}

/** Best first, as all of them answer. */
function rank(query: unknown, texts: unknown): { index: number; score: number }[] {
  return (texts as string[])
    .map((text, index) => ({ index, score: serverScore(query as string, text) }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
}

function refuseUnknown(response: ServerResponse, { body }: RerankRequest, known: readonly string[]): boolean {
  const wrong = Object.keys(body).find((key) => !known.includes(key))
  if (wrong !== undefined) sendRaw(response, 422, { message: `unknown parameter ${wrong}` })
  return wrong !== undefined
}

function cohere(response: ServerResponse, request: RerankRequest): void {
  if (refuseUnknown(response, request, ['model', 'query', 'documents', 'top_n', 'max_tokens_per_doc'])) return
  const { query, documents } = request.body
  const results = rank(query, documents).map(({ index, score }) => ({ index, relevance_score: score }))
  const meta = { api_version: { version: '2' }, billed_units: { search_units: 1 } }
  sendRaw(response, 200, { results, id: '07734bd2-2473-4f07-94e1-0d9f0e6843cf', meta })
}

function jinaOrLlama(response: ServerResponse, request: RerankRequest): void {
  if (refuseUnknown(response, request, ['model', 'query', 'documents', 'top_n', 'return_documents'])) return
  const { model, query, documents } = request.body
  const results = rank(query, documents).map(({ index, score }) => ({ index, relevance_score: score }))
  sendRaw(response, 200, { model, object: 'list', usage: { prompt_tokens: 9, total_tokens: 9 }, results })
}

async function startRerankServer(): Promise<RerankServer> {
  const server = createServer(async (incoming, response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of incoming) chunks.push(chunk as Uint8Array)
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as RerankRequest['body']
    const request = { url: incoming.url ?? '', headers: incoming.headers, body }
    started.requests.push(request)
    const answer = started.handler ?? apis[request.url]
    if (answer === undefined) sendRaw(response, 404, { detail: 'Not Found' })
    else answer(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const started: RerankServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    handler: null,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return started
}

/** A server for the tests of a file, forgetful before each. */
export async function useRerankServer(): Promise<RerankServer> {
  const server = await startRerankServer()
  afterAll(() => server.close())
  beforeEach(() => {
    server.handler = null
    server.requests.length = 0
  })
  return server
}
