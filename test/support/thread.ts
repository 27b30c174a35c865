// What does a thread do in the tests of the pool? What it is told: answer, work without end, fail or crash.
import { setTimeout } from 'node:timers/promises'
import { threadId, workerData } from 'node:worker_threads'
import { YoreError } from '../../src/model/errors.ts'
import { answerQuestions } from '../../src/offer/service/answer-questions.ts'

export type Told =
  | { readonly say: string; readonly after?: number }
  | { readonly work: 'endless' }
  | { readonly fail: 'typed' | 'fault' | 'crash' | 'exit' }

export interface Said {
  readonly said: string
  readonly thread: number
}

/** Counts on for as long as a thread works. */
const count = new Int32Array(workerData as SharedArrayBuffer)

function workOn(): never {
  for (;;) Atomics.add(count, 0, 1)
}

answerQuestions<Told, Said>(async (told) => {
  if ('say' in told) {
    await setTimeout(told.after ?? 0)
    return { said: told.say, thread: threadId }
  }
  if ('work' in told) workOn()
  if (told.fail === 'typed') throw new YoreError('BUDGET_TOO_SMALL', 'too small', { leastTokens: 120 })
  if (told.fail === 'exit') process.exit(3)
  if (told.fail === 'crash')
    setImmediate(() => {
      throw new Error('nobody catches this')
    })
  else throw new TypeError('a fault')
  return setTimeout(10_000, { said: 'never', thread: threadId })
})
