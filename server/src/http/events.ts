// How does a client hear something while it happens? Server-sent events: a name, a line of JSON, and signs of life between them.
import type { FastifyReply } from 'fastify'

/** Keep-alive interval in milliseconds: proxies close idle connections. */
const aliveEvery = 15_000

export interface EventStream {
  /** False once the client has gone. */
  readonly isOpen: boolean
  send(event: string, facts: unknown): void
  end(): void
}

/** Answers with a stream from here on: errors are events of it. */
export function openEvents(reply: FastifyReply): EventStream {
  reply.hijack()
  const stream = reply.raw
  stream.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  const alive = setInterval(() => stream.write(': still here\n\n'), aliveEvery)
  stream.once('close', () => clearInterval(alive))
  return {
    get isOpen() {
      return !stream.destroyed
    },
    send: (event, facts) => {
      if (!stream.destroyed) stream.write(`event: ${event}\ndata: ${JSON.stringify(facts)}\n\n`)
    },
    end: () => {
      clearInterval(alive)
      stream.end()
    },
  }
}
