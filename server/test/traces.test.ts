// What does a trace show? Spans of requests below their caller's, and of jobs; heard by a provider in memory, as an SDK would.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanOptions,
  trace,
} from '@opentelemetry/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client, startService, type TestService } from './service.ts'
import { stores } from './stores.ts'

interface Heard {
  readonly name: string
  readonly attributes: Attributes
  readonly parent: string | undefined
  readonly traceId: string
  readonly id: string
  isEnded: boolean
}

const heard: Heard[] = []

function startSpan(name: string, options: SpanOptions = {}, under: Context = context.active()): Span {
  const above = trace.getSpanContext(under)
  const own: SpanContext = {
    traceId: above?.traceId ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    traceFlags: 1,
  }
  const attributes: Attributes = { ...options.attributes }
  const entry: Heard = {
    name,
    attributes,
    parent: above?.spanId,
    traceId: own.traceId,
    id: own.spanId,
    isEnded: false,
  }
  heard.push(entry)
  const span = {
    spanContext: () => own,
    setAttribute: (key: string, value: Attributes[string]) => {
      attributes[key] = value
      return span
    },
    setStatus: () => span,
    end: () => {
      entry.isEnded = true
    },
  } as unknown as Span
  return span
}

const storage = new AsyncLocalStorage<Context>()
describe.each(stores)('on %s', (_, makeStore) => {
  let service: TestService
  let client: Client
  beforeAll(async () => {
    heard.length = 0
    context.setGlobalContextManager({
      active: () => storage.getStore() ?? ROOT_CONTEXT,
      with: (under, work, self, ...args) => storage.run(under, () => work.call(self as never, ...args)),
      bind: (_, target) => target,
      enable: () => context as never,
      disable: () => context as never,
    })
    propagation.setGlobalPropagator({
      inject: () => {},
      fields: () => ['traceparent'],
      extract: (under, carrier: Readonly<Record<string, string>>) => {
        const [, traceId, spanId] = (carrier['traceparent'] ?? '').split('-')
        if (traceId === undefined || spanId === undefined) return under
        return trace.setSpanContext(under, { traceId, spanId, traceFlags: 1, isRemote: true })
      },
    })
    trace.setGlobalTracerProvider({
      getTracer: () => ({
        startSpan,
        startActiveSpan: (name: string, options: SpanOptions, work: (span: Span) => unknown) => {
          const span = startSpan(name, options)
          return context.with(trace.setSpan(context.active(), span), () => work(span))
        },
      }),
    } as never)
    service = await startService(await makeStore())
    client = new Client(service.url, service.key)
  })
  afterAll(async () => {
    await service.close()
    for (const api of [trace, context, propagation]) api.disable()
  })

  it('has a span for each request, below its caller, with what the question waited for; and one for each job', async () => {
    await client.call('POST', '/v1/corpora', { name: 'traced' })
    await client.wait(
      (await client.upload('plan.md', '# The plan of canary-51\n', { corpus: 'traced' })).body.id,
    )
    const traceId = 'a'.repeat(32)
    const headers = { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` }
    await client.call('POST', '/v1/corpora/traced/search', { query: 'canary-51' }, headers)
    await client.call('POST', '/v1/corpora/never-was/search', { query: 'canary-51' }, headers)
    await expect.poll(() => heard.filter((span) => span.traceId === traceId && !span.isEnded)).toEqual([])
    const [found, missing, ...more] = heard.filter((span) => span.parent === 'b'.repeat(16))
    expect(more).toEqual([])
    expect(found).toMatchObject({
      name: 'POST /v1/corpora/{corpus}/search',
      attributes: { 'http.route': '/v1/corpora/{corpus}/search', 'http.response.status_code': 200 },
    })
    expect(missing?.attributes['http.response.status_code']).toBe(404)
    const below = heard.filter((span) => span.parent === found?.id).map(({ name }) => name)
    expect(below).toEqual(['fetch versions', 'answer'])
    for (const name of ['parse upload', 'publish corpus'])
      expect(heard.filter((span) => span.name === name && span.isEnded)).toHaveLength(1)
    // No word of documents, questions or keys.
    expect(JSON.stringify(heard)).not.toContain('canary-51')
    expect(JSON.stringify(heard)).not.toContain(service.key)
  })
})
