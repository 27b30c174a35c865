// Whose key is this, and what may it do? 256 random bits, kept as a keyed hash, found by a prefix that is no secret.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { ServiceError } from '../errors.ts'
import { asTenant, type Database } from './open-database.ts'
import type { Access, Tables } from './tables.ts'

/** What a request may do, once its key is known. */
export interface Caller {
  readonly organisation: string
  readonly key: string
  readonly access: Access
  /** Null for every corpus of the organisation. */
  readonly corpora: readonly number[] | null
}

export interface NewKey {
  readonly name: string
  readonly access: Access
  readonly corpora: readonly number[] | null
  /** The address that it is for; the whole service without one. */
  readonly audience?: string | null
  readonly expiresAt: Date | null
}

const shape = /^yore_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/
const ranks: Readonly<Record<Access, number>> = { read: 0, write: 1, admin: 2 }

const digestOf = (secret: string, keySecret: string): Buffer =>
  createHmac('sha256', keySecret).update(secret).digest()

/** Creates a key and gives its text, which nobody can read again. */
export async function createKey(
  db: Database,
  organisation: string,
  wanted: NewKey,
  keySecret: string,
): Promise<{ readonly id: string; readonly text: string }> {
  const prefix = randomBytes(8).toString('hex')
  const secret = randomBytes(32).toString('base64url')
  const id = await asTenant(db, organisation, async (transaction) => {
    const row = await transaction
      .insertInto('api_keys')
      .values({
        organisation,
        prefix,
        digest: digestOf(secret, keySecret),
        name: wanted.name,
        access: wanted.access,
        corpora: wanted.corpora === null ? null : [...wanted.corpora],
        audience: readAudience(wanted.audience ?? null),
        expires_at: wanted.expiresAt,
        revoked_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await transaction
      .insertInto('audit')
      .values({ organisation, api_key: null, action: 'key.create', subject: row.id })
      .execute()
    return row.id
  })
  return { id, text: `yore_${prefix}_${secret}` }
}

/** True when there was such a key that was not revoked yet. */
export async function revokeKey(db: Database, organisation: string, id: string): Promise<boolean> {
  return await asTenant(db, organisation, async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('api_keys')
      .set({ revoked_at: new Date() })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    await transaction
      .insertInto('audit')
      .values({ organisation, api_key: null, action: 'key.revoke', subject: id })
      .execute()
    return numUpdatedRows > 0n
  })
}

const refused = (): ServiceError =>
  new ServiceError('UNAUTHENTICATED', 'the API key is missing, unknown, expired or revoked')

/** Compared when there is no such key: the time of an answer says nothing about which keys exist. */
const nobody = Buffer.alloc(32)

/** Without a slash at its end. Throws BAD_REQUEST for what is no address. */
function readAudience(given: string | null): string | null {
  if (given === null) return null
  const url = URL.parse(given)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new ServiceError('BAD_REQUEST', 'an audience is the address of a resource, https://host/path')
  return (url.origin + url.pathname).replace(/\/+$/, '')
}

/** A key for a resource opens what is at its address and below, and nothing beside. */
function isFor(audience: string | null, resource: string): boolean {
  return audience === null || resource === audience || resource.startsWith(`${audience}/`)
}

/** Looked up at once of prefixes that no key had here lately, and waiting for that. */
const mostStrangers = 2
const mostWaiting = 100
const mostKnown = 10_000

/**
 * Who guesses keys makes PostgreSQL look up each. Guesses share a few connections, and keys that were good here lately
 * do not wait for them: nobody guesses their prefixes.
 */
export class KeyGate {
  readonly #known = new Set<string>()
  readonly #waiting: (() => void)[] = []
  #strangers = 0

  /** Throws BUSY when too many wait. */
  async pass<T>(prefix: string, lookUp: () => Promise<T>): Promise<T> {
    if (this.#known.has(prefix)) return await lookUp()
    if (this.#strangers >= mostStrangers) {
      if (this.#waiting.length >= mostWaiting)
        throw new ServiceError('BUSY', 'too many keys are looked up', { retryAfter: 1 })
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else this.#strangers++
    try {
      return await lookUp()
    } finally {
      // The place goes on to who waits longest.
      const next = this.#waiting.shift()
      if (next === undefined) this.#strangers--
      else next()
    }
  }

  /** A key of this prefix was good. */
  remember(prefix: string): void {
    this.#known.delete(prefix)
    this.#known.add(prefix)
    const [oldest] = this.#known
    if (this.#known.size > mostKnown && oldest !== undefined) this.#known.delete(oldest)
  }
}

interface FindOptions {
  readonly keySecret: string
  readonly now: number
  /** The address that is asked for. */
  readonly resource: string
  /** Of the node; where nobody can guess, none is needed. */
  readonly gate?: KeyGate
}

type KeyRow = Selectable<Tables['api_keys']>

async function findKey(
  db: Database,
  prefix: string,
  { gate }: Pick<FindOptions, 'gate'>,
): Promise<KeyRow | undefined> {
  const lookUp = (): Promise<KeyRow | undefined> =>
    db.transaction().execute(async (transaction) => {
      await sql`select set_config('yore.key_prefix', ${prefix}, true)`.execute(transaction)
      return await transaction
        .selectFrom('api_keys')
        .selectAll()
        .where('prefix', '=', prefix)
        .executeTakeFirst()
    })
  return await (gate === undefined ? lookUp() : gate.pass(prefix, lookUp))
}

/** Who has shown that a key is theirs, when it is still good for what is asked. */
function callerOf(row: KeyRow | undefined, isShown: boolean, { now, resource, gate }: FindOptions): Caller {
  const isLive =
    row !== undefined &&
    row.revoked_at === null &&
    (row.expires_at === null || row.expires_at.getTime() > now) &&
    isFor(row.audience, resource)
  if (!isShown || !isLive) throw refused()
  gate?.remember(row.prefix)
  return { organisation: row.organisation, key: row.id, access: row.access, corpora: row.corpora }
}

/** Whose key a text is, and what is kept of it. Throws UNAUTHENTICATED. */
async function readKey(
  db: Database,
  text: string | undefined,
  options: FindOptions,
): Promise<{ readonly caller: Caller; readonly prefix: string; readonly digest: Buffer }> {
  const [, prefix = '', secret = ''] = shape.exec(text ?? '') ?? []
  if (prefix === '') throw refused()
  const row = await findKey(db, prefix, options)
  const digest = digestOf(secret, options.keySecret)
  const isShown = timingSafeEqual(digest, row?.digest ?? nobody)
  return { caller: callerOf(row, isShown, options), prefix, digest }
}

/** Throws UNAUTHENTICATED, in the same words whatever is wrong. */
export async function findCaller(
  db: Database,
  text: string | undefined,
  options: FindOptions,
): Promise<Caller> {
  return (await readKey(db, text, options)).caller
}

/**
 * A ticket stands for a key in a browser, which keeps no key: its prefix, until when, and a keyed hash over both and
 * over what is kept of the key. Nothing is stored for it, every node knows it, and it is worth nothing once the key is
 * revoked or expired.
 */
const ticketShape = /^([0-9a-f]{16})\.(\d{10,16})\.([A-Za-z0-9_-]{43})$/

const ticketHash = (prefix: string, until: number, digest: Buffer, keySecret: string): Buffer =>
  createHmac('sha256', keySecret)
    .update(`ticket ${prefix} ${until} ${digest.toString('hex')}`)
    .digest()

/** Throws UNAUTHENTICATED. */
export async function issueTicket(
  db: Database,
  text: string,
  options: FindOptions & { readonly until: number },
): Promise<string> {
  const { prefix, digest } = await readKey(db, text, options)
  const { until, keySecret } = options
  const hash = ticketHash(prefix, until, digest, keySecret)
  return `${prefix}.${until}.${hash.toString('base64url')}`
}

/** Throws UNAUTHENTICATED, in the same words whatever is wrong. */
export async function findTicketHolder(
  db: Database,
  ticket: string | undefined,
  options: FindOptions,
): Promise<Caller> {
  const [, prefix = '', until = '', given = ''] = ticketShape.exec(ticket ?? '') ?? []
  if (prefix === '') throw refused()
  const row = await findKey(db, prefix, options)
  const right = ticketHash(prefix, Number(until), row?.digest ?? nobody, options.keySecret)
  const isShown = timingSafeEqual(right, Buffer.from(given, 'base64url')) && Number(until) > options.now
  return callerOf(row, isShown, options)
}

/** Throws FORBIDDEN when the key has less. */
export function requireAccess(caller: Caller, wanted: Access): void {
  if (ranks[caller.access] < ranks[wanted])
    throw new ServiceError('FORBIDDEN', `this needs a key with ${wanted} access`)
}

/** A corpus that the key is not for does not exist for it. */
export function mayUse(caller: Caller, corpus: number): boolean {
  return caller.corpora === null || caller.corpora.includes(corpus)
}
