// What does a monitoring system read? Counts and times in Prometheus's form; no path, no question, no document.
import type { FastifyReply } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { AskCorpora } from './ask-corpora.ts'

export interface Metrics {
  readonly contentType: string
  text(): Promise<string>
  observe(route: string, method: string, reply: FastifyReply): void
}

export function makeMetrics({ questions }: { readonly questions: AskCorpora }): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const labelNames = ['route', 'method', 'status']
  const requests = new Counter({
    name: 'yore_requests_total',
    help: 'Requests by route and status.',
    labelNames,
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'yore_request_seconds',
    help: 'Time of requests by route.',
    labelNames: ['route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  new Gauge({
    name: 'yore_questions',
    help: 'Questions and conversations at work or waiting.',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      for (const kind of ['question', 'conversation'] as const) this.set({ kind }, questions.asked(kind))
    },
  })
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    observe: (route, method, reply) => {
      requests.inc({ route, method, status: String(reply.statusCode) })
      seconds.observe({ route }, reply.elapsedTime / 1000)
    },
  }
}
