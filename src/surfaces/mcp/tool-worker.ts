// What runs on a thread of the agents' HTTP server? One tool call at a time, over an engine of the thread's own.
import { workerData } from 'node:worker_threads'
import { loadTokenizer } from '../../assets/load-tokenizer.ts'
import { readNow } from '../../config/read-time.ts'
import { openEngine } from '../../engine/open-engine.ts'
import { answerQuestions } from '../../service/answer-questions.ts'
import type { ThreadCorpus, ToolAnswer, ToolQuestion } from './ask-in-threads.ts'
import { callTool, type Serving } from './call-tool.ts'
import { Contexts } from './contexts.ts'

const { root, indexDir, settings } = workerData as ThreadCorpus

const serving: Serving = {
  engine: openEngine({
    root,
    indexDir,
    settings,
    get now(): number {
      return readNow({ given: undefined, env: process.env, clock: Date.now() })
    },
  }),
  settings,
  countTokens: (text) => loadTokenizer('o200k')(text),
}

/** The thread is ended when a call is cancelled: nothing here has to listen. */
const { signal } = new AbortController()

answerQuestions<ToolQuestion, ToolAnswer>(async ({ name, given, newId, held }) => {
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
})
