// How does a browser reach the explorer? Pages over HTTP on this machine alone; only reads, and only for its own pages.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { YoreError } from '../../errors.ts'
import { type MadePage, PageMaker, type UiCorpus } from './make-pages.ts'
import { style } from './style.ts'

interface UiOptions {
  readonly port: number
  readonly signal: AbortSignal
  readonly onListening: (url: string) => void
}

/** Nothing but files of this server; no inline script or style, no frame around it, no form that leads away. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const fixedHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#8a3b12"/><path d="M8 8l8 10v7m8-17l-8 10" stroke="#fff" stroke-width="4" fill="none" stroke-linecap="round"/></svg>`

interface Asset {
  readonly body: Buffer
  readonly type: string
  readonly etag: string
}

function makeAsset(body: string | Buffer, type: string): Asset {
  const bytes = Buffer.from(body)
  return {
    body: bytes,
    type,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 20)}"`,
  }
}

/** The script lies beside this file, in src/ and in dist/ alike. */
function loadAssets(): ReadonlyMap<string, Asset> {
  return new Map([
    ['/style.css', makeAsset(style, 'text/css; charset=utf-8')],
    [
      '/ui-island.js',
      makeAsset(readFileSync(new URL('./ui-island.js', import.meta.url)), 'text/javascript; charset=utf-8'),
    ],
    ['/icon.svg', makeAsset(icon, 'image/svg+xml')],
  ])
}

/** Serves until the signal aborts. Throws what `listen` throws when the port is taken. */
export async function serveUi(corpus: UiCorpus, { port, signal, onListening }: UiOptions): Promise<void> {
  const assets = loadAssets()
  const pages = new PageMaker(corpus)
  const server = createServer((request, response) => {
    answer(request, response, { server, assets, pages }).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve())
  })
  onListening(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve())
  })
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
}

interface UiServing {
  readonly server: Server
  readonly assets: ReadonlyMap<string, Asset>
  readonly pages: PageMaker
}

/** A page of another site must not reach the corpus: neither by its own name nor by one that it made point here. */
function isTrusted({ headers }: IncomingMessage, server: Server): boolean {
  const { port } = server.address() as AddressInfo
  const names = new Set([`127.0.0.1:${port}`, `localhost:${port}`])
  const { host, origin } = headers
  const site = headers['sec-fetch-site']
  if (host === undefined || !names.has(host)) return false
  if (origin !== undefined && !names.has(origin.replace(/^http:\/\//, ''))) return false
  return site === undefined || site === 'same-origin' || site === 'none'
}

async function answer(request: IncomingMessage, response: ServerResponse, serving: UiServing): Promise<void> {
  const send = (made: MadePage, more: Readonly<Record<string, string>> = {}): void => {
    const isSmall = made.body.length < 1000 || !/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
    const bytes = Buffer.from(made.body)
    const body = isSmall ? bytes : gzipSync(bytes, { level: 6 })
    response.writeHead(made.status, {
      ...fixedHeaders,
      'cache-control': 'no-store',
      'content-type': made.type,
      'content-length': body.length,
      vary: 'accept-encoding',
      ...(isSmall ? {} : { 'content-encoding': 'gzip' }),
      ...more,
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  }
  const plain = (status: number, text: string): MadePage => ({
    status,
    type: 'text/plain; charset=utf-8',
    body: `${text}\n`,
  })
  if (!isTrusted(request, serving.server)) return send(plain(403, 'this Host, Origin or site is not allowed'))
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return send(plain(405, 'the explorer only reads'), { allow: 'GET, HEAD' })
  const address = URL.parse(request.url ?? '/', 'http://127.0.0.1')
  if (address === null) return send(plain(400, 'this is no address'))
  const asset = serving.assets.get(address.pathname)
  if (asset !== undefined) {
    const known = request.headers['if-none-match'] === asset.etag
    const cached = { etag: asset.etag, 'cache-control': 'no-cache' }
    return send(
      { status: known ? 304 : 200, type: asset.type, body: known ? '' : asset.body.toString('utf8') },
      cached,
    )
  }
  if (address.pathname === '/') return send(plain(302, 'the explorer begins at /ask'), { location: '/ask' })
  const began = performance.now()
  try {
    const made = await serving.pages.make(address)
    const engine = made.engineMilliseconds ?? 0
    const timing = `engine;dur=${engine.toFixed(1)}, page;dur=${(performance.now() - began - engine).toFixed(1)}`
    send(made, { 'server-timing': timing })
  } catch (cause) {
    // What is no error of ours may name what is inside.
    const fault = cause instanceof YoreError ? cause : new YoreError('CRASHED', 'this page could not be made')
    send(serving.pages.explainFault(fault))
  }
}
