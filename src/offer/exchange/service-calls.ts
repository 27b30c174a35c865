// How does a program send requests to the service? With its key; it gets an answer or a problem. Needs nothing but fetch.
import {
  gatherBytes,
  isRetryable,
  plainMessage,
  RetryableError,
  readRetryAfter,
  retry,
} from '../../read/source/fetch/request.ts'

/** An error of the service, as in RFC 9457. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly hint?: string
}

export class ProblemError extends Error {
  readonly problem: Problem
  /** Seconds after which another try is worthwhile; null if the service names none. */
  readonly retryAfter: number | null

  constructor(problem: Problem, retryAfter: number | null) {
    super(problem.detail === '' ? `status ${problem.status}` : problem.detail)
    this.name = 'ProblemError'
    this.problem = problem
    this.retryAfter = retryAfter
  }
}

export interface ClientOptions {
  /** Tries of each request, the first included; 1 unless given. */
  readonly tries?: number
  /** For one try, the answer's body included; unlimited unless given. */
  readonly timeoutMs?: number
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** The same key makes a repeated upload the same one. */
  readonly idempotencyKey?: string
  /** Longer answers are refused; 16 MiB of JSON unless given. */
  readonly maxBytes?: number
}

/** One request to a route. */
interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly form?: object
  readonly query?: object
  readonly options: CallOptions
}

const maxJsonBytes = 16 * 1024 * 1024
const maxProblemBytes = 1024 * 1024

function formOf(fields: object): FormData {
  const form = new FormData()
  // The service reads fields before the file.
  const entries = Object.entries(fields).sort(
    ([, a], [, b]) => Number(a instanceof Blob) - Number(b instanceof Blob),
  )
  for (const [name, value] of entries) if (value !== undefined) form.append(name, value)
  return form
}

async function readProblem(response: Response): Promise<Problem> {
  const { status, statusText } = response
  let said: Partial<Problem> | null = null
  try {
    const bytes = await gatherBytes(response.body ?? [], maxProblemBytes)
    said = JSON.parse(new TextDecoder().decode(bytes ?? undefined)) as Partial<Problem> | null
  } catch {
    // Not a problem document: the status is all there is to report.
  }
  const detail = typeof said?.detail === 'string' ? plainMessage(said.detail) : ''
  return { type: 'about:blank', title: statusText, code: 'UNKNOWN', ...said, status, detail }
}

/** The base class of the generated client. */
export class ServiceCalls {
  readonly #url: string
  readonly #key: string
  readonly #options: ClientOptions

  constructor(url: string, key: string, options: ClientOptions = {}) {
    this.#url = url.endsWith('/') ? url.slice(0, -1) : url
    this.#key = key
    this.#options = options
  }

  protected async requestJson<T>(sent: Sent): Promise<T> {
    return JSON.parse(new TextDecoder().decode(await this.requestBytes(sent, maxJsonBytes))) as T
  }

  /** The body of the answer. Throws a ProblemError for an error of the service, else the reason of the last try. */
  protected async requestBytes(sent: Sent, mostBytes = Infinity): Promise<Uint8Array<ArrayBuffer>> {
    const most = sent.options.maxBytes ?? mostBytes
    const send = async (): Promise<Uint8Array<ArrayBuffer>> => {
      const response = await this.#fetch(sent)
      if (response.ok) {
        const bytes = await gatherBytes(response.body ?? [], most)
        if (bytes === null) throw new RangeError(`the answer is larger than ${most} bytes`)
        return bytes
      }
      const retryAfterMs = readRetryAfter(response.headers)
      const seconds = retryAfterMs === null ? null : retryAfterMs / 1000
      const refused = new ProblemError(await readProblem(response), seconds)
      throw isRetryable(response.status) ? new RetryableError('', retryAfterMs, refused) : refused
    }
    const shouldRetry = (error: unknown): boolean =>
      !(error instanceof ProblemError) && !(error instanceof RangeError)
    const { tries = 1 } = this.#options
    try {
      return await retry(send, { tries, signal: sent.options.signal, shouldRetry })
    } catch (error) {
      throw error instanceof RetryableError ? error.cause : error
    }
  }

  #fetch({ method, path, body, form, query = {}, options }: Sent): Promise<Response> {
    const asked = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, String(value))
    const { timeoutMs } = this.#options
    const signals = [
      ...(options.signal === undefined ? [] : [options.signal]),
      ...(timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)]),
    ]
    return fetch(this.#url + path + (asked.size === 0 ? '' : `?${asked}`), {
      method,
      // The key and the documents go to this address and nowhere else.
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(form === undefined ? {} : { body: formOf(form) }),
      ...(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }),
    })
  }
}
