// What happens to an MCP request over HTTP? It is answered, and stopped when the client disconnects.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { type AskTool, makeServer } from './make-server.ts'

const maxBodyBytes = 1024 * 1024
export interface ToolRequest {
  readonly body: Buffer
  readonly ask: AskTool
  /** What they answer about, in words; null for several corpora together. */
  readonly corpus: string | null
}

/** Dispatches admitted requests. */
export function makeToolDispatcher(onError: (error: Error) => void) {
  /** The request for which the handler makes a server. */
  const requests = new AsyncLocalStorage<Pick<ToolRequest, 'ask' | 'corpus'>>()
  const handler = createMcpHandler(
    () => {
      const current = requests.getStore()
      if (current === undefined) throw new Error('a server is made for a request only')
      return makeServer(current.ask, current.corpus)
    },
    { maxRequestBodySize: maxBodyBytes, maxSubscriptions: 10, onerror: onError },
  )

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    asked: ToolRequest,
  ): Promise<void> {
    const parsed = parseJson(asked.body)
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const forwarded = toRequest(request, asked.body, gone.signal)
    const options = parsed === undefined ? {} : { parsedBody: parsed }
    const answered = await requests.run(asked, () => handler.fetch(forwarded, options))
    response.writeHead(answered.status, Object.fromEntries(answered.headers))
    if (answered.body === null) response.end()
    else await pipeline(Readable.fromWeb(answered.body as ReadableStream), response)
  }

  return { answer, close: () => handler.close() }
}

/** Undefined for invalid JSON, which the handler reports. */
function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}

function toRequest(request: IncomingMessage, body: Buffer, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one)
  }
  const { method = 'GET' } = request
  const isEmpty = method === 'GET' || method === 'HEAD' || body.length === 0
  const sent = { method, headers, signal, body: isEmpty ? null : new Uint8Array(body) }
  return new Request('http://localhost/mcp', sent)
}
