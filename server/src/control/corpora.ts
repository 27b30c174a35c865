// Which corpus is meant? By name or number inside one organisation; a corpus that is missing or not the key's is not found.
import { hash, randomInt } from 'node:crypto'
import type { Selectable } from 'kysely'
import { ServiceError } from '../errors.ts'
import { type Caller, mayUse } from './keys.ts'
import { readLimits } from './limits.ts'
import { type TenantTransaction, writeAudit } from './open-database.ts'
import type { Tables } from './tables.ts'

export type CorpusRow = Selectable<Tables['corpora']>

const mostNumber = 2 ** 48 - 1
const nameShape = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

export const notFound = (what: string): ServiceError => new ServiceError('NOT_FOUND', `no such ${what}`)

/** A key limited to some corpora cannot create others, because it could not use them. */
export async function createCorpus(transaction: TenantTransaction, caller: Caller, name: string) {
  if (!nameShape.test(name))
    throw new ServiceError('BAD_REQUEST', 'a corpus is named by up to 100 letters, digits, dots, _ and -')
  await requireCreation(transaction, caller)
  const row = await transaction
    .insertInto('corpora')
    // Random, so that numbers and ids do not reveal how many corpora there are.
    .values({ number: randomInt(1, mostNumber), organisation: caller.organisation, name })
    .onConflict((conflict) => conflict.columns(['organisation', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('CONFLICT', `the corpus ${name} already exists`)
  const { organisation, key: api_key } = caller
  await writeAudit(transaction, { organisation, api_key, action: 'corpus.create', subject: `${row.number}` })
  return row
}

/** Throws FORBIDDEN, or QUOTA at the limit. */
export async function requireCreation(transaction: TenantTransaction, { organisation, corpora }: Caller) {
  if (corpora !== null)
    throw new ServiceError('FORBIDDEN', 'this key is limited to some corpora and cannot create another')
  const { quota_corpora: most } = await readLimits(transaction, organisation)
  const { has } = await transaction
    .selectFrom('corpora')
    .select((count) => count.fn.countAll<number>().as('has'))
    .executeTakeFirstOrThrow()
  if (has >= most) throw new ServiceError('QUOTA', `this organisation may have ${most} corpora`)
}

/** By name, or by number as `#123`. Throws NOT_FOUND. */
export async function findCorpus(
  transaction: TenantTransaction,
  caller: Caller,
  named: string | number,
): Promise<CorpusRow> {
  // Also excludes names that PostgreSQL cannot compare.
  if (typeof named === 'string' && !nameShape.test(named)) throw notFound('corpus')
  const query = transaction.selectFrom('corpora').selectAll()
  const row = await (typeof named === 'number'
    ? query.where('number', '=', named)
    : query.where('name', '=', named)
  ).executeTakeFirst()
  if (row === undefined || !mayUse(caller, row.number)) throw notFound('corpus')
  return row
}

/** By name, in pages; optionally only published ones. */
export async function listCorpora(
  transaction: TenantTransaction,
  caller: Caller,
  page: { readonly after: string; readonly limit: number; readonly published?: boolean },
): Promise<readonly CorpusRow[]> {
  let query = transaction.selectFrom('corpora').selectAll().where('name', '>', page.after)
  if (page.published === true) query = query.where('version', '>', 0)
  if (caller.corpora !== null) query = query.where('number', 'in', [0, ...caller.corpora])
  return await query.orderBy('name').limit(page.limit).execute()
}

/** The id of an artifact outside its corpus: UUIDv8 of the corpus number and a hash of the canonical id. */
export function documentId(corpus: number, canonicalId: string): string {
  const digest = hash('sha256', canonicalId)
  const number = corpus.toString(16).padStart(12, '0')
  const variant = ((Number.parseInt(digest.slice(3, 4), 16) & 0x3) | 0x8).toString(16)
  return [
    number.slice(0, 8),
    number.slice(8),
    `8${digest.slice(0, 3)}`,
    `${variant}${digest.slice(4, 7)}`,
    digest.slice(7, 19),
  ].join('-')
}

const idShape = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The corpus of a document id; null for an invalid id. */
export const corpusOfDocument = (id: string): number | null =>
  idShape.test(id) ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : null
