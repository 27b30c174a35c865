// How do slow clients not block others? Connections and bodies are bounded, and the slowest connection is dropped first.
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

interface ConnectionLimits {
  readonly mostConnections: number
  /** Timeout of a request's head. */
  readonly headMilliseconds: number
  /** Timeout of a whole request, its body included. */
  readonly requestMilliseconds: number
  /** Timeout of an idle connection; longer than any question takes. */
  readonly idleMilliseconds: number
}

const connectionLimits: ConnectionLimits = {
  mostConnections: 1000,
  headMilliseconds: 10_000,
  requestMilliseconds: 20_000,
  idleMilliseconds: 60_000,
}

/**
 * Enforces the limits on a server. At the limit a new connection replaces the one that
 * has been longest without a complete request; those being answered stay. Returns what a request calls when it is
 * complete and when it is answered.
 */
export function limitConnections(
  server: Server,
  limits: ConnectionLimits = connectionLimits,
): { readonly began: (socket: Socket) => void; readonly ended: (socket: Socket) => void } {
  const { mostConnections } = limits
  server.headersTimeout = limits.headMilliseconds
  server.requestTimeout = limits.requestMilliseconds
  server.timeout = limits.idleMilliseconds
  // Idle connections are replaced when needed; closing them early would risk a request in flight.
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
/** Bodies up to this size, such as questions, are always read. */
const smallBodyBytes = 16 * 1024
/** Maximum memory of all larger bodies together. */
const mostLargeBytes = 4 * 1024 * 1024
/** Bytes that are read and dropped, so that the client receives the 413. */
const mostIgnoredBytes = 8 * 1024 * 1024

/** Reads bodies into bounded memory. */
export class BodyReader {
  #largeBytes = 0

  /** The body; `too large`, or `busy` when other large bodies use the memory. */
  async read(request: IncomingMessage): Promise<Buffer | 'too large' | 'busy'> {
    let parts: Buffer[] = []
    let [bytes, claimed] = [0, 0]
    try {
      // Not destroyed when left early: the answer uses the same connection.
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
