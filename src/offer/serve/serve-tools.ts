// How does another server offer the agents' tools over its own corpora? It lets requests in and finds the corpus; the rest is here.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Settings } from '../../model/config/settings.ts'
import { loadTokenizer } from '../../read/assets/load-tokenizer.ts'
import type { CorpusEngine, QuestionEngine } from '../engine/engine.ts'
import type { HeldContexts, ToolAnswer, ToolQuestion } from '../mcp/ask-in-threads.ts'
import type { ToolDesk } from '../mcp/tool-desk.ts'

/** A call as it travels to a thread, and what comes back. */
export type AskThread = (
  question: ToolQuestion,
  options: { readonly signal?: AbortSignal },
) => Promise<ToolAnswer>

export interface OfferedTools {
  readonly body: Buffer
  readonly ask: AskThread
  /** Over several corpora together, which know fewer tools. */
  readonly isJoined: boolean
  /** Who asks of which corpus: contexts and cancellations of others do not exist for it. */
  readonly scope: string
}

const mostScopes = 1000
const mostContexts = 100

/** The agents' surface of a server with many corpora. What it loads is loaded with the first request. */
export class ToolService {
  readonly #onError: (error: Error) => void
  /** By scope, those used last at the end. */
  readonly #contexts = new Map<string, HeldContexts>()
  #desk: Promise<ToolDesk> | null = null

  constructor(onError: (error: Error) => void) {
    this.#onError = onError
  }

  async answer(request: IncomingMessage, response: ServerResponse, given: OfferedTools): Promise<void> {
    const { body, scope } = given
    const [{ askInThreads }, { ToolDesk }, { toolsFor }] = await Promise.all([
      import('../mcp/ask-in-threads.ts'),
      import('../mcp/tool-desk.ts'),
      import('../mcp/tools.ts'),
    ])
    this.#desk ??= Promise.resolve(new ToolDesk(this.#onError))
    const ask = askInThreads({ ask: given.ask }, this.#contextsOf(scope), mostContexts)
    const tools = toolsFor(given.isJoined ? 'question' : 'corpus')
    await (await this.#desk).answer(request, response, { body, ask, owner: scope, tools })
  }

  /** Nobody's questions make those of others be forgotten, unless very many ask at once. */
  #contextsOf(scope: string): HeldContexts {
    const held: HeldContexts = this.#contexts.get(scope) ?? new Map()
    this.#contexts.delete(scope)
    this.#contexts.set(scope, held)
    const [oldest] = this.#contexts.keys()
    if (this.#contexts.size > mostScopes && oldest !== undefined) this.#contexts.delete(oldest)
    return held
  }

  async close(): Promise<void> {
    await (await this.#desk)?.close()
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
