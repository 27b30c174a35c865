// How is a model server addressed, and how much is sent at once? Its URL without a password, texts in batches, each cut to a limit.
import { YoreError } from '../../model/errors.ts'

interface EndpointKind {
  /** Its name in messages. */
  readonly what: string
  /** Its last part, such as `/embeddings`. */
  readonly name: string
  /** Inserted when the address has no path, such as `/v1`. */
  readonly version: string
}

/** Throws BAD_CONFIG. */
export function readEndpoint(address: string, { what, name, version }: EndpointKind): URL {
  const url = URL.parse(address)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new YoreError('BAD_CONFIG', `the address of ${what} must begin with http:// or https://`)
  if (url.username !== '' || url.password !== '')
    throw new YoreError('BAD_CONFIG', `the address of ${what} must not hold a password; set the key`)
  const path = url.pathname.replace(/\/$/, '')
  url.pathname = path.endsWith(name) ? path : `${path === '' ? version : path}${name}`
  return url
}

/** Texts of one request, and characters of all of them. */
export interface BatchLimits {
  readonly maxTexts: number
  readonly maxChars: number
}

export function batchTexts(texts: readonly string[], limits: BatchLimits): string[][] {
  const batches: string[][] = []
  let batch: string[] = []
  let chars = 0
  for (const text of texts) {
    const full = batch.length >= limits.maxTexts || chars + text.length > limits.maxChars
    if (batch.length > 0 && full) {
      batches.push(batch)
      batch = []
      chars = 0
    }
    batch.push(text)
    chars += text.length
  }
  if (batch.length > 0) batches.push(batch)
  return batches
}
