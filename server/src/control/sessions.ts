// What was said in a conversation? Its questions and answers, for the key that began it.
import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Exchange } from '../yore.ts'
import { notFound } from './corpora.ts'
import { type Caller, mayUse } from './keys.ts'
import type { TenantTransaction } from './open-database.ts'
import type { Tables } from './tables.ts'

export type SessionRow = Selectable<Tables['sessions']>

/** Maximum exchanges to read for a prompt, which is also limited by tokens. */
const mostExchanges = 50

const uuidShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The corpora of a conversation, by number. */
export const corporaOf = ({ corpus, corpora }: SessionRow): readonly number[] => corpora ?? [corpus as number]

/** Throws NOT_FOUND, also for a session of another key or of a corpus outside the key's list. */
export async function findSession(
  transaction: TenantTransaction,
  caller: Caller,
  id: string,
): Promise<SessionRow> {
  if (!uuidShape.test(id)) throw notFound('session')
  const row = await transaction
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', id)
    .where('api_key', '=', caller.key)
    .executeTakeFirst()
  if (row === undefined || !corporaOf(row).every((corpus) => mayUse(caller, corpus)))
    throw notFound('session')
  return row
}

/** PostgreSQL does not store NUL, which a question or an answer may contain. */
const storable = (text: string): string => text.replaceAll('\0', '\ufffd')

/** The oldest first. */
export async function readExchanges(
  transaction: TenantTransaction,
  session: string,
): Promise<readonly Exchange[]> {
  const rows = await transaction
    .selectFrom('exchanges')
    .selectAll()
    .where('session', '=', session)
    .orderBy('number', 'desc')
    .limit(mostExchanges)
    .execute()
  return rows.reverse().map(({ question, answer, cited, at }) => ({
    question,
    answer,
    cited: cited as Exchange['cited'],
    at: at.getTime(),
  }))
}

/**
 * Adds an exchange; the first one creates the session, about one corpus or several. Returns its id. Throws NOT_FOUND
 * when the session or one of its corpora was deleted meanwhile.
 */
export async function appendExchange(
  transaction: TenantTransaction,
  caller: Caller,
  to: { readonly session: string | null; readonly about: number | readonly number[] },
  { question, answer, cited, at }: Exchange,
): Promise<string> {
  const { organisation, key: api_key } = caller
  const id = to.session ?? randomUUID()
  if (to.session === null) {
    const { about } = to
    const kind =
      typeof about === 'number' ? { corpus: about, corpora: null } : { corpus: null, corpora: [...about] }
    // Prevents the deletion of a corpus before this is stored.
    const living = await transaction
      .selectFrom('corpora')
      .select('number')
      .where('number', 'in', [about].flat())
      .forKeyShare()
      .execute()
    if (living.length < [about].flat().length) throw notFound('corpus')
    await transaction
      .insertInto('sessions')
      .values({ id, organisation, ...kind, api_key, exchanges: 0 })
      .execute()
  }
  // Also the lock under which exchanges are numbered. Missing if it was deleted meanwhile.
  const row = await transaction
    .updateTable('sessions')
    .set((now) => ({ exchanges: now('exchanges', '+', 1), used_at: new Date() }))
    .where('id', '=', id)
    .where('api_key', '=', api_key)
    .returning('exchanges')
    .executeTakeFirst()
  if (row === undefined) throw notFound('session')
  await transaction
    .insertInto('exchanges')
    .values({
      session: id,
      organisation,
      number: row.exchanges,
      question: storable(question),
      answer: storable(answer),
      cited: JSON.stringify(
        cited.map(({ path, title }) => ({ path: storable(path), title: storable(title) })),
      ),
      at: new Date(at),
    })
    .execute()
  return id
}

/** The sessions of the key, by id. */
export async function listSessions(
  transaction: TenantTransaction,
  caller: Caller,
  page: { readonly after: string; readonly limit: number },
): Promise<readonly SessionRow[]> {
  let query = transaction.selectFrom('sessions').selectAll().where('api_key', '=', caller.key)
  if (page.after !== '') query = query.where('id', '>', uuidShape.test(page.after) ? page.after : afterAllIds)
  if (caller.corpora !== null)
    query = query.where(sql<boolean>`coalesce(corpora, array[corpus]) <@ ${[...caller.corpora]}::bigint[]`)
  return await query.orderBy('id').limit(page.limit).execute()
}

/** Sorts after every id: an invalid cursor ends the list. */
const afterAllIds = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export async function deleteSession(
  transaction: TenantTransaction,
  caller: Caller,
  id: string,
): Promise<void> {
  await findSession(transaction, caller, id)
  await transaction.deleteFrom('sessions').where('id', '=', id).execute()
}

/** Deletes conversations about several corpora including this one; those about it alone are deleted with its row. */
export async function forgetSessions(transaction: TenantTransaction, corpus: number): Promise<void> {
  await transaction
    .deleteFrom('sessions')
    .where(sql<boolean>`corpora @> ${[corpus]}::bigint[]`)
    .execute()
}
