// How does an LLM answer over HTTP? As server-sent events while it writes; chat keeps what was said for the next question.
import { spendConversation } from '../control/limits.ts'
import { asTenant } from '../control/open-database.ts'
import {
  appendExchange,
  corporaOf,
  deleteSession,
  findSession,
  listSessions,
  readExchanges,
  type SessionRow,
} from '../control/sessions.ts'
import { ServiceError } from '../errors.ts'
import { type AskResult, type Exchange, inputSchema, type OperationSpec, operations } from '../yore.ts'
import { numbersOf, type TalkNote } from './answer-question.ts'
import { type EventStream, openEvents } from './events.ts'
import { makeProblem } from './make-problem.ts'
import {
  askVersions,
  corporaBody,
  findWanted,
  readCorpora,
  readInput,
  type Wanted,
} from './question-routes.ts'
import { type Asked, type JsonSchema, listRoute, objectOf, type Route, text } from './route.ts'

const operation: OperationSpec = operations.ask

interface Conversation {
  /** One corpus by name, or several together. */
  readonly wanted: Wanted
  /** Null before its first exchange. */
  readonly session: string | null
  readonly history: readonly Exchange[]
}

const isJoined = (wanted: Wanted): boolean => wanted === null || typeof wanted === 'object'

/** The corpus of the path, or those that the body names where the path has none. */
function readWanted({ params, body }: Asked): Wanted {
  return params['corpus'] ?? readCorpora(body['corpora'] ?? null)
}

/** Whatever can be refused is refused before the stream begins: a corpus, a session, a node without an LLM. */
async function talk(asked: Asked, conversation: Conversation, keep: boolean): Promise<void> {
  const { session: _, corpora: _1, ...body } = asked.body
  const input = readInput(operation, body)
  const { service, caller } = asked
  const { wanted, history } = conversation
  const corpora = (await findWanted(asked, wanted)).map(({ row }) => row.number)
  await asTenant(service.db, caller.organisation, (transaction) =>
    spendConversation(transaction, caller, Date.now()),
  )
  const about = isJoined(wanted) ? corpora : (corpora[0] as number)
  let events: EventStream | null = null
  const begin = (): EventStream => {
    events ??= openEvents(asked.reply)
    return events
  }
  const hear = (note: TalkNote): void => begin().send(note.event, note.facts)
  try {
    const question = { kind: 'ask', input, history } as const
    const { versions, found } = await askVersions(asked, about, question, (note) => hear(note as TalkNote))
    const { outcome, cited } = found as AskResult
    const { trace: _, ...ended } = outcome
    const stored =
      keep && outcome.outcome === 'answered'
        ? await keepExchange(asked, conversation.session, about, {
            question: String(input['question']),
            answer: outcome.content,
            cited,
            at: Date.now(),
          })
        : conversation.session
    const shown = isJoined(wanted) ? { versions: numbersOf(versions) } : { version: versions[0]?.version }
    begin().send(outcome.outcome, { ...shown, ...(keep ? { session: stored } : {}), ...ended, cited })
  } catch (error) {
    if (events === null) throw error
    if (!asked.signal.aborted) service.onEvent('conversation failed', { error: String(error) })
    hear({ event: 'error', facts: makeProblem(error) } as never)
  } finally {
    ;(events as EventStream | null)?.end()
  }
}

async function keepExchange(
  { service, caller }: Asked,
  session: string | null,
  about: number | readonly number[],
  exchange: Exchange,
): Promise<string> {
  return await asTenant(service.db, caller.organisation, (transaction) =>
    appendExchange(transaction, caller, { session, about }, exchange),
  )
}

/** One that goes on is about what it was about: who names corpora names those. */
async function findConversation(asked: Asked): Promise<Conversation> {
  const { service, caller, body } = asked
  const wanted = readWanted(asked)
  const id = body['session']
  if (id === undefined) return { wanted, session: null, history: [] }
  if (typeof id !== 'string') throw new ServiceError('BAD_REQUEST', 'session is the id of a session')
  const named = wanted === null ? null : await findWanted(asked, wanted)
  return await asTenant(service.db, caller.organisation, async (transaction) => {
    const session = await findSession(transaction, caller, id)
    const about = corporaOf(session)
    const isSame =
      named === null ||
      named
        .map(({ row }) => row.number)
        .sort()
        .join() === about.toSorted().join()
    if (!isSame || isJoined(wanted) !== (session.corpora !== null))
      throw new ServiceError('CONFLICT', 'the session is about another corpus, or others')
    return { wanted: wanted ?? about, session: id, history: await readExchanges(transaction, id) }
  })
}

function showSession(row: SessionRow): Readonly<Record<string, unknown>> {
  return {
    id: row.id,
    corpus: row.corpus,
    corpora: corporaOf(row),
    exchanges: row.exchanges,
    created_at: row.created_at.toISOString(),
    used_at: row.used_at.toISOString(),
  }
}

const schema = inputSchema(operation) as unknown as JsonSchema
const properties = schema['properties'] as object
const session = objectOf({
  id: text,
  corpus: { type: ['integer', 'null'] },
  corpora: { type: 'array', items: { type: 'integer' } },
  exchanges: { type: 'integer' },
  created_at: text,
  used_at: text,
})
const heard =
  'Events: step (what was searched, asked for and denied), paragraph (the answer as it is written), retract (what was heard does not count), then answered or gave_up with everything that is known, or error with a problem.'

const goesOn =
  'Ask as part of a conversation: what earlier answers cited may be spoken of. Without a session it begins one, which the last event names and the key alone may go on with.'

/** Of one corpus in the path, or of several in the body: as events while the LLM writes. */
function talkRoute(name: 'ask' | 'chat', across: boolean): Route {
  const keep = name === 'chat'
  const summary = keep ? goesOn : operation.summary
  const several = 'Of several corpora together: each source path starts with the name of its corpus.'
  return {
    name: across ? `${name}Across` : name,
    method: 'POST',
    path: across ? `/v1/${name}` : `/v1/corpora/{corpus}/${name}`,
    summary: [summary, ...(across ? [several] : []), heard].join(' '),
    access: 'read',
    body: {
      ...schema,
      properties: {
        ...(keep ? { session: text } : {}),
        ...(across ? { corpora: corporaBody } : {}),
        ...properties,
      },
    },
    checksBody: true,
    answer: text,
    admission: 'conversation',
    handle: async (asked) => {
      const conversation = keep
        ? await findConversation(asked)
        : { wanted: readWanted(asked), session: null, history: [] }
      await talk(asked, conversation, keep)
    },
  }
}

export const talkRoutes: readonly Route[] = [
  talkRoute('ask', false),
  talkRoute('chat', false),
  talkRoute('ask', true),
  talkRoute('chat', true),
  listRoute({
    name: 'listSessions',
    path: '/v1/sessions',
    summary: 'List the conversations of the key.',
    item: session,
    list: (transaction, { caller }, page) => listSessions(transaction, caller, page),
    show: showSession,
    keyOf: ({ id }) => id,
  }),
  {
    name: 'readSession',
    method: 'GET',
    path: '/v1/sessions/{session}',
    summary: 'Show a conversation: its questions, answers and sources.',
    access: 'read',
    answer: objectOf({ id: text, exchanges: { type: 'array', items: { type: 'object' } } }),
    handle: ({ service, caller, params }) =>
      asTenant(service.db, caller.organisation, async (transaction) => {
        const row = await findSession(transaction, caller, params['session'] ?? '')
        const exchanges = await readExchanges(transaction, row.id)
        const shown = exchanges.map(({ at, ...said }) => ({ ...said, at: new Date(at).toISOString() }))
        return { ...showSession(row), exchanges: shown }
      }),
  },
  {
    name: 'deleteSession',
    method: 'DELETE',
    path: '/v1/sessions/{session}',
    summary: 'Delete a conversation.',
    access: 'read',
    status: 204,
    answer: {},
    handle: ({ service, caller, params }) =>
      asTenant(service.db, caller.organisation, (transaction) =>
        deleteSession(transaction, caller, params['session'] ?? ''),
      ),
  },
]
