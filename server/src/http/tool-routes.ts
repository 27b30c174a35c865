// How do agents reach a corpus of the service? By the Model Context Protocol at /mcp/{corpus}, with the same keys.
import { findCorpus } from '../control/corpora.ts'
import { asTenant } from '../control/open-database.ts'
import { ServiceError } from '../errors.ts'
import type { AskThread } from '../yore.ts'
import { askVersions } from './question-routes.ts'
import type { Asked, Route } from './route.ts'

const wellKnown = '/.well-known/oauth-protected-resource'

/** Of the whole service and of each corpus's surface; what is said is the same whether there is such a corpus or not. */
export const metadataPaths: readonly string[] = [wellKnown, `${wellKnown}/mcp/:corpus`]

/** RFC 9728: the path of the resource follows the well-known one. What is no resource of its own is the service. */
export function metadataUrl(resource: string, publicUrl: string): string {
  const path = resource.slice(publicUrl.length)
  return publicUrl + wellKnown + (/^\/mcp\/[^/]+$/.test(path) ? path : '')
}

export function describeResource(
  params: Readonly<Record<string, string>>,
  publicUrl: string,
): Readonly<Record<string, unknown>> {
  const corpus = params['corpus']
  return {
    resource: corpus === undefined ? publicUrl : `${publicUrl}/mcp/${encodeURIComponent(corpus)}`,
    resource_name: 'yore',
    // Keys come from whoever runs the service, not from an authorization server: none is named.
    bearer_methods_supported: ['header'],
    scopes_supported: ['read', 'write', 'admin'],
  }
}

/** Browsers say where a page comes from: one from elsewhere has no business here, whatever key it was given. */
function checkOrigin({ request, service }: Asked): void {
  const { origin } = request.headers
  if (origin !== undefined && origin !== new URL(service.publicUrl()).origin)
    throw new ServiceError('FORBIDDEN', 'requests from pages of other origins are refused')
}

async function answerAgent(asked: Asked): Promise<undefined> {
  checkOrigin(asked)
  const { service, caller, reply, request } = asked
  const corpus = await asTenant(service.db, caller.organisation, (transaction) =>
    findCorpus(transaction, caller, asked.params['corpus'] ?? ''),
  )
  const ask: AskThread = async (call, { signal }) => {
    const heard = { ...asked, signal: signal ?? asked.signal }
    const { found } = await askVersions(heard, corpus.number, { kind: 'tool', call })
    return found as Awaited<ReturnType<AskThread>>
  }
  const body = request.body === undefined ? '' : JSON.stringify(request.body)
  reply.hijack()
  // Fastify, the pipe to the client and everything that stops with it listen for its end: more than Node's usual ten.
  reply.raw.setMaxListeners(30)
  try {
    await service.tools.answer(request.raw, reply.raw, {
      body: Buffer.from(body),
      ask,
      scope: `${caller.key} ${corpus.number}`,
    })
  } catch (error) {
    service.onEvent('agent failed', { error: String(error) })
    reply.raw.destroy()
  }
  return undefined
}

/** GET and DELETE are the protocol's, too: it says itself what they are good for. */
export const toolRoutes: readonly Route[] = (['POST', 'GET', 'DELETE'] as const).map((method) => ({
  name: `${method.toLowerCase()}Mcp`,
  method,
  path: '/mcp/{corpus}',
  summary: `The Model Context Protocol (Streamable HTTP): the tools of yore over one corpus.${method === 'POST' ? '' : ' No streams or sessions are kept open.'}`,
  access: 'read',
  ...(method === 'POST' ? { body: { type: ['object', 'array'] }, checksBody: true, takesAnyJson: true } : {}),
  answer: { type: 'object' },
  admission: 'question',
  handle: answerAgent,
}))
