// What runs on a thread of the agents' HTTP server? One tool call at a time, over an engine of the thread's own.
import { workerData } from 'node:worker_threads'
import { readNow } from '../../model/config/read-time.ts'
import { loadTokenizer } from '../../read/assets/load-tokenizer.ts'
import { openEngine } from '../engine/open-engine.ts'
import { answerQuestions } from '../service/answer-questions.ts'
import { answerTool, type ThreadCorpus, type ToolAnswer, type ToolQuestion } from './ask-in-threads.ts'
import type { Serving } from './tool.ts'

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

answerQuestions<ToolQuestion, ToolAnswer>((question) => answerTool(serving, question))
