// How much may an organisation have and do? Quotas are counted in PostgreSQL for all nodes; requests by each node in memory.
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { ServiceError } from '../errors.ts'
import { type LookupCache, rowNames } from './lookup-cache.ts'
import { asTenant, type Database, type TenantTransaction, writeAudit } from './open-database.ts'
import type { Tables } from './tables.ts'

/** Each limit with its description, under the same name in the command line, the tables and the API. */
export const limitNames = {
  quota_bytes: 'bytes of documents',
  quota_corpora: 'corpora',
  uploads_waiting: 'uploads that are waiting',
  requests_per_minute: 'requests per minute, at each node',
} as const

export type LimitName = keyof typeof limitNames
export type Limits = Pick<Selectable<Tables['organisations']>, LimitName>

const names = Object.keys(limitNames) as LimitName[]

export async function readLimits(transaction: TenantTransaction, organisation: string): Promise<Limits> {
  return await transaction
    .selectFrom('organisations')
    .select(names)
    .where('id', '=', organisation)
    .executeTakeFirstOrThrow()
}

/** For the owner of the database; limits that are not given are unchanged. */
export async function setLimits(
  db: Database,
  organisation: string,
  limits: Partial<Record<LimitName, number>>,
): Promise<Limits> {
  return await asTenant(db, organisation, async (transaction) => {
    if (Object.keys(limits).length > 0) {
      await transaction.updateTable('organisations').set(limits).where('id', '=', organisation).execute()
      const about = { action: 'organisation.limits', subject: JSON.stringify(limits) }
      await writeAudit(transaction, { organisation, api_key: null, ...about })
    }
    return await readLimits(transaction, organisation)
  })
}

/** Maximum share of a node's concurrency per organisation. */
const largestShare = 0.75

/** Seconds after which to retry when a queue is full. */
const uploadsLater = 5

export type Allowance = ReturnType<typeof makeAllowance>

/** A concurrency limit of a node, in total and per organisation; the total may change. */
export function makeAllowance(
  what: string,
  readMost: () => number,
  readRetryAfter: () => number = () => uploadsLater,
) {
  const takenBy = new Map<string, number>()

  /** After the total has shrunk, what one has beyond its share is not held against others. */
  function sumTaken(mostEach = Number.POSITIVE_INFINITY): number {
    let sum = 0
    for (const count of takenBy.values()) sum += Math.min(count, mostEach)
    return sum
  }

  /** Returns a function that releases it. Throws BUSY at the total, RATE_LIMITED at the organisation's share. */
  function take(organisation: string, amount: number): () => void {
    const most = readMost()
    const share = Math.ceil(most * largestShare)
    const mine = (takenBy.get(organisation) ?? 0) + amount
    const again = { retryAfter: readRetryAfter() }
    if (sumTaken(share) + amount > most)
      throw new ServiceError('BUSY', `there are too many ${what} at once`, again)
    if (mine > share)
      throw new ServiceError('RATE_LIMITED', `this organisation has too many ${what} at once`, again)
    add(organisation, amount)
    let isTaken = true
    return () => {
      if (isTaken) add(organisation, -amount)
      isTaken = false
    }
  }

  /** Gives one back for a time; the returned function takes it again, even beyond the limit. */
  function lend(organisation: string): () => void {
    add(organisation, -1)
    return () => add(organisation, 1)
  }

  function add(organisation: string, amount: number): void {
    const taken = (takenBy.get(organisation) ?? 0) + amount
    if (taken === 0) takenBy.delete(organisation)
    else takenBy.set(organisation, taken)
  }

  return { taken: () => sumTaken(), take, lend }
}

/** Of the transaction's organisation: uploads that may wait, and those that do, counted up to there. */
export const uploadRoom: RawBuilder<unknown> = sql`uploads_waiting as most, (
  select count(*) from (
    select from ingestions where state in ('queued', 'parsing')
    limit (select uploads_waiting from organisations)
  ) as ahead
) as waiting`
export interface UploadRoom {
  readonly most: number
  readonly waiting: number
}

/** Throws RATE_LIMITED while too many uploads of the organisation wait. */
export function checkUploadRoom({ most, waiting }: UploadRoom): void {
  if (waiting < most) return
  throw new ServiceError('RATE_LIMITED', `${most} uploads are already waiting`, { retryAfter: uploadsLater })
}

/** Throws RATE_LIMITED, as `checkUploadRoom` does. */
export async function requireUploadRoom(transaction: TenantTransaction): Promise<void> {
  const { rows } = await sql<UploadRoom>`select ${uploadRoom} from organisations`.execute(transaction)
  checkUploadRoom(rows[0] ?? { most: 0, waiting: 0 })
}

/** The usage and the limits of an organisation. */
export async function readUsage(
  transaction: TenantTransaction,
  organisation: string,
): Promise<{ readonly limits: Limits; readonly used: Readonly<Partial<Record<LimitName, number>>> }> {
  const { rows } = await sql<Record<LimitName, number>>`
    select
      coalesce((select sum(bytes) from corpora), 0)::bigint as quota_bytes,
      (select count(*) from corpora) as quota_corpora,
      (select count(*) from ingestions where state in ('queued', 'parsing')) as uploads_waiting
  `.execute(transaction)
  return { limits: await readLimits(transaction, organisation), used: rows[0] ?? {} }
}

/** Organisations that metrics name: those with most. */
export const mostNamed = 10

interface Bucket {
  /** Requests so far. */
  spent: number
  /** Requests left; below 0 after one that counted for several. */
  left: number
  perMinute: number
  /** Time of the last fill; milliseconds since 1970. */
  filledAt: number
}

/** Maximum burst as a share of a minute's requests. */
const burst = 1 / 6
const leastBurst = 5
const mostBuckets = 100_000

export type RequestLimits = ReturnType<typeof limitRequests>

/** The requests of each organisation at this node, as a token bucket. */
export function limitRequests(db: Database, lookups: LookupCache) {
  const buckets = new Map<string, Bucket>()

  /** Throws RATE_LIMITED when the bucket is empty. */
  async function spend(organisation: string, now: number): Promise<void> {
    const bucket = await find(organisation, now)
    const perMs = bucket.perMinute / 60_000
    const most = Math.max(leastBurst, bucket.perMinute * burst)
    // Requests that waited for their organisation come in any order: time does not go back.
    const passed = Math.max(0, now - bucket.filledAt)
    bucket.left = Math.min(most, bucket.left + passed * perMs)
    bucket.filledAt += passed
    if (bucket.left < 1) {
      const retryAfter = Math.max(1, Math.ceil((1 - bucket.left) / Math.max(perMs, 1e-9) / 1000))
      const message = `this organisation may send ${bucket.perMinute} requests a minute`
      throw new ServiceError('RATE_LIMITED', message, { retryAfter: Math.min(retryAfter, 3600) })
    }
    bucket.left--
    bucket.spent++
  }

  /** The organisations with most requests. */
  function busiest(): readonly (readonly [organisation: string, requests: number])[] {
    const spent = [...buckets].map(([organisation, bucket]) => [organisation, bucket.spent] as const)
    return spent.sort(([id, one], [other, more]) => more - one || (id < other ? -1 : 1)).slice(0, mostNamed)
  }

  /** Charges the extra cost of a request, for which the next requests wait. */
  function charge(organisation: string, cost: number): void {
    const bucket = buckets.get(organisation)
    if (bucket !== undefined) bucket.left -= cost
  }

  async function find(organisation: string, now: number): Promise<Bucket> {
    const { requests_per_minute: perMinute } = await lookups.read(rowNames.limits(organisation), () =>
      asTenant(db, organisation, (transaction) => readLimits(transaction, organisation)),
    )
    const left = Number.POSITIVE_INFINITY
    const bucket = buckets.get(organisation) ?? { spent: 0, left, perMinute, filledAt: now }
    bucket.perMinute = perMinute
    buckets.delete(organisation)
    buckets.set(organisation, bucket)
    const [oldest] = buckets.keys()
    if (buckets.size > mostBuckets && oldest !== undefined) buckets.delete(oldest)
    return bucket
  }

  return { spend, busiest, charge }
}
