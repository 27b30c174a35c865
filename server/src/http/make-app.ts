// How does a request become an answer? Admission, key, input, handler; whatever goes wrong is a problem.
import { randomBytes } from 'node:crypto'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type Caller, findCaller, type KeyGate, requireAccess } from '../control/keys.ts'
import { ServiceError } from '../errors.ts'
import type { NodeMetrics } from '../metrics.ts'
import { accessRoutes } from './access-routes.ts'
import { corpusRoutes } from './corpus-routes.ts'
import { describeApi } from './describe-api.ts'
import { describeHealth } from './health.ts'
import { ingestRoutes } from './ingest-routes.ts'
import { makeProblem } from './make-problem.ts'
import { formBytes, makePageRoutes, pagePlace, sendAsset, sendFault, signInOrOut } from './page-routes.ts'
import { questionRoutes } from './question-routes.ts'
import type { Asked, Route, Service } from './route.ts'
import { toolRoutes } from './tool-routes.ts'

export interface AppOptions extends Service {
  /** What is wrong with the worker of this node; null for a node without one. */
  readonly worker: (() => string | null) | null
  readonly gate: KeyGate
  readonly metrics: NodeMetrics
}

export const routes: readonly Route[] = [
  ...corpusRoutes,
  ...ingestRoutes,
  ...questionRoutes,
  ...toolRoutes,
  ...accessRoutes,
]

export async function makeApp(options: AppOptions) {
  const server = Fastify({
    bodyLimit: 1024 * 1024,
    requestTimeout: 60_000,
    connectionTimeout: 0,
    keepAliveTimeout: 30_000,
    trustProxy: false,
    // A node that ends answers what reached it; Fastify's own refusal would name no time to come again.
    return503OnClosing: false,
    genReqId: makeRequestIds(),
    ajv: { customOptions: { removeAdditional: false, coerceTypes: true, allErrors: false } },
  })
  let isReady = true
  await server.register(multipart, { throwFileSizeLimit: false })
  server.setErrorHandler((error, request, reply) => answerProblem(error, { request, reply, options }))
  server.setNotFoundHandler((request, reply) =>
    answerProblem(new ServiceError('NOT_FOUND', 'there is no such route'), { request, reply, options }),
  )
  server.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions, id } = request
    const { elapsedTime, statusCode } = reply
    const route = routeOptions.url ?? 'unknown'
    options.metrics.count('requests', { route, method, status: String(statusCode) })
    options.metrics.time('requests', { route }, elapsedTime)
    const { corpus = null } = (request.params ?? {}) as { readonly corpus?: string }
    const organisation = callers.get(request)?.organisation ?? null
    const facts = { id, route, method, status: statusCode, organisation, corpus }
    if (!probes.has(route)) options.onEvent('request', { ...facts, ms: Math.round(elapsedTime) })
  })
  for (const route of routes) addRoute(server, route, options, findBearer)
  await server.register((scope) => openPages(scope, options))
  const { worker } = options
  server.get('/healthz', async () => (worker === null ? { status: 'ok' } : describeHealth(worker())))
  server.get('/readyz', async () => {
    if (!isReady) throw new ServiceError('UNAVAILABLE', 'this node is stopping')
    // Like the rows of a question: known while PostgreSQL is there, and for a time after.
    await options.lookups
      .read('ready', () => sql`select 1`.execute(options.db))
      .catch((error: unknown) => {
        if (!options.lookups.isStale) throw error
      })
    return { status: options.lookups.isAway ? 'ready for known corpora: PostgreSQL is away' : 'ready' }
  })
  const description = describeApi(routes)
  server.get('/openapi.json', async () => description)
  return {
    server,
    /** Not ready any more: balancers send nothing new, and what is at work goes on. */
    drain: (): void => {
      isReady = false
    },
  }
}

/** Several nodes write into one log: ids begin with a random part of this node's. */
function makeRequestIds(): () => string {
  const node = randomBytes(4).toString('hex')
  let count = 0
  return () => `req-${node}-${(++count).toString(36)}`
}

/** Known once the key is checked. */
const callers = new WeakMap<FastifyRequest, Caller>()

/** Not in the log: they come every second. */
const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

/** Who asks, by what the request shows. Throws UNAUTHENTICATED. */
type Identify = (request: FastifyRequest, options: AppOptions) => Promise<Caller>

const findBearer: Identify = (request, options) => {
  const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  return findCaller(options.db, given, { ...options, now: Date.now() })
}

/** HTML pages in their own scope: it parses forms, authenticates by cookie, and renders errors as pages. */
async function openPages(scope: FastifyInstance, options: AppOptions): Promise<void> {
  const { entryPages, routes: pageRoutes, identify } = makePageRoutes(options)
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: formBytes },
    (_, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  scope.setErrorHandler((error, request, reply) => {
    return sendFault(entryPages, { problem: noteProblem(error, { request, reply, options }), request, reply })
  })
  for (const [name, asset] of entryPages.assets)
    scope.get(`${pagePlace.assets}${name}`, async (request, reply) => sendAsset(asset, request, reply))
  for (const route of pageRoutes) addRoute(scope, route, options, identify)
  scope.post(
    pagePlace.entry,
    async (request, reply) => await signInOrOut(options, entryPages, { request, reply }),
  )
}

function addRoute(server: FastifyInstance, route: Route, options: AppOptions, identify: Identify): void {
  const { query, body } = route
  server.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    schema: {
      ...(query === undefined
        ? {}
        : { querystring: { type: 'object', properties: query, additionalProperties: false } }),
      ...(body === undefined || body === 'multipart' || route.checksBody === true ? {} : { body }),
    },
    onRequest: async (request, reply) => {
      const caller = await identify(request, options)
      // A question may find all that it needs on this node.
      if (options.lookups.isAway && route.isQuestion !== true)
        throw new ServiceError('UNAVAILABLE', 'the database does not answer', { retryAfter: 1 })
      await options.requests.spend(caller.organisation, Date.now())
      requireAccess(caller, route.access)
      callers.set(request, caller)
      // Bounded: a question too much is refused before its body is read.
      if (route.isQuestion) reply.raw.once('close', options.questions.admit(caller.organisation))
    },
    handler: async (request, reply) => {
      const asked: Asked = {
        service: options,
        caller: callers.get(request) as Caller,
        params: request.params as Asked['params'],
        query: request.query as Asked['query'],
        body: readBody(request.body, route),
        signal: signalOf(reply),
        request,
        reply,
      }
      const answer = await route.handle(asked)
      if (reply.sent) return reply
      reply.code(route.status ?? 200)
      return answer
    },
  })
}

/** Aborts the work for a request when its client disconnects. */
function signalOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(new ServiceError('UNAVAILABLE', 'the client has gone'))
  })
  return gone.signal
}

function readBody(body: unknown, route: Route): Asked['body'] {
  if (route.body === undefined || route.body === 'multipart' || route.takesAnyJson === true) return {}
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ServiceError('BAD_REQUEST', 'the body must be a JSON object')
  return body as Asked['body']
}

interface Failed {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly options: AppOptions
}

/** What went wrong, told to who runs the service where it is its fault; the client learns when to try again. */
function noteProblem(error: unknown, { request, reply, options }: Failed): ReturnType<typeof makeProblem> {
  const problem = makeProblem(error)
  const { id, routeOptions } = request
  if (problem.status >= 500 && problem.code !== 'BUSY')
    options.onEvent('request failed', { id, route: routeOptions.url, error: String(error) })
  const retryAfter = error instanceof ServiceError ? error.retryAfter : null
  if (retryAfter !== null || problem.status === 503) reply.header('retry-after', String(retryAfter ?? 2))
  return problem
}

function answerProblem(error: unknown, failed: Failed): FastifyReply {
  const { request, reply } = failed
  const problem = noteProblem(error, failed)
  const wanted = request.headers.authorization === undefined ? 'Bearer' : 'Bearer error="invalid_token"'
  if (problem.status === 401) reply.header('www-authenticate', wanted)
  return reply
    .code(problem.status)
    .type('application/problem+json')
    .send({ ...problem, instance: request.id })
}
