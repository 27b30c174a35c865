// How does the service send requests to an S3-compatible store? Signed, with limits on time, size and attempts.
import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import { backOff, gatherBytes, isRetryable, pause, retry } from '../yore.ts'
import type { Credentials } from './s3-credentials.ts'
import { StoreError } from './store.ts'

export interface S3StoreOptions {
  /** `https://host`; requests append the bucket to the path. */
  readonly endpoint: string
  readonly bucket: string
  /** Asked before each request. */
  readonly credentials: () => Promise<Credentials>
  readonly region?: string
  /** Headers of requests that create objects: their encryption. */
  readonly encryption?: Readonly<Record<string, string>>
  /** Larger objects are neither written nor read into memory. */
  readonly maxBytes?: number
  /** Larger objects are uploaded in parts of this size, one in memory at a time. S3 requires at least 5 MiB. */
  readonly partBytes?: number
  /** A request fails after so long without a byte. */
  readonly idleMs?: number
  /** Tries of one request, the first included. */
  readonly attempts?: number
  /** Pause before the second try; it doubles each time, and half of it is random. */
  readonly backoffMs?: number
}

export const s3Defaults = {
  region: 'us-east-1',
  encryption: {},
  maxBytes: 5 * 2 ** 30,
  partBytes: 16 * 2 ** 20,
  idleMs: 20_000,
  attempts: 5,
  backoffMs: 100,
} as const

export type S3Settings = Required<S3StoreOptions>

interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** It creates an object, or begins the upload of one. */
  readonly creates?: true
  /** Expected statuses; others are errors. */
  readonly answers: readonly number[]
}

interface S3Answer {
  readonly status: number
  readonly headers: Headers
  readonly pieces: AsyncIterable<Uint8Array>
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Limit on short answers: lists, errors. */
export const maxTextBytes = 16 * 2 ** 20

/** Aborts when the store is silent for too long; the time that the caller takes to read does not count. */
interface IdleWatch {
  readonly signal: AbortSignal
  wait(): void
  rest(): void
  stop(): void
}

function watchIdle(idleMs: number): IdleWatch {
  const controller = new AbortController()
  let isWaiting = true
  const timer = setTimeout(() => {
    if (isWaiting) controller.abort(new Error(`nothing for ${idleMs} ms`))
  }, idleMs)
  return {
    signal: controller.signal,
    wait: () => {
      isWaiting = true
      timer.refresh()
    },
    rest: () => {
      isWaiting = false
    },
    stop: () => clearTimeout(timer),
  }
}

export async function gather(pieces: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const bytes = await gatherBytes(pieces, maxBytes)
  if (bytes === null) throw new StoreError('too-large', `an answer of more than ${maxBytes} bytes`)
  return Buffer.from(bytes.buffer)
}

export function isUnavailable(error: unknown): boolean {
  return error instanceof StoreError && error.fault === 'unavailable'
}

/** Sends requests to one bucket. */
export class S3Client {
  readonly #settings: S3Settings
  readonly #signingKeys = new Map<string, ArrayBuffer>()
  readonly #bucket: string

  constructor(settings: S3Settings) {
    const { endpoint, bucket } = settings
    this.#settings = settings
    this.#bucket = `${endpoint.replace(/\/$/, '')}/${encodeURIComponent(bucket)}`
  }

  async #once(request: S3Request): Promise<S3Answer> {
    const url = new URL(request.key === undefined ? this.#bucket : `${this.#bucket}/${request.key}`)
    for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value)
    const body = request.body ?? new Uint8Array()
    const encryption = request.creates === true ? this.#settings.encryption : {}
    const headers = { ...request.headers, ...encryption, 'x-amz-content-sha256': hashOf(body) }
    const { region, idleMs, credentials } = this.#settings
    // Its own retries would also repeat requests that were refused for good.
    const signing = { region, service: 's3', cache: this.#signingKeys, retries: 0 }
    const client = new AwsClient({ ...(await credentials()), ...signing })
    const watch = watchIdle(idleMs)
    try {
      const response = await client.fetch(url.href, {
        method: request.method,
        headers,
        redirect: 'error',
        signal: watch.signal,
        ...(request.body === undefined ? {} : { body: request.body as Uint8Array<ArrayBuffer> }),
      })
      watch.rest()
      return { status: response.status, headers: response.headers, pieces: watchedBody(response, watch) }
    } catch (cause) {
      watch.stop()
      throw new StoreError('unavailable', `${request.method} ${url.pathname}: no answer`, { cause })
    }
  }

  send(request: S3Request): Promise<S3Answer> {
    const { attempts, backoffMs } = this.#settings
    return retry(
      async () => {
        const answer = await this.#once(request)
        if (request.answers.includes(answer.status)) return answer
        throw await describeRefusal(request, answer)
      },
      { tries: attempts, firstPauseMs: backoffMs, random: Math.random, shouldRetry: isUnavailable },
    )
  }

  /** `attempt` counts from 1. */
  wait(attempt: number): Promise<void> {
    return pause(backOff(attempt - 1, Math.random(), this.#settings.backoffMs))
  }

  /** For answers with a short body. */
  async sendShort(request: S3Request): Promise<{ readonly status: number; readonly text: string }> {
    const { status, pieces } = await this.send(request)
    return { status, text: (await gather(pieces, maxTextBytes)).toString() }
  }
}

async function* watchedBody(response: Response, watch: IdleWatch): AsyncGenerator<Uint8Array> {
  try {
    watch.wait()
    for await (const piece of response.body ?? []) {
      watch.rest()
      yield piece
      watch.wait()
    }
  } catch (cause) {
    throw new StoreError('unavailable', 'the answer broke off', { cause })
  } finally {
    watch.stop()
  }
}

/** S3 asks clients to repeat concurrent conditional writes, which fail with 409. */
async function describeRefusal({ method, key = '' }: S3Request, answer: S3Answer): Promise<StoreError> {
  const text = (await gather(answer.pieces, maxTextBytes)).toString()
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? ''
  const message = `${method} ${key}: ${answer.status} ${code}`.trim()
  if (answer.status === 404) return new StoreError('missing', message)
  const mayPass = isRetryable(answer.status) || answer.status === 409
  return new StoreError(mayPass ? 'unavailable' : 'refused', message)
}
