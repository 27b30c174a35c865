// How does a browser reach the explorer? Over HTTP on this machine alone, with the token of the address that `yore ui` prints.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openPicture } from '../../explore/open-picture.ts'
import { YoreError } from '../../model/errors.ts'
import { type MadePage, makePages, type PageMaker, type UiCorpus } from './make-pages.ts'
import { type Asset, loadAssets, packPage } from './pack-page.ts'

interface UiOptions {
  readonly port: number
  readonly signal: AbortSignal
  /** Receives the address with its token, which every request needs. */
  readonly onListening: (url: string) => void
}

/** Serves until the signal aborts. Throws what `listen` throws when the port is taken. */
export async function serveUi(corpus: UiCorpus, { port, signal, onListening }: UiOptions): Promise<void> {
  const assets = loadAssets()
  const pages = makePages(corpus)
  const token = randomBytes(16).toString('hex')
  const server = createServer((request, response) => {
    answer(request, response, { server, assets, pages, token, root: corpus.root }).catch(() =>
      response.destroy(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve())
  })
  onListening(`http://127.0.0.1:${(server.address() as AddressInfo).port}/?token=${token}`)
  // The start page is ready before a browser asks for it.
  pages.make(new URL('http://127.0.0.1/ask')).catch(() => {})
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
  readonly token: string
  readonly root: string | undefined
}

function isSame(given: string | null | undefined, token: string): boolean {
  const [found, right] = [Buffer.from(given ?? ''), Buffer.from(token)]
  return found.length === right.length && timingSafeEqual(found, right)
}

/** By port: cookies of localhost are shared by all ports. */
const cookieName = (server: Server): string => `yore-${(server.address() as AddressInfo).port}`

function hasCookie({ headers }: IncomingMessage, { server, token }: UiServing): boolean {
  const name = `${cookieName(server)}=`
  const cookies = (headers.cookie ?? '').split(';').map((one) => one.trim())
  return cookies.some((one) => one.startsWith(name) && isSame(one.slice(name.length), token))
}

/** A script sends the token as `Authorization: Bearer`, a browser as a cookie. */
function mayRead(request: IncomingMessage, serving: UiServing): boolean {
  const bearer = /^bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  return hasCookie(request, serving) || isSame(bearer, serving.token)
}

/** A page of another site must not reach the corpus: neither from its own origin nor by DNS rebinding. */
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
  const send = (
    made: Omit<MadePage, 'body'> & { readonly body: string | Buffer },
    more: Readonly<Record<string, string>> = {},
  ): void => {
    const { headers, body } = packPage(made, request.headers['accept-encoding'])
    response.writeHead(made.status, { ...headers, ...more })
    response.end(request.method === 'HEAD' ? undefined : body)
  }
  const plain = (status: number, text: string): MadePage => ({
    status,
    type: 'text/plain; charset=utf-8',
    body: `${text}\n`,
  })
  if (!isTrusted(request, serving.server)) return send(plain(403, 'this Host, Origin or site is not allowed'))
  const address = URL.parse(request.url ?? '/', 'http://127.0.0.1')
  if (address === null) return send(plain(400, 'invalid address'))
  const { pages } = serving
  const opened = openWithToken(address, serving)
  if (request.method === 'GET' && opened !== null) return send(plain(302, 'the explorer is open'), opened)
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return send(plain(405, 'this page only reads'), { allow: 'GET, HEAD' })
  if (!mayRead(request, serving))
    return send(plain(401, 'open the address that `yore ui` printed'), { 'www-authenticate': 'Bearer' })
  const asset = serving.assets.get(address.pathname)
  if (asset !== undefined) {
    const known = request.headers['if-none-match'] === asset.etag
    const cached = { etag: asset.etag, 'cache-control': 'no-cache' }
    const body = known ? '' : asset.body.toString('utf8')
    return send({ status: known ? 304 : 200, type: asset.type, body }, cached)
  }
  const picture = openPicture(serving.root, address.pathname)
  if (picture !== null) return send({ ...picture, status: 200 })
  if (address.pathname === '/')
    return send(plain(302, 'the explorer begins at /ask'), { location: `/ask${address.search}` })
  const began = performance.now()
  try {
    const made = await pages.make(address)
    send(made, { 'server-timing': `page;dur=${(performance.now() - began).toFixed(1)}` })
  } catch (cause) {
    send(pages.explainFault(faultOf(cause)))
  }
}

/** A redirect to the address without the token, with a cookie; null for an address without a token. */
function openWithToken(address: URL, { server, token }: UiServing): Readonly<Record<string, string>> | null {
  if (!isSame(address.searchParams.get('token'), token)) return null
  const query = new URLSearchParams(address.searchParams)
  query.delete('token')
  // Several slashes would name another host.
  const path = address.pathname.replace(/^\/+/, '/')
  return {
    location: `${path === '/' ? '/ask' : path}${query.size === 0 ? '' : `?${query}`}`,
    'set-cookie': `${cookieName(server)}=${token}; HttpOnly; SameSite=Strict; Path=/`,
  }
}

/** Other errors may contain internals. */
const faultOf = (cause: unknown): YoreError =>
  cause instanceof YoreError ? cause : new YoreError('CRASHED', 'this page could not be made')
