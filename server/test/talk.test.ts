// Does an LLM answer over HTTP while it writes, for the key that asked and for nobody else? A real server speaks its protocol from a script.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ChatServer, type Reply, startChatServer } from '../../test/support/chat-server.ts'
import { serve } from '../src/serve.ts'
import { Client, startService, type TestService } from './service.ts'

let service: TestService
let client: Client
let llm: ChatServer
/** What the LLM says next; the last one again and again. */
let script: Reply[] = []
let used = 0

const answer = (content: string): string => JSON.stringify({ action: 'answer', content })

beforeAll(async () => {
  llm = await startChatServer(() => script[Math.min(used++, script.length - 1)] ?? { status: 500 })
  service = await startService({
    healthPort: 0,
    conversations: 1,
    environment: {
      ...process.env,
      YORE_LLM_PROVIDER: 'openai',
      YORE_LLM_URL: llm.url,
      YORE_LLM_MODEL: 'scripted',
    },
  })
  client = new Client(service.url, service.key)
  await client.call('POST', '/v1/corpora', { name: 'kitchen' })
  const bread =
    '# Bread\n\n## Sourdough\n\nLet the sourdough rest overnight.\n\n## Rye\n\nRye needs no rest.\n'
  await client.wait((await client.upload('bread.md', bread, { corpus: 'kitchen' })).body.id)
})
afterAll(async () => {
  await service.close()
  await llm.close()
})
afterEach(() => {
  llm.requests.length = 0
})

interface Heard {
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever JSON came.
  readonly facts: any
}

function readEvents(text: string): readonly Heard[] {
  return [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, event = '', facts = '']) => ({
    event,
    facts: JSON.parse(facts),
  }))
}

async function talk(
  kind: 'ask' | 'chat',
  body: object,
  replies: readonly Reply[],
  by: Client = client,
): Promise<{ readonly status: number; readonly headers: Headers; readonly events: readonly Heard[] }> {
  script = [...replies]
  used = 0
  const { status, headers, body: text } = await by.call('POST', `/v1/corpora/kitchen/${kind}`, body)
  return { status, headers, events: readEvents(String(text)) }
}

const question = 'How long does sourdough rest?'

describe('ask', () => {
  it('tells what is searched, then the answer as it is written, then its sources', async () => {
    const { status, headers, events } = await talk('ask', { question }, [
      answer('It rests overnight [bread.md:5].\n\nThat is all [bread.md:3].'),
    ])
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    expect(events[0]).toMatchObject({ event: 'step', facts: { step: 'searched' } })
    expect(events.filter(({ event }) => event === 'paragraph').length).toBeGreaterThan(0)
    expect(events.at(-1)).toMatchObject({
      event: 'answered',
      facts: { version: 1, cited: [{ path: 'bread.md' }], citations: [{ verdict: 'shown' }, {}] },
    })
    expect(JSON.stringify(llm.requests[0]?.body.messages)).toContain('Let the sourdough rest overnight.')
    expect(llm.requests[0]?.body.model).toBe('scripted')
  })

  it('lets the LLM have more as far as the judge allows, and says what it denied', async () => {
    const denied = JSON.stringify({ action: 'expand', via: 'cites', target_identifier: '/etc/passwd' })
    const { events } = await talk('ask', { question }, [denied, answer('Overnight [bread.md:5].')])
    expect(events.map(({ facts }) => facts.step).filter(Boolean)).toEqual(['searched', 'denied', 'answered'])
  })

  it('says that the LLM failed as an event, without naming where it is', async () => {
    const { status, events } = await talk('ask', { question }, [{ status: 400 }])
    expect(status).toBe(200)
    expect(events.at(-1)).toMatchObject({ event: 'error', facts: { code: 'MODEL_FAILED', status: 502 } })
    expect(JSON.stringify(events)).not.toContain('127.0.0.1')
  })

  it('refuses what it does not understand before anything is streamed', async () => {
    const { body, status } = await client.call('POST', '/v1/corpora/kitchen/ask', { questoin: 'x' })
    expect([status, body.code]).toEqual([400, 'BAD_INPUT'])
    expect((await client.call('POST', '/v1/corpora/nowhere/ask', { question })).status).toBe(404)
    expect(llm.requests).toEqual([])
  })
})

describe('chat', () => {
  it('goes on where it was, for the key that began it', async () => {
    const first = await talk('chat', { question }, [answer('Overnight [bread.md:5].')])
    const { session } = first.events.at(-1)?.facts ?? {}
    expect(session).toMatch(/^[0-9a-f-]{36}$/)
    await talk('chat', { question: 'What else does that doc say?', session }, [
      answer('Rye needs none [bread.md:9].'),
    ])
    expect(JSON.stringify(llm.requests.at(-1)?.body.messages)).toContain('Overnight')
    const { body } = await client.call('GET', `/v1/sessions/${session}`)
    expect(body.exchanges.map(({ question }: { question: string }) => question)).toEqual([
      question,
      'What else does that doc say?',
    ])
    const listed = (await client.call('GET', '/v1/sessions')).body.items
    expect(listed).toMatchObject([{ id: session, exchanges: 2 }])

    const colleague = new Client(service.url, await service.makeKey(service.organisation, 'admin'))
    const stranger = new Client(
      service.url,
      await service.makeKey(await service.makeOrganisation('other'), 'admin'),
    )
    for (const other of [colleague, stranger]) {
      expect((await other.call('GET', `/v1/sessions/${session}`)).status).toBe(404)
      expect((await other.call('DELETE', `/v1/sessions/${session}`)).status).toBe(404)
      expect((await other.call('GET', '/v1/sessions')).body.items).toEqual([])
    }
    expect((await talk('chat', { question, session }, [answer('x')], colleague)).status).toBe(404)
    expect((await client.call('DELETE', `/v1/sessions/${session}`)).status).toBe(204)
    expect((await client.call('GET', `/v1/sessions/${session}`)).status).toBe(404)
    expect((await talk('chat', { question, session }, [answer('x')])).status).toBe(404)
  })

  it('keeps nothing of a question that was not answered', async () => {
    await talk('chat', { question }, [{ status: 400 }])
    expect((await client.call('GET', '/v1/sessions')).body.items).toEqual([])
  })
})

describe('a bounded number', () => {
  const waiting = async (): Promise<number> => {
    const body = await (await fetch(`${service.node.healthUrl}/metrics`)).text()
    return Number(/yore_questions\{kind="conversation"\} (\d+)/.exec(body)?.[1])
  }

  it('refuses one too many with Retry-After, answers questions meanwhile, and stops for who has gone', async () => {
    script = [{ hang: true }]
    const gone = new AbortController()
    const hung = [1, 2].map(() =>
      fetch(`${service.url}/v1/corpora/kitchen/ask`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ question }),
        signal: gone.signal,
      }).catch(() => null),
    )
    while (llm.requests.length === 0 || (await waiting()) < 2) await sleep(20)
    const refused = await client.call('POST', '/v1/corpora/kitchen/ask', { question })
    expect([refused.status, refused.body.code]).toEqual([503, 'BUSY'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await client.call('POST', '/v1/corpora/kitchen/search', { query: 'rye' })).status).toBe(200)
    gone.abort()
    await Promise.all(hung)
    while ((await waiting()) > 0) await sleep(20)
    const { events } = await talk('ask', { question }, [answer('Overnight [bread.md:5].')])
    expect(events.at(-1)?.event).toBe('answered')
  })
})

it('stops in time, however long an LLM takes', async () => {
  script = [{ hang: true }]
  llm.requests.length = 0
  const node = await serve(service.serveOptions({ role: 'api', graceMs: 100 }))
  const cut = fetch(`${node.url}/v1/corpora/kitchen/ask`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ question }),
  })
    .then((response) => response.text())
    .catch(() => 'cut')
  while (llm.requests.length === 0) await sleep(20)
  const started = performance.now()
  await node.stop()
  expect(performance.now() - started).toBeLessThan(8000)
  expect(await cut).not.toContain('answered')
})
