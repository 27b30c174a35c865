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
