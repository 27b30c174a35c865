// How is a corpus asked over HTTP? Operations of yore's own table, and the graph as ADR-046 documents it.
import { type CorpusRow, corpusOfDocument, findCorpus, listCorpora, notFound } from '../control/corpora.ts'
import { mayUse } from '../control/keys.ts'
import { rowNames } from '../control/lookup-cache.ts'
import { asTenant, type TenantTransaction } from '../control/open-database.ts'
import { enqueueRebuild } from '../control/queues.ts'
import { ServiceError } from '../errors.ts'
import { readManifest } from '../versions/read-manifest.ts'
import { StoreError } from '../versions/store.ts'
import { type FormerVersion, isForeign, type Manifest } from '../versions/version.ts'
import {
  checkInput,
  completeInput,
  defaultSettings,
  type Input,
  inputSchema,
  type OperationSpec,
  operations,
  readLists,
  schemaVersion,
  YoreError,
} from '../yore.ts'
import type { Question, QuestionName } from './answer-question.ts'
import { answerFields } from './answer-schemas.ts'
import type { CorpusVersion } from './ask-corpora.ts'
import {
  type Asked,
  corpusQuery,
  cursorQuery,
  type JsonSchema,
  limitQuery,
  nextCursor,
  objectOf,
  type Route,
  readCursor,
  route,
  text,
  writeCursor,
} from './route.ts'

/** Of fetching again what became another version meanwhile. */
const mostAttempts = 3

/** More would make one question as expensive as all that a node answers in a second. */
const mostCorpora = 20

/** Which corpora are asked: one by name or number, some together, or all that the key is for and that hold anything. */
export type Wanted = string | number | readonly (string | number)[] | null

/** A corpus with the parts of its version. */
interface KnownCorpus {
  readonly row: CorpusRow
  readonly manifest: Manifest
}

/** From the cache of the node. Throws NOT_FOUND for one that is not there or not the key's. */
async function readCorpus({ service, caller }: Asked, named: string | number): Promise<KnownCorpus> {
  const { db, lookups } = service
  const { organisation } = caller
  // Cached for all keys of the organisation.
  const anyKey = { ...caller, corpora: null }
  const inside = <T>(work: (transaction: TenantTransaction) => Promise<T>) => asTenant(db, organisation, work)
  const number =
    typeof named === 'number'
      ? named
      : await lookups.read(rowNames.name(organisation, named), () =>
          inside(async (transaction) => (await findCorpus(transaction, anyKey, named)).number),
        )
  const known = await lookups.read(rowNames.corpus(organisation, number), () =>
    inside(async (transaction) => {
      const row = await findCorpus(transaction, anyKey, number)
      return { row, manifest: await readManifest(transaction, number, row.version) }
    }),
  )
  if (!mayUse(caller, number)) throw notFound('corpus')
  return known
}

/** Throws NOT_FOUND for one that is not there or not the key's. */
export async function findWanted(asked: Asked, wanted: Wanted): Promise<readonly KnownCorpus[]> {
  const { service, caller } = asked
  if (wanted !== null) {
    const found: KnownCorpus[] = []
    for (const named of new Set([wanted].flat() as readonly (string | number)[]))
      found.push(await readCorpus(asked, named))
    return found
  }
  const page = { after: '', limit: mostCorpora + 1, published: true }
  const rows = await asTenant(service.db, caller.organisation, (transaction) =>
    listCorpora(transaction, caller, page),
  )
  if (rows.length > mostCorpora)
    throw new ServiceError('BAD_REQUEST', `the key is for more than ${mostCorpora} corpora: name some`)
  return await Promise.all(rows.map(({ number }) => readCorpus(asked, number)))
}

/** The versions to ask. Throws NOT_FOUND. */
async function currentVersions(asked: Asked, wanted: Wanted): Promise<readonly CorpusVersion[]> {
  const versions: CorpusVersion[] = []
  for (const { row, manifest: newest } of await findWanted(asked, wanted)) {
    const { number: corpus, name } = row
    const former = row.former as FormerVersion | null
    const isFormer = former?.format === schemaVersion && former.change === row.published_change
    const shown = isForeign(newest) && isFormer ? former : { version: row.version, manifest: newest }
    const { version, manifest } = shown
    if (isForeign(manifest)) throw await requestRebuild(asked, [corpus])
    if (manifest.length > 0) versions.push({ corpus, name, version, manifest })
    else if (wanted !== null)
      throw new ServiceError('NOT_FOUND', 'the corpus holds no document that is published yet')
  }
  return versions
}

/** The release of this node cannot read them. Another node may answer meanwhile. */
async function requestRebuild({ service, caller: { organisation } }: Asked, corpora: readonly number[]) {
  for (const corpus of corpora) {
    await enqueueRebuild(service.boss, service.db, { organisation, corpus }, 'asked')
    service.lookups.forget(rowNames.corpus(organisation, corpus))
  }
  const message = 'the corpus is being rebuilt for the release of this node'
  return new ServiceError('UNAVAILABLE', message, { retryAfter: 3 })
}

/** Asks the current versions. One whose parts were deleted while they were fetched is not current any more. */
export async function askCorpora(asked: Asked, wanted: Wanted, question: Question): Promise<object> {
  const { questions } = asked.service
  for (let attempt = 0; ; attempt++) {
    const versions = await currentVersions(asked, wanted)
    const corpora = versions.map(({ corpus }) => corpus)
    const [first, ...others] = versions
    if (first === undefined)
      throw new ServiceError('NOT_FOUND', 'no corpus of this key holds a document that is published yet')
    const { organisation } = asked.caller
    try {
      const isJoined = wanted === null || typeof wanted === 'object'
      const heard = { organisation, isJoined, signal: asked.signal }
      const found = (await questions.ask([first, ...others], question, heard)) as object
      // As much as one question of each.
      asked.service.requests.charge(organisation, others.length)
      return found
    } catch (error) {
      // Published before versions recorded their format.
      if (error instanceof YoreError && (error.code === 'INDEX_OUTDATED' || error.code === 'INDEX_NEWER'))
        throw await requestRebuild(asked, corpora)
      if (attempt === mostAttempts || !(error instanceof StoreError) || error.fault !== 'missing') throw error
      for (const corpus of corpora) asked.service.lookups.forget(rowNames.corpus(organisation, corpus))
    }
  }
}

/** The thread has made the JSON. */
async function sendAnswer(asked: Asked, wanted: Wanted, question: Question): Promise<object> {
  asked.reply.type('application/json; charset=utf-8')
  return await askCorpora(asked, wanted, question)
}

export function readInput(operation: OperationSpec, body: Input): Input {
  const checked = checkInput(operation, readLists(operation, body), {
    code: 'BAD_INPUT',
    nameOf: ({ key }) => key,
    hintFor: () =>
      `the body takes ${Object.keys({ ...operation.arguments, ...operation.options }).join(', ')}`,
  })
  return completeInput(operation, checked, defaultSettings)
}

function questionRoute(name: QuestionName): Route {
  const operation: OperationSpec = operations[name]
  return route(`POST /v1/corpora/{corpus}/${name}`, name, 'read', {
    summary: operation.summary,
    body: inputSchema(operation) as unknown as JsonSchema,
    checksBody: true,
    answer: objectOf({ version: { type: 'integer' }, ...answerFields[name] }),
    isQuestion: true,
    handle: (asked) => {
      const input = readInput(operation, asked.body)
      return sendAnswer(asked, asked.params['corpus'] ?? '', { kind: name, input })
    },
  })
}

/** In the body of what is asked of several corpora. */
const corporaBody: JsonSchema = {
  type: 'array',
  items: corpusQuery,
  minItems: 1,
  maxItems: mostCorpora,
  description: `Names of corpora; without, all that the key is for, if those are at most ${mostCorpora}.`,
}

/** The same question of several corpora: each ranked by itself, merged by how likely it answers, within one budget. */
function acrossRoute(name: 'search' | 'assemble'): Route {
  const operation: OperationSpec = operations[name]
  const schema = inputSchema(operation) as unknown as JsonSchema
  return route(`POST /v1/${name}`, `${name}Across`, 'read', {
    summary: `${operation.summary.replace(/\.$/, '')}, from several corpora; each source path starts with the name of its corpus.`,
    body: { ...schema, properties: { corpora: corporaBody, ...(schema['properties'] as object) } },
    checksBody: true,
    answer: objectOf({
      versions: { type: 'object', additionalProperties: { type: 'integer' } },
      ...answerFields[name],
    }),
    isQuestion: true,
    handle: (asked) => {
      const { corpora = null, ...body } = asked.body
      const question: Question = { kind: name, input: readInput(operation, body) }
      return sendAnswer(asked, readCorpora(corpora), question)
    },
  })
}

/** Null for all that the key is for. */
export function readCorpora(given: unknown): readonly string[] | null {
  if (given === null) return null
  const isList = Array.isArray(given) && given.length > 0 && given.length <= mostCorpora
  if (!isList || !given.every((name) => typeof name === 'string'))
    throw new ServiceError('BAD_REQUEST', `corpora is a list of 1 to ${mostCorpora} names`)
  return given as readonly string[]
}

const directions = { outgoing: 'out', incoming: 'in', both: 'both' } as const

const node = objectOf({ document_id: text, canonical_id: text, kind: text, path: text, name: text })
const relationship = objectOf({ target_document_id: text, relation_type: text, direction: text })
const directionQuery: JsonSchema = { type: 'string', enum: Object.keys(directions), default: 'outgoing' }
const typeQuery: JsonSchema = { type: 'string', maxLength: 50 }
const documentIds: JsonSchema = { type: 'array', items: text, minItems: 1, maxItems: 200 }

/** An unknown corpus and an unknown document give the same error. */
async function askDocument(asked: Asked, question: (documentId: string) => Question): Promise<object> {
  const id = asked.params['document_id'] ?? ''
  const corpus = corpusOfDocument(id)
  try {
    if (corpus === null) throw notFound('document')
    return await askCorpora(asked, corpus, question(id))
  } catch (error) {
    throw error instanceof ServiceError && error.code === 'NOT_FOUND' ? notFound('document') : error
  }
}

/** What was asked about the edges, wherever it stood. */
function edgeOptions(given: Readonly<Record<string, unknown>>) {
  const direction = directions[(given['direction'] ?? 'outgoing') as keyof typeof directions]
  return { direction, type: (given['relation_type'] as string | undefined) ?? null }
}

async function pageOfRelationships(asked: Asked): Promise<object> {
  const start = Number(readCursor(asked.query['cursor']) || 0)
  if (!Number.isSafeInteger(start) || start < 0) throw new ServiceError('BAD_REQUEST', 'invalid cursor')
  const options = edgeOptions(asked.query)
  const found = await askDocument(asked, (documentId) => {
    return { kind: 'relationships', of: [{ documentId }], ...options }
  })
  const [document] = (found as { documents: readonly { relationships: readonly object[] }[] }).documents
  const all = document?.relationships ?? []
  const end = start + Number(asked.query['limit'])
  return {
    relationships: all.slice(start, end),
    next_cursor: end < all.length ? writeCursor(String(end)) : null,
  }
}

const graphRoutes: readonly Route[] = [
  route('GET /v1/graph/docs/{document_id}', 'readNode', 'read', {
    summary: 'Show the node of a document or section.',
    answer: node,
    isQuestion: true,
    handle: (asked) => askDocument(asked, (documentId) => ({ kind: 'node', of: { documentId } })),
  }),
  route('GET /v1/graph/docs/{document_id}/relationships', 'listRelationships', 'read', {
    summary:
      'List the relationships of a document or section: the outgoing ones, unless direction says otherwise. All of them in one reply, up to 1,000.',
    query: {
      direction: directionQuery,
      relation_type: typeQuery,
      // A client of ADR-046 reads `relationships` alone, and no cursor.
      limit: { ...limitQuery, default: 1000 },
      cursor: cursorQuery,
    },
    answer: objectOf({ relationships: { type: 'array', items: relationship }, next_cursor: nextCursor }),
    isQuestion: true,
    handle: pageOfRelationships,
  }),
  route('POST /v1/corpora/{corpus}/graph/relationships', 'listManyRelationships', 'read', {
    summary: 'List the relationships of many documents or sections of one corpus in one call.',
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
      const ids = new Set(asked.body['document_ids'] as readonly string[])
      const of = [...ids].map((documentId) => ({ documentId }))
      const question = { kind: 'relationships', of, ...edgeOptions(asked.body) } as const
      return await askCorpora(asked, asked.params['corpus'] ?? '', question)
    },
  }),
  route('GET /v1/corpora/{corpus}/graph/node', 'findNode', 'read', {
    summary: 'Find a node by its canonical id, path, path#anchor, decision id or name in code.',
    query: { name: { type: 'string', minLength: 1, maxLength: 2000 } },
    answer: node,
    isQuestion: true,
    handle: async (asked) => {
      const name = asked.query['name']
      if (name === undefined) throw new ServiceError('BAD_REQUEST', 'name is missing')
      const of = { name: String(name) }
      return await askCorpora(asked, asked.params['corpus'] ?? '', { kind: 'node', of })
    },
  }),
]

export const questionRoutes: readonly Route[] = [
  ...(['search', 'assemble', 'expand', 'read'] as const).map(questionRoute),
  ...(['search', 'assemble'] as const).map(acrossRoute),
  ...graphRoutes,
]
