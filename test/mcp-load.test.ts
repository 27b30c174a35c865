// Are others still answered when hundreds are slow and too many ask? The real server, its threads and real sockets.

import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultSettings } from '../src/model/config/settings.ts'
import { openEngine } from '../src/offer/engine/open-engine.ts'
import {
  askInThreads,
  type ThreadCorpus,
  type ToolAnswer,
  type ToolQuestion,
  toolWorker,
} from '../src/offer/mcp/ask-in-threads.ts'
import { callTool } from '../src/offer/mcp/call-tool.ts'
import { Contexts } from '../src/offer/mcp/contexts.ts'
import type { AskTool } from '../src/offer/mcp/make-server.ts'
import { openCorpusPool } from '../src/offer/service/open-corpus-pool.ts'
import { loadTokenizer } from '../src/read/assets/load-tokenizer.ts'
import { type HttpServer, memoryOf, serveHttp } from './mcp-clients.ts'
import { copyFixture, indexFolder, makeFolder, slow } from './temporary-corpus.ts'

const question = 'How do I clean up after an aborted run?'
let root: string
let http: HttpServer
beforeAll(async () => {
  root = makeFolder()
  copyFixture('crossref', root)
  await indexFolder(root, { 'embedding.provider': 'none' })
  http = await serveHttp(root, ['--threads', '2'])
})
afterAll(async () => {
  expect(await http.stop()).toBe(0)
})

interface Reply {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly text: string
}

/** One request on a connection of its own; status 0 when it broke. */
function post(method: string, params: object = {}): Promise<Reply> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  return new Promise((resolve) => {
    const sent = request(http.url, { method: 'POST', headers, agent: false }, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      const { statusCode: status = 0, headers: heard } = reply
      reply.on('end', () => resolve({ status, retryAfter: heard['retry-after'], text }))
    })
    sent.on('error', () => resolve({ status: 0, retryAfter: undefined, text: '' }))
    sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  })
}

const ask = (name = 'assemble_context', given: object = { question }): Promise<Reply> =>
  post('tools/call', { name, arguments: given })

/** Clients that never finish: their head, a small body, or a large one that has mostly arrived. */
async function openSlow(count: number): Promise<readonly Socket[]> {
  const head = 'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n'
  const large = `content-length: 1000000\r\n\r\n{"x":"${'y'.repeat(900_000)}`
  const beginnings = ['x-slow: ', 'content-length: 1000\r\n\r\n{', 'x-slow: ', large]
  return Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const socket = connect(Number(http.url.port), '127.0.0.1')
      socket.on('error', () => {})
      await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
      if (socket.writable) socket.write(head + beginnings[at % 4])
      return socket
    }),
  )
}

describe('slow clients', () => {
  it('500 of them keep nobody from an answer, nor do more than there may be connections', async () => {
    // Each thread has answered before, and has taken the memory that it needs for that.
    const [first] = (await Promise.all(Array.from({ length: 20 }, () => ask()))) as [Reply]
    const before = memoryOf(http.pid)
    const sockets = [...(await openSlow(500))]
    expect((await post('ping')).status).toBe(200)
    // Large bodies share 16 MB.
    expect(memoryOf(http.pid) - before).toBeLessThan(64)
    const began = performance.now()
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask()))
    expect(performance.now() - began).toBeLessThan(10_000)
    for (const { status } of answers) expect(status).toBe(200)
    sockets.push(...(await openSlow(slow ? 2000 : 600)))
    expect(withoutName((await ask()).text)).toBe(withoutName(first.text))
    for (const socket of sockets) if (socket.writable) socket.write('z')
    expect((await post('ping')).status).toBe(200)
    if (slow) {
      const drip = setInterval(() => {
        for (const socket of sockets) if (socket.writable) socket.write('z')
      }, 500)
      await setTimeout(25_000)
      clearInterval(drip)
      expect(sockets.filter(({ closed }) => !closed)).toEqual([])
    }
    for (const socket of sockets) socket.destroy()
  })
})

describe('busy clients', () => {
  it('are answered, or refused with the time to wait; nothing else becomes of a question', async () => {
    const count = slow ? 5000 : 400
    const replies: Reply[] = []
    const pings: Promise<Reply>[] = []
    for (let sent = 0; sent < count; sent += 200) {
      const asked = Array.from({ length: Math.min(200, count - sent) }, () => ask())
      pings.push(post('ping'))
      replies.push(...(await Promise.all(asked)))
    }
    const answered = replies.filter(({ status }) => status === 200)
    const refused = replies.filter(({ status }) => status === 503)
    expect(answered.length + refused.length).toBe(count)
    expect(answered.length).toBeGreaterThan(0)
    expect(refused.length).toBeGreaterThan(0)
    for (const { retryAfter, text } of refused) {
      expect(Number(retryAfter)).toBeGreaterThanOrEqual(1)
      expect(JSON.parse(text)).toMatchObject({ id: 1, error: { message: 'too many questions at once' } })
    }
    const texts = new Set(answered.map(({ text }) => withoutName(text)))
    expect(texts.size).toBe(1)
    for (const ping of pings) expect((await ping).status).toBe(200)
  })
})

function contextIn({ content }: Awaited<ReturnType<AskTool>>): string | undefined {
  return /^Context ([^;\s]+);/.exec(content[1]?.text ?? '')?.[1]
}

/** Names of contexts are random. */
function withoutName(text: string): string {
  return text.replaceAll(/(Context |"context":")[\w-]{12}(?![\w-])/g, '$1NAME')
}

describe('threads', () => {
  const settings = { ...defaultSettings, 'embedding.provider': 'none', refresh: 'never' } as const
  const corpus = (): ThreadCorpus => ({ root, settings, indexDir: `${root}/.yore`, workspace: null })
  const { signal } = new AbortController()
  const linked = {
    from: 'docs/testing/KUBERNETES_TEST_EXECUTION.md',
    via: 'links',
    target: 'docs/operations/CLEANUP_RUNBOOK.md',
  }

  /** One conversation: each kind of call, its errors, and a budget that is spent. */
  async function converse(askTool: AskTool): Promise<readonly unknown[]> {
    const said: unknown[] = []
    let context = ''
    const say = async (name: Parameters<AskTool>[0], given: Record<string, unknown>): Promise<void> => {
      const result = await askTool(name, given, signal)
      context = contextIn(result) ?? context
      said.push(JSON.parse(withoutName(JSON.stringify(result))))
    }
    await say('assemble_context', { question, maxTokens: 1500 })
    await say('expand', { ...linked, context })
    await say('expand', { ...linked, context })
    await say('expand', { from: linked.from, context })
    await say('search', { query: 'collector quota', limit: 3 })
    await say('expand', { from: linked.from, context })
    await say('expand', { ...linked })
    await say('expand', { ...linked, context: 'nobody' })
    await say('read', { place: `${linked.target}:1-5` })
    await say('read', { place: 'no/such/file.md' })
    await say('assemble_context', { question, maxTokens: 100 })
    await say('assemble_context', { question: 7 })
    return said
  }

  it('give the same bytes as the thread that serves', async () => {
    process.env['SOURCE_DATE_EPOCH'] = '1764429780'
    const pool = openCorpusPool<ToolQuestion, ToolAnswer>(toolWorker(), corpus(), 2)
    const engine = openEngine({ ...corpus(), now: 1764429780_000 })
    const serving = { engine, settings, countTokens: loadTokenizer('o200k') }
    const contexts = new Contexts({ newId: () => 'abcdefghijkl', alone: false, most: 9 })
    const here = await converse((name, given) => callTool(name, given, { ...serving, contexts, signal }))
    engine.close()
    // Several at once, so that every thread answers parts of every conversation.
    const there = await Promise.all(Array.from({ length: slow ? 40 : 4 }, () => converse(askInThreads(pool))))
    await pool.close()
    delete process.env['SOURCE_DATE_EPOCH']
    for (const said of there) expect(said).toEqual(here)
    expect(JSON.stringify(here)).toContain('Followed: links')
  })

  it('spend a budget once, however many calls of one context there are at a time', async () => {
    const pool = openCorpusPool<ToolQuestion, ToolAnswer>(toolWorker(), corpus(), 2)
    const askTool = askInThreads(pool)
    const opened = await askTool('assemble_context', { question }, signal)
    const context = contextIn(opened)
    const given = { ...linked, context }
    const results = await Promise.all(Array.from({ length: 6 }, () => askTool('expand', given, signal)))
    const allowed = results.filter(({ content }) => content[0].text.startsWith('Followed'))
    expect(allowed.length).toBe(1)
    const after = await askTool('expand', { from: linked.from, context }, signal)
    expect(after.content[0].text).toContain('budget left: 3')
    await pool.close()
  })
})
