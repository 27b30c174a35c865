// How do agents reach yore over HTTP? Streamable HTTP at /mcp, for hosts and origins that are named, loopback by default.
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import {
  createMcpHandler,
  localhostAllowedHostnames,
  type McpHttpHandler,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server'
import { BodyReader, limitConnections, maxBodyBytes } from './limit-connections.ts'
import { type AskTool, makeServer } from './make-server.ts'

interface HttpOptions {
  readonly host: string
  readonly port: number
  /** Host names that requests may carry beside those of this machine. */
  readonly allowHosts: readonly string[]
  readonly signal: AbortSignal
  readonly onListening: (url: string) => void
}

/** Who answers, and how much at once. */
export interface Answering {
  readonly ask: AskTool
  /** Calls that are taken at once; what comes on top is refused with `Retry-After`. */
  readonly room: { readonly capacity: number; readonly retryAfterSeconds: number }
}

/** How often Node looks for requests that take too long. */
const lookMilliseconds = 1000
const sessionHeader = 'mcp-session-id'

/** Serves until the signal aborts. Throws what `listen` throws when the port is taken. */
export async function serveOverHttp(answering: Answering, options: HttpOptions): Promise<void> {
  const handler = createMcpHandler(() => makeServer(answering.ask), {
    maxRequestBodySize: maxBodyBytes,
    maxSubscriptions: 10,
    onerror: (error) => process.stderr.write(`warning: ${error.message}\n`),
  })
  const desk = new Desk(handler, answering.room, options.allowHosts)
  const server = createServer({ connectionsCheckingInterval: lookMilliseconds }, (request, response) => {
    desk.answer(request, response, connections).catch(() => response.destroy())
  })
  const connections = limitConnections(server)
  await listen(server, options)
  options.onListening(urlOf(server))
  await new Promise<void>((resolve) => {
    if (options.signal.aborted) resolve()
    options.signal.addEventListener('abort', () => resolve())
  })
  await handler.close()
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
}

function listen(server: Server, { host, port }: HttpOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/mcp`
}

interface RpcMessage {
  readonly method?: unknown
  readonly id?: unknown
  readonly params?: { readonly requestId?: unknown }
}

/** Takes requests in: who may ask, how much is taken at once, and what becomes of those that nobody waits for. */
class Desk {
  readonly #handler: McpHttpHandler
  readonly #room: Answering['room']
  readonly #allowed: string[]
  readonly #bodies = new BodyReader()
  /** Calls of tools that are being answered or wait for it. */
  #calls = 0
  /** What stops them, by session and id. */
  readonly #stops = new Map<string, AbortController>()

  constructor(handler: McpHttpHandler, room: Answering['room'], allowHosts: readonly string[]) {
    this.#handler = handler
    this.#room = room
    this.#allowed = [...localhostAllowedHostnames(), ...allowHosts]
  }

  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    connections: ReturnType<typeof limitConnections>,
  ): Promise<void> {
    const { host, origin } = request.headers
    // A page that the user has open must not reach the corpus: neither by its own name nor by one that it made point here.
    const trusted =
      validateHostHeader(host, this.#allowed).ok && validateOriginHeader(origin, this.#allowed).ok
    if (!trusted) return refuse(response, 403, 'this Host or Origin is not allowed')
    if (request.url?.split('?', 1)[0] !== '/mcp') return refuse(response, 404, 'there is only /mcp')
    const body = await this.#bodies.read(request)
    if (body === 'too large') return refuse(response, 413, `a request takes at most ${maxBodyBytes} bytes`)
    if (body === 'busy') return refuse(response, 503, 'too many large requests at once', { retryAfter: 1 })
    const { socket } = request
    connections.began(socket)
    response.once('close', () => connections.ended(socket))
    await this.#admit(request, response, body)
  }

  async #admit(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    const parsed = parseJson(body)
    const messages = (Array.isArray(parsed) ? parsed : [parsed]) as (RpcMessage | null | undefined)[]
    const calls = messages.filter((message) => message?.method === 'tools/call')
    const { capacity, retryAfterSeconds: retryAfter } = this.#room
    if (calls.length > 0 && this.#calls >= capacity) {
      const id = messages.length === 1 ? calls[0]?.id : null
      return refuse(response, 503, 'too many questions at once', { id, retryAfter })
    }
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const session = request.headers[sessionHeader]
    const keyOf = (id: unknown): string => JSON.stringify([session, id])
    if (session !== undefined) {
      for (const message of messages)
        if (message?.method === 'notifications/cancelled')
          this.#stops.get(keyOf(message.params?.requestId))?.abort()
      for (const { id } of calls as RpcMessage[]) this.#stops.set(keyOf(id), gone)
    }
    this.#calls += calls.length
    try {
      const answered = await this.#handler.fetch(toRequest(request, body, gone.signal), {
        ...(parsed === undefined ? {} : { parsedBody: parsed }),
      })
      // Names the conversation, so that a cancellation finds its call; nothing else is kept for a session.
      const opens = messages.some((message) => message?.method === 'initialize') && answered.ok
      await send(answered, response, opens ? { [sessionHeader]: randomBytes(18).toString('base64url') } : {})
    } finally {
      this.#calls -= calls.length
      for (const { id } of calls as RpcMessage[])
        if (this.#stops.get(keyOf(id)) === gone) this.#stops.delete(keyOf(id))
    }
  }
}

/** Undefined for what is no JSON: the handler says so. */
function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}

function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  { id = null, retryAfter }: { readonly id?: unknown; readonly retryAfter?: number } = {},
): void {
  const later = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  const hint = retryAfter === undefined ? {} : { data: { retryAfter } }
  const body = JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message, ...hint } })
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...later })
  response.end(`${body}\n`)
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
