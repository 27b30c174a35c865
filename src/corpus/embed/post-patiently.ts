// How is JSON posted to an embedding endpoint? With retries, within its rate limit, and with clear errors.
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

/** Returns a function that posts JSON to one URL with retries and waits while the server's rate limit is used up. */
export function createPost(url: URL, apiKey: string | null, options: PostOptions): Post {
  const { maxRetries, random, now, wait = pause } = options
  const place = `${url.origin}${url.pathname}`
  const hide = (text: string): string =>
    apiKey === null || apiKey === '' ? text : text.replaceAll(apiKey, '***')
  let resumeAt = 0

  const fail = (reason: string, cause?: unknown): YoreError =>
    new YoreError('BAD_CONFIG', `the embedding endpoint ${place} failed: ${hide(reason)}`, {
      hint: 'check its address, model, dimensions and key; what was embedded so far is kept',
      cause,
    })

  const tryOnce = async <T>(request: PostRequest<T>, signal?: AbortSignal): Promise<T> => {
    const ahead = resumeAt - now()
    if (ahead > 0) await wait(ahead, signal)
    const { headers, text } = await exchange(url, apiKey, request, options, signal)
    resumeAt = now() + Math.min(readExhaustion(headers), longestRetryAfterMs)
    return request.read(text)
  }

  return async (request, signal) => {
    const limits = { tries: maxRetries + 1, longestRetryAfterMs, random, wait, signal }
    try {
      return await retry(() => tryOnce(request, signal), limits)
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

interface Exchanged {
  readonly headers: Headers
  readonly text: string
}

async function exchange(
  url: URL,
  apiKey: string | null,
  { body, maxBytes }: Omit<PostRequest<unknown>, 'read'>,
  { timeoutMs, now }: PostOptions,
  signal?: AbortSignal,
): Promise<Exchanged> {
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
      return { headers: response.headers, text: new TextDecoder().decode(bytes) }
    }
    const bytes = await gatherBytes(response.body ?? [], maxErrorBytes)
    const message = bytes === null ? '' : plainMessage(findMessage(new TextDecoder().decode(bytes)))
    const redirected =
      response.status >= 300 && response.status < 400 ? ' (a redirect, which is not followed)' : ''
    const reason = `status ${response.status}${redirected}${message === '' ? '' : `: ${message}`}`
    if (!isRetryable(response.status)) throw new ResponseFault(reason)
    const asked = readRetryAfter(response.headers, now())
    throw new RetryableError(reason, asked ?? (readExhaustion(response.headers) || null))
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

/** The time until a used-up limit resets; 0 if something is left or unknown. */
function readExhaustion(headers: Headers): number {
  const waits = ['requests', 'tokens'].map((kind) => {
    const left = headers.get(`x-ratelimit-remaining-${kind}`)
    if (left === null || left.trim() === '' || !(Number(left) <= 0)) return 0
    return readDuration(headers.get(`x-ratelimit-reset-${kind}`) ?? '')
  })
  return Math.max(...waits)
}

const unitMilliseconds: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** `6m0s`, `1.5s`, `20ms`, or plain seconds; 0 for anything else. */
function readDuration(text: string): number {
  const trimmed = text.trim().slice(0, 40)
  if (trimmed !== '' && Number(trimmed) >= 0) return Number(trimmed) * 1000
  let total = 0
  for (const [, amount, unit = ''] of trimmed.matchAll(/(\d{1,12}(?:\.\d{1,6})?)(ms|s|m|h|d)/g)) {
    total += Number(amount) * (unitMilliseconds[unit] ?? 0)
  }
  return total
}
