// How does a worker survive a hostile file? A separate process reads files and is killed when it does not answer.
import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import path from 'node:path'

export interface IndexTask {
  readonly root: string
  readonly indexDir: string
  /** Lexical indexing is enough to know whether a file can be read. */
  readonly embed: boolean
  /** Files to add and remove; without, the folder is compared with the index. */
  readonly changes?: {
    readonly put: readonly { readonly path: string; readonly file: string; readonly modifiedAt: number }[]
    readonly remove: readonly string[]
  }
  /** A version of the corpus that the changes apply to; null when they apply to the index or give every document. */
  readonly start?: string | null
  /** The changes give every document: they may begin with an empty index. */
  readonly isWhole?: boolean
  /** Files whose absence from the index is explained. */
  readonly paths?: readonly string[]
}

export interface SkippedPath {
  readonly path: string
  readonly reason: string
}

export type IndexAnswer =
  | {
      readonly kind: 'indexed'
      /** The run began with an empty index. */
      readonly isNew: boolean
      readonly files: number
      /** Documents written or removed in this run. */
      readonly changed: number
      /** The given paths that are not in the index. */
      readonly skipped: readonly SkippedPath[]
    }
  /** An error of yore itself: a retry gives the same result. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  /** It crashed or used too much memory; with the code of the system, if it has one. */
  | { readonly kind: 'crashed'; readonly message: string; readonly code?: string }
  | { readonly kind: 'silent'; readonly message: string }

/** The message that says: still at work. */
export const progress = 'progress'

const heapMegabytes = 512
/** Of each half of the young generation. Node's default lets a process of 20 MB live data grow by 100 MB of garbage. */
const youngMegabytes = 16

/** The process that reads untrusted files gets no secrets, only the environment that a program needs to run. */
const passedOn =
  /^(?:PATH|HOME|TMPDIR|TEMP|TMP|LANG|LC_\w+|TZ|XDG_\w+_HOME|MALLOC_\w+|NODE_(?:OPTIONS|ENV|COMPILE_CACHE)|SystemRoot)$/i

/** A pool of processes that are reused; a killed one is replaced. */
export class KillableProcesses {
  readonly #idle: ChildProcess[] = []
  readonly #busy = new Set<ChildProcess>()
  readonly #waiting: (() => void)[] = []
  readonly #most: number
  #isClosed = false

  constructor(most: number = Math.max(1, availableParallelism())) {
    this.#most = most
  }

  /** Starts one before a task needs it, because loading takes longer than reading a file. */
  warm(): void {
    if (!this.#isClosed && this.#idle.length + this.#busy.size === 0) this.#idle.push(this.#start())
  }

  /** The process is killed after `idleMs` without progress, however long the whole task takes. */
  async run(task: IndexTask, options: { readonly idleMs: number }): Promise<IndexAnswer> {
    while (this.#busy.size >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    const child = this.#takeIdle() ?? this.#start()
    this.#busy.add(child)
    try {
      return await this.#ask(child, task, options.idleMs)
    } finally {
      this.#busy.delete(child)
      if (child.connected && child.exitCode === null && !child.killed) this.#idle.push(child)
      else this.warm()
      this.#waiting.shift()?.()
    }
  }

  /** A process that ended while idle does not fail the next task. */
  #takeIdle(): ChildProcess | undefined {
    let child = this.#idle.pop()
    while (child !== undefined && (!child.connected || child.exitCode !== null)) child = this.#idle.pop()
    return child
  }

  #start(): ChildProcess {
    // A module of the sources or of the package, like this one.
    const child = fork(new URL(`./index-process${path.extname(import.meta.url)}`, import.meta.url), [], {
      execArgv: [
        `--max-old-space-size=${heapMegabytes}`,
        `--max-semi-space-size=${youngMegabytes}`,
        '--disable-warning=ExperimentalWarning',
      ],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => passedOn.test(name))),
    })
    // A process that cannot be started fails its task, and not the worker.
    child.on('error', () => {})
    return child
  }

  async #ask(child: ChildProcess, task: IndexTask, idleMs: number): Promise<IndexAnswer> {
    return await new Promise((resolve) => {
      const finish = (answer: IndexAnswer): void => {
        clearTimeout(timer)
        child.off('message', onMessage)
        child.off('exit', onExit)
        child.off('error', onError)
        if (answer.kind === 'crashed' || answer.kind === 'silent') child.kill('SIGKILL')
        resolve(answer)
      }
      const onMessage = (message: unknown): void => {
        if (message === progress) timer.refresh()
        else finish(message as IndexAnswer)
      }
      const onExit = (code: number | null, signal: string | null): void =>
        finish({ kind: 'crashed', message: `the process ended with ${signal ?? code}` })
      const onError = ({ message, code }: NodeJS.ErrnoException): void =>
        finish({ kind: 'crashed', message, ...(code === undefined ? {} : { code }) })
      const timer = setTimeout(
        () => finish({ kind: 'silent', message: `no progress for ${idleMs} ms` }),
        idleMs,
      )
      child.on('message', onMessage)
      child.on('exit', onExit)
      child.on('error', onError)
      child.send(task, (error) => {
        if (error !== null) finish({ kind: 'crashed', message: error.message })
      })
    })
  }

  /** Ends every process, including busy ones. */
  close(): void {
    this.#isClosed = true
    for (const child of [...this.#idle, ...this.#busy]) child.kill('SIGKILL')
    this.#idle.length = 0
  }
}
