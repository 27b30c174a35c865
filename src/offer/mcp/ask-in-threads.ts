// How do the agents of a service get their answers? From threads, each with an engine of its own; what a context holds travels as data.
import { randomBytes } from 'node:crypto'
import type { ExpansionLeft, PresentArtifact } from '../../model/expansion.ts'
import type { Input } from '../operations/check-input.ts'
import type { QuestionPool } from '../service/question-pool.ts'
import { callTool } from './call-tool.ts'
import { Contexts } from './contexts.ts'
import type { ToolResult } from './fit-result.ts'
import type { AskTool } from './make-server.ts'
import type { Serving } from './tool.ts'

/** A context between two calls, which different threads may answer. */
interface HeldContext {
  readonly id: string
  readonly left: ExpansionLeft
  readonly present: readonly PresentArtifact[]
}

export interface ToolQuestion {
  readonly name: string
  readonly given: Input
  /** The name of a context that this call opens. */
  readonly newId: string
  /** The context that it names. */
  readonly held: HeldContext | null
}

export interface ToolAnswer {
  readonly result: ToolResult
  /** Opened or spent from by this call; null when no context changed. */
  readonly context: HeldContext | null
}

/** The contexts of conversations, the least recently used first. */
export type HeldContexts = Map<string, HeldContext>

/** Context ids separate the conversations of a server, so they must not be guessable. */
export function newContextId(): string {
  return randomBytes(9).toString('base64url')
}

/** Asks the pool and stores the contexts of all conversations; the oldest are dropped. */
export function askInThreads(
  pool: Pick<QuestionPool<ToolQuestion, ToolAnswer>, 'ask'>,
  contexts: HeldContexts,
  most: number,
): AskTool {
  return async (name, given, signal) => {
    for (;;) {
      const held = contexts.get(String(given['context'])) ?? null
      const question = { name, given, held, newId: newContextId() }
      const { result, context } = await pool.ask(question, { signal })
      // The budget is spent only below: a cancelled call spends nothing.
      signal.throwIfAborted()
      if (context === null) return result
      // Another call has spent from the same budget: judge this one again.
      if ((contexts.get(context.id) ?? null) !== held) continue
      contexts.delete(context.id)
      contexts.set(context.id, context)
      const [oldest] = contexts.keys()
      if (contexts.size > most && oldest !== undefined) contexts.delete(oldest)
      return result
    }
  }
}

/** Never aborted: cancelling a call ends the thread. */
const { signal } = new AbortController()

/** On a thread: answers one call. */
export async function answerTool(serving: Serving, question: ToolQuestion): Promise<ToolAnswer> {
  const { name, given, newId, held } = question
  const id = held?.id ?? newId
  const contexts = new Contexts({ newId: () => id, alone: false, most: 1 })
  if (held !== null) {
    const { budgetLeft: budget, maxDepth } = held.left
    contexts.open('', [], await serving.engine.startExpansion(held.present, { budget, maxDepth }))
  }
  const result = await callTool(name, given, { ...serving, contexts, signal })
  const session = contexts.get(id)?.session
  // Every expansion adds to what is present.
  if (session === undefined || session.held.length === held?.present.length) return { result, context: null }
  return { result, context: { id, left: session.left, present: session.held } }
}
