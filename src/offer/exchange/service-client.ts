// How is a service asked from here? With its key, patiently when it is busy, and never anybody whom it names instead.
import { setTimeout as sleep } from 'node:timers/promises'
import { YoreError } from '../../model/errors.ts'
import { gatherBytes } from '../../read/source/fetch/gather-bytes.ts'

/** Where a service is and what opens it. */
export interface ServiceAddress {
  readonly url: string
  /** From YORE_SERVER_KEY; empty for none. */
  readonly key: string
}

/** A document as the service lists it. */
export interface ListedDocument {
  readonly path: string
  readonly size: number
  readonly sha256: string
  /** Milliseconds since 1970. */
  readonly modifiedAt: number
}

interface Wanted {
  readonly method: 'GET' | 'POST'
  readonly route: string
  readonly body?: object | FormData
  readonly headers?: Readonly<Record<string, string>>
  /** Longer answers are refused. */
  readonly maxBytes?: number
}

const longestAnswer = 16 * 1024 * 1024
const mostTries = 6
const longestWaitMs = 30_000
const answerMs = 120_000
const pollMs = 300

/** Another try may succeed. */
const passing = new Set([429, 502, 503, 504])

const fail = (message: string, hint?: string, cause?: unknown): YoreError =>
  new YoreError('SERVICE_FAILED', message, { cause, ...(hint === undefined ? {} : { hint }) })

function readAddress({ url, key }: ServiceAddress): URL {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (url === '' || parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.username !== '')
    throw new YoreError(
      'BAD_CONFIG',
      `${url === '' ? 'no service is named' : `${JSON.stringify(url)} is no address of a service`}`,
      {
        hint: 'name it with --server https://host, or once and for all: `yore config set serverUrl https://host --scope user`',
      },
    )
  if (key === '')
    throw new YoreError('BAD_CONFIG', 'the service needs a key', {
      hint: 'set YORE_SERVER_KEY to a key from whoever runs it',
    })
  return parsed
}

/** The bytes of an answer; never more than was agreed. */
async function readBytes(response: Response, maxBytes: number): Promise<Buffer> {
  const bytes = await gatherBytes(response.body ?? [], maxBytes)
  if (bytes === null) throw fail(`an answer of the service is larger than ${maxBytes} bytes`)
  return bytes
}

/** What the service says of itself, as far as it can be shown. */
function detailOf(bytes: Buffer): string {
  try {
    const { detail } = JSON.parse(bytes.toString()) as { readonly detail?: unknown }
    return typeof detail === 'string' ? `: ${detail.slice(0, 300).replaceAll(/[\p{C}\s]+/gu, ' ')}` : ''
  } catch {
    return ''
  }
}

export class ServiceClient {
  readonly #url: URL
  readonly #key: string
  readonly #corpus: string

  /** Throws BAD_CONFIG for what is no address, or without a key. */
  constructor(address: ServiceAddress, corpus: string) {
    this.#url = readAddress(address)
    this.#key = address.key
    this.#corpus = corpus
  }

  get place(): string {
    return this.#url.origin
  }

  /** Null when there is none, or none for this key. */
  async findCorpus(): Promise<{ readonly version: number } | null> {
    const bytes = await this.#send({ method: 'GET', route: this.#route('') }, [404])
    return bytes === null ? null : (JSON.parse(bytes.toString()) as { version: number })
  }

  async createCorpus(): Promise<void> {
    await this.#send({ method: 'POST', route: '/v1/corpora', body: { name: this.#corpus } })
  }

  noCorpus(hint: string): YoreError {
    return fail(`${this.place} has no corpus ${JSON.stringify(this.#corpus)} for this key`, hint)
  }

  /** All of them, by path. */
  async listDocuments(): Promise<readonly ListedDocument[]> {
    const documents: ListedDocument[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const page = JSON.parse(
        String(await this.#send({ method: 'GET', route: this.#route(`/documents?limit=1000${from}`) })),
      ) as {
        readonly items: readonly { path: string; size: number; sha256: string; modified_at: string }[]
        readonly next_cursor: string | null
      }
      for (const { path, size, sha256, modified_at } of page.items)
        documents.push({ path, size, sha256, modifiedAt: Date.parse(modified_at) })
      cursor = page.next_cursor
    }
    return documents
  }

  async readDocument({ path, size }: ListedDocument): Promise<Buffer> {
    const route = this.#route(`/documents/content?path=${encodeURIComponent(path)}`)
    return (await this.#send({ method: 'GET', route, maxBytes: size })) as Buffer
  }

  /** Accepted when this resolves; `key` makes a second try the same request. Gives the ingestion. */
  async sendArchive(archive: Uint8Array, key: string): Promise<string> {
    const form = new FormData()
    form.append('file', new Blob([archive as Uint8Array<ArrayBuffer>]), 'documents.tar.gz')
    const route = `/v1/ingest/archive?corpus=${encodeURIComponent(this.#corpus)}`
    return this.#accept({ method: 'POST', route, body: form }, key)
  }

  async removeDocuments(paths: readonly string[], key: string): Promise<string> {
    return this.#accept({ method: 'POST', route: this.#route('/documents/remove'), body: { paths } }, key)
  }

  async #accept(wanted: Wanted, key: string): Promise<string> {
    const bytes = await this.#send({ ...wanted, headers: { 'idempotency-key': key } })
    return (JSON.parse(String(bytes)) as { readonly id: string }).id
  }

  /** Until what was accepted is part of the corpus. Throws SERVICE_FAILED with the service's reason when it will never be. */
  async waitFor(ingestion: string): Promise<void> {
    for (;;) {
      const bytes = await this.#send({
        method: 'GET',
        route: `/v1/ingestions/${encodeURIComponent(ingestion)}`,
      })
      const { state, error } = JSON.parse(String(bytes)) as {
        readonly state: string
        readonly error: { readonly code: string; readonly detail: string } | null
      }
      if (state === 'completed') return
      if (state === 'failed' || state === 'cancelled')
        throw fail(
          `what was sent is ${state}${error === null ? '' : `: ${error.detail} (${error.code})`}`,
          'nothing of it is part of the corpus; mend what the reason names and push again',
        )
      await sleep(pollMs)
    }
  }

  #route(rest: string): string {
    return `/v1/corpora/${encodeURIComponent(this.#corpus)}${rest}`
  }

  /** The answer's bytes; null for a status that is expected. */
  async #send(wanted: Wanted, expected: readonly number[] = []): Promise<Buffer | null> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#try(wanted)
      if ('bytes' in answer) {
        if (answer.ok) return answer.bytes
        if (expected.includes(answer.status)) return null
        if (!passing.has(answer.status) || attempt === mostTries)
          throw fail(`${this.place} answered ${answer.status}${detailOf(answer.bytes)}`)
      } else if (attempt === mostTries)
        throw fail(`${this.place} does not answer (${answer.fault})`, undefined, answer.cause)
      const asked = 'bytes' in answer ? answer.retryAfterMs : null
      await sleep(Math.min(longestWaitMs, asked ?? 250 * 2 ** attempt))
    }
  }

  async #try({ method, route, body, headers, maxBytes = longestAnswer }: Wanted): Promise<
    | {
        readonly ok: boolean
        readonly status: number
        readonly bytes: Buffer
        readonly retryAfterMs: number | null
      }
    | { readonly fault: string; readonly cause: unknown }
  > {
    const isForm = body instanceof FormData
    const { pathname } = this.#url
    const below = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
    try {
      const response = await fetch(new URL(below + route, this.#url), {
        method,
        headers: {
          authorization: `Bearer ${this.#key}`,
          ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
        // Key and documents go to this address and nowhere else.
        redirect: 'manual',
        signal: AbortSignal.timeout(answerMs),
      })
      const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
      return {
        ok: response.ok,
        status: response.status,
        bytes: await readBytes(response, response.ok ? maxBytes : longestAnswer),
        retryAfterMs: retryAfter >= 0 ? retryAfter * 1000 : null,
      }
    } catch (error) {
      if (error instanceof YoreError) throw error
      const { cause } = error as { readonly cause?: { readonly code?: string } }
      return { fault: cause?.code ?? (error as Error).message, cause: error }
    }
  }
}
