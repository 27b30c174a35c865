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
import type { Serving } from './call-tool.ts'
import { Contexts } from './contexts.ts'
import { makeServer } from './make-server.ts'

const maxBodyBytes = 1024 * 1024
const mostIgnoredBytes = 8 * 1024 * 1024
const mostContexts = 1000
const mostConnections = 200
const requestMilliseconds = 30_000

export interface HttpOptions {
  readonly host: string
  readonly port: number
  /** Host names that requests may carry beside those of this machine. */
  readonly allowHosts: readonly string[]
  readonly signal: AbortSignal
  readonly onListening: (url: string) => void
}

/** Serves until the signal aborts. Throws what `listen` throws when the port is taken. */
export async function serveOverHttp(serving: Serving, options: HttpOptions): Promise<void> {
  // Several conversations share this server: the name of a context is what tells them apart.
  const newId = (): string => randomBytes(9).toString('base64url')
  const contexts = new Contexts({ newId, alone: false, most: mostContexts })
  const handler = createMcpHandler(() => makeServer(serving, contexts), {
    maxRequestBodySize: maxBodyBytes,
    maxSubscriptions: 10,
    onerror: (error) => process.stderr.write(`warning: ${error.message}\n`),
  })
  const allowed = [...localhostAllowedHostnames(), ...options.allowHosts]
  const server = createServer((request, response) => {
    answer(handler, allowed, { request, response }).catch(() => response.destroy())
  })
  server.maxConnections = mostConnections
  server.requestTimeout = requestMilliseconds
  server.headersTimeout = requestMilliseconds
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

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

async function answer(
  handler: McpHttpHandler,
  allowed: readonly string[],
  { request, response }: Exchange,
): Promise<void> {
  const { host, origin } = request.headers
  // A page that the user has open must not reach the corpus: neither by its own name nor by one that it made point here.
  const trusted = validateHostHeader(host, [...allowed]).ok && validateOriginHeader(origin, [...allowed]).ok
  if (!trusted) return refuse(response, 403, 'this Host or Origin is not allowed')
  if (request.url?.split('?', 1)[0] !== '/mcp') return refuse(response, 404, 'there is only /mcp')
  const body = await readBody(request)
  if (body === null) return refuse(response, 413, `a request takes at most ${maxBodyBytes} bytes`)
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  await send(await handler.fetch(toRequest(request, body, gone.signal)), response)
}

/** The whole body, or null when it is too large; a little more is let through, so that the sender hears the answer. */
async function readBody(request: IncomingMessage): Promise<Buffer<ArrayBuffer> | null> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request) {
    bytes += (part as Buffer).length
    if (bytes <= maxBodyBytes) parts.push(part as Buffer)
    else if (bytes > maxBodyBytes + mostIgnoredBytes) break
  }
  return bytes > maxBodyBytes ? null : Buffer.concat(parts)
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } })
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(`${body}\n`)
}

function toRequest(request: IncomingMessage, body: Buffer<ArrayBuffer>, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one)
  }
  const { method = 'GET' } = request
  const empty = method === 'GET' || method === 'HEAD' || body.length === 0
  return new Request('http://localhost/mcp', { method, headers, signal, body: empty ? null : body })
}

async function send(answered: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answered.status, Object.fromEntries(answered.headers))
  if (answered.body === null) response.end()
  else await pipeline(Readable.fromWeb(answered.body as ReadableStream), response)
}
