// Which threads answer the questions of one corpus? One per core by default; locks of an ended thread are released.
import { availableParallelism } from 'node:os'
import { releaseLockOf } from '../../corpus/store/ownership/writer-lock.ts'
import { QuestionPool } from './question-pool.ts'

/** More threads cost more memory than they gain. */
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
    // The thread may have held the writer's lock.
    onThreadGone: (thread) => releaseLockOf(corpus.indexDir, thread),
  })
}
