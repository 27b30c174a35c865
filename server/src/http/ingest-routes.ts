// How are documents brought over HTTP? Uploads that are durable before they are acknowledged, and how far each of them is.

import { createReadStream, type ReadStream } from 'node:fs'
import { sql } from 'kysely'
import { findCorpus } from '../control/corpora.ts'
import { requireUploadRoom } from '../control/limits.ts'
import { rowNames } from '../control/lookup-cache.ts'
import { asTenant, type TenantTransaction } from '../control/open-database.ts'
import { type IngestionKind, type IngestionState, ingestionStates } from '../control/tables.ts'
import { ServiceError } from '../errors.ts'
import { type IngestionRow, isKeptTime, storeAndAccept } from '../ingest/accept-ingestion.ts'
import { checkPath } from '../ingest/check-path.ts'
import { cancelIngestion, findIngestion, isUuid, retryIngestion } from '../ingest/ingestions.ts'
import { stripMark } from '../ingest/read-upload.ts'
import { type Spooled, spoolUpload } from '../ingest/spool-upload.ts'
import { sizeLimit } from '../yore.ts'
import { type Asked, corpusQuery, listRoute, objectOf, type Route, route, showAs, text } from './route.ts'

const ingestion = objectOf({
  id: text,
  corpus: { type: 'integer' },
  kind: text,
  path: text,
  state: { enum: ingestionStates },
  attempts: { type: 'integer' },
  version: { type: ['integer', 'null'] },
  error: { type: ['object', 'null'] },
  skipped: objectOf({
    count: { type: 'integer' },
    first: { type: 'array', items: objectOf({ path: text, reason: text }) },
  }),
  created_at: text,
  updated_at: text,
})

/** Newest first; a cursor holds the time in milliseconds, and the id. */
export async function listIngestions(
  transaction: TenantTransaction,
  { caller, query }: Asked,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly IngestionRow[]> {
  const { state, corpus } = query
  const named = corpus === undefined ? null : (await findCorpus(transaction, caller, String(corpus))).number
  const [time = '', id = ''] = after.split(' ')
  if (after !== '' && !(isKeptTime(new Date(time)) && isUuid(id)))
    throw new ServiceError('BAD_REQUEST', 'invalid cursor')
  const at = sql<Date>`date_trunc('milliseconds', updated_at)`
  let rows = transaction.selectFrom('ingestions').selectAll()
  if (state !== undefined) rows = rows.where('state', '=', state as IngestionState)
  if (named !== null) rows = rows.where('corpus', '=', named)
  if (caller.corpora !== null) rows = rows.where('corpus', 'in', [0, ...caller.corpora])
  if (after !== '') rows = rows.where(sql<boolean>`(${at}, id) < (${new Date(time)}, ${id}::uuid)`)
  return await rows.orderBy(at, 'desc').orderBy('id', 'desc').limit(limit).execute()
}

export const showIngestion = (row: IngestionRow): Readonly<Record<string, unknown>> => ({
  ...showAs(ingestion, row),
  error: row.error_code === null ? null : { code: row.error_code, detail: row.error },
  skipped: row.skipped ?? { count: 0, first: [] },
})

/** Answers with an accepted ingestion and its address. */
export function acknowledge({ reply }: Asked, row: IngestionRow): Readonly<Record<string, unknown>> {
  reply.header('location', `/v1/ingestions/${row.id}`)
  return showIngestion(row)
}

interface Upload {
  readonly fields: Readonly<Record<string, string>>
  readonly spooled: Spooled
  readonly filename: string
}

interface UploadLimits {
  /** In bytes, by the path of the document. */
  readonly ofPath: (path: string) => number
  readonly most: number
}

/** One file and a few fields, in any order. */
async function receiveUpload({ request, service, query }: Asked, limits: UploadLimits): Promise<Upload> {
  if (!request.isMultipart()) throw new ServiceError('BAD_REQUEST', 'send the file as multipart/form-data')
  const fields: Record<string, string> = {}
  let received: Omit<Upload, 'fields'> | null = null
  const parts = request.parts({
    limits: { fileSize: limits.most + 1, files: 1, fields: 10, parts: 11, fieldSize: 4096, headerPairs: 50 },
  })
  try {
    for await (const part of parts)
      if (part.type === 'file') {
        const maxBytes = limits.ofPath(String(query['path'] ?? fields['path'] ?? part.filename))
        const spooled = await spoolUpload(part.file, { directory: service.directory, maxBytes })
        received = { spooled, filename: part.filename }
      } else if (typeof part.value === 'string') fields[part.fieldname] = part.value

    if (received === null) throw new ServiceError('BAD_REQUEST', 'there is no file in the form')
    return { fields, ...received }
  } catch (error) {
    await received?.spooled.remove()
    throw error
  }
}

const longestKey = 200

export function readIdempotencyKey({ request }: Asked): string | null {
  const given = request.headers['idempotency-key']
  if (given === undefined) return null
  if (typeof given !== 'string' || given === '' || given.length > longestKey)
    throw new ServiceError('BAD_REQUEST', `an Idempotency-Key has 1 to ${longestKey} characters`)
  return given
}

function readTime(given: string | undefined): Date {
  if (given === undefined) return new Date()
  const time = new Date(given)
  if (!isKeptTime(time)) throw new ServiceError('BAD_REQUEST', 'modified_at must be an ISO 8601 time')
  return time
}

async function ingest(asked: Asked, kind: Extract<IngestionKind, 'file' | 'archive'>, limits: UploadLimits) {
  const { service, caller, query, request } = asked
  const idempotencyKey = readIdempotencyKey(asked)
  // Before the body is read, and again when it is accepted. What was sent before is acknowledged again, however many wait.
  if (idempotencyKey === null) await asTenant(service.db, caller.organisation, requireUploadRoom)
  const announced = Number(request.headers['content-length'] ?? limits.most)
  const endRoom = service.uploads.take(caller.organisation, Math.min(announced, limits.most))
  let upload: Upload | null = null
  try {
    upload = await receiveUpload(asked, limits)
    const { fields, filename } = upload
    const { file, sha256: blob, size } = upload.spooled
    const given = (name: string): string | undefined =>
      query[name] === undefined ? fields[name] : String(query[name])
    const path = kind === 'file' ? checkPath(given('path') ?? filename) : `${stripMark}${query['strip'] ?? 0}`
    const modifiedAt = readTime(given('modified_at'))
    const about = { kind, corpus: given('corpus') ?? null, path, blob, size, modifiedAt, idempotencyKey }
    const bytes = (): ReadStream => createReadStream(file)
    return acknowledge(asked, await storeAndAccept(service, caller, { ...about, bytes }))
  } finally {
    await upload?.spooled.remove()
    endRoom()
  }
}

async function find({ service, caller, params }: Asked): Promise<IngestionRow> {
  const row = await asTenant(service.db, caller.organisation, (transaction) =>
    findIngestion(transaction, caller, params['id'] ?? ''),
  )
  // A client that sees it published finds its documents in the next question.
  if (row.version !== null) service.lookups.forget(rowNames.corpus(caller.organisation, row.corpus))
  return row
}

const uploadQuery = {
  corpus: corpusQuery,
  path: { type: 'string', minLength: 1 },
  modified_at: { type: 'string' },
}

export const ingestRoutes: readonly Route[] = [
  route('POST /v1/ingest/file', 'uploadFile', 'write', {
    summary:
      'Upload a document. Without a corpus it gets one of its own, named by the id of the ingestion. Acknowledged when it is durable.',
    query: uploadQuery,
    body: 'multipart',
    status: 202,
    answer: ingestion,
    handle: (asked) => {
      const { fileBytes } = asked.service.limits
      const ofPath = (path: string): number => sizeLimit(path, fileBytes)
      return ingest(asked, 'file', { ofPath, most: ofPath('document.pdf') })
    },
  }),
  route('POST /v1/ingest/archive', 'uploadArchive', 'write', {
    summary:
      'Upload a tar.gz. Its documents become part of the corpus together, or none of them; links and ways out are refused.',
    query: {
      corpus: corpusQuery,
      strip: { type: 'integer', minimum: 0, maximum: 10, default: 0 },
      modified_at: { type: 'string' },
    },
    body: 'multipart',
    status: 202,
    answer: ingestion,
    handle: (asked) => {
      const most = asked.service.limits.archiveBytes
      return ingest(asked, 'archive', { ofPath: () => most, most })
    },
  }),
  listRoute({
    name: 'listIngestions',
    path: '/v1/ingestions',
    summary: 'List ingestions, the last changed first; `state=failed` lists what was not taken.',
    query: { state: { enum: ingestionStates }, corpus: corpusQuery },
    item: ingestion,
    list: listIngestions,
    show: showIngestion,
    keyOf: ({ updated_at, id }) => `${updated_at.toISOString()} ${id}`,
  }),
  route('GET /v1/ingestions/{id}', 'readIngestion', 'read', {
    summary: 'Show how far an ingestion is.',
    answer: ingestion,
    handle: async (asked) => showIngestion(await find(asked)),
  }),
  route('POST /v1/ingestions/{id}/cancel', 'cancelIngestion', 'write', {
    summary: 'Cancel an ingestion that is not part of its corpus yet.',
    answer: ingestion,
    handle: async ({ service, caller, params }) =>
      showIngestion(await cancelIngestion(service.db, caller, params['id'] ?? '')),
  }),
  route('POST /v1/ingestions/{id}/retry', 'retryIngestion', 'write', {
    summary: 'Try an ingestion again that failed or was cancelled.',
    status: 202,
    answer: ingestion,
    handle: async ({ service, caller, params }) =>
      showIngestion(await retryIngestion(service.db, service.boss, caller, params['id'] ?? '')),
  }),
]
