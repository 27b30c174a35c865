// Which failed requests does yore retry, and when? One set of statuses and one back-off for every HTTP client.
import { setTimeout } from 'node:timers/promises'

/** Statuses after which the same request may succeed. */
const retryableStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504, 529])

export const isRetryable = (status: number): boolean => retryableStatuses.has(status)

/** A failure after which the same request may succeed. */
export class RetryableError extends Error {
  /** The wait that the server asks for; null if it names none. */
  readonly retryAfterMs: number | null

  constructor(message: string, retryAfterMs: number | null = null, cause?: unknown) {
    super(message, { cause })
    this.retryAfterMs = retryAfterMs
  }
}

export interface RetryOptions {
  /** The first included. */
  readonly tries: number
  readonly signal?: AbortSignal | undefined
  readonly shouldRetry?: (error: unknown) => boolean
}

const firstPauseMs = 500
/** Of the pauses between two tries; a server that asks for a longer one is not asked again. */
const longestPauseMs = 30_000

/** Calls `send` until it succeeds, fails for good or has used its tries; then throws the last error. */
export async function retry<T>(send: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { tries, signal, shouldRetry } = options
  for (let attempt = 0; ; attempt++)
    try {
      return await send()
    } catch (error) {
      signal?.throwIfAborted()
      const asked = error instanceof RetryableError ? error.retryAfterMs : null
      const isWorthIt = shouldRetry?.(error) ?? error instanceof RetryableError
      if (!isWorthIt || attempt + 1 >= tries || (asked ?? 0) > longestPauseMs) throw error
      const pauseMs = asked ?? Math.min(longestPauseMs, firstPauseMs * 2 ** attempt)
      await setTimeout(pauseMs, undefined, signal === undefined ? {} : { signal }).catch(() => {
        throw signal?.reason
      })
    }
}

/** The wait that a response asks for, in milliseconds; null if it names none. Dates count from the server's clock. */
export function readRetryAfter(headers: Headers): number | null {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN)
  if (exact >= 0) return exact
  const value = headers.get('retry-after')?.trim() ?? ''
  if (value !== '' && Number(value) >= 0) return Number(value) * 1000
  const milliseconds = Date.parse(value) - Date.parse(headers.get('date') ?? '')
  return Number.isNaN(milliseconds) ? null : Math.max(0, milliseconds)
}

/** All bytes of a stream; null when there are more than `most`, which also closes the connection. */
export async function gatherBytes(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, most: number) {
  const gathered: Uint8Array[] = []
  let size = 0
  for await (const piece of pieces) {
    size += piece.length
    if (size > most) return null
    gathered.push(piece)
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const piece of gathered) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

/** The reason of a failed `fetch`, whose message says only "fetch failed". */
export function networkReason(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown; message?: unknown } }
  return String(cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : error))
}

const shownChars = 300

/** A server's own words, shortened and without control characters. */
export const plainMessage = (text: string): string =>
  text
    .slice(0, shownChars)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
