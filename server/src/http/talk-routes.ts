// How does an LLM answer over HTTP? As server-sent events while it writes; chat keeps what was said for the next question.
import { findCorpus } from '../control/corpora.ts'
import { spendConversation } from '../control/limits.ts'
import { asTenant } from '../control/open-database.ts'
import {
  appendExchange,
  deleteSession,
  findSession,
  listSessions,
  readExchanges,
  type SessionRow,
  type StoredExchange,
} from '../control/sessions.ts'
import { ServiceError } from '../errors.ts'
import { type AskResult, inputSchema, type OperationSpec, operations } from '../yore.ts'
import type { TalkNote } from './answer-question.ts'
import { type EventStream, openEvents } from './events.ts'
import { makeProblem } from './make-problem.ts'
import { askVersions, offered, readInput } from './question-routes.ts'
import {
  type Asked,
  cursorQuery,
  type JsonSchema,
  limitQuery,
  objectOf,
  pageOf,
  type Route,
  readCursor,
  text,
} from './route.ts'

const operation: OperationSpec = operations.ask

interface Conversation {
  /** Null before its first exchange. */
  readonly session: string | null
  readonly history: readonly StoredExchange[]
}

const alone: Conversation = { session: null, history: [] }

/** Whatever can be refused is refused before the stream begins: a corpus, a session, a node without an LLM. */
async function talk(asked: Asked, conversation: Conversation, keep: boolean): Promise<void> {
  const { session: _, ...body } = asked.body
  const input = readInput(operation, body)
  const { service, caller } = asked
  const corpus = await asTenant(service.db, caller.organisation, async (transaction) => {
    const found = await findCorpus(transaction, caller, asked.params['corpus'] ?? '')
    await spendConversation(transaction, caller, Date.now())
    return found
  })
  let events: EventStream | null = null
  const begin = (): EventStream => {
    events ??= openEvents(asked.reply)
    return events
  }
  const hear = (note: TalkNote): void => begin().send(note.event, note.facts)
  try {
    const { history } = conversation
    const question = { kind: 'ask', input, history } as const
    const { versions, found } = await askVersions(asked, corpus.number, question, (note) =>
      hear(note as TalkNote),
    )
    const { outcome, cited } = found as AskResult
    const { trace: _, ...ended } = outcome
    const stored =
      keep && outcome.outcome === 'answered'
        ? await keepExchange(asked, conversation.session, corpus.number, {
            question: String(input['question']),
            answer: outcome.content,
            cited,
            at: Date.now(),
          })
        : conversation.session
    const version = versions[0]?.version
    begin().send(outcome.outcome, { version, ...(keep ? { session: stored } : {}), ...ended, cited })
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
  corpus: number,
  exchange: StoredExchange,
): Promise<string> {
  return await asTenant(service.db, caller.organisation, (transaction) =>
    appendExchange(transaction, caller, { session, corpus }, exchange),
  )
}

async function findConversation(asked: Asked): Promise<Conversation> {
  const { service, caller, body } = asked
  const id = body['session']
  if (id === undefined) return alone
  if (typeof id !== 'string') throw new ServiceError('BAD_REQUEST', 'session is the id of a session')
  return await asTenant(service.db, caller.organisation, async (transaction) => {
    const corpus = await findCorpus(transaction, caller, asked.params['corpus'] ?? '')
    const session = await findSession(transaction, caller, id)
    if (session.corpus !== corpus.number)
      throw new ServiceError('CONFLICT', 'the session is about another corpus')
    return { session: id, history: await readExchanges(transaction, id) }
  })
}

function showSession(row: SessionRow): Readonly<Record<string, unknown>> {
  return {
    id: row.id,
    corpus: row.corpus,
    exchanges: row.exchanges,
    created_at: row.created_at.toISOString(),
    used_at: row.used_at.toISOString(),
  }
}

const schema = inputSchema(offered(operation)) as unknown as JsonSchema
const properties = schema['properties'] as object
const session = objectOf({
  id: text,
  corpus: { type: 'integer' },
  exchanges: { type: 'integer' },
  created_at: text,
  used_at: text,
})
const heard =
  'Events: step (what was searched, asked for and denied), paragraph (the answer as it is written), retract (what was heard does not count), then answered or gave_up with everything that is known, or error with a problem.'

export const talkRoutes: readonly Route[] = [
  {
    name: 'ask',
    method: 'POST',
    path: '/v1/corpora/{corpus}/ask',
    summary: `${operation.summary} ${heard}`,
    access: 'read',
    body: schema,
    checksBody: true,
    answer: text,
    admission: 'conversation',
    handle: (asked) => talk(asked, alone, false),
  },
  {
    name: 'chat',
    method: 'POST',
    path: '/v1/corpora/{corpus}/chat',
    summary: `Ask as part of a conversation: what earlier answers cited may be spoken of. Without a session it begins one, which the last event names and the key alone may go on with. ${heard}`,
    access: 'read',
    body: { ...schema, properties: { session: text, ...properties } },
    checksBody: true,
    answer: text,
    admission: 'conversation',
    handle: async (asked) => talk(asked, await findConversation(asked), true),
  },
  {
    name: 'listSessions',
    method: 'GET',
    path: '/v1/sessions',
    summary: 'List the conversations of the key.',
    access: 'read',
    query: { limit: limitQuery, cursor: cursorQuery },
    answer: objectOf({
      items: { type: 'array', items: session },
      next_cursor: { type: ['string', 'null'] },
    }),
    handle: async ({ service, caller, query }) => {
      const limit = Number(query['limit'])
      const page = { after: readCursor(query['cursor']), limit: limit + 1 }
      const rows = await asTenant(service.db, caller.organisation, (transaction) =>
        listSessions(transaction, caller, page),
      )
      return pageOf(rows, limit, showSession, ({ id }) => id)
    },
  },
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
