// How does a question reach its corpus? The version that PostgreSQL names is fetched and verified, then a thread answers from it.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { availableParallelism } from 'node:os'
import { notFound } from '../control/corpora.ts'
import type { ObjectStore } from '../versions/store.ts'
import type { Manifest } from '../versions/version.ts'
import { VersionCache } from '../versions/version-cache.ts'
import { QuestionPool } from '../yore.ts'
import type { CorpusFile, Question, QuestionAnswer, QuestionTask } from './answer-question.ts'

/** A version as PostgreSQL names it. */
export interface CorpusVersion {
  readonly corpus: number
  readonly name: string
  readonly version: number
  readonly manifest: Manifest
}

export interface AskOptions {
  readonly store: ObjectStore
  readonly directory: string
  /** Of fetched versions on this node's disk. */
  readonly maxBytes: number
  /** Corpora that each thread keeps open. */
  readonly mostOpen: number
  /** 0 for one per core. */
  readonly threads: number
  readonly now: () => number
}

const mostHashes = 100_000

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer)
  return hash.digest('hex')
}

export class AskCorpora {
  readonly #options: AskOptions
  readonly #cache: VersionCache
  readonly #pool: QuestionPool<QuestionTask, QuestionAnswer>
  readonly #hashes = new Map<string, string>()
  #asked = 0

  private constructor(options: AskOptions, cache: VersionCache) {
    this.#options = options
    this.#cache = cache
    this.#pool = new QuestionPool({
      worker: new URL('./question-thread.ts', import.meta.url),
      workerData: { mostOpen: options.mostOpen },
      threads: options.threads > 0 ? options.threads : Math.min(8, availableParallelism()),
    })
  }

  static async open(options: AskOptions): Promise<AskCorpora> {
    const { store, directory, maxBytes } = options
    return new AskCorpora(
      options,
      await VersionCache.open({ store, directory, maxBytes, now: () => Date.now() }),
    )
  }

  /** Questions at work or waiting. */
  get asked(): number {
    return this.#asked
  }

  /** Seconds until there is room for another question; null when there is. */
  get retryAfter(): number | null {
    return this.#asked < this.#pool.capacity ? null : this.#pool.retryAfterSeconds
  }

  /** From admission to answer: what is counted is bounded before a body is read. */
  count(): () => void {
    this.#asked++
    let isCounted = true
    return () => {
      if (isCounted) this.#asked--
      isCounted = false
    }
  }

  /** Throws NOT_FOUND for a document that the corpus does not have. */
  async ask(
    wanted: readonly [CorpusVersion, ...CorpusVersion[]],
    question: Question,
    signal: AbortSignal,
  ): Promise<unknown> {
    const holds = await Promise.allSettled(wanted.map(({ manifest }) => this.#cache.hold(manifest)))
    try {
      const files = await Promise.all(
        wanted.map(async ({ corpus, name }, at): Promise<CorpusFile> => {
          const held = holds[at] as (typeof holds)[number]
          if (held.status === 'rejected') throw held.reason
          const { path: file } = held.value
          return { file, sha256: await this.#hashOf(file), corpus, name }
        }),
      )
      const task = { files: files as unknown as QuestionTask['files'], now: this.#options.now(), question }
      const answer = await this.#pool.ask(task, { signal })
      if ('missing' in answer) throw notFound('document')
      return answer.found
    } finally {
      for (const held of holds) if (held.status === 'fulfilled') await held.value.release()
    }
  }

  /** Hashed where it was verified: each thread looks again before it opens the file. */
  async #hashOf(file: string): Promise<string> {
    let known = this.#hashes.get(file)
    if (known === undefined) {
      known = await hashFile(file)
      this.#hashes.set(file, known)
      for (const oldest of this.#hashes.keys()) {
        if (this.#hashes.size <= mostHashes) break
        this.#hashes.delete(oldest)
      }
    }
    return known
  }

  async close(): Promise<void> {
    await this.#pool.close()
  }
}
