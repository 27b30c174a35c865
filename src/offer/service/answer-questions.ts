// What runs on a thread of the question pool? One question at a time; errors keep their code on the way back.
import { parentPort } from 'node:worker_threads'
import { YoreError } from '../../model/errors.ts'

/** An error as it crosses threads: those of yore with their code, faults with their stack. */
type Failure = Pick<YoreError, 'code' | 'message' | 'hint' | 'leastTokens'> | { readonly fault: string }

export type Reply<A> = { readonly answer: A } | { readonly failure: Failure }

/**
 * Answers the questions of the pool until the thread ends.
 *
 * @example answerQuestions<string, string>(async (question) => (await engine.assemble(question)).output)
 */
export function answerQuestions<Q, A>(answer: (question: Q) => Promise<A>): void {
  const port = parentPort
  if (port === null) throw new Error('this module runs on a thread of the question pool')
  const send = (reply: Reply<A>): void => port.postMessage(reply)
  port.on('message', (question: Q) => {
    answer(question).then(
      (given) => send({ answer: given }),
      (error: unknown) => send({ failure: describeFailure(error) }),
    )
  })
}

function describeFailure(error: unknown): Failure {
  if (!(error instanceof YoreError)) return { fault: error instanceof Error ? `${error.stack}` : `${error}` }
  const { code, message, hint, leastTokens } = error
  return { code, message, hint, leastTokens }
}

export function readFailure(failure: Failure): Error {
  if ('fault' in failure) return new Error(failure.fault)
  const { code, message, hint, leastTokens } = failure
  return new YoreError(code, message, { hint, ...(leastTokens === null ? {} : { leastTokens }) })
}
