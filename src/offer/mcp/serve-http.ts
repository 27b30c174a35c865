// How do agents reach yore over HTTP? Streamable HTTP at /mcp, for hosts and origins that are named, loopback by default.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server'
import { BodyReader, limitConnections, maxBodyBytes } from './limit-connections.ts'
import type { AskTool } from './make-server.ts'
import { refuse, ToolDispatcher } from './tool-dispatcher.ts'

interface HttpOptions {
  readonly host: string
  readonly port: number
  /** Host names that requests may carry in addition to those of this machine. */
  readonly allowHosts: readonly string[]
  readonly signal: AbortSignal
  readonly onListening: (url: string) => void
}

export interface Answering {
  readonly ask: AskTool
  /** Maximum concurrent calls; more are refused with `Retry-After`. */
  readonly room: { readonly capacity: number; readonly retryAfterSeconds: number }
}

/** Interval at which Node checks request timeouts. */
const lookMilliseconds = 1000

/** Serves until the signal aborts. Throws what `listen` throws when the port is taken. */
export async function serveOverHttp(answering: Answering, options: HttpOptions): Promise<void> {
  const dispatcher = new ToolDispatcher((error) => process.stderr.write(`warning: ${error.message}\n`))
  const guard = new RequestGuard(dispatcher, answering, options.allowHosts)
  const server = createServer({ connectionsCheckingInterval: lookMilliseconds }, (request, response) => {
    guard.answer(request, response, connections).catch(() => response.destroy())
  })
  const connections = limitConnections(server)
  await listen(server, options)
  options.onListening(urlOf(server))
  await new Promise<void>((resolve) => {
    if (options.signal.aborted) resolve()
    options.signal.addEventListener('abort', () => resolve())
  })
  await dispatcher.close()
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

/** Checks host, origin, path and body of a request before it is dispatched. */
class RequestGuard {
  readonly #dispatcher: ToolDispatcher
  readonly #answering: Answering
  readonly #allowed: string[]
  readonly #bodies = new BodyReader()

  constructor(dispatcher: ToolDispatcher, answering: Answering, allowHosts: readonly string[]) {
    this.#dispatcher = dispatcher
    this.#answering = answering
    this.#allowed = [...localhostAllowedHostnames(), ...allowHosts]
  }

  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    connections: ReturnType<typeof limitConnections>,
  ): Promise<void> {
    const { host, origin } = request.headers
    // A web page must not reach the corpus: neither from its own origin nor by DNS rebinding.
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
    await this.#dispatcher.answer(request, response, { body, owner: '', ...this.#answering })
  }
}
