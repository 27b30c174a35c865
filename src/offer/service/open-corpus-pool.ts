// Which threads answer the questions of one corpus? One per core, unless told; what an ended one held is free again.
import { availableParallelism } from 'node:os'
import { releaseLockOf } from '../../corpus/store/ownership/writer-lock.ts'
import { QuestionPool } from './question-pool.ts'

/** Beyond this a thread gains less than the memory that it takes. */
const mostThreads = 8

/** Every thread finds the corpus as its `workerData`. `threads` 0 means one per core. */
export function openCorpusPool<Q, A>(
  worker: URL,
  corpus: { readonly indexDir: string },
  threads: number,
): QuestionPool<Q, A> {
  return new QuestionPool<Q, A>({
    worker,
    workerData: corpus,
    threads: threads > 0 ? threads : Math.min(mostThreads, availableParallelism()),
    // It may have been refreshing the index.
    onThreadGone: (thread) => releaseLockOf(corpus.indexDir, thread),
  })
}
