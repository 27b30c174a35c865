// What does a client read when something went wrong? A problem of RFC 9457, with our code, and nothing of the inside.

import {
  findMachineFault,
  isConnectionFault,
  type ProblemCode,
  type ProblemEntry,
  problemTable,
  ServiceError,
} from '../errors.ts'
import { StoreError } from '../versions/store.ts'
import { type Problem, YoreError } from '../yore.ts'

const problemOf = (code: ProblemCode, detail: string): Problem => {
  const { title, status, hint }: ProblemEntry = problemTable[code]
  const type = `urn:yore:problem:${code.toLowerCase().replaceAll('_', '-')}`
  return { type, title, status, code, detail, ...(hint === undefined ? {} : { hint }) }
}

export function makeProblem(error: unknown): Problem {
  if (error instanceof ServiceError) return problemOf(error.code, error.message)
  if (error instanceof YoreError) {
    if (error.code === 'OVERLOADED' || error.code === 'TIMED_OUT')
      return problemOf('BUSY', 'the question was not answered in time; try again')
    // What is wrong with an index is the service's affair; its message would name files of this machine.
    if (error.http >= 500 || error.code.startsWith('INDEX') || error.code === 'NO_INDEX')
      return problemOf('INTERNAL', 'the corpus cannot be read')
    return {
      type: `urn:yore:problem:${error.code.toLowerCase().replaceAll('_', '-')}`,
      title:
        error.code === 'BAD_INPUT' ? problemTable.BAD_REQUEST.title : 'The question cannot be answered so',
      status: error.http,
      code: error.code,
      detail: error.message,
      ...(error.code === 'BAD_INPUT' ? { hint: error.hint } : {}),
    }
  }
  if (error instanceof StoreError) return problemOf('UNAVAILABLE', 'the store does not answer; try again')
  const { statusCode, message } = error as { statusCode?: number; message?: string }
  if (statusCode === 413) return problemOf('TOO_LARGE', 'the body is larger than allowed')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return { ...problemOf('BAD_REQUEST', message ?? ''), status: statusCode }
  if (findMachineFault(error) !== null)
    return problemOf('UNAVAILABLE', 'this node has no disk, memory or files left; try again')
  if (isConnectionFault(error))
    return problemOf('UNAVAILABLE', 'the database or the store does not answer; try again')
  return problemOf('INTERNAL', 'the request could not be answered')
}
