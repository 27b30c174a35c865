// Where do probes and monitoring look? On a port of its own, which clients do not reach.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { NodeMetrics } from '../metrics.ts'

/** What `/healthz` answers; `fault` is that of the node's worker. */
export function describeHealth(fault: string | null): { readonly status: string; readonly worker: string } {
  return { status: 'ok', worker: fault === null ? 'working' : `paused: ${fault}` }
}

/** `/healthz` is 200 while the process runs, `/readyz` 503 while the worker takes no jobs; `/metrics` for Prometheus. */
export async function serveHealth(
  at: { readonly host: string; readonly port: number },
  readFault: () => string | null,
  metrics: NodeMetrics,
) {
  const server = createServer(async ({ url }, response) => {
    if (url === '/metrics') {
      response.setHeader('content-type', metrics.contentType)
      return response.end(await metrics.text())
    }
    const fault = readFault()
    const isKnown = url === '/healthz' || url === '/readyz'
    const status = !isKnown ? 404 : url === '/readyz' && fault !== null ? 503 : 200
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isKnown ? describeHealth(fault) : { status: 'not found' }))
  })
  await once(server.listen(at.port, at.host), 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}
