// How does a question reach its corpus? The version that PostgreSQL names is fetched and verified, then a thread answers from it.
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { notFound } from '../control/corpora.ts'
import type { Deleted } from '../control/deleted-corpora.ts'
import { makeAllowance } from '../control/limits.ts'
import type { NodeMetrics } from '../metrics.ts'
import { hashFile } from '../versions/durable-file.ts'
import type { Manifest } from '../versions/version.ts'
import { type HeldVersion, VersionCache, type VersionCacheOptions } from '../versions/version-cache.ts'
import { QuestionPool } from '../yore.ts'
import type { CorpusFile, Question, QuestionAnswer, QuestionTask, ThreadOptions } from './answer-question.ts'

/** A version as PostgreSQL names it. */
export interface CorpusVersion extends Pick<CorpusFile, 'corpus' | 'name' | 'version'> {
  readonly manifest: Manifest
}

/** The bytes are those of fetched versions on this node's disk. */
export interface AskOptions extends VersionCacheOptions {
  /** Corpora that each thread keeps open. */
  readonly mostOpen: number
  /** 0 for one per core. */
  readonly threads: number
  readonly metrics: NodeMetrics
}

const mostHashes = 100_000

/** Questions of a node that may wait for the store at once; they do not count as questions meanwhile. */
const mostFetching = 128

export type AskCorpora = Awaited<ReturnType<typeof openCorpora>>

export async function openCorpora(options: AskOptions) {
  const cache = await VersionCache.open({ ...options, now: Date.now })
  const hashes = new Map<string, string>()
  const fetching = makeAllowance('questions that wait for the store', () => mostFetching)
  const { mostOpen, threads, metrics } = options
  const pool = new QuestionPool<QuestionTask, QuestionAnswer>({
    // A module of the sources or of the package, as this one is.
    worker: new URL(`./question-thread${path.extname(import.meta.url)}`, import.meta.url),
    workerData: { mostOpen } satisfies ThreadOptions,
    threads: threads > 0 ? threads : Math.min(8, availableParallelism()),
    onStart: (waited) => metrics.time('waiting', {}, waited),
  })
  const admitted = makeAllowance(
    'questions',
    () => pool.capacity,
    () => pool.retryAfterSeconds,
  )
  metrics.gauge('yore_questions', 'Questions at work or waiting.', [], () => [[{}, admitted.taken()]])

  /** Deleted corpora; threads close the files that are gone. */
  const forget = (corpora: Deleted): Promise<void> => cache.forget(corpora)

  /**
   * From admission to answer: what is counted is bounded before a body is read, for all and for each organisation.
   * Gives what ends it. Throws BUSY and RATE_LIMITED.
   */
  const admit = (organisation: string): (() => void) => admitted.take(organisation, 1)

  /** Throws NOT_FOUND for a document that the corpus does not have. */
  async function ask(
    wanted: readonly [CorpusVersion, ...CorpusVersion[]],
    question: Question,
    asked: Pick<QuestionTask, 'isJoined'> & { readonly organisation: string; readonly signal: AbortSignal },
  ): Promise<unknown> {
    const { organisation, isJoined, signal } = asked
    const holds = await hold(wanted, organisation)
    try {
      const files = await Promise.all(
        wanted.map(async ({ corpus, name, version }, at): Promise<CorpusFile> => {
          const held = holds[at] as (typeof holds)[number]
          if (held.status === 'rejected') throw held.reason
          const { path: file } = held.value
          return { file, sha256: await hashOf(file), corpus, name, version }
        }),
      )
      const now = options.now()
      const task = { files: files as unknown as QuestionTask['files'], isJoined, now, question }
      const owner = [organisation, wanted.map(({ corpus }) => corpus).join(' ')]
      const answer = await pool.ask(task, { signal, owner, isAdmitted: true })
      if ('missing' in answer) throw notFound('document')
      return answer.found
    } finally {
      for (const held of holds) if (held.status === 'fulfilled') await held.value.release()
    }
  }

  /** Fetches what is missing. A slow store holds up no question whose versions are on this node. */
  async function hold(wanted: readonly CorpusVersion[], organisation: string) {
    const holdAll = (): Promise<PromiseSettledResult<HeldVersion>[]> =>
      Promise.allSettled(wanted.map(({ manifest }) => cache.hold(manifest)))
    const isHere = wanted.every(({ manifest }) => cache.has(manifest))
    metrics.count('versions', { from: isHere ? 'disk' : 'store' })
    if (isHere) return await holdAll()
    const endFetching = fetching.take(organisation, 1)
    const takeBack = admitted.lend(organisation)
    try {
      return await holdAll()
    } finally {
      takeBack()
      endFetching()
    }
  }

  /** Hashed where it was verified: each thread looks again before it opens the file. */
  async function hashOf(file: string): Promise<string> {
    let known = hashes.get(file)
    if (known === undefined) {
      known = await hashFile(file)
      hashes.set(file, known)
      const [oldest] = hashes.keys()
      if (hashes.size > mostHashes && oldest !== undefined) hashes.delete(oldest)
    }
    return known
  }

  return { forget, admit, ask, close: () => pool.close() }
}
