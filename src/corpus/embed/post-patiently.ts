// What if the server is busy, broken or gone? Wait as it asks, else longer each time; give up with a clear error.
import { YoreError } from '../../model/errors.ts'
import { ResponseFault } from './embedding-response.ts'

export interface PostOptions {
  /** Tries after the first. */
  readonly maxRetries: number
  /** For one try, the answer's body included. */
  readonly timeoutMs: number
  /** Numbers from 0 to 1, for the jitter. */
  readonly random: () => number
  /** Milliseconds since 1970, for dates in Retry-After. */
  readonly now: () => number
  readonly wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** What errors call the server, and what they advise. */
  readonly what?: string
  readonly hint?: string
}

/** What is sent, what reads the answer, and how many bytes it may have. */
interface PostRequest<T> {
  readonly body: string
  readonly maxBytes: number
  readonly read: (answer: string) => T
}

type Post = <T>(request: PostRequest<T>, signal?: AbortSignal) => Promise<T>

const firstPause = 500
const longestPause = 30_000
/** A server that asks for more is as good as gone; the run can be resumed later. */
const longestRetryAfter = 300_000
/** More of a refusal is not read. */
const maxRefusalBytes = 64 * 1024
const shownChars = 300

/** Statuses of a server that may answer later. */
const passing = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529])

/** A failure that a later try may not have. */
class PassingFault extends Error {
  readonly retryAfter: number | null

  constructor(message: string, retryAfter: number | null, cause?: unknown) {
    super(message, { cause })
    this.retryAfter = retryAfter
  }
}

/** A function that posts JSON to one address until it is answered. It remembers when the server's limit is used up. */
export function createPost(url: URL, apiKey: string | null, options: PostOptions): Post {
  const { maxRetries, random, now, wait = pause, what = 'the embedding endpoint' } = options
  const place = `${url.origin}${url.pathname}`
  const hide = (text: string): string =>
    apiKey === null || apiKey === '' ? text : text.replaceAll(apiKey, '***')
  let resumeAt = 0

  const fail = (reason: string, cause?: unknown): YoreError =>
    new YoreError('BAD_CONFIG', `${what} ${place} failed: ${hide(reason)}`, {
      hint: options.hint ?? 'check its address, model, dimensions and key; what was embedded so far is kept',
      cause,
    })

  const tryOnce = async <T>(request: PostRequest<T>, signal?: AbortSignal): Promise<T> => {
    const { headers, text } = await exchange(url, apiKey, request, options, signal)
    resumeAt = now() + Math.min(readExhaustion(headers), longestRetryAfter)
    return request.read(text)
  }

  return async (request, signal) => {
    for (let attempt = 0; ; attempt++) {
      const ahead = resumeAt - now()
      if (ahead > 0) await wait(ahead, signal)
      try {
        return await tryOnce(request, signal)
      } catch (error) {
        signal?.throwIfAborted()
        if (error instanceof ResponseFault) throw fail(error.message)
        if (!(error instanceof PassingFault)) throw error instanceof Refusal ? fail(error.message) : error
        const asked = error.retryAfter
        if (asked !== null && asked > longestRetryAfter) {
          throw fail(`${error.message}; it asks to wait ${Math.round(asked / 1000)} seconds`, error)
        }
        if (attempt >= maxRetries) throw fail(`${error.message}, after ${attempt + 1} tries`, error)
        await wait(Math.max(asked ?? 0, asked === null ? backOff(attempt, random()) : 0), signal)
      }
    }
  }
}

/** Doubles with each attempt; between half of it and all of it. */
export function backOff(attempt: number, random: number): number {
  return Math.min(longestPause, firstPause * 2 ** attempt) * (0.5 + random / 2)
}

/** The server answered that it will never take this request. */
class Refusal extends Error {}

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
    const response = await sendAnew(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(apiKey === null || apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      // Texts go to the configured address and nowhere else.
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    if (response.ok) return { headers: response.headers, text: await readBody(response, maxBytes) }
    const text = await readBody(response, maxRefusalBytes, 'cut')
    const redirected =
      response.status >= 300 && response.status < 400 ? ' (a redirect, which is not followed)' : ''
    const reason = `status ${response.status}${redirected}${describeBody(text)}`
    if (!passing.has(response.status)) throw new Refusal(reason)
    const asked = readRetryAfter(response.headers, now())
    throw new PassingFault(reason, asked ?? (readExhaustion(response.headers) || null))
  } catch (error) {
    if (error instanceof PassingFault || error instanceof Refusal) throw error
    if (timeout.aborted) throw new PassingFault(`no answer within ${timeoutMs} ms`, null, error)
    throw new PassingFault(describeNetwork(error), null, error)
  }
}

const closedCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Sends once more, at once, when the connection closes before an answer: it may be one that was kept, and closed just then. */
async function sendAnew(url: URL, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request)
  } catch (error) {
    if (!closedCodes.has((error as { cause?: { code?: unknown } }).cause?.code)) throw error
    return await fetch(url, request)
  }
}

/** The whole body; what is longer is cut or refused. Leaving the loop closes the connection. */
async function readBody(
  response: Response,
  maxBytes: number,
  longer: 'cut' | 'refuse' = 'refuse',
): Promise<string> {
  const decoder = new TextDecoder()
  let size = 0
  let text = ''
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBytes && longer === 'cut') break
    if (size > maxBytes) throw new Refusal(`its answer is larger than ${maxBytes} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** The server's own words, shortened, without control characters. */
function describeBody(text: string): string {
  const message = findMessage(text)
    .slice(0, shownChars)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
  return message === '' ? '' : `: ${message}`
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

/** fetch says only "fetch failed"; its cause says why. */
function describeNetwork(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown; message?: unknown } }
  const reason = cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : error)
  return `the connection failed (${String(reason)})`
}

/** Rejects as soon as the signal is aborted, and then leaves no timer behind. */
function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Sent with an answer or a refusal; both the standard names and those of OpenAI. */
interface HeaderReader {
  get(name: string): string | null
}

/** What the server asks for before the same request is tried again; null when it does not say. */
function readRetryAfter(headers: HeaderReader, now: number): number | null {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN)
  if (exact >= 0) return exact
  const value = headers.get('retry-after')?.trim() ?? ''
  if (value !== '' && Number(value) >= 0) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

/** When nothing is left of a limit, the time until it is filled again; 0 when something is left or nothing is said. */
function readExhaustion(headers: HeaderReader): number {
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
