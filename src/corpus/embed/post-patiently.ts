// How is JSON posted to an embedding endpoint? With retries and with clear errors.
import { YoreError } from '../../model/errors.ts'
import {
  gatherBytes,
  isRetryable,
  networkReason,
  pause,
  plainMessage,
  RetryableError,
  readRetryAfter,
  retry,
} from '../../read/source/fetch/request.ts'
import { ResponseFault } from './embedding-response.ts'

export interface PostOptions {
  /** Attempts after the first. */
  readonly maxRetries: number
  /** For one attempt, including the body of the response. */
  readonly timeoutMs: number
  /** Numbers from 0 to 1, for the jitter. */
  readonly random: () => number
  /** Milliseconds since 1970, for dates in Retry-After. */
  readonly now: () => number
  readonly wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

/** What is sent, what reads the answer, and how many bytes it may have. */
interface PostRequest<T> {
  readonly body: string
  readonly maxBytes: number
  readonly read: (answer: string) => T
}

type Post = <T>(request: PostRequest<T>, signal?: AbortSignal) => Promise<T>

/** Longer waits count as a failure; the run can be resumed later. */
const longestRetryAfterMs = 300_000
/** Limit on the text of an error response. */
const maxErrorBytes = 64 * 1024

/** Returns a function that posts JSON to one URL with retries. */
export function createPost(url: URL, apiKey: string | null, options: PostOptions): Post {
  const { maxRetries, random, wait = pause } = options
  const place = `${url.origin}${url.pathname}`
  const hide = (text: string): string =>
    apiKey === null || apiKey === '' ? text : text.replaceAll(apiKey, '***')

  const fail = (reason: string, cause?: unknown): YoreError =>
    new YoreError('BAD_CONFIG', `the embedding endpoint ${place} failed: ${hide(reason)}`, {
      hint: 'check its address, model, dimensions and key; what was embedded so far is kept',
      cause,
    })

  return async (request, signal) => {
    const limits = { tries: maxRetries + 1, longestRetryAfterMs, random, wait, signal }
    try {
      return await retry(
        async () => request.read(await exchange(url, apiKey, request, options, signal)),
        limits,
      )
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof ResponseFault) throw fail(error.message)
      if (!(error instanceof RetryableError)) throw error
      const asked = error.retryAfterMs ?? 0
      if (asked > longestRetryAfterMs)
        throw fail(`${error.message}; it asks to wait ${Math.round(asked / 1000)} seconds`, error)
      throw fail(`${error.message}, after ${maxRetries + 1} tries`, error)
    }
  }
}

async function exchange(
  url: URL,
  apiKey: string | null,
  { body, maxBytes }: Omit<PostRequest<unknown>, 'read'>,
  { timeoutMs, now }: PostOptions,
  signal?: AbortSignal,
): Promise<string> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await sendTwice(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(apiKey === null || apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      // Texts go to the configured address only.
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    if (response.ok) {
      const bytes = await gatherBytes(response.body ?? [], maxBytes)
      if (bytes === null) throw new ResponseFault(`its answer is larger than ${maxBytes} bytes`)
      return new TextDecoder().decode(bytes)
    }
    const bytes = await gatherBytes(response.body ?? [], maxErrorBytes)
    const message = bytes === null ? '' : plainMessage(findMessage(new TextDecoder().decode(bytes)))
    const redirected =
      response.status >= 300 && response.status < 400 ? ' (a redirect, which is not followed)' : ''
    const reason = `status ${response.status}${redirected}${message === '' ? '' : `: ${message}`}`
    if (!isRetryable(response.status)) throw new ResponseFault(reason)
    throw new RetryableError(reason, readRetryAfter(response.headers, now()))
  } catch (error) {
    if (error instanceof RetryableError || error instanceof ResponseFault) throw error
    if (timeout.aborted) throw new RetryableError(`no answer within ${timeoutMs} ms`, null, error)
    throw new RetryableError(`the connection failed (${networkReason(error)})`, null, error)
  }
}

const closedCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Sends again when a kept-alive connection was closed before the response. */
async function sendTwice(url: URL, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request)
  } catch (error) {
    if (!closedCodes.has((error as { cause?: { code?: unknown } }).cause?.code)) throw error
    return await fetch(url, request)
  }
}

/** OpenAI, TEI and llama.cpp name it error, Cohere message, Voyage and Jina detail. */
function findMessage(text: string): string {
  try {
    const { error, message, detail } = JSON.parse(text) as Record<string, unknown>
    const inner = (error as { message?: unknown } | null | undefined)?.message
    return [error, inner, message, detail].find((one) => typeof one === 'string') ?? text
  } catch {
    return text
  }
}
