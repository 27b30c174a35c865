// What does a thread for questions run? Whatever the pool hands it, over files that it keeps open.
import { workerData } from 'node:worker_threads'
import { answerQuestions } from '../yore.ts'
import { keepFiles, type QuestionAnswer, type QuestionTask, type ThreadOptions } from './answer-question.ts'

const files = keepFiles(workerData as ThreadOptions)
let isAnswering = false
answerQuestions<QuestionTask, QuestionAnswer>(async (task) => {
  isAnswering = true
  try {
    return await files.answer(task)
  } finally {
    isAnswering = false
  }
})
setInterval(() => {
  if (!isAnswering) files.closeRemoved()
}, 5000).unref()
