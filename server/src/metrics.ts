// What does a monitoring system read of a node? Counts and times in Prometheus's form; no path, no question, no document.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ObjectStore } from './versions/store.ts'

/** Name, description and labels of what is counted. */
const counts = {
  requests: ['yore_requests_total', 'Requests by route and status.', ['route', 'method', 'status']],
  uploads: ['yore_uploads_total', 'Attempts to read an upload, by outcome.', ['outcome']],
  publications: [
    'yore_publications_total',
    'Publications by what they start from: the copy of the worker, the version, or all originals.',
    ['from'],
  ],
  failures: ['yore_failures_total', 'Failures that the log names, by event.', ['event']],
  versions: ['yore_versions_total', 'Versions for questions: on this disk, or fetched.', ['from']],
} as const

/** The same of what is timed, in seconds. */
const times = {
  requests: ['yore_request_seconds', 'Time of requests by route.', ['route']],
  waiting: ['yore_question_wait_seconds', 'Time that questions wait for a thread.', []],
  publishing: ['yore_publish_seconds', 'Time of publications by outcome.', ['outcome']],
  store: ['yore_store_seconds', 'Time of requests to the object store.', ['operation']],
} as const

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 300]

type Labels<Row extends readonly [string, string, readonly string[]]> = Readonly<
  Record<Row[2][number], string>
>

/** Values of a gauge at this moment, each with its labels. */
export type GaugeValues = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[]

export type NodeMetrics = ReturnType<typeof openMetrics>

export function openMetrics() {
  const registry = new Registry()
  const counters = new Map(
    Object.entries(counts).map(([key, [name, help, labelNames]]) => [
      key,
      new Counter({ name, help, labelNames, registers: [registry] }),
    ]),
  )
  const histograms = new Map(
    Object.entries(times).map(([key, [name, help, labelNames]]) => [
      key,
      new Histogram({ name, help, labelNames, buckets, registers: [registry] }),
    ]),
  )

  // Its default of 10 ms wakes an idle node 100 times a second, for 10 ms of processor time.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 })

  const count = <Name extends keyof typeof counts>(name: Name, labels: Labels<(typeof counts)[Name]>): void =>
    counters.get(name)?.inc(labels)

  function time<Name extends keyof typeof times>(
    name: Name,
    labels: Labels<(typeof times)[Name]>,
    milliseconds: number,
  ): void {
    histograms.get(name)?.observe(labels, milliseconds / 1000)
  }

  /** Read whenever the metrics are; a failed read leaves the gauge empty. */
  function gauge(
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => GaugeValues | Promise<GaugeValues>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      async collect() {
        this.reset()
        for (const [labels, value] of await (async () => read())().catch(() => [])) this.set(labels, value)
      },
    })
  }

  /** A store whose requests are timed. */
  function timeStore(store: ObjectStore): ObjectStore {
    const begin = (operation: string): (() => void) => {
      const start = performance.now()
      return () => time('store', { operation }, performance.now() - start)
    }
    const timed = <T>(operation: string, request: Promise<T>): Promise<T> => request.finally(begin(operation))
    // Until its end, with what its reader does meanwhile: writing a file, mostly.
    async function* timedEach<T>(operation: string, pieces: AsyncIterable<T>): AsyncGenerator<T> {
      const end = begin(operation)
      try {
        yield* pieces
      } finally {
        end()
      }
    }
    return {
      put: (...given) => timed('put', store.put(...given)),
      get: (...given) => timed('get', store.get(...given)),
      head: (key) => timed('head', store.head(key)),
      delete: (key) => timed('delete', store.delete(key)),
      stream: (key) => timedEach('stream', store.stream(key)),
      list: (prefix) => timedEach('list', store.list(prefix)),
    }
  }

  const { contentType } = registry
  return { contentType, text: () => registry.metrics(), count, time, gauge, timeStore }
}
