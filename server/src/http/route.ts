// What is a route? One entry of a table: what it takes, who may use it, what it does; server and OpenAPI are made from it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PgBoss } from 'pg-boss'
import type { Caller } from '../control/keys.ts'
import type { Allowance, RequestLimits } from '../control/limits.ts'
import type { LookupCache } from '../control/lookup-cache.ts'
import { asTenant, type Database, type TenantTransaction } from '../control/open-database.ts'
import type { Access } from '../control/tables.ts'
import { ServiceError } from '../errors.ts'
import type { ObjectStore } from '../versions/store.ts'
import type { ToolService } from '../yore.ts'
import type { AskCorpora } from './ask-corpora.ts'

/** What all handlers of a node share. */
export interface Service {
  readonly db: Database
  readonly boss: PgBoss
  readonly store: ObjectStore
  readonly questions: AskCorpora
  readonly tools: ToolService
  readonly requests: RequestLimits
  readonly lookups: LookupCache
  /** That API keys are hashed with. */
  readonly keySecret: string
  /** Bytes of uploads on their way to the store. */
  readonly uploads: Allowance
  /** Where clients reach the service, without a slash at its end. */
  readonly publicUrl: () => string
  /** For uploads on their way to the store. */
  readonly directory: string
  readonly limits: { readonly fileBytes: number; readonly archiveBytes: number }
  /** No text of documents or questions. */
  readonly onEvent: (event: string, details: Readonly<Record<string, unknown>>) => void
}

export interface Asked {
  readonly service: Service
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | number | undefined>>
  readonly body: Readonly<Record<string, unknown>>
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export type JsonSchema = Readonly<Record<string, unknown>>

export interface Route {
  /** What OpenAPI calls it, and the method of the generated client. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** With parameters as `{name}`, as OpenAPI writes them. */
  readonly path: string
  readonly summary: string
  readonly access: Access
  readonly query?: Readonly<Record<string, JsonSchema>>
  /** A JSON schema; `multipart` for an upload. */
  readonly body?: JsonSchema | 'multipart'
  /** The handler checks the body itself, in words that name what it takes. */
  readonly checksBody?: boolean
  /** Another protocol defines the body; its handler validates it. */
  readonly takesAnyJson?: boolean
  /** Status of success; 200 unless said. */
  readonly status?: number
  readonly answer: JsonSchema
  /** What the answer is, when it is not JSON. */
  readonly media?: string
  /** Counts as a question: a node answers a limited number at once. */
  readonly isQuestion?: true
  /** What it returns is the JSON answer; undefined when it has answered itself. */
  handle(asked: Asked): Promise<unknown>
}

/** An entry by its method and path, its name and the access that it needs. */
export function route(
  place: `${Route['method']} /${string}`,
  name: string,
  access: Access,
  more: Omit<Route, 'method' | 'path' | 'name' | 'access'>,
): Route {
  const [method, path] = place.split(' ') as [Route['method'], string]
  return { method, path, name, access, ...more }
}

export const text: JsonSchema = { type: 'string' }
export const corpusQuery: JsonSchema = { type: 'string', minLength: 1, maxLength: 100 }
export const limitQuery: JsonSchema = { type: 'integer', minimum: 1, maximum: 1000, default: 100 }
export const cursorQuery: JsonSchema = { type: 'string', maxLength: 4000 }
export const nextCursor: JsonSchema = { type: ['string', 'null'] }

export function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** Where the next page begins; opaque to clients, and worth nothing outside their organisation. */
export const writeCursor = (after: string): string => Buffer.from(after).toString('base64url')

export function readCursor(cursor: string | number | undefined): string {
  if (cursor === undefined) return ''
  const after = Buffer.from(String(cursor), 'base64url').toString()
  if (writeCursor(after) !== cursor || after.includes('\0'))
    throw new ServiceError('BAD_REQUEST', 'invalid cursor')
  return after
}

interface Listing<Row> extends Pick<Route, 'name' | 'path' | 'summary' | 'query'> {
  /** To read unless given. */
  readonly access?: Access
  readonly item: JsonSchema
  /** Reads the rows after a key, at most `limit`. */
  readonly list: (
    transaction: TenantTransaction,
    asked: Asked,
    page: { readonly after: string; readonly limit: number },
  ) => Promise<readonly Row[]>
  /** The fields of the item unless given. */
  readonly show?: (row: Row) => Readonly<Record<string, unknown>>
  readonly keyOf: (row: Row) => string
}

/** A route that lists rows in pages. It reads one row more than it shows, to know whether there is another page. */
export function listRoute<Row extends object>({ item, list, keyOf, ...more }: Listing<Row>): Route {
  const { show = (row) => showAs(item, row), ...route } = more
  return {
    access: 'read',
    ...route,
    method: 'GET',
    query: { ...route.query, limit: limitQuery, cursor: cursorQuery },
    answer: objectOf({ items: { type: 'array', items: item }, next_cursor: nextCursor }),
    handle: async (asked) => {
      const limit = Number(asked.query['limit'])
      const page = { after: readCursor(asked.query['cursor']), limit: limit + 1 }
      const { service, caller } = asked
      const rows = await asTenant(service.db, caller.organisation, (open) => list(open, asked, page))
      const last = rows.length > limit ? rows[limit - 1] : undefined
      return {
        items: rows.slice(0, limit).map(show),
        next_cursor: last === undefined ? null : writeCursor(keyOf(last)),
      }
    },
  }
}

/** The fields of a row that a schema names; in JSON, times are in ISO 8601. */
export function showAs({ properties }: JsonSchema, row: object): Readonly<Record<string, unknown>> {
  const values = row as Readonly<Record<string, unknown>>
  return Object.fromEntries(Object.keys(properties as object).map((name) => [name, values[name]]))
}
