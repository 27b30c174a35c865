// How does a service offer the agents' tools over its corpora? It authenticates requests and finds the corpus; tools are answered here.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Settings } from '../../model/config/settings.ts'
import { loadTokenizer } from '../../read/assets/load-tokenizer.ts'
import type { CorpusEngine, QuestionEngine } from '../engine/engine.ts'
import type { ToolResult } from '../mcp/fit-result.ts'
import type { AskTool } from '../mcp/make-server.ts'
import type { makeToolDispatcher } from '../mcp/tool-dispatcher.ts'
import type { Input } from '../operations/check-input.ts'

/** A call as it travels to a thread. */
interface ToolQuestion {
  readonly name: string
  readonly given: Input
}

export type AskThread = (
  question: ToolQuestion,
  options: { readonly signal?: AbortSignal },
) => Promise<ToolResult>

export interface OfferedTools {
  readonly body: Buffer
  readonly ask: AskThread
  /** The name of the corpus; null for several together. */
  readonly corpus: string | null
}

export type ToolService = ReturnType<typeof serveTools>

/** MCP for a service with many corpora. Its code is loaded with the first request. */
export function serveTools(onError: (error: Error) => void) {
  let dispatcher: Promise<ReturnType<typeof makeToolDispatcher>> | null = null

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    given: OfferedTools,
  ): Promise<void> {
    dispatcher ??= import('../mcp/tool-dispatcher.ts').then((room) => room.makeToolDispatcher(onError))
    const ask: AskTool = async (name, asked, signal) => {
      const result = await given.ask({ name, given: asked }, { signal })
      signal.throwIfAborted()
      return result
    }
    const corpus = given.corpus === null ? null : `the corpus ${given.corpus}`
    await (await dispatcher).answer(request, response, { body: given.body, ask, corpus })
  }

  async function close(): Promise<void> {
    await (await dispatcher)?.close()
  }

  return { answer, close }
}

/** Never aborted: cancelling a call ends the thread. */
const { signal } = new AbortController()

/** On a thread: answers one call from an engine that it has open. */
export async function answerToolCall(
  engine: QuestionEngine | CorpusEngine,
  settings: Settings,
  { name, given }: ToolQuestion,
): Promise<ToolResult> {
  const { callTool } = await import('../mcp/call-tool.ts')
  const countTokens = (text: string): number => loadTokenizer()(text)
  return callTool(name, given, { engine, settings, countTokens, contexts: null, signal })
}
