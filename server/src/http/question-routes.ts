// How is a corpus asked over HTTP? Operations of yore's own table, and the graph as ADR-046 documents it.
import { corpusOfDocument, findCorpus, notFound } from '../control/corpora.ts'
import { asTenant } from '../control/open-database.ts'
import { ServiceError } from '../errors.ts'
import { readManifest } from '../versions/read-manifest.ts'
import { StoreError } from '../versions/store.ts'
import {
  checkInput,
  completeInput,
  defaultSettings,
  type Input,
  inputSchema,
  type OperationSpec,
  operations,
} from '../yore.ts'
import type { Question, QuestionName } from './answer-question.ts'
import type { CorpusVersion } from './ask-corpora.ts'
import {
  type Asked,
  cursorQuery,
  type JsonSchema,
  limitQuery,
  objectOf,
  type Route,
  readCursor,
  text,
  writeCursor,
} from './route.ts'

/** Files and freshness are the service's affair. */
const ownAffairs = new Set(['root', 'index', 'refresh', 'json', 'now'])

/** An operation as HTTP offers it: the same table, without what concerns the caller's machine. */
function offered(operation: OperationSpec): OperationSpec {
  const options = Object.entries(operation.options).filter(
    ([name, option]) => !ownAffairs.has(name) && option.cliOnly !== true,
  )
  return { ...operation, options: Object.fromEntries(options) }
}

/** The version to ask, by name or number. Throws NOT_FOUND. */
async function currentVersion(asked: Asked, named: string | number): Promise<CorpusVersion> {
  return await asTenant(asked.service.db, asked.caller.organisation, async (transaction) => {
    const { number, version } = await findCorpus(transaction, asked.caller, named)
    const manifest = await readManifest(transaction, number, version)
    if (manifest.length === 0)
      throw new ServiceError('NOT_FOUND', 'the corpus holds no document that is published yet')
    return { corpus: number, version, manifest }
  })
}

/** Asks the current version; one that was collected while it was fetched is not current any more. */
async function ask(
  asked: Asked,
  named: string | number,
  question: Question,
): Promise<{ readonly version: number; readonly found: object }> {
  const { questions } = asked.service
  for (let attempt = 0; ; attempt++) {
    const wanted = await currentVersion(asked, named)
    try {
      const found = (await questions.ask(wanted, question, asked.signal)) as object
      return { version: wanted.version, found }
    } catch (error) {
      if (attempt > 0 || !(error instanceof StoreError) || error.fault !== 'missing') throw error
    }
  }
}

function readInput(operation: OperationSpec, body: Input): Input {
  const spec = offered(operation)
  const names = [...Object.keys(spec.arguments), ...Object.keys(spec.options)].join(', ')
  const checked = checkInput(spec, body, {
    code: 'BAD_INPUT',
    nameOf: ({ key }) => key,
    hintFor: () => `the body takes ${names}`,
  })
  return { ...completeInput(operation, checked, defaultSettings), refresh: 'never' }
}

function questionRoute(name: QuestionName): Route {
  const operation: OperationSpec = operations[name]
  return {
    method: 'POST',
    path: `/v1/corpora/{corpus}/${name}`,
    summary: operation.summary,
    access: 'read',
    body: inputSchema(offered(operation)) as unknown as JsonSchema,
    checksBody: true,
    answer: { type: 'object', properties: { version: { type: 'integer' } }, required: ['version'] },
    isQuestion: true,
    handle: async (asked) => {
      const input = readInput(operation, asked.body)
      const { version, found } = await ask(asked, asked.params['corpus'] ?? '', { kind: name, input })
      return { version, ...found }
    },
  }
}

const directions = { outgoing: 'out', incoming: 'in', both: 'both' } as const

const node = objectOf({ document_id: text, canonical_id: text, kind: text, path: text, name: text })
const relationship = objectOf({ target_document_id: text, relation_type: text, direction: text })
const directionQuery: JsonSchema = { type: 'string', enum: Object.keys(directions), default: 'outgoing' }
const typeQuery: JsonSchema = { type: 'string', maxLength: 50 }
const documentIds: JsonSchema = { type: 'array', items: text, minItems: 1, maxItems: 200 }

/** An unknown corpus and an unknown document are told in the same words. */
async function askDocument(asked: Asked, question: (documentId: string) => Question): Promise<object> {
  const id = asked.params['document_id'] ?? ''
  const corpus = corpusOfDocument(id)
  try {
    if (corpus === null) throw notFound('document')
    return (await ask(asked, corpus, question(id))).found
  } catch (error) {
    throw error instanceof ServiceError && error.code === 'NOT_FOUND' ? notFound('document') : error
  }
}

interface Documents {
  readonly documents: readonly { readonly relationships: readonly object[] }[]
}

/** What was asked about the edges, wherever it stood. */
function edgeOptions(given: Readonly<Record<string, unknown>>): {
  direction: 'in' | 'out' | 'both'
  type: string | null
} {
  const direction = directions[(given['direction'] ?? 'outgoing') as keyof typeof directions]
  return { direction, type: (given['relation_type'] as string | undefined) ?? null }
}

async function pageOfRelationships(asked: Asked): Promise<object> {
  const start = Number(readCursor(asked.query['cursor']) || 0)
  if (!Number.isSafeInteger(start) || start < 0)
    throw new ServiceError('BAD_REQUEST', 'the cursor is none of ours')
  const { documents } = (await askDocument(asked, (documentId) => ({
    kind: 'relationships',
    of: [{ documentId }],
    ...edgeOptions(asked.query),
  }))) as Documents
  const all = documents[0]?.relationships ?? []
  const end = start + Number(asked.query['limit'])
  return {
    relationships: all.slice(start, end),
    next_cursor: end < all.length ? writeCursor(String(end)) : null,
  }
}

const graphRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/graph/docs/{document_id}',
    summary: 'Show the node of a document or section.',
    access: 'read',
    answer: node,
    isQuestion: true,
    handle: (asked) => askDocument(asked, (documentId) => ({ kind: 'node', of: { documentId } })),
  },
  {
    method: 'GET',
    path: '/v1/graph/docs/{document_id}/relationships',
    summary:
      'List the relationships of a document or section: the outgoing ones, unless direction says otherwise.',
    access: 'read',
    query: { direction: directionQuery, relation_type: typeQuery, limit: limitQuery, cursor: cursorQuery },
    answer: objectOf({
      relationships: { type: 'array', items: relationship },
      next_cursor: { type: ['string', 'null'] },
    }),
    isQuestion: true,
    handle: pageOfRelationships,
  },
  {
    method: 'POST',
    path: '/v1/corpora/{corpus}/graph/relationships',
    summary: 'List the relationships of many documents or sections of one corpus in one call.',
    access: 'read',
    body: {
      type: 'object',
      properties: { document_ids: documentIds, direction: directionQuery, relation_type: typeQuery },
      required: ['document_ids'],
      additionalProperties: false,
    },
    answer: objectOf({
      documents: {
        type: 'array',
        items: objectOf({ document_id: text, relationships: { type: 'array', items: relationship } }),
      },
    }),
    isQuestion: true,
    handle: async (asked) => {
      const corpus = asked.params['corpus'] ?? ''
      const ids = [...new Set(asked.body['document_ids'] as readonly string[])]
      const of = ids.map((documentId) => ({ documentId }))
      return (await ask(asked, corpus, { kind: 'relationships', of, ...edgeOptions(asked.body) })).found
    },
  },
  {
    method: 'GET',
    path: '/v1/corpora/{corpus}/graph/node',
    summary: 'Find a node by its canonical id, path, path#anchor, decision id or name in code.',
    access: 'read',
    query: { name: { type: 'string', minLength: 1, maxLength: 2000 } },
    answer: node,
    isQuestion: true,
    handle: async (asked) => {
      const name = asked.query['name']
      if (name === undefined) throw new ServiceError('BAD_REQUEST', 'name is missing')
      const of = { name: String(name) }
      return (await ask(asked, asked.params['corpus'] ?? '', { kind: 'node', of })).found
    },
  },
]

export const questionRoutes: readonly Route[] = [
  questionRoute('search'),
  questionRoute('assemble'),
  questionRoute('expand'),
  questionRoute('read'),
  ...graphRoutes,
]
