// How do push and pull reach their corpus? Through the generated client, with retries and with errors in words.
import { setTimeout as sleep } from 'node:timers/promises'
import { YoreError } from '../../model/errors.ts'
import { networkReason } from '../../read/source/fetch/request.ts'
import { CorpusCalls } from './corpus-calls.generated.ts'
import { ProblemError } from './service-calls.ts'

/** Where a service is, and the key for it. */
export interface ServiceAddress {
  readonly url: string
  /** From YORE_SERVER_KEY; empty for none. */
  readonly key: string
}

export interface ListedDocument {
  readonly path: string
  readonly size: number
  readonly sha256: string
  /** Milliseconds since 1970. */
  readonly modifiedAt: number
}

/** Documents that a service did not add to its corpus, the first with their reasons. */
export interface SkippedByService {
  readonly count: number
  readonly first: readonly { readonly path: string; readonly reason: string }[]
}

const tries = 6
const timeoutMs = 120_000
const pollMs = 300

const fail = (message: string, hint?: string, cause?: unknown): YoreError =>
  new YoreError('SERVICE_FAILED', message, { cause, ...(hint === undefined ? {} : { hint }) })

function readAddress({ url, key }: ServiceAddress): URL {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (url === '' || parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.username !== '')
    throw new YoreError(
      'BAD_CONFIG',
      url === '' ? 'no service is set' : `${JSON.stringify(url)} is not the address of a service`,
      {
        hint: 'pass --server https://host, or set it once: `yore config set serverUrl https://host --scope user`',
      },
    )
  if (key === '')
    throw new YoreError('BAD_CONFIG', 'the service needs a key', {
      hint: 'set YORE_SERVER_KEY to a key from the operator of the service',
    })
  return parsed
}

/** One corpus of a service. Every method throws SERVICE_FAILED when the service refuses or does not answer. */
export class CorpusClient {
  readonly #client: CorpusCalls
  readonly #corpus: string
  /** The origin of the service. */
  readonly server: string

  /** Throws BAD_CONFIG for an invalid address or a missing key. */
  constructor(address: ServiceAddress, corpus: string) {
    const { origin, pathname } = readAddress(address)
    this.#client = new CorpusCalls(origin + pathname, address.key, { tries, timeoutMs })
    this.#corpus = corpus
    this.server = origin
  }

  /** Null when the corpus does not exist or the key is not for it. */
  async findCorpus(): Promise<{ readonly version: number } | null> {
    try {
      return await this.#client.readCorpus(this.#corpus)
    } catch (error) {
      if (error instanceof ProblemError && error.problem.status === 404) return null
      throw this.#failure(error)
    }
  }

  async createCorpus(): Promise<void> {
    await this.#call((client) => client.createCorpus({ name: this.#corpus }))
  }

  noCorpus(hint: string): YoreError {
    return fail(`${this.server} has no corpus ${JSON.stringify(this.#corpus)} for this key`, hint)
  }

  /** All documents, by path. */
  async listDocuments(): Promise<readonly ListedDocument[]> {
    const documents: ListedDocument[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const from = { limit: 1000, ...(cursor === undefined ? {} : { cursor }) }
      const page = await this.#call((client) => client.listDocuments(this.#corpus, from))
      for (const { path, size, sha256, modified_at } of page.items)
        documents.push({ path, size, sha256, modifiedAt: Date.parse(modified_at) })
      cursor = page.next_cursor
    }
    return documents
  }

  async readDocument({ path, size }: ListedDocument): Promise<Uint8Array> {
    const blob = await this.#call((client) => client.readDocument(this.#corpus, { path }, { maxBytes: size }))
    return blob.bytes()
  }

  /** Returns the id of the ingestion; `key` makes a repeated request the same one. */
  async sendArchive(archive: Uint8Array, idempotencyKey: string): Promise<string> {
    const file = new File([archive as Uint8Array<ArrayBuffer>], 'documents.tar.gz')
    const query = { corpus: this.#corpus }
    return (await this.#call((client) => client.uploadArchive({ file }, query, { idempotencyKey }))).id
  }

  async removeDocuments(paths: readonly string[], idempotencyKey: string): Promise<string> {
    const sent = this.#call((client) => client.deleteDocuments(this.#corpus, { paths }, { idempotencyKey }))
    return (await sent).id
  }

  /** Waits until the ingestion is part of the corpus; returns what it skipped. Throws SERVICE_FAILED if it failed. */
  async waitFor(ingestion: string): Promise<SkippedByService> {
    for (;;) {
      const { state, error, skipped } = await this.#call((client) => client.readIngestion(ingestion))
      // An older service does not report it.
      if (state === 'completed') return skipped ?? { count: 0, first: [] }
      if (state === 'failed' || state === 'cancelled')
        throw fail(
          `the upload ${state === 'failed' ? 'failed' : 'was cancelled'}${error === null ? '' : `: ${error.detail} (${error.code})`}`,
          'no document of it was added to the corpus; fix the reason and push again',
        )
      await sleep(pollMs)
    }
  }

  async #call<T>(send: (client: CorpusCalls) => Promise<T>): Promise<T> {
    try {
      return await send(this.#client)
    } catch (error) {
      throw this.#failure(error)
    }
  }

  #failure(error: unknown): YoreError {
    if (error instanceof RangeError) return fail(`${this.server}: ${error.message}`)
    if (!(error instanceof ProblemError))
      return fail(`${this.server} does not answer (${networkReason(error)})`, undefined, error)
    const { status, detail } = error.problem
    return fail(`${this.server} answered ${status}${detail === '' ? '' : `: ${detail}`}`)
  }
}
