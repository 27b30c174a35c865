// Where are large immutable objects stored? The port; a directory and S3-compatible stores are its adapters.
import { createHash } from 'node:crypto'

export interface PutOptions {
  /** Create only: an existing object stays as it is, and exactly one of several concurrent writers creates it. */
  readonly ifAbsent?: boolean
  /** Hex. Verified while writing; on a mismatch the write rejects and leaves nothing behind. */
  readonly sha256?: string
}

/** First byte and, exclusively, the last. */
export interface ByteRange {
  readonly start: number
  readonly end?: number
}

export type ObjectSource = Uint8Array | AsyncIterable<Uint8Array>

/**
 * Keys are segments of letters, digits, `.`, `_` and `-`, joined by `/`. Objects never change after they were
 * created under a key that names their content; PostgreSQL decides which of them counts.
 */
export interface ObjectStore {
  /** Resolves when the object is durable. */
  put(key: string, source: ObjectSource, options?: PutOptions): Promise<'created' | 'exists'>
  /** Rejects when the object does not exist. */
  get(key: string, range?: ByteRange): Promise<Uint8Array>
  /** Like `get`, piece by piece. */
  stream(key: string): AsyncIterable<Uint8Array>
  head(key: string): Promise<{ readonly size: number } | null>
  /** Deleting a missing object is not an error. */
  delete(key: string): Promise<void>
  /** Keys in code-unit order. */
  list(prefix: string): AsyncIterable<string>
}

const deletedAtOnce = 16

/** Deletes every object whose key starts with the prefix, and returns their number. */
export async function deleteBelow(store: ObjectStore, prefix: string): Promise<number> {
  const keys: string[] = []
  for await (const key of store.list(prefix)) keys.push(key)
  for (let at = 0; at < keys.length; at += deletedAtOnce)
    await Promise.all(keys.slice(at, at + deletedAtOnce).map((key) => store.delete(key)))
  return keys.length
}

export type StoreFault = 'missing' | 'wrong-checksum' | 'too-large' | 'refused' | 'unavailable'

/** Why an object could not be written or read; only `unavailable` is worth a retry. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly fault: StoreFault

  constructor(fault: StoreFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }
}

/** No segment starts with a dot: none leads elsewhere, and adapters use such names for their own files. */
const keyPattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/

/** @throws StoreError */
export function checkKey(key: string): void {
  if (key.length > 900 || !keyPattern.test(key))
    throw new StoreError('refused', `not a key: ${JSON.stringify(key.slice(0, 100))}`)
}

/** A prefix is a key or the start of one; the empty prefix covers everything. */
export function checkPrefix(prefix: string): void {
  checkKey(`${prefix}x`)
}

/** The pieces of a source. Throws if there are too many bytes, and at the end if they do not match the hash. */
export async function* inspect(
  source: ObjectSource,
  maxBytes: number,
  sha256?: string,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of source instanceof Uint8Array ? [source] : source) {
    size += piece.byteLength
    if (size > maxBytes) throw new StoreError('too-large', `an object of more than ${maxBytes} bytes`)
    if (sha256 !== undefined) hash.update(piece)
    yield piece
  }
  const found = sha256 === undefined ? undefined : hash.digest('hex')
  if (found !== sha256) throw new StoreError('wrong-checksum', `SHA-256 is ${found}, not ${sha256}`)
}
