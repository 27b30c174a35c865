// What does a thread do in the tests of the pool? What it is told: answer, work without end, fail, crash, or write and hang.
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { threadId, workerData } from 'node:worker_threads'
import { takeWriterLock } from '../../src/corpus/store/ownership/writer-lock.ts'
import { YoreError } from '../../src/model/errors.ts'
import { answerQuestions } from '../../src/offer/service/answer-questions.ts'

export type Told =
  | { readonly say: string; readonly after?: number; readonly tell?: readonly string[] }
  | { readonly work: 'endless' }
  | { readonly fail: 'typed' | 'fault' | 'crash' | 'exit' }
  | { readonly writeIn: string }

export interface Said {
  readonly said: string
  readonly thread: number
}

/** Counts on for as long as a thread works. */
const count = new Int32Array(workerData as SharedArrayBuffer)

function workOn(): never {
  for (;;) Atomics.add(count, 0, 1)
}

answerQuestions<Told, Said>(async (told, tell) => {
  if ('say' in told) {
    for (const note of told.tell ?? []) tell(note)
    await setTimeout(told.after ?? 0)
    return { said: told.say, thread: threadId }
  }
  if ('work' in told) workOn()
  if ('writeIn' in told) {
    takeWriterLock(told.writeIn)
    const db = new DatabaseSync(`${told.writeIn}/index.db`)
    db.exec('PRAGMA journal_mode=WAL; CREATE TABLE t (x); BEGIN IMMEDIATE; INSERT INTO t VALUES (1)')
    workOn()
  }
  if (told.fail === 'typed') throw new YoreError('BUDGET_TOO_SMALL', 'too small', { leastTokens: 120 })
  if (told.fail === 'exit') process.exit(3)
  if (told.fail === 'crash')
    setImmediate(() => {
      throw new Error('nobody catches this')
    })
  else throw new TypeError('a fault')
  return setTimeout(10_000, { said: 'never', thread: threadId })
})
