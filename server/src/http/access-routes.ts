// Who may use an organisation's corpora, and what was done? Keys and the audit log over HTTP, for keys with admin access.
import { createKey, type NewKey, revokeKey } from '../control/keys.ts'
import { rowNames } from '../control/lookup-cache.ts'
import { ServiceError } from '../errors.ts'
import { isUuid } from '../ingest/ingestions.ts'
import { listRoute, objectOf, type Route, route, text } from './route.ts'

const nullableText = { type: ['string', 'null'] } as const
/** PostgreSQL stores no zero character. */
const storable = { maxLength: 200, pattern: '^[^\\0]*$' } as const
const corpora = {
  type: ['array', 'null'],
  items: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
} as const

/** Of a key with admin access for all corpora: a restricted one must not create one that is not. */
function requireUnrestricted(limitedTo: readonly number[] | null): void {
  if (limitedTo !== null) throw new ServiceError('FORBIDDEN', 'this key is limited to some corpora')
}

export const accessRoutes: readonly Route[] = [
  listRoute({
    name: 'listKeys',
    path: '/v1/keys',
    access: 'admin',
    summary: 'List the API keys of the organisation, without their secrets.',
    item: objectOf({
      id: text,
      name: text,
      access: text,
      corpora,
      created_at: text,
      expires_at: nullableText,
      revoked_at: nullableText,
    }),
    list: async (transaction, _, { after, limit }) => {
      const keys = transaction.selectFrom('api_keys').selectAll().orderBy('id').limit(limit)
      if (after === '') return await keys.execute()
      if (!isUuid(after)) throw new ServiceError('BAD_REQUEST', 'invalid cursor')
      return await keys.where('id', '>', after).execute()
    },
    keyOf: ({ id }) => id,
  }),
  route('POST /v1/keys', 'createKey', 'admin', {
    summary: 'Create an API key. The reply is the only place where its text appears.',
    body: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, ...storable },
        access: { type: 'string', enum: ['read', 'write', 'admin'] },
        corpora,
        expires_at: { type: ['string', 'null'], format: 'date-time' },
      },
      required: ['name', 'access'],
      additionalProperties: false,
    },
    status: 201,
    answer: objectOf({ id: text, key: text }),
    handle: async ({ service, caller, body }) => {
      requireUnrestricted(caller.corpora)
      const { expires_at: expires, ...given } = body as unknown as NewKey & {
        readonly expires_at?: string | null
      }
      const expiresAt = expires === undefined || expires === null ? null : new Date(expires)
      // A leap second has the form of a time, and no date.
      if (Number.isNaN(expiresAt?.getTime()))
        throw new ServiceError('BAD_REQUEST', 'expires_at is not a time')
      const wanted = { ...given, corpora: given.corpora ?? null, expiresAt }
      const { organisation, key: by } = caller
      const created = await createKey(service.db, organisation, wanted, service.keySecret, by)
      return { id: created.id, key: created.text }
    },
  }),
  route('DELETE /v1/keys/{key}', 'revokeKey', 'admin', {
    summary: 'Revoke an API key at once.',
    status: 204,
    answer: {},
    handle: async ({ service, caller, params }) => {
      requireUnrestricted(caller.corpora)
      const key = params['key'] ?? ''
      const prefix = isUuid(key) ? await revokeKey(service.db, caller.organisation, key, caller.key) : null
      if (prefix !== null) service.lookups.forget(rowNames.key(prefix))
      else throw new ServiceError('NOT_FOUND', 'there is no such key, or it is revoked already')
    },
  }),
  listRoute({
    name: 'listAudit',
    path: '/v1/audit',
    access: 'admin',
    summary: 'List what was done in the organisation and by which key, the oldest first.',
    item: objectOf({
      id: { type: 'integer' },
      at: text,
      action: text,
      subject: text,
      api_key: nullableText,
    }),
    list: (transaction, _, { after, limit }) => {
      if (!/^\d{0,15}$/.test(after)) throw new ServiceError('BAD_REQUEST', 'invalid cursor')
      const entries = transaction.selectFrom('audit').selectAll().orderBy('id').limit(limit)
      return entries.where('id', '>', Number(after)).execute()
    },
    keyOf: ({ id }) => String(id),
  }),
]
