// How are many questions answered at once? By a few threads and a bounded queue, so that no question blocks the others.
import { Worker } from 'node:worker_threads'
import { YoreError } from '../../model/errors.ts'
import { type Reply, readFailure } from './answer-questions.ts'
import { FairQueue } from './fair-queue.ts'

export interface PoolOptions {
  /** The module that each thread runs; it calls `answerQuestions`. */
  readonly worker: URL
  readonly workerData: unknown
  readonly threads: number
  /** Maximum length of the queue; a question that would wait half of `milliseconds` is also refused. */
  readonly mostWaiting: number
  /** Timeout of a question, waiting included. */
  readonly milliseconds: number
  /** Time that a cancelled question may run on: a new thread costs more than the rest of most questions. */
  readonly graceMilliseconds: number
  /** Called when a thread takes a question, with the milliseconds that it waited. */
  readonly onStart?: (waited: number) => void
}

interface PoolAskOptions {
  readonly signal?: AbortSignal
  /** The caller enforces `capacity` itself: the question is queued whatever the length of the queue. */
  readonly isAdmitted?: boolean
  /** Whose question it is, the largest group first: owners that wait get the same processor time. */
  readonly owner?: readonly string[]
}

const poolDefaults: Pick<PoolOptions, 'mostWaiting' | 'milliseconds' | 'graceMilliseconds'> = {
  mostWaiting: 100,
  milliseconds: 30_000,
  graceMilliseconds: 250,
}

interface Asked<Q, A> {
  readonly question: Q
  readonly askedAt: number
  readonly resolve: (answer: A) => void
  readonly reject: (reason: unknown) => void
}

interface Thread<Q, A> {
  readonly worker: Worker
  /** The current question; null when idle. */
  asked: Asked<Q, A> | null
  /** Charges the owner of the current question. */
  charge: (milliseconds: number) => void
  startedAt: number
  /** Ends the thread if a cancelled question does not end in time. */
  ending: NodeJS.Timeout | undefined
  fault: unknown
}

/**
 * Size of the young generation in MB. Node's default on a machine with much memory let each thread
 * grow by 100 MB more on a large corpus, and saved no time.
 */
const youngMegabytes = 32

/** Weight of the latest question in the mean time of a question. */
const latestWeight = 0.2

/**
 * Threads that each answer one question at a time. They start when they are needed; one that crashes or does not stop is
 * replaced.
 *
 * @example
 * const pool = new QuestionPool<string, string>({ ...poolDefaults, worker, workerData: null, threads: 2 })
 * const answer = await pool.ask('How do I deploy a new service?', { signal })
 */
export class QuestionPool<Q, A> {
  readonly #options: PoolOptions
  readonly #threads = new Set<Thread<Q, A>>()
  readonly #waiting = new FairQueue<Asked<Q, A>>()
  #meanMilliseconds = 100
  #closed = false

  constructor(options: Partial<PoolOptions> & Pick<PoolOptions, 'worker' | 'workerData' | 'threads'>) {
    this.#options = { ...poolDefaults, ...options }
    // Warm up one thread for the first question.
    this.#start()
  }

  /** Maximum questions, running and queued; fewer when they take long, so that they are answered in time. */
  get capacity(): number {
    const { threads, mostWaiting, milliseconds } = this.#options
    const inTime = Math.floor((milliseconds / 2 / this.#meanMilliseconds) * threads)
    return threads + Math.min(mostWaiting, Math.max(threads, inTime))
  }

  /** Seconds for `Retry-After`. */
  get retryAfterSeconds(): number {
    const ahead = this.#waiting.length * this.#meanMilliseconds
    return Math.max(1, Math.ceil(ahead / this.#options.threads / 1000))
  }

  /**
   * Throws OVERLOADED when too many wait, TIMED_OUT, CRASHED, the error of the thread, and the signal's reason: the
   * work has then stopped, or is stopped after the grace.
   */
  async ask(question: Q, { signal, owner, isAdmitted = false }: PoolAskOptions = {}): Promise<A> {
    signal?.throwIfAborted()
    if (this.#closed) throw isStopping()
    const { milliseconds, threads } = this.#options
    const isFree = this.#threads.size < threads || this.#idle() !== undefined
    if (!isAdmitted && !isFree && this.#waiting.length >= this.capacity - threads)
      throw new YoreError('OVERLOADED', `${this.#waiting.length} questions are waiting already`, {
        hint: `try again in ${this.retryAfterSeconds} s`,
      })
    const { promise, resolve, reject } = Promise.withResolvers<A>()
    const asked: Asked<Q, A> = { question, askedAt: performance.now(), resolve, reject }
    const onAbort = (): void => this.#giveUp(asked, signal?.reason)
    const late = setTimeout(() => {
      this.#giveUp(asked, new YoreError('TIMED_OUT', `no answer within ${milliseconds / 1000} s`))
    }, milliseconds)
    signal?.addEventListener('abort', onAbort)
    this.#waiting.push(asked, owner)
    this.#assign()
    return promise.finally(() => {
      clearTimeout(late)
      signal?.removeEventListener('abort', onAbort)
    })
  }

  /** Refuses queued questions, gives running ones the grace, and ends all threads. */
  async close(): Promise<void> {
    this.#closed = true
    for (let next = this.#waiting.shift(0); next !== undefined; next = this.#waiting.shift(0))
      next.item.reject(isStopping())
    const gone = [...this.#threads].map(
      (thread) => new Promise((resolve) => thread.worker.once('exit', resolve)),
    )
    for (const thread of this.#threads)
      this.#end(thread, thread.asked === null ? 0 : this.#options.graceMilliseconds)
    await Promise.all(gone)
  }

  #idle(): Thread<Q, A> | undefined {
    // The oldest first: it has cached most of the corpus.
    return [...this.#threads].find(({ asked, ending }) => asked === null && ending === undefined)
  }

  #assign(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#idle() ?? (this.#threads.size < this.#options.threads ? this.#start() : undefined)
      if (thread === undefined) return
      const next = this.#waiting.shift(this.#meanMilliseconds)
      if (next === undefined) return
      thread.asked = next.item
      thread.charge = next.charge
      thread.startedAt = performance.now()
      this.#options.onStart?.(thread.startedAt - next.item.askedAt)
      thread.worker.postMessage(thread.asked.question)
    }
  }

  #start(): Thread<Q, A> {
    const { worker: module, workerData } = this.#options
    const resourceLimits = { maxYoungGenerationSizeMb: youngMegabytes }
    const worker = new Worker(module, { workerData, resourceLimits })
    const idle = { asked: null, charge: () => {}, startedAt: 0, ending: undefined, fault: null }
    const thread: Thread<Q, A> = { worker, ...idle }
    this.#threads.add(thread)
    worker.on('message', (reply: Reply<A>) => this.#settle(thread, reply))
    worker.on('error', (fault) => {
      thread.fault = fault
    })
    worker.on('exit', () => {
      clearTimeout(thread.ending)
      this.#threads.delete(thread)
      if (thread.asked !== null) thread.charge(performance.now() - thread.startedAt)
      const { fault: cause } = thread
      const crashed = new YoreError('CRASHED', 'the thread that answered has crashed', { cause })
      thread.asked?.reject(this.#closed ? isStopping() : crashed)
      this.#assign()
    })
    return thread
  }

  #settle(thread: Thread<Q, A>, reply: Reply<A>): void {
    const { asked } = thread
    thread.asked = null
    if (!this.#closed) {
      clearTimeout(thread.ending)
      thread.ending = undefined
    } else this.#end(thread, 0)
    const took = performance.now() - thread.startedAt
    thread.charge(took)
    this.#meanMilliseconds += latestWeight * (took - this.#meanMilliseconds)
    if ('answer' in reply) asked?.resolve(reply.answer)
    else asked?.reject(readFailure(reply.failure))
    this.#assign()
  }

  #giveUp(asked: Asked<Q, A>, reason: unknown): void {
    asked.reject(reason)
    this.#waiting.remove(asked)
    for (const thread of this.#threads)
      if (thread.asked === asked) this.#end(thread, this.#options.graceMilliseconds)
  }

  #end(thread: Thread<Q, A>, milliseconds: number): void {
    clearTimeout(thread.ending)
    thread.ending = setTimeout(() => thread.worker.terminate(), milliseconds)
  }
}

const isStopping = (): YoreError => new YoreError('OVERLOADED', 'the server is stopping')
