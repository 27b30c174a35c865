// How are corpora and their documents managed over HTTP?
import { Readable } from 'node:stream'
import { createCorpus, documentId, findCorpus, listCorpora, notFound } from '../control/corpora.ts'
import { deleteCorpus } from '../control/deleted-corpora.ts'
import { limitNames, readUsage } from '../control/limits.ts'
import { rowNames } from '../control/lookup-cache.ts'
import { asTenant, writeAudit } from '../control/open-database.ts'
import { enqueuePublish, enqueueSweep } from '../control/queues.ts'
import { acceptIngestion, storeAndAccept } from '../ingest/accept-ingestion.ts'
import { blobKey } from '../ingest/blobs.ts'
import { checkPath } from '../ingest/check-path.ts'
import { writeRemovals } from '../ingest/removals.ts'
import { acknowledge, readIdempotencyKey } from './ingest-routes.ts'
import { type Asked, listRoute, objectOf, type Route, route, showAs, text } from './route.ts'

const corpus = objectOf({
  name: text,
  number: { type: 'integer' },
  version: { type: 'integer' },
  bytes: { type: 'integer' },
  created_at: text,
})

/** As it was uploaded. A document belongs to the key's corpus and its bytes to the organisation: nothing else is reached. */
async function sendDocument({ service, caller, params, query, reply }: Asked): Promise<undefined> {
  const { organisation } = caller
  const row = await asTenant(service.db, organisation, async (transaction) => {
    const { number } = await findCorpus(transaction, caller, params['corpus'] ?? '')
    return await transaction
      .selectFrom('documents')
      .select(['blob', 'size'])
      .where('corpus', '=', number)
      .where('path', '=', checkPath(String(query['path'] ?? '')))
      .executeTakeFirst()
  })
  if (row === undefined || row.blob === null) throw notFound('document')
  reply
    .type('application/octet-stream')
    .header('content-length', row.size)
    .header('etag', `"${row.blob}"`)
    .header('x-content-type-options', 'nosniff')
  await reply.send(Readable.from(service.store.stream(blobKey(organisation, row.blob))))
  return undefined
}

const mostRemovals = 1000

const removalFrom = (named = '') =>
  ({ kind: 'delete', corpus: named, size: 0, modifiedAt: new Date() }) as const

/** One ingestion for all of them, so that a folder that moved is not a thousand versions. */
async function removeDocuments(asked: Asked): Promise<unknown> {
  const { service, caller, params, body } = asked
  const paths = (body['paths'] as readonly string[]).map(checkPath)
  const { bytes, sha256 } = writeRemovals(paths)
  const ingestion = await storeAndAccept(service, caller, {
    ...removalFrom(params['corpus']),
    path: `${paths.length} documents`,
    blob: sha256,
    idempotencyKey: readIdempotencyKey(asked),
    bytes: () => bytes,
  })
  return acknowledge(asked, ingestion)
}

export const corpusRoutes: readonly Route[] = [
  route('GET /v1/usage', 'readUsage', 'read', {
    summary: `Show what the organisation may have and do, and what it uses of that: ${Object.values(limitNames).join(', ')}.`,
    answer: objectOf({ limits: { type: 'object' }, used: { type: 'object' } }),
    handle: ({ service, caller }) =>
      asTenant(service.db, caller.organisation, (transaction) => readUsage(transaction, caller.organisation)),
  }),
  route('POST /v1/corpora', 'createCorpus', 'write', {
    summary: 'Create a corpus.',
    body: { ...objectOf({ name: text }), additionalProperties: false },
    status: 201,
    answer: corpus,
    handle: ({ service, caller, body }) =>
      asTenant(service.db, caller.organisation, async (transaction) =>
        showAs(corpus, await createCorpus(transaction, caller, String(body['name']))),
      ),
  }),
  listRoute({
    name: 'listCorpora',
    path: '/v1/corpora',
    summary: 'List the corpora that the key is for, by name.',
    item: corpus,
    list: (transaction, { caller }, page) => listCorpora(transaction, caller, page),
    keyOf: ({ name }) => name,
  }),
  route('GET /v1/corpora/{corpus}', 'readCorpus', 'read', {
    summary: 'Show a corpus.',
    answer: corpus,
    handle: ({ service, caller, params }) =>
      asTenant(service.db, caller.organisation, async (transaction) =>
        showAs(corpus, await findCorpus(transaction, caller, params['corpus'] ?? '')),
      ),
  }),
  route('DELETE /v1/corpora/{corpus}', 'deleteCorpus', 'admin', {
    summary: 'Delete a corpus with its documents and versions.',
    status: 204,
    answer: {},
    handle: ({ service, caller, params }) =>
      asTenant(service.db, caller.organisation, async (transaction) => {
        const { number } = await findCorpus(transaction, caller, params['corpus'] ?? '')
        const { organisation, key: api_key } = caller
        await deleteCorpus(transaction, number)
        // The jobs find the corpus deleted, and remove its versions and originals from the store.
        await enqueuePublish(service.boss, transaction, { organisation, corpus: number })
        await enqueueSweep(service.boss, transaction, { organisation }, 'now')
        const about = { action: 'corpus.delete', subject: String(number) }
        await writeAudit(transaction, { organisation, api_key, ...about })
        return number
      }).then((number) => service.lookups.forget(rowNames.corpus(caller.organisation, number))),
  }),
  listRoute({
    name: 'listDocuments',
    path: '/v1/corpora/{corpus}/documents',
    summary:
      'List the documents of a corpus, by path; what was accepted and is not published yet is among them.',
    item: objectOf({
      document_id: text,
      path: text,
      size: { type: 'integer' },
      sha256: text,
      modified_at: text,
    }),
    list: async (transaction, { caller, params }, { after, limit }) => {
      const { number } = await findCorpus(transaction, caller, params['corpus'] ?? '')
      return await transaction
        .selectFrom('documents')
        .selectAll()
        .where('corpus', '=', number)
        .where('blob', 'is not', null)
        .where('path', '>', after)
        .orderBy('path')
        .limit(limit)
        .execute()
    },
    show: ({ corpus: number, path, size, blob, modified_at }) => ({
      ...{ document_id: documentId(number, path), path, size, sha256: blob, modified_at },
    }),
    keyOf: ({ path }) => path,
  }),
  route('DELETE /v1/corpora/{corpus}/documents', 'deleteDocument', 'write', {
    summary: 'Delete a document by its path; like an upload, it is done when its ingestion is completed.',
    query: { path: { type: 'string', minLength: 1 } },
    status: 202,
    answer: objectOf({ id: text, state: text }),
    handle: async (asked) => {
      const { service, caller, params, query } = asked
      const ingestion = await acceptIngestion(service.db, service.boss, caller, {
        ...removalFrom(params['corpus']),
        path: checkPath(String(query['path'] ?? '')),
        blob: null,
        idempotencyKey: null,
      })
      return acknowledge(asked, ingestion)
    },
  }),
  route('GET /v1/corpora/{corpus}/documents/content', 'readDocument', 'read', {
    summary: 'The bytes of a document, as they were uploaded; their SHA-256 is in the list of documents.',
    query: { path: { type: 'string', minLength: 1 } },
    answer: { type: 'string', format: 'binary' },
    media: 'application/octet-stream',
    handle: sendDocument,
  }),
  route('POST /v1/corpora/{corpus}/documents/remove', 'deleteDocuments', 'write', {
    summary:
      'Delete many documents by their paths, all of them together; those that are not there do not matter.',
    body: {
      ...objectOf({ paths: { type: 'array', items: text, minItems: 1, maxItems: mostRemovals } }),
      additionalProperties: false,
    },
    status: 202,
    answer: objectOf({ id: text, state: text }),
    handle: removeDocuments,
  }),
]
