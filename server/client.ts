// How does a program in TypeScript ask the service? One method for each route; needs nothing but fetch.
// Written by scripts/write-client.ts from the routes of the service. Do not edit.

/** What went wrong, as RFC 9457 has it. */
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
  /** Seconds after which it is worth trying again; null when it is not said. */
  readonly retryAfter: number | null

  constructor(problem: Problem, retryAfter: number | null) {
    super(problem.detail)
    this.name = 'ProblemError'
    this.problem = problem
    this.retryAfter = retryAfter
  }
}

/** One server-sent event: its name, and its data as JSON. */
export interface ServerEvent {
  readonly event: string
  readonly data: unknown
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** The same key makes a repeated upload the same one. */
  readonly idempotencyKey?: string
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly form?: object
  readonly query?: object
  readonly options: CallOptions
}

function formOf(fields: object): FormData {
  const form = new FormData()
  // Fields before the file, as a service reads them.
  const entries = Object.entries(fields).sort(([, a], [, b]) => Number(a instanceof Blob) - Number(b instanceof Blob))
  for (const [name, value] of entries) if (value !== undefined) form.append(name, value)
  return form
}

async function* readEvents(response: Response): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true })
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const valueOf = (name: string): string | undefined =>
        lines.find((line) => line.startsWith(name + ': '))?.slice(name.length + 2)
      const data = valueOf('data')
      if (data !== undefined) yield { event: valueOf('event') ?? 'message', data: JSON.parse(data) }
    }
  }
}

/**
 * @example
 * const yore = new YoreClient('https://yore.example', process.env.YORE_SERVER_KEY)
 * const { output } = await yore.assemble('handbook', { question: 'How do I deploy?' })
 */
export class YoreClient {
  readonly #url: string
  readonly #key: string

  constructor(url: string, key: string) {
    this.#url = url.endsWith('/') ? url.slice(0, -1) : url
    this.#key = key
  }

  async #read<T>(sent: Sent): Promise<T> {
    return (await (await this.#send(sent)).json()) as T
  }

  async #send({ method, path, body, form, query = {}, options }: Sent): Promise<Response> {
    const given = Object.entries(query).filter(([, value]) => value !== undefined)
    const asked = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()
    const response = await fetch(this.#url + path + (asked === '' ? '' : '?' + asked), {
      method,
      redirect: 'error',
      headers: {
        authorization: 'Bearer ' + this.#key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(form === undefined ? {} : { body: formOf(form) }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    })
    if (response.ok) return response
    const problem = (await response.json().catch(() => null)) as Problem | null
    const unknown = { type: 'about:blank', title: response.statusText, status: response.status, code: 'UNKNOWN' }
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    throw new ProblemError(problem ?? { ...unknown, detail: 'the answer is no problem of the service' }, Number.isNaN(seconds) ? null : seconds)
  }

  /** Show what the organisation may have and do, and what it uses of that: bytes of documents, corpora, uploads that are not read yet, questions to the LLM on one day (UTC), requests in a minute, at each node. */
  async readUsage(options: CallOptions = {}): Promise<{ readonly limits: Readonly<Record<string, unknown>>; readonly used: Readonly<Record<string, unknown>> }> {
    return await this.#read({ method: 'GET', path: `/v1/usage`, options })
  }

  /** Create a corpus. */
  async createCorpus(body: { readonly name: string }, options: CallOptions = {}): Promise<{ readonly name: string; readonly number: number; readonly version: number; readonly bytes: number; readonly created_at: string }> {
    return await this.#read({ method: 'POST', path: `/v1/corpora`, body, options })
  }

  /** List the corpora that the key is for, by name. */
  async listCorpora(query: { readonly limit?: number; readonly cursor?: string } = {}, options: CallOptions = {}): Promise<{ readonly items: readonly ({ readonly name: string; readonly number: number; readonly version: number; readonly bytes: number; readonly created_at: string })[]; readonly next_cursor: string | null }> {
    return await this.#read({ method: 'GET', path: `/v1/corpora`, query, options })
  }

  /** Show a corpus. */
  async readCorpus(corpus: string, options: CallOptions = {}): Promise<{ readonly name: string; readonly number: number; readonly version: number; readonly bytes: number; readonly created_at: string }> {
    return await this.#read({ method: 'GET', path: `/v1/corpora/${encodeURIComponent(corpus)}`, options })
  }

  /** Delete a corpus with its documents and versions. */
  async deleteCorpus(corpus: string, options: CallOptions = {}): Promise<void> {
    await this.#send({ method: 'DELETE', path: `/v1/corpora/${encodeURIComponent(corpus)}`, options })
  }

  /** List the documents of a corpus, by path; what was accepted and is not published yet is among them. */
  async listDocuments(corpus: string, query: { readonly limit?: number; readonly cursor?: string } = {}, options: CallOptions = {}): Promise<{ readonly items: readonly ({ readonly document_id: string; readonly path: string; readonly size: number; readonly sha256: string; readonly modified_at: string })[]; readonly next_cursor: string | null }> {
    return await this.#read({ method: 'GET', path: `/v1/corpora/${encodeURIComponent(corpus)}/documents`, query, options })
  }

  /** Delete a document by its path; like an upload, it is done when its ingestion is completed. */
  async deleteDocument(corpus: string, query: { readonly path?: string } = {}, options: CallOptions = {}): Promise<{ readonly id: string; readonly state: string }> {
    return await this.#read({ method: 'DELETE', path: `/v1/corpora/${encodeURIComponent(corpus)}/documents`, query, options })
  }

  /** The bytes of a document, as they were uploaded; their SHA-256 is in the list of documents. */
  async readDocument(corpus: string, query: { readonly path?: string } = {}, options: CallOptions = {}): Promise<Blob> {
    return await (await this.#send({ method: 'GET', path: `/v1/corpora/${encodeURIComponent(corpus)}/documents/content`, query, options })).blob()
  }

  /** Delete many documents by their paths, all of them together; those that are not there do not matter. */
  async deleteDocuments(corpus: string, body: { readonly paths: readonly (string)[] }, options: CallOptions = {}): Promise<{ readonly id: string; readonly state: string }> {
    return await this.#read({ method: 'POST', path: `/v1/corpora/${encodeURIComponent(corpus)}/documents/remove`, body, options })
  }

  /** Upload a document. Without a corpus it gets one of its own, named by the id of the ingestion. Acknowledged when it is durable. */
  async uploadFile(body: { readonly file: Blob; readonly corpus?: string; readonly path?: string; readonly modified_at?: string }, query: { readonly corpus?: string; readonly path?: string; readonly modified_at?: string } = {}, options: CallOptions = {}): Promise<{ readonly id: string; readonly corpus: number; readonly kind: string; readonly path: string; readonly state: 'queued' | 'parsing' | 'indexing' | 'embedding' | 'completed' | 'failed' | 'cancelled'; readonly attempts: number; readonly version: number | null; readonly error: Readonly<Record<string, unknown>> | null; readonly created_at: string; readonly updated_at: string }> {
    return await this.#read({ method: 'POST', path: `/v1/ingest/file`, form: body, query, options })
  }

  /** Upload a tar.gz or ZIP. Its documents become part of the corpus together, or none of them; links and ways out are refused. */
  async uploadArchive(body: { readonly file: Blob; readonly corpus?: string; readonly path?: string; readonly modified_at?: string }, query: { readonly corpus?: string; readonly strip?: number; readonly modified_at?: string } = {}, options: CallOptions = {}): Promise<{ readonly id: string; readonly corpus: number; readonly kind: string; readonly path: string; readonly state: 'queued' | 'parsing' | 'indexing' | 'embedding' | 'completed' | 'failed' | 'cancelled'; readonly attempts: number; readonly version: number | null; readonly error: Readonly<Record<string, unknown>> | null; readonly created_at: string; readonly updated_at: string }> {
    return await this.#read({ method: 'POST', path: `/v1/ingest/archive`, form: body, query, options })
  }

  /** Fetch the newest commit of a public repository (a branch, a tag or a commit as ref). Again, it also takes out what the repository does not hold any more. Only where the operator allows it. */
  async fetchRepository(body: { readonly url: string; readonly ref?: string; readonly corpus?: string }, options: CallOptions = {}): Promise<{ readonly id: string; readonly corpus: number; readonly kind: string; readonly path: string; readonly state: 'queued' | 'parsing' | 'indexing' | 'embedding' | 'completed' | 'failed' | 'cancelled'; readonly attempts: number; readonly version: number | null; readonly error: Readonly<Record<string, unknown>> | null; readonly created_at: string; readonly updated_at: string }> {
    return await this.#read({ method: 'POST', path: `/v1/ingest/git`, body, options })
  }

  /** Show how far an ingestion is. */
  async readIngestion(id: string, options: CallOptions = {}): Promise<{ readonly id: string; readonly corpus: number; readonly kind: string; readonly path: string; readonly state: 'queued' | 'parsing' | 'indexing' | 'embedding' | 'completed' | 'failed' | 'cancelled'; readonly attempts: number; readonly version: number | null; readonly error: Readonly<Record<string, unknown>> | null; readonly created_at: string; readonly updated_at: string }> {
    return await this.#read({ method: 'GET', path: `/v1/ingestions/${encodeURIComponent(id)}`, options })
  }

  /** Follow an ingestion as server-sent events. */
  async *followIngestion(id: string, options: CallOptions = {}): AsyncGenerator<ServerEvent> {
    yield* readEvents(await this.#send({ method: 'GET', path: `/v1/ingestions/${encodeURIComponent(id)}/events`, options }))
  }

  /** Cancel an ingestion that is not part of its corpus yet. */
  async cancelIngestion(id: string, options: CallOptions = {}): Promise<{ readonly id: string; readonly corpus: number; readonly kind: string; readonly path: string; readonly state: 'queued' | 'parsing' | 'indexing' | 'embedding' | 'completed' | 'failed' | 'cancelled'; readonly attempts: number; readonly version: number | null; readonly error: Readonly<Record<string, unknown>> | null; readonly created_at: string; readonly updated_at: string }> {
    return await this.#read({ method: 'POST', path: `/v1/ingestions/${encodeURIComponent(id)}/cancel`, options })
  }

  /** Try an ingestion again that failed or was cancelled. */
  async retryIngestion(id: string, options: CallOptions = {}): Promise<{ readonly id: string; readonly corpus: number; readonly kind: string; readonly path: string; readonly state: 'queued' | 'parsing' | 'indexing' | 'embedding' | 'completed' | 'failed' | 'cancelled'; readonly attempts: number; readonly version: number | null; readonly error: Readonly<Record<string, unknown>> | null; readonly created_at: string; readonly updated_at: string }> {
    return await this.#read({ method: 'POST', path: `/v1/ingestions/${encodeURIComponent(id)}/retry`, options })
  }

  /** Find the sections that match some words, best first. */
  async search(corpus: string, body: { readonly words: string; readonly match?: 'words' | 'exact' | 'regex'; readonly limit?: number; readonly path?: string; readonly kind?: 'docs' | 'code' | 'tests' | 'config'; readonly lang?: string; readonly since?: string; readonly mode?: 'lexical' | 'hybrid' | 'vector' }, options: CallOptions = {}): Promise<{ readonly version: number; readonly hits: readonly ({ readonly document_id: string; readonly artifact: string; readonly path: string; readonly score: number })[] }> {
    return await this.#read({ method: 'POST', path: `/v1/corpora/${encodeURIComponent(corpus)}/search`, body, options })
  }

  /** Write one digest that answers a question within a token budget, with the source of every line. */
  async assemble(corpus: string, body: { readonly question: string; readonly maxTokens?: number; readonly format?: 'markdown' | 'json'; readonly layout?: 'auto' | 'full' | 'brief'; readonly depth?: number; readonly sections?: number; readonly fill?: boolean; readonly path?: string; readonly kind?: 'docs' | 'code' | 'tests' | 'config'; readonly lang?: string; readonly since?: string; readonly explain?: boolean; readonly tokenizer?: 'o200k' | 'estimate'; readonly mode?: 'lexical' | 'hybrid' | 'vector' }, options: CallOptions = {}): Promise<{ readonly version: number; readonly output: string; readonly tokensUsed: number }> {
    return await this.#read({ method: 'POST', path: `/v1/corpora/${encodeURIComponent(corpus)}/assemble`, body, options })
  }

  /** Bring along what a section relies on, as far as the rulebook allows, or say why not and what else. */
  async expand(corpus: string, body: { readonly from: string; readonly via?: string; readonly target?: string; readonly maxTokens?: number }, options: CallOptions = {}): Promise<{ readonly version: number }> {
    return await this.#read({ method: 'POST', path: `/v1/corpora/${encodeURIComponent(corpus)}/expand`, body, options })
  }

  /** Read the exact lines of a section, a document or a place, as many as fit, and say where to read on. */
  async read(corpus: string, body: { readonly place: string; readonly maxTokens?: number }, options: CallOptions = {}): Promise<{ readonly version: number; readonly output: string }> {
    return await this.#read({ method: 'POST', path: `/v1/corpora/${encodeURIComponent(corpus)}/read`, body, options })
  }

  /** Find the sections that match some words, best first, from several corpora; the name of its corpus stands before the path of each source. */
  async searchAcross(body: { readonly corpora?: readonly (string)[]; readonly words: string; readonly match?: 'words' | 'exact' | 'regex'; readonly limit?: number; readonly path?: string; readonly kind?: 'docs' | 'code' | 'tests' | 'config'; readonly lang?: string; readonly since?: string; readonly mode?: 'lexical' | 'hybrid' | 'vector' }, options: CallOptions = {}): Promise<{ readonly versions: Readonly<Record<string, number>>; readonly hits: readonly ({ readonly document_id: string; readonly artifact: string; readonly path: string; readonly score: number })[] }> {
    return await this.#read({ method: 'POST', path: `/v1/search`, body, options })
  }

  /** Write one digest that answers a question within a token budget, with the source of every line, from several corpora; the name of its corpus stands before the path of each source. */
  async assembleAcross(body: { readonly corpora?: readonly (string)[]; readonly question: string; readonly maxTokens?: number; readonly format?: 'markdown' | 'json'; readonly layout?: 'auto' | 'full' | 'brief'; readonly depth?: number; readonly sections?: number; readonly fill?: boolean; readonly path?: string; readonly kind?: 'docs' | 'code' | 'tests' | 'config'; readonly lang?: string; readonly since?: string; readonly explain?: boolean; readonly tokenizer?: 'o200k' | 'estimate'; readonly mode?: 'lexical' | 'hybrid' | 'vector' }, options: CallOptions = {}): Promise<{ readonly versions: Readonly<Record<string, number>>; readonly output: string; readonly tokensUsed: number }> {
    return await this.#read({ method: 'POST', path: `/v1/assemble`, body, options })
  }

  /** Show the node of a document or section. */
  async readNode(document_id: string, options: CallOptions = {}): Promise<{ readonly document_id: string; readonly canonical_id: string; readonly kind: string; readonly path: string; readonly name: string }> {
    return await this.#read({ method: 'GET', path: `/v1/graph/docs/${encodeURIComponent(document_id)}`, options })
  }

  /** List the relationships of a document or section: the outgoing ones, unless direction says otherwise. */
  async listRelationships(document_id: string, query: { readonly direction?: 'outgoing' | 'incoming' | 'both'; readonly relation_type?: string; readonly limit?: number; readonly cursor?: string } = {}, options: CallOptions = {}): Promise<{ readonly relationships: readonly ({ readonly target_document_id: string; readonly relation_type: string; readonly direction: string })[]; readonly next_cursor: string | null }> {
    return await this.#read({ method: 'GET', path: `/v1/graph/docs/${encodeURIComponent(document_id)}/relationships`, query, options })
  }

  /** List the relationships of many documents or sections of one corpus in one call. */
  async listManyRelationships(corpus: string, body: { readonly document_ids: readonly (string)[]; readonly direction?: 'outgoing' | 'incoming' | 'both'; readonly relation_type?: string }, options: CallOptions = {}): Promise<{ readonly documents: readonly ({ readonly document_id: string; readonly relationships: readonly ({ readonly target_document_id: string; readonly relation_type: string; readonly direction: string })[] })[] }> {
    return await this.#read({ method: 'POST', path: `/v1/corpora/${encodeURIComponent(corpus)}/graph/relationships`, body, options })
  }

  /** Find a node by its canonical id, path, path#anchor, decision id or name in code. */
  async findNode(corpus: string, query: { readonly name?: string } = {}, options: CallOptions = {}): Promise<{ readonly document_id: string; readonly canonical_id: string; readonly kind: string; readonly path: string; readonly name: string }> {
    return await this.#read({ method: 'GET', path: `/v1/corpora/${encodeURIComponent(corpus)}/graph/node`, query, options })
  }

  /** Answer a question with an LLM from what the documents say, with a source for each statement. Events: step (what was searched, asked for and denied), paragraph (the answer as it is written), retract (what was heard does not count), then answered or gave_up with everything that is known, or error with a problem. */
  async *ask(corpus: string, body: { readonly question: string; readonly maxTokens?: number; readonly mode?: 'lexical' | 'hybrid' | 'vector' }, options: CallOptions = {}): AsyncGenerator<ServerEvent> {
    yield* readEvents(await this.#send({ method: 'POST', path: `/v1/corpora/${encodeURIComponent(corpus)}/ask`, body, options }))
  }

  /** Ask as part of a conversation: what earlier answers cited may be spoken of. Without a session it begins one, which the last event names and the key alone may go on with. Events: step (what was searched, asked for and denied), paragraph (the answer as it is written), retract (what was heard does not count), then answered or gave_up with everything that is known, or error with a problem. */
  async *chat(corpus: string, body: { readonly session?: string; readonly question: string; readonly maxTokens?: number; readonly mode?: 'lexical' | 'hybrid' | 'vector' }, options: CallOptions = {}): AsyncGenerator<ServerEvent> {
    yield* readEvents(await this.#send({ method: 'POST', path: `/v1/corpora/${encodeURIComponent(corpus)}/chat`, body, options }))
  }

  /** List the conversations of the key. */
  async listSessions(query: { readonly limit?: number; readonly cursor?: string } = {}, options: CallOptions = {}): Promise<{ readonly items: readonly ({ readonly id: string; readonly corpus: number; readonly exchanges: number; readonly created_at: string; readonly used_at: string })[]; readonly next_cursor: string | null }> {
    return await this.#read({ method: 'GET', path: `/v1/sessions`, query, options })
  }

  /** Show a conversation: its questions, answers and sources. */
  async readSession(session: string, options: CallOptions = {}): Promise<{ readonly id: string; readonly exchanges: readonly (Readonly<Record<string, unknown>>)[] }> {
    return await this.#read({ method: 'GET', path: `/v1/sessions/${encodeURIComponent(session)}`, options })
  }

  /** Delete a conversation. */
  async deleteSession(session: string, options: CallOptions = {}): Promise<void> {
    await this.#send({ method: 'DELETE', path: `/v1/sessions/${encodeURIComponent(session)}`, options })
  }
}
