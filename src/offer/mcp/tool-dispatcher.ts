// What happens to an MCP request over HTTP? It is admitted, answered, and stopped when the client disconnects or cancels.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import { type AskTool, makeServer } from './make-server.ts'

const maxBodyBytes = 1024 * 1024
const sessionHeader = 'mcp-session-id'

interface RpcMessage {
  readonly method?: unknown
  readonly id?: unknown
  readonly params?: { readonly requestId?: unknown }
}

export interface ToolRequest {
  readonly body: Buffer
  readonly ask: AskTool
  /** What they answer about, in words; null for several corpora together. */
  readonly corpus: string | null
  /** Only the same owner can cancel a call. */
  readonly owner: string
}

/** Dispatches admitted requests. */
export class ToolDispatcher {
  readonly #handler: McpHttpHandler
  /** The request for which the handler makes a server. */
  readonly #current = new AsyncLocalStorage<Pick<ToolRequest, 'ask' | 'corpus'>>()
  /** Aborts a call, by owner, session and id. */
  readonly #stops = new Map<string, AbortController>()

  constructor(onError: (error: Error) => void) {
    this.#handler = createMcpHandler(
      () => {
        const current = this.#current.getStore()
        if (current === undefined) throw new Error('a server is made for a request only')
        return makeServer(current.ask, current.corpus)
      },
      { maxRequestBodySize: maxBodyBytes, maxSubscriptions: 10, onerror: onError },
    )
  }

  async close(): Promise<void> {
    await this.#handler.close()
  }

  async answer(request: IncomingMessage, response: ServerResponse, asked: ToolRequest): Promise<void> {
    const { body, owner } = asked
    const parsed = parseJson(body)
    const messages = (Array.isArray(parsed) ? parsed : [parsed]) as (RpcMessage | null | undefined)[]
    const calls = messages.filter((message) => message?.method === 'tools/call')
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const session = request.headers[sessionHeader]
    const keyOf = (id: unknown): string => JSON.stringify([owner, session, id])
    if (session !== undefined) {
      for (const message of messages)
        if (message?.method === 'notifications/cancelled')
          this.#stops.get(keyOf(message.params?.requestId))?.abort()
      for (const { id } of calls as RpcMessage[]) this.#stops.set(keyOf(id), gone)
    }
    try {
      const options = parsed === undefined ? {} : { parsedBody: parsed }
      const answered = await this.#current.run(asked, () =>
        this.#handler.fetch(toRequest(request, body, gone.signal), options),
      )
      // The session id lets a cancellation find its call; nothing else is stored for a session.
      const opens = messages.some((message) => message?.method === 'initialize') && answered.ok
      await send(answered, response, opens ? { [sessionHeader]: randomBytes(18).toString('base64url') } : {})
    } finally {
      for (const { id } of calls as RpcMessage[])
        if (this.#stops.get(keyOf(id)) === gone) this.#stops.delete(keyOf(id))
    }
  }
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
  const empty = method === 'GET' || method === 'HEAD' || body.length === 0
  return new Request('http://localhost/mcp', {
    method,
    headers,
    signal,
    body: empty ? null : new Uint8Array(body),
  })
}

async function send(
  answered: Response,
  response: ServerResponse,
  extra: Readonly<Record<string, string>>,
): Promise<void> {
  response.writeHead(answered.status, { ...Object.fromEntries(answered.headers), ...extra })
  if (answered.body === null) response.end()
  else await pipeline(Readable.fromWeb(answered.body as ReadableStream), response)
}
