// How do slow or endless clients leave room for others? Connections and bodies are bounded, and the slowest make way.
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

interface ConnectionLimits {
  readonly mostConnections: number
  /** Of a request's head. */
  readonly headMilliseconds: number
  /** Of a whole request, its body included. */
  readonly requestMilliseconds: number
  /** Of a connection on which nothing moves, whoever is waited for. Longer than any question takes. */
  readonly idleMilliseconds: number
}

const connectionLimits: ConnectionLimits = {
  mostConnections: 1000,
  headMilliseconds: 10_000,
  requestMilliseconds: 20_000,
  idleMilliseconds: 60_000,
}

/**
 * Holds the connections of a server within the limits. At the limit a newcomer takes the place of the connection that
 * has gone longest without a whole request; those that are being answered stay. Gives what a request calls when it is
 * whole and when it is answered.
 */
export function limitConnections(
  server: Server,
  limits: ConnectionLimits = connectionLimits,
): { readonly began: (socket: Socket) => void; readonly ended: (socket: Socket) => void } {
  const { mostConnections } = limits
  server.headersTimeout = limits.headMilliseconds
  server.requestTimeout = limits.requestMilliseconds
  server.timeout = limits.idleMilliseconds
  // A connection that is kept makes way anyway: closing it early only risks the request that is just coming.
  server.keepAliveTimeout = limits.idleMilliseconds
  /** Requests that are being answered on each connection. */
  const answering = new Map<Socket, number>()
  /** The others, the longest waiting first. */
  const waiting = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    if (answering.size + waiting.size >= mostConnections) {
      const [longest] = waiting
      ;(longest ?? socket).destroy()
      if (longest === undefined) return
      waiting.delete(longest)
    }
    waiting.add(socket)
    socket.once('close', () => {
      waiting.delete(socket)
      answering.delete(socket)
    })
  })
  return {
    began: (socket) => {
      waiting.delete(socket)
      answering.set(socket, (answering.get(socket) ?? 0) + 1)
    },
    ended: (socket) => {
      const left = (answering.get(socket) ?? 1) - 1
      if (left > 0) return void answering.set(socket, left)
      answering.delete(socket)
      if (!socket.destroyed) waiting.add(socket)
    },
  }
}

export const maxBodyBytes: number = 1024 * 1024
/** A question is smaller: those are read whatever others send. */
const smallBodyBytes = 16 * 1024
/** What all larger bodies take together. */
const mostLargeBytes = 4 * 1024 * 1024
/** What is read and thrown away, so that who sends too much hears so. */
const mostIgnoredBytes = 8 * 1024 * 1024

/** Reads bodies into bounded memory. */
export class BodyReader {
  #largeBytes = 0

  /** The whole body; `too large`, or `busy` when others take what large ones may take. */
  async read(request: IncomingMessage): Promise<Buffer | 'too large' | 'busy'> {
    let parts: Buffer[] = []
    let [bytes, claimed] = [0, 0]
    try {
      // Not destroyed when it is left early: the answer goes over the same connection.
      for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        bytes += part.length
        if (bytes > maxBodyBytes) {
          parts = []
          if (bytes > maxBodyBytes + mostIgnoredBytes) break
          continue
        }
        parts.push(part)
        if (bytes <= smallBodyBytes) continue
        if (this.#largeBytes + part.length > mostLargeBytes) return 'busy'
        claimed += part.length
        this.#largeBytes += part.length
      }
      return bytes > maxBodyBytes ? 'too large' : Buffer.concat(parts)
    } finally {
      this.#largeBytes -= claimed
    }
  }
}
