// How does a service offer the agents' tools over its corpora? It authenticates requests and finds the corpus; tools are answered here.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Settings } from '../../model/config/settings.ts'
import { loadTokenizer } from '../../read/assets/load-tokenizer.ts'
import type { CorpusEngine, QuestionEngine } from '../engine/engine.ts'
import type { HeldContexts, ToolAnswer, ToolQuestion } from '../mcp/ask-in-threads.ts'
import type { ToolDispatcher } from '../mcp/tool-dispatcher.ts'

/** A call as it travels to a thread, and what comes back. */
export type AskThread = (
  question: ToolQuestion,
  options: { readonly signal?: AbortSignal },
) => Promise<ToolAnswer>

export interface OfferedTools {
  readonly body: Buffer
  readonly ask: AskThread
  /** The name of the corpus; null for several together. */
  readonly corpus: string | null
  /** Key and corpus of the caller: it cannot see contexts or cancel calls of another scope. */
  readonly scope: string
}

const mostScopes = 1000
const mostContexts = 100

/** MCP for a service with many corpora. Its code is loaded with the first request. */
export class ToolService {
  readonly #onError: (error: Error) => void
  /** By scope, the least recently used first. */
  readonly #contexts = new Map<string, HeldContexts>()
  #dispatcher: Promise<ToolDispatcher> | null = null

  constructor(onError: (error: Error) => void) {
    this.#onError = onError
  }

  async answer(request: IncomingMessage, response: ServerResponse, given: OfferedTools): Promise<void> {
    const { body, scope } = given
    const [{ askInThreads }, { ToolDispatcher }] = await Promise.all([
      import('../mcp/ask-in-threads.ts'),
      import('../mcp/tool-dispatcher.ts'),
    ])
    this.#dispatcher ??= Promise.resolve(new ToolDispatcher(this.#onError))
    const ask = askInThreads({ ask: given.ask }, this.#contextsOf(scope), mostContexts)
    const corpus = given.corpus === null ? null : `the corpus ${given.corpus}`
    await (await this.#dispatcher).answer(request, response, { body, ask, owner: scope, corpus })
  }

  /** Each scope has contexts of its own, so that one caller cannot evict another's. */
  #contextsOf(scope: string): HeldContexts {
    const held: HeldContexts = this.#contexts.get(scope) ?? new Map()
    this.#contexts.delete(scope)
    this.#contexts.set(scope, held)
    const [oldest] = this.#contexts.keys()
    if (this.#contexts.size > mostScopes && oldest !== undefined) this.#contexts.delete(oldest)
    return held
  }

  async close(): Promise<void> {
    await (await this.#dispatcher)?.close()
  }
}

/** On a thread: answers one call from an engine that it has open. */
export async function answerToolCall(
  engine: QuestionEngine | CorpusEngine,
  settings: Settings,
  question: ToolQuestion,
): Promise<ToolAnswer> {
  const { answerTool } = await import('../mcp/ask-in-threads.ts')
  return answerTool({ engine, settings, countTokens: (text) => loadTokenizer('o200k')(text) }, question)
}
