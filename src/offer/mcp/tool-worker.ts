// What runs on a thread of the agents' HTTP server? One tool call at a time, over an engine of the thread's own.
import { workerData } from 'node:worker_threads'
import { answerQuestions } from '../service/answer-questions.ts'
import { answerTool, type ThreadCorpus, type ToolAnswer, type ToolQuestion } from './ask-in-threads.ts'
import { openServing } from './open-serving.ts'

const serving = openServing(workerData as ThreadCorpus)

answerQuestions<ToolQuestion, ToolAnswer>((question) => answerTool(serving, question))
