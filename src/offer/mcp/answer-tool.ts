// How does a thread answer a tool call? Over an engine of its own; the context comes with the call and goes back with the answer.
import type { ToolAnswer, ToolQuestion } from './ask-in-threads.ts'
import { callTool, type Serving } from './call-tool.ts'
import { Contexts } from './contexts.ts'

/** The thread is ended when a call is cancelled: nothing here has to listen. */
const { signal } = new AbortController()

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
  // Whatever is brought in is present afterwards.
  if (session === undefined || session.held.length === held?.present.length) return { result, context: null }
  return { result, context: { id, left: session.left, present: session.held } }
}
