// Whose key is this, and what may it do? 256 random bits, stored as a keyed hash, found by a public prefix.
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { ServiceError } from '../errors.ts'
import { type LookupCache, rowNames } from './lookup-cache.ts'
import { asTenant, type Database, writeAudit } from './open-database.ts'
import type { Access, Tables } from './tables.ts'

/** The permissions of a request with a valid key. */
export interface Caller {
  readonly organisation: string
  readonly key: string
  readonly access: Access
  /** Null for every corpus of the organisation. */
  readonly corpora: readonly number[] | null
}

export interface NewKey extends Pick<Caller, 'access' | 'corpora'> {
  readonly name: string
  readonly expiresAt: Date | null
}

const shape = /^yore_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/
const ranks: Readonly<Record<Access, number>> = { read: 0, write: 1, admin: 2 }

/** Secrets separated by commas: the first one hashes new keys, each of them verifies. */
const secretsOf = (keySecret: string): readonly string[] => keySecret.split(',')

const digestOf = (secret: string, keySecret: string): Buffer =>
  createHmac('sha256', keySecret).update(secret).digest()

/** Creates a key and returns its text, which cannot be read again. */
export async function createKey(
  db: Database,
  organisation: string,
  wanted: NewKey,
  keySecret: string,
  by: string | null = null,
): Promise<{ readonly id: string; readonly text: string }> {
  const { name, access, expiresAt: expires_at } = wanted
  // A proxy tells organisations apart by the first half.
  const prefix = hash('sha256', organisation).slice(0, 8) + randomBytes(4).toString('hex')
  const secret = randomBytes(32).toString('base64url')
  const id = await asTenant(db, organisation, async (transaction) => {
    const digest = digestOf(secret, secretsOf(keySecret)[0] ?? '')
    const corpora = wanted.corpora === null ? null : [...wanted.corpora]
    const row = await transaction
      .insertInto('api_keys')
      .values({ organisation, prefix, digest, name, access, corpora, expires_at })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeAudit(transaction, { organisation, api_key: by, action: 'key.create', subject: row.id })
    return row.id
  })
  return { id, text: `yore_${prefix}_${secret}` }
}

/** Its prefix; null if there was no such key, or it was revoked before. */
export async function revokeKey(db: Database, organisation: string, id: string, by: string | null = null) {
  return await asTenant(db, organisation, async (transaction) => {
    const revoked = await transaction
      .updateTable('api_keys')
      .set({ revoked_at: new Date() })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .returning('prefix')
      .executeTakeFirst()
    if (revoked !== undefined)
      await writeAudit(transaction, { organisation, api_key: by, action: 'key.revoke', subject: id })
    return revoked?.prefix ?? null
  })
}

const refused = (): ServiceError =>
  new ServiceError('UNAUTHENTICATED', 'the API key is missing, unknown, expired or revoked')

/** Compared for an unknown key, so that response times do not reveal which keys exist. */
const noDigest = Buffer.alloc(32)

/** Limits on concurrent lookups of unknown prefixes, and on waiting ones. */
const mostStrangers = 2
const mostWaiting = 100
const mostKnown = 10_000

/**
 * Limits lookups for guessed keys. Guesses share a few connections; keys that were valid recently do not wait for them.
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
        throw new ServiceError('BUSY', 'too many key lookups', { retryAfter: 1 })
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else this.#strangers++
    try {
      return await lookUp()
    } finally {
      // Hand the slot to the longest-waiting request.
      const next = this.#waiting.shift()
      if (next === undefined) this.#strangers--
      else next()
    }
  }

  /** Remembers the prefix of a valid key. */
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
  /** The gate and the cache of the node; optional where guessing is impossible. */
  readonly gate?: KeyGate
  readonly lookups?: LookupCache
}

type KeyRow = Selectable<Tables['api_keys']>

async function findKey(db: Database, prefix: string, { gate, lookups }: FindOptions) {
  const lookUp = (): Promise<KeyRow | undefined> =>
    db.transaction().execute(async (transaction) => {
      await sql`select set_config('yore.key_prefix', ${prefix}, true)`.execute(transaction)
      return await transaction
        .selectFrom('api_keys')
        .selectAll()
        .where('prefix', '=', prefix)
        .executeTakeFirst()
    })
  const pass = (): Promise<KeyRow | undefined> => (gate === undefined ? lookUp() : gate.pass(prefix, lookUp))
  return await (lookups === undefined ? pass() : lookups.read(rowNames.key(prefix), pass))
}

/** The caller of a proven key that is valid. */
function callerOf(row: KeyRow | undefined, isShown: boolean, { now, gate }: FindOptions): Caller {
  const isLive =
    row !== undefined &&
    row.revoked_at === null &&
    (row.expires_at === null || row.expires_at.getTime() > now)
  if (!isShown || !isLive) throw refused()
  gate?.remember(row.prefix)
  return { organisation: row.organisation, key: row.id, access: row.access, corpora: row.corpora }
}

/** The caller and the stored hash of a key. Throws UNAUTHENTICATED. */
async function readKey(db: Database, text: string | undefined, options: FindOptions) {
  const [, prefix = '', secret = ''] = shape.exec(text ?? '') ?? []
  if (prefix === '') throw refused()
  const row = await findKey(db, prefix, options)
  const digests = secretsOf(options.keySecret).map((each) => digestOf(secret, each))
  const digest = digests.find((each) => timingSafeEqual(each, row?.digest ?? noDigest))
  return { caller: callerOf(row, digest !== undefined, options), prefix, digest: digest ?? noDigest }
}

/** Throws UNAUTHENTICATED, with the same message for every reason. */
export async function findCaller(db: Database, text: string | undefined, options: FindOptions) {
  return (await readKey(db, text, options)).caller
}

/**
 * A ticket replaces a key in a browser: its prefix, an expiry, and a keyed hash over both and over the hash of the key.
 * It needs no storage, is valid on every node, and ends when the key is revoked or expires.
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
  const { caller, prefix, digest } = await readKey(db, text, options)
  const { until, keySecret } = options
  const hash = ticketHash(prefix, until, digest, secretsOf(keySecret)[0] ?? '')
  const { organisation, key: api_key } = caller
  await asTenant(db, organisation, (transaction) =>
    writeAudit(transaction, { organisation, api_key, action: 'session.sign-in', subject: api_key }),
  )
  return `${prefix}.${until}.${hash.toString('base64url')}`
}

/** Throws UNAUTHENTICATED, with the same message for every reason. */
export async function findTicketHolder(db: Database, ticket: string | undefined, options: FindOptions) {
  const [, prefix = '', until = '', given = ''] = ticketShape.exec(ticket ?? '') ?? []
  if (prefix === '') throw refused()
  const row = await findKey(db, prefix, options)
  const shown = Buffer.from(given, 'base64url')
  const hashes = secretsOf(options.keySecret).map((secret) =>
    ticketHash(prefix, Number(until), row?.digest ?? noDigest, secret),
  )
  const isShown = hashes.some((hash) => timingSafeEqual(hash, shown)) && Number(until) > options.now
  return callerOf(row, isShown, options)
}

/** Throws FORBIDDEN for a key with less access. */
export function requireAccess(caller: Caller, wanted: Access): void {
  if (ranks[caller.access] < ranks[wanted])
    throw new ServiceError('FORBIDDEN', `this needs a key with ${wanted} access`)
}

/** A corpus outside of the key's list does not exist for it. */
export const mayUse = (caller: Caller, corpus: number): boolean =>
  caller.corpora === null || caller.corpora.includes(corpus)
