// Where do big immutable objects live? The port; a directory and any S3-compatible store are its adapters.

export interface PutOptions {
  /** Create only: what is there already stays as it is, and exactly one of several racing writers creates it. */
  readonly ifAbsent?: boolean
  /** Hex. The bytes are counted while they are written; others leave nothing behind and reject. */
  readonly sha256?: string
}

/** First byte and, exclusively, the last. */
export interface ByteRange {
  readonly start: number
  readonly end?: number
}

export type ObjectSource = Uint8Array | AsyncIterable<Uint8Array>

/**
 * Keys are segments of letters, digits, `.`, `_` and `-`, joined by `/`. Objects are never changed after they were
 * created under a key that names their content; deciding which of them counts is PostgreSQL's affair.
 */
export interface ObjectStore {
  /** Resolves when the object is durable. */
  put(key: string, source: ObjectSource, options?: PutOptions): Promise<'created' | 'exists'>
  /** Rejects when there is none. */
  get(key: string, range?: ByteRange): Promise<Uint8Array>
  /** As `get`, piece by piece. */
  stream(key: string): AsyncIterable<Uint8Array>
  head(key: string): Promise<{ readonly size: number } | null>
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>
  /** Keys in code-unit order. */
  list(prefix: string): AsyncIterable<string>
}

export type StoreFault = 'missing' | 'wrong-checksum' | 'too-large' | 'refused' | 'unavailable'

/** Why an object could not be written or read; `unavailable` alone is worth another attempt later. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly fault: StoreFault

  constructor(fault: StoreFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }
}

/** No segment begins with a dot: none leads elsewhere, and adapters keep their own files under such names. */
const keyPattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/

/** @throws StoreError */
export function checkKey(key: string): void {
  if (key.length > 900 || !keyPattern.test(key))
    throw new StoreError('refused', `not a key: ${JSON.stringify(key.slice(0, 100))}`)
}

/** A prefix is a key, or one that is cut off anywhere; the empty one covers everything. */
export function checkPrefix(prefix: string): void {
  checkKey(`${prefix}x`)
}

export async function* inOnePiece(source: ObjectSource): AsyncGenerator<Uint8Array> {
  if (source instanceof Uint8Array) yield source
  else yield* source
}
