// How do tests get an LLM? A real HTTP server on this machine that speaks chat completions and Ollama's own protocol from a script, failures included.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the server does with one request. */
export type Reply =
  /** Streams this text. */
  | string
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  /** Streams the text and then tears the connection down. */
  | { readonly drop: string }
  /** Streams the text and ends without saying that it has finished. */
  | { readonly breakOff: string }
  /** Never answers. */
  | { readonly hang: true }

export interface ChatRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: {
    readonly model: string
    readonly messages: readonly { readonly role: string; readonly content: string }[]
    readonly response_format?: { readonly type: string }
    /** Ollama's name for it. */
    readonly format?: unknown
    readonly [key: string]: unknown
  }
}

export interface ChatServer {
  /** With /v1. */
  readonly url: string
  /** The turns of answers, and those that rewrite a question. */
  readonly requests: ChatRequest[]
  /** Requests for words to search with, which come before an answer, and the reply to them. */
  readonly wordRequests: ChatRequest[]
  words: Reply
  close(): Promise<void>
}

/** Serves the replies in order; the last one again and again. A function decides by the request. */
export async function startChatServer(
  script: readonly Reply[] | ((request: ChatRequest, number: number) => Reply),
): Promise<ChatServer> {
  const requests: ChatRequest[] = []
  const server = createServer((incoming, outgoing) => {
    void readBody(incoming).then((text) => {
      const { url: path = '', headers } = incoming
      const request: ChatRequest = { path, headers, body: JSON.parse(text) }
      const tell = path === '/api/chat' ? streamLines : streamText
      if (request.body.messages[0]?.content.startsWith('Help to search')) {
        started.wordRequests.push(request)
        return send(outgoing, started.words, tell)
      }
      requests.push(request)
      const number = requests.length - 1
      const reply = typeof script === 'function' ? script(request, number) : (script[number] ?? script.at(-1))
      return send(outgoing, reply ?? { status: 500 }, tell)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = (): Promise<void> => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(() => resolve()))
  }
  const started: ChatServer = {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    wordRequests: [],
    words: '{}',
    close,
  }
  return started
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of incoming) text += part
  return text
}

type Tell = (outgoing: ServerResponse, text: string, ending: 'finish' | 'drop' | 'break off') => Promise<void>

async function send(outgoing: ServerResponse, reply: Reply, tell: Tell): Promise<void> {
  if (typeof reply === 'string') return tell(outgoing, reply, 'finish')
  if ('hang' in reply) return
  if ('drop' in reply) return tell(outgoing, reply.drop, 'drop')
  if ('breakOff' in reply) return tell(outgoing, reply.breakOff, 'break off')
  const { status, headers = {}, body = { error: { message: `scripted ${status}` } } } = reply
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers })
  outgoing.end(JSON.stringify(body))
}

/** Ollama: an object per line, the last one with the counts. */
const streamLines: Tell = async (outgoing, text, ending) => {
  outgoing.writeHead(200, { 'content-type': 'application/x-ndjson' })
  const line = (content: string, rest: object): string =>
    `${JSON.stringify({ model: 'm', created_at: '2026-01-01T00:00:00Z', message: { role: 'assistant', content }, ...rest })}\n`
  for (let at = 0; at < text.length; at += 7) outgoing.write(line(text.slice(at, at + 7), { done: false }))
  if (ending === 'drop') {
    setTimeout(() => outgoing.destroy(), 20)
    return
  }
  outgoing.end(
    ending === 'finish'
      ? line('', { done: true, done_reason: 'stop', prompt_eval_count: 100, eval_count: 10 })
      : '',
  )
}

const streamText: Tell = async (outgoing, text, ending) => {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
  const event = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  outgoing.write(event({ role: 'assistant', content: '' }))
  for (let at = 0; at < text.length; at += 7) outgoing.write(event({ content: text.slice(at, at + 7) }))
  if (ending === 'drop') {
    // Time for what was written to leave.
    setTimeout(() => outgoing.destroy(), 20)
    return
  }
  if (ending === 'finish') {
    outgoing.write(event({}, 'stop'))
    outgoing.write(
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } })}\n\n`,
    )
  }
  outgoing.end('data: [DONE]\n\n')
}
