// How do tests get an embeddings endpoint? A real HTTP server on this machine that speaks the protocol, failures included.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { normalizeVector } from '../../src/corpus/embed/vector-numbers.ts'

export interface EmbeddingsRequest {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: {
    readonly model: string
    readonly input: readonly string[]
    readonly encoding_format: 'float'
  }
}

/** Handles one request in place of the ordinary answer. */
export type Misbehaviour = (response: ServerResponse, request: EmbeddingsRequest) => void

export interface EmbeddingsServer {
  readonly baseUrl: string
  readonly requests: readonly EmbeddingsRequest[]
  /** The next requests are handled by these, in order; those after them are answered as they should be. */
  readonly failNext: (...misbehaviours: readonly Misbehaviour[]) => void
  readonly close: () => Promise<void>
}

export const serverDimensions = 8

/** A vector that depends on every character; not of unit length, as some servers answer. */
export function serverVector(text: string): Float32Array {
  const sums = new Float64Array(serverDimensions).fill(0.5)
  for (let at = 0; at < text.length; at++)
    sums[(text.charCodeAt(at) + at) % serverDimensions]! += 1 + (at % 7)
  return normalizeVector(sums).map((value) => value * 3)
}

/** The answer that the protocol asks for. */
export function answerOf({ body }: EmbeddingsRequest): { data: { index: number; embedding: unknown }[] } {
  const data = body.input.map((text, index) => {
    return { object: 'embedding', index, embedding: [...serverVector(text)] }
  })
  return { data }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}

/** Refuses empty texts, as real servers do. */
function answer(response: ServerResponse, request: EmbeddingsRequest): void {
  if (request.body.input.some((text) => text === '')) {
    sendJson(response, 400, { error: { message: 'input must not be empty' } })
  } else sendJson(response, 200, answerOf(request))
}

export async function startEmbeddingsServer(): Promise<EmbeddingsServer> {
  const requests: EmbeddingsRequest[] = []
  let planned: Misbehaviour[] = []
  const server = createServer(async (incoming, response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of incoming) chunks.push(chunk as Uint8Array)
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as EmbeddingsRequest['body']
    const request = { url: incoming.url ?? '', headers: incoming.headers, body }
    requests.push(request)
    const misbehave = planned.shift() ?? answer
    misbehave(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    failNext: (...misbehaviours) => {
      planned = [...misbehaviours]
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
