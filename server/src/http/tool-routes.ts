// How do agents reach corpora of the service? By the Model Context Protocol, one at /mcp/{corpus} or several at /mcp, with the same keys.
import { ServiceError } from '../errors.ts'
import type { AskThread } from '../yore.ts'
import { askCorpora, findWanted, readCorpora, type Wanted } from './question-routes.ts'
import type { Asked, Route } from './route.ts'

/** Browsers say where a page comes from: one from elsewhere has no business here, whatever key it was given. */
function checkOrigin({ request, service }: Asked): void {
  const { origin } = request.headers
  if (origin !== undefined && origin !== new URL(service.publicUrl()).origin)
    throw new ServiceError('FORBIDDEN', 'requests from pages of other origins are refused')
}

/** The corpus of the path; where it has none, those that are named behind it, or all that the key is for. */
function readWanted({ params, query }: Asked): Wanted {
  const { corpora } = query
  return params['corpus'] ?? readCorpora(corpora === undefined ? null : String(corpora).split(','))
}

async function answerAgent(asked: Asked): Promise<undefined> {
  checkOrigin(asked)
  const { service, reply, request } = asked
  const wanted = readWanted(asked)
  const found = await findWanted(asked, wanted)
  const numbers = found.map(({ row }) => row.number)
  const isOne = typeof wanted === 'string'
  const ask: AskThread = async (call, { signal }) => {
    const heard = { ...asked, signal: signal ?? asked.signal }
    const about = isOne ? (numbers[0] as number) : numbers
    return (await askCorpora(heard, about, { kind: 'tool', call })) as Awaited<ReturnType<AskThread>>
  }
  const body = request.body === undefined ? '' : JSON.stringify(request.body)
  reply.hijack()
  // Fastify, the pipe to the client and everything that stops with it listen for its end: more than Node's usual ten.
  reply.raw.setMaxListeners(30)
  try {
    await service.tools.answer(request.raw, reply.raw, {
      body: Buffer.from(body),
      ask,
      corpus: isOne ? (found[0]?.row.name ?? '') : null,
    })
  } catch (error) {
    service.onEvent('agent failed', { error: String(error) })
    reply.raw.destroy()
  }
  return undefined
}

/** GET and DELETE are the protocol's, too: it says itself what they are good for. */
function toolRoute(method: 'POST' | 'GET' | 'DELETE', across: boolean): Route {
  const over = across ? 'several corpora, all that the key is for or those that are named' : 'one corpus'
  return {
    name: `${method.toLowerCase()}Mcp${across ? 'Across' : ''}`,
    method,
    path: across ? '/mcp' : '/mcp/{corpus}',
    summary: `The Model Context Protocol (Streamable HTTP): the tools of yore over ${over}.${method === 'POST' ? '' : ' No streams or sessions are kept open.'}`,
    access: 'read',
    ...(across ? { query: { corpora: { type: 'string', maxLength: 4000 } } } : {}),
    ...(method === 'POST'
      ? { body: { type: ['object', 'array'] }, checksBody: true, takesAnyJson: true }
      : {}),
    answer: { type: 'object' },
    isQuestion: true,
    handle: answerAgent,
  }
}

export const toolRoutes: readonly Route[] = [false, true].flatMap((across) =>
  (['POST', 'GET', 'DELETE'] as const).map((method) => toolRoute(method, across)),
)
