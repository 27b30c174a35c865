// How does a program in TypeScript ask the service? One method for each route.
// Written by scripts/write-client.ts from the routes of the service. Do not edit.
import { type CallOptions, ServiceCalls, type ServerEvent } from './src/service-calls.ts'

export { type CallOptions, type Problem, ProblemError, type ServerEvent } from './src/service-calls.ts'

/**
 * @example
 * const yore = new YoreClient('https://yore.example', process.env.YORE_SERVER_KEY)
 * const { output } = await yore.assemble('handbook', { question: 'How do I deploy?' })
 */
export class YoreClient extends ServiceCalls {
  /** Show what the organisation may have and do, and what it uses of that: bytes of documents, corpora, uploads that are not read yet, questions to the LLM on one day (UTC), requests in a minute, at each node. */
  async readUsage(options: CallOptions = {}): Promise<{ readonly limits: Readonly<Record<string, unknown>>; readonly used: Readonly<Record<string, unknown>> }> {
    return await this.requestJson({ method: 'GET', path: `/v1/usage`, options })
  }

  /** Create a corpus. */
  async createCorpus(body: { readonly name: string }, options: CallOptions = {}): Promise<{ readonly name: string; readonly number: number; readonly version: number; readonly bytes: number; readonly created_at: string }> {
    return await this.requestJson({ method: 'POST', path: `/v1/corpora`, body, options })
  }

  /** List the corpora that the key is for, by name. */
  async listCorpora(query: { readonly limit?: number; readonly cursor?: string } = {}, options: CallOptions = {}): Promise<{ readonly items: readonly ({ readonly name: string; readonly number: number; readonly version: number; readonly bytes: number; readonly created_at: string })[]; readonly next_cursor: string | null }> {
    return await this.requestJson({ method: 'GET', path: `/v1/corpora`, query, options })
  }

  /** Show a corpus. */
  async readCorpus(corpus: string, options: CallOptions = {}): Promise<{ readonly name: string; readonly number: number; readonly version: number; readonly bytes: number; readonly created_at: string }> {
    return await this.requestJson({ method: 'GET', path: `/v1/corpora/${encodeURIComponent(corpus)}`, options })
  }

  /** Delete a corpus with its documents and versions. */
  async deleteCorpus(corpus: string, options: CallOptions = {}): Promise<void> {
    await this.request({ method: 'DELETE', path: `/v1/corpora/${encodeURIComponent(corpus)}`, options })
  }

  /** List the documents of a corpus, by path; what was accepted and is not published yet is among them. */
  async listDocuments(corpus: string, query: { readonly limit?: number; readonly cursor?: string } = {}, options: CallOptions = {}): Promise<{ readonly items: readonly ({ readonly document_id: string; readonly path: string; readonly size: number; readonly sha256: string; readonly modified_at: string })[]; readonly next_cursor: string | null }> {
    return await this.requestJson({ method: 'GET', path: `/v1/corpora/${encodeURIComponent(corpus)}/documents`, query, options })
  }

  /** Delete a document by its path; like an upload, it is done when its ingestion is completed. */
  async deleteDocument(corpus: string, query: { readonly path?: string } = {}, options: CallOptions = {}): Promise<{ readonly id: string; readonly state: string }> {
    return await this.requestJson({ method: 'DELETE', path: `/v1/corpora/${encodeURIComponent(corpus)}/documents`, query, options })
  }

  /** The bytes of a document, as they were uploaded; their SHA-256 is in the list of documents. */
  async readDocument(corpus: string, query: { readonly path?: string } = {}, options: CallOptions = {}): Promise<Blob> {
    return await (await this.request({ method: 'GET', path: `/v1/corpora/${encodeURIComponent(corpus)}/documents/content`, query, options })).blob()
  }

  /** Delete many documents by their paths, all of them together; those that are not there do not matter. */
  async deleteDocuments(corpus: string, body: { readonly paths: readonly (string)[] }, options: CallOptions = {}): Promise<{ readonly id: string; readonly state: string }> {
    return await this.requestJson({ method: 'POST', path: `/v1/corpora/${encodeURIComponent(corpus)}/documents/remove`, body, options })
  }

  /** Upload a document. Without a corpus it gets one of its own, named by the id of the ingestion. Acknowledged when it is durable. */
  async uploadFile(body: { readonly file: Blob; readonly corpus?: string; readonly path?: string; readonly modified_at?: string }, query: { readonly corpus?: string; readonly path?: string; readonly modified_at?: string } = {}, options: CallOptions = {}): Promise<{ readonly id: string; readonly corpus: number; readonly kind: string; readonly path: string; readonly state: 'queued' | 'parsing' | 'indexing' | 'embedding' | 'completed' | 'failed' | 'cancelled'; readonly attempts: number; readonly version: number | null; readonly error: Readonly<Record<string, unknown>> | null; readonly created_at: string; readonly updated_at: string }> {
    return await this.requestJson({ method: 'POST', path: `/v1/ingest/file`, form: body, query, options })
  }

  /** Upload a tar.gz or ZIP. Its documents become part of the corpus together, or none of them; links and ways out are refused. */
  async uploadArchive(body: { readonly file: Blob; readonly corpus?: string; readonly path?: string; readonly modified_at?: string }, query: { readonly corpus?: string; readonly strip?: number; readonly modified_at?: string } = {}, options: CallOptions = {}): Promise<{ readonly id: string; readonly corpus: number; readonly kind: string; readonly path: string; readonly state: 'queued' | 'parsing' | 'indexing' | 'embedding' | 'completed' | 'failed' | 'cancelled'; readonly attempts: number; readonly version: number | null; readonly error: Readonly<Record<string, unknown>> | null; readonly created_at: string; readonly updated_at: string }> {
    return await this.requestJson({ method: 'POST', path: `/v1/ingest/archive`, form: body, query, options })
  }

  /** Fetch the newest commit of a public repository (a branch, a tag or a commit as ref). Again, it also takes out what the repository does not hold any more. Only where the operator allows it. */
  async fetchRepository(body: { readonly url: string; readonly ref?: string; readonly corpus?: string }, options: CallOptions = {}): Promise<{ readonly id: string; readonly corpus: number; readonly kind: string; readonly path: string; readonly state: 'queued' | 'parsing' | 'indexing' | 'embedding' | 'completed' | 'failed' | 'cancelled'; readonly attempts: number; readonly version: number | null; readonly error: Readonly<Record<string, unknown>> | null; readonly created_at: string; readonly updated_at: string }> {
    return await this.requestJson({ method: 'POST', path: `/v1/ingest/git`, body, options })
  }

  /** Show how far an ingestion is. */
  async readIngestion(id: string, options: CallOptions = {}): Promise<{ readonly id: string; readonly corpus: number; readonly kind: string; readonly path: string; readonly state: 'queued' | 'parsing' | 'indexing' | 'embedding' | 'completed' | 'failed' | 'cancelled'; readonly attempts: number; readonly version: number | null; readonly error: Readonly<Record<string, unknown>> | null; readonly created_at: string; readonly updated_at: string }> {
    return await this.requestJson({ method: 'GET', path: `/v1/ingestions/${encodeURIComponent(id)}`, options })
  }

  /** Follow an ingestion as server-sent events. */
  async *followIngestion(id: string, options: CallOptions = {}): AsyncGenerator<ServerEvent> {
    yield* this.requestEvents({ method: 'GET', path: `/v1/ingestions/${encodeURIComponent(id)}/events`, options })
  }

  /** Cancel an ingestion that is not part of its corpus yet. */
  async cancelIngestion(id: string, options: CallOptions = {}): Promise<{ readonly id: string; readonly corpus: number; readonly kind: string; readonly path: string; readonly state: 'queued' | 'parsing' | 'indexing' | 'embedding' | 'completed' | 'failed' | 'cancelled'; readonly attempts: number; readonly version: number | null; readonly error: Readonly<Record<string, unknown>> | null; readonly created_at: string; readonly updated_at: string }> {
    return await this.requestJson({ method: 'POST', path: `/v1/ingestions/${encodeURIComponent(id)}/cancel`, options })
  }

  /** Try an ingestion again that failed or was cancelled. */
  async retryIngestion(id: string, options: CallOptions = {}): Promise<{ readonly id: string; readonly corpus: number; readonly kind: string; readonly path: string; readonly state: 'queued' | 'parsing' | 'indexing' | 'embedding' | 'completed' | 'failed' | 'cancelled'; readonly attempts: number; readonly version: number | null; readonly error: Readonly<Record<string, unknown>> | null; readonly created_at: string; readonly updated_at: string }> {
    return await this.requestJson({ method: 'POST', path: `/v1/ingestions/${encodeURIComponent(id)}/retry`, options })
  }

  /** Find the sections that match some words, best first. */
  async search(corpus: string, body: { readonly words: string; readonly match?: 'words' | 'exact' | 'regex'; readonly limit?: number; readonly path?: string; readonly kind?: 'docs' | 'code' | 'tests' | 'config'; readonly lang?: string; readonly since?: string; readonly mode?: 'lexical' | 'hybrid' | 'vector' }, options: CallOptions = {}): Promise<{ readonly version: number; readonly hits: readonly ({ readonly document_id: string; readonly artifact: string; readonly path: string; readonly score: number })[] }> {
    return await this.requestJson({ method: 'POST', path: `/v1/corpora/${encodeURIComponent(corpus)}/search`, body, options })
  }

  /** Write one digest that answers a question within a token budget, with the source of every line. */
  async assemble(corpus: string, body: { readonly question: string; readonly maxTokens?: number; readonly format?: 'markdown' | 'json'; readonly layout?: 'auto' | 'full' | 'brief'; readonly depth?: number; readonly sections?: number; readonly fill?: boolean; readonly path?: string; readonly kind?: 'docs' | 'code' | 'tests' | 'config'; readonly lang?: string; readonly since?: string; readonly explain?: boolean; readonly tokenizer?: 'o200k' | 'estimate'; readonly mode?: 'lexical' | 'hybrid' | 'vector' }, options: CallOptions = {}): Promise<{ readonly version: number; readonly output: string; readonly tokensUsed: number }> {
    return await this.requestJson({ method: 'POST', path: `/v1/corpora/${encodeURIComponent(corpus)}/assemble`, body, options })
  }

  /** Bring along what a section relies on, as far as the rulebook allows, or say why not and what else. */
  async expand(corpus: string, body: { readonly from: string; readonly via?: string; readonly target?: string; readonly maxTokens?: number }, options: CallOptions = {}): Promise<{ readonly version: number }> {
    return await this.requestJson({ method: 'POST', path: `/v1/corpora/${encodeURIComponent(corpus)}/expand`, body, options })
  }

  /** Read the exact lines of a section, a document or a place, as many as fit, and say where to read on. */
  async read(corpus: string, body: { readonly place: string; readonly maxTokens?: number }, options: CallOptions = {}): Promise<{ readonly version: number; readonly output: string }> {
    return await this.requestJson({ method: 'POST', path: `/v1/corpora/${encodeURIComponent(corpus)}/read`, body, options })
  }

  /** Find the sections that match some words, best first, from several corpora; the name of its corpus stands before the path of each source. */
  async searchAcross(body: { readonly corpora?: readonly (string)[]; readonly words: string; readonly match?: 'words' | 'exact' | 'regex'; readonly limit?: number; readonly path?: string; readonly kind?: 'docs' | 'code' | 'tests' | 'config'; readonly lang?: string; readonly since?: string; readonly mode?: 'lexical' | 'hybrid' | 'vector' }, options: CallOptions = {}): Promise<{ readonly versions: Readonly<Record<string, number>>; readonly hits: readonly ({ readonly document_id: string; readonly artifact: string; readonly path: string; readonly score: number })[] }> {
    return await this.requestJson({ method: 'POST', path: `/v1/search`, body, options })
  }

  /** Write one digest that answers a question within a token budget, with the source of every line, from several corpora; the name of its corpus stands before the path of each source. */
  async assembleAcross(body: { readonly corpora?: readonly (string)[]; readonly question: string; readonly maxTokens?: number; readonly format?: 'markdown' | 'json'; readonly layout?: 'auto' | 'full' | 'brief'; readonly depth?: number; readonly sections?: number; readonly fill?: boolean; readonly path?: string; readonly kind?: 'docs' | 'code' | 'tests' | 'config'; readonly lang?: string; readonly since?: string; readonly explain?: boolean; readonly tokenizer?: 'o200k' | 'estimate'; readonly mode?: 'lexical' | 'hybrid' | 'vector' }, options: CallOptions = {}): Promise<{ readonly versions: Readonly<Record<string, number>>; readonly output: string; readonly tokensUsed: number }> {
    return await this.requestJson({ method: 'POST', path: `/v1/assemble`, body, options })
  }

  /** Show the node of a document or section. */
  async readNode(document_id: string, options: CallOptions = {}): Promise<{ readonly document_id: string; readonly canonical_id: string; readonly kind: string; readonly path: string; readonly name: string }> {
    return await this.requestJson({ method: 'GET', path: `/v1/graph/docs/${encodeURIComponent(document_id)}`, options })
  }

  /** List the relationships of a document or section: the outgoing ones, unless direction says otherwise. All of them in one reply, up to 1,000. */
  async listRelationships(document_id: string, query: { readonly direction?: 'outgoing' | 'incoming' | 'both'; readonly relation_type?: string; readonly limit?: number; readonly cursor?: string } = {}, options: CallOptions = {}): Promise<{ readonly relationships: readonly ({ readonly target_document_id: string; readonly relation_type: string; readonly direction: string })[]; readonly next_cursor: string | null }> {
    return await this.requestJson({ method: 'GET', path: `/v1/graph/docs/${encodeURIComponent(document_id)}/relationships`, query, options })
  }

  /** List the relationships of many documents or sections of one corpus in one call. */
  async listManyRelationships(corpus: string, body: { readonly document_ids: readonly (string)[]; readonly direction?: 'outgoing' | 'incoming' | 'both'; readonly relation_type?: string }, options: CallOptions = {}): Promise<{ readonly documents: readonly ({ readonly document_id: string; readonly relationships: readonly ({ readonly target_document_id: string; readonly relation_type: string; readonly direction: string })[] })[] }> {
    return await this.requestJson({ method: 'POST', path: `/v1/corpora/${encodeURIComponent(corpus)}/graph/relationships`, body, options })
  }

  /** Find a node by its canonical id, path, path#anchor, decision id or name in code. */
  async findNode(corpus: string, query: { readonly name?: string } = {}, options: CallOptions = {}): Promise<{ readonly document_id: string; readonly canonical_id: string; readonly kind: string; readonly path: string; readonly name: string }> {
    return await this.requestJson({ method: 'GET', path: `/v1/corpora/${encodeURIComponent(corpus)}/graph/node`, query, options })
  }

  /** Answer a question with an LLM from what the documents say, with a source for each statement. Events: step (what was searched, asked for and denied), paragraph (the answer as it is written), retract (what was heard does not count), then answered or gave_up with everything that is known, or error with a problem. */
  async *ask(corpus: string, body: { readonly question: string; readonly maxTokens?: number; readonly mode?: 'lexical' | 'hybrid' | 'vector' }, options: CallOptions = {}): AsyncGenerator<ServerEvent> {
    yield* this.requestEvents({ method: 'POST', path: `/v1/corpora/${encodeURIComponent(corpus)}/ask`, body, options })
  }

  /** Ask as part of a conversation: what earlier answers cited may be spoken of. Without a session it begins one, which the last event names and the key alone may go on with. Events: step (what was searched, asked for and denied), paragraph (the answer as it is written), retract (what was heard does not count), then answered or gave_up with everything that is known, or error with a problem. */
  async *chat(corpus: string, body: { readonly session?: string; readonly question: string; readonly maxTokens?: number; readonly mode?: 'lexical' | 'hybrid' | 'vector' }, options: CallOptions = {}): AsyncGenerator<ServerEvent> {
    yield* this.requestEvents({ method: 'POST', path: `/v1/corpora/${encodeURIComponent(corpus)}/chat`, body, options })
  }

  /** Answer a question with an LLM from what the documents say, with a source for each statement. Of several corpora together: the name of its corpus stands before the path of each source. Events: step (what was searched, asked for and denied), paragraph (the answer as it is written), retract (what was heard does not count), then answered or gave_up with everything that is known, or error with a problem. */
  async *askAcross(body: { readonly corpora?: readonly (string)[]; readonly question: string; readonly maxTokens?: number; readonly mode?: 'lexical' | 'hybrid' | 'vector' }, options: CallOptions = {}): AsyncGenerator<ServerEvent> {
    yield* this.requestEvents({ method: 'POST', path: `/v1/ask`, body, options })
  }

  /** Ask as part of a conversation: what earlier answers cited may be spoken of. Without a session it begins one, which the last event names and the key alone may go on with. Of several corpora together: the name of its corpus stands before the path of each source. Events: step (what was searched, asked for and denied), paragraph (the answer as it is written), retract (what was heard does not count), then answered or gave_up with everything that is known, or error with a problem. */
  async *chatAcross(body: { readonly session?: string; readonly corpora?: readonly (string)[]; readonly question: string; readonly maxTokens?: number; readonly mode?: 'lexical' | 'hybrid' | 'vector' }, options: CallOptions = {}): AsyncGenerator<ServerEvent> {
    yield* this.requestEvents({ method: 'POST', path: `/v1/chat`, body, options })
  }

  /** List the conversations of the key. */
  async listSessions(query: { readonly limit?: number; readonly cursor?: string } = {}, options: CallOptions = {}): Promise<{ readonly items: readonly ({ readonly id: string; readonly corpus: number | null; readonly corpora: readonly (number)[]; readonly exchanges: number; readonly created_at: string; readonly used_at: string })[]; readonly next_cursor: string | null }> {
    return await this.requestJson({ method: 'GET', path: `/v1/sessions`, query, options })
  }

  /** Show a conversation: its questions, answers and sources. */
  async readSession(session: string, options: CallOptions = {}): Promise<{ readonly id: string; readonly exchanges: readonly (Readonly<Record<string, unknown>>)[] }> {
    return await this.requestJson({ method: 'GET', path: `/v1/sessions/${encodeURIComponent(session)}`, options })
  }

  /** Delete a conversation. */
  async deleteSession(session: string, options: CallOptions = {}): Promise<void> {
    await this.request({ method: 'DELETE', path: `/v1/sessions/${encodeURIComponent(session)}`, options })
  }
}
