// How do the agents of one HTTP server get their answers? From threads; what a context holds goes along as data.
import { randomBytes } from 'node:crypto'
import { extname } from 'node:path'
import type { Settings } from '../../model/config/settings.ts'
import type { ExpansionLeft, PresentArtifact } from '../../model/expansion.ts'
import type { Input } from '../operations/check-input.ts'
import type { QuestionPool } from '../service/question-pool.ts'
import type { ToolResult } from './fit-result.ts'
import type { AskTool } from './make-server.ts'
import type { ToolName } from './tools.ts'

/** What each thread opens. */
export interface ThreadCorpus {
  readonly root: string
  readonly indexDir: string
  readonly settings: Settings
}

/** A context between two calls, which different threads may answer. */
interface HeldContext {
  readonly id: string
  readonly left: ExpansionLeft
  readonly present: readonly PresentArtifact[]
}

export interface ToolQuestion {
  readonly name: ToolName
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

const mostContexts = 1000

/** The contexts of conversations, those used last at the end. */
export type HeldContexts = Map<string, HeldContext>

/** The module of a thread, beside this one in src/ and in dist/. */
export function toolWorker(): URL {
  return new URL(`./tool-worker${extname(import.meta.url)}`, import.meta.url)
}

/** Conversations that share a server are told apart by the names of their contexts, which cannot be guessed. */
export function newContextId(): string {
  return randomBytes(9).toString('base64url')
}

/** Asks the pool, and keeps the contexts of all conversations; the oldest are forgotten. */
export function askInThreads(
  pool: Pick<QuestionPool<ToolQuestion, ToolAnswer>, 'ask'>,
  contexts: HeldContexts = new Map(),
  most: number = mostContexts,
): AskTool {
  return async (name, given, signal) => {
    for (;;) {
      const held = contexts.get(String(given['context'])) ?? null
      const question = { name, given, held, newId: newContextId() }
      const { result, context } = await pool.ask(question, { signal })
      // Here and nowhere else a budget is spent: a call that was cancelled spends nothing.
      signal.throwIfAborted()
      if (context === null) return result
      // Another call has spent from the same budget meanwhile: this one is judged again.
      if ((contexts.get(context.id) ?? null) !== held) continue
      contexts.delete(context.id)
      contexts.set(context.id, context)
      const [oldest] = contexts.keys()
      if (contexts.size > most && oldest !== undefined) contexts.delete(oldest)
      return result
    }
  }
}
