// How does a person browse a corpus of the service? The explorer's read-only pages, for a browser that signed in with a key.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findCorpus, listCorpora } from '../control/corpora.ts'
import { findTicketHolder, issueTicket, type KeyGate } from '../control/keys.ts'
import { asTenant } from '../control/open-database.ts'
import { ServiceError } from '../errors.ts'
import { type EntryPages, type HostedPlace, makeEntryPages } from '../yore.ts'
import { listIngestions } from './ingest-routes.ts'
import type { makeProblem } from './make-problem.ts'
import { askCorpora } from './question-routes.ts'
import { type Asked, objectOf, type Route, type Service } from './route.ts'

export const pagePlace: HostedPlace = { entry: '/ui', assets: '/ui-assets' }
export const formBytes = 8192

type MadePage = ReturnType<EntryPages['signIn']>
interface PageOptions extends Service {
  readonly keySecret: string
  readonly gate: KeyGate
}

const cookieName = 'yore_ticket'
const ticketSeconds = 4 * 3600
const mostListed = 1000
const mostFailures = 20

/** No script reads it, no other site sends it, and the API does not know it: there a key alone counts. */
function writeCookie(value: string, seconds: number, { publicUrl }: PageOptions): string {
  const secure = publicUrl().startsWith('https:') ? '; Secure' : ''
  return `${cookieName}=${value}; Path=${pagePlace.entry}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}

function readCookie({ headers }: FastifyRequest): string | undefined {
  const cookies = (headers.cookie ?? '').split(';').map((one) => one.trim())
  return cookies.find((one) => one.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1)
}

function send(entryPages: EntryPages, page: MadePage, { request, reply }: Answering): FastifyReply {
  const { headers, body } = entryPages.pack(page, request.headers['accept-encoding'])
  return reply.code(page.status).headers(headers).send(body)
}

interface Answering {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Only addresses below the entry page: any other could redirect people elsewhere. */
const nextShape = /^\/ui\/[\w.-]{1,100}\/[^\s\\]{0,4000}$/

/** Who is not signed in gets the form, at the address that was asked for; all else is a page with what went wrong. */
export function sendFault(
  entryPages: EntryPages,
  { problem, request, reply }: Answering & { readonly problem: ReturnType<typeof makeProblem> },
): FastifyReply {
  const { status, detail } = problem
  const isGet = request.method === 'GET'
  if (status !== 401) return send(entryPages, entryPages.fault(status, `${detail}.`), { request, reply })
  // From a link on another site a browser leaves the cookie at home.
  if (isGet && request.headers['sec-fetch-site'] === 'cross-site')
    return send(entryPages, entryPages.again(), { request, reply })
  const next = isGet && nextShape.test(request.url) ? request.url : ''
  const fault = request.method === 'POST' ? `${detail}.` : null
  return send(entryPages, entryPages.signIn({ next, fault }), { request, reply })
}

export function sendAsset(
  { body, type, etag }: { readonly body: Buffer; readonly type: string; readonly etag: string },
  { headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.header('etag', etag).header('cache-control', 'no-cache').header('x-content-type-options', 'nosniff')
  return headers['if-none-match'] === etag ? reply.code(304).send() : reply.type(type).send(body)
}

/** A form of another site must neither sign anybody in nor out. */
function checkOwnForm({ headers }: FastifyRequest, { publicUrl }: PageOptions): void {
  const origin = URL.parse(headers.origin ?? '')
  const isOwn =
    origin !== null && (origin.host === headers.host || origin.origin === URL.parse(publicUrl())?.origin)
  const site = headers['sec-fetch-site'] ?? 'same-origin'
  if (!isOwn || site !== 'same-origin')
    throw new ServiceError('FORBIDDEN', 'this form was not sent by a page of this service')
}

/** Handles the sign-in form: exchanges a key for a ticket, or signs out. */
export async function signInOrOut(
  options: PageOptions,
  entryPages: EntryPages,
  { request, reply }: Answering,
): Promise<FastifyReply> {
  checkOwnForm(request, options)
  const form = (request.body ?? {}) as Readonly<Record<string, string>>
  if (form['leave'] === 'yes') {
    reply.header('set-cookie', writeCookie('', 0, options))
    const page = { ...entryPages.signIn({ next: '', fault: null }), status: 200 }
    return send(entryPages, page, { request, reply })
  }
  const now = Date.now()
  const until = now + ticketSeconds * 1000
  const ticket = await issueTicket(options.db, form['key']?.trim() ?? '', { ...options, now, until })
  const next = nextShape.test(form['next'] ?? '') ? form['next'] : pagePlace.entry
  return reply
    .header('set-cookie', writeCookie(ticket, ticketSeconds, options))
    .header('cache-control', 'no-store')
    .redirect(next ?? pagePlace.entry, 303)
}

export function makePageRoutes(options: PageOptions) {
  const entryPages = makeEntryPages(pagePlace)
  const listing = async (asked: Asked): Promise<undefined> => {
    const { service, caller } = asked
    const page = await asTenant(service.db, caller.organisation, async (transaction) => {
      const corpora = { after: '', limit: mostListed, published: true }
      const failed = { ...asked, query: { state: 'failed' } }
      const failures = await listIngestions(transaction, failed, { after: '', limit: mostFailures })
      const shown: [string, string, string, string][] = []
      for (const { updated_at: at, corpus, kind, path, error_code: code, error } of failures) {
        const { name } = await findCorpus(transaction, caller, corpus)
        shown.push([at.toISOString().slice(0, 16), name, kind === 'file' ? path : kind, `${code}: ${error}`])
      }
      return entryPages.list(await listCorpora(transaction, caller, corpora), shown)
    })
    await send(entryPages, page, asked)
    return undefined
  }
  const showing = async (asked: Asked): Promise<undefined> => {
    const { params, request, reply } = asked
    const corpus = params['corpus'] ?? ''
    const below = request.url.slice(pagePlace.entry.length + 1)
    const address = below.includes('/') ? below.slice(below.indexOf('/')) : '/'
    const first = /^\/?(\?.*)?$/.exec(address)
    if (first !== null) {
      await reply.redirect(`${pagePlace.entry}/${encodeURIComponent(corpus)}/ask${first[1] ?? ''}`, 303)
      return undefined
    }
    const question = { kind: 'page', address, place: pagePlace } as const
    const found = await askCorpora(asked, corpus, question)
    await send(entryPages, found as MadePage, { request, reply })
    return undefined
  }
  const route = { method: 'GET', access: 'read', answer: objectOf({}) } as const
  const page = { ...route, isQuestion: true, handle: showing } as const
  const [list, first] = [pagePlace.entry, `${pagePlace.entry}/{corpus}`]
  const routes: readonly Route[] = [
    { ...route, name: 'listPages', path: list, summary: 'The corpora of a key.', handle: listing },
    { ...page, name: 'openPages', path: first, summary: 'The first page of a corpus.' },
    { ...page, name: 'showPage', path: `${first}/*`, summary: 'A page of a corpus.' },
  ]
  return {
    entryPages,
    routes,
    /** Throws UNAUTHENTICATED. */
    identify: (request: FastifyRequest) =>
      findTicketHolder(options.db, readCookie(request), { ...options, now: Date.now() }),
  }
}
