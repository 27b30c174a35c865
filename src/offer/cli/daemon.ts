// What does the daemon do? It runs command lines of other processes, each with its caller's folder, environment and terminal, over engines that stay open.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { EngineOptions } from '../../model/config/engine-options.ts'
import { findCorpus } from '../../model/config/find-root.ts'
import { loadSettings } from '../../model/config/load-settings.ts'
import type { Environment } from '../../model/config/state-folder.ts'
import type { Workspace } from '../../model/config/workspace.ts'
import type { Engine, QuestionEngine } from '../engine/engine.ts'
import { openEngine } from '../engine/open-engine.ts'
import { openWorkspace } from '../engine/open-workspace.ts'
import { daemonFolder } from '../service/call-daemon.ts'
import { type PatternCall, PatternHints } from '../service/pattern-hints.ts'
import { serveDaemon } from '../service/serve-daemon.ts'
import { buildOf, type DaemonAnswer, type DaemonReport, type DaemonRequest } from './ask-daemon.ts'
import { type Caller, caller, findCallersBy } from './caller.ts'
import { runLine } from './run-line.ts'

/** Open engines; the least recently used one is closed first. */
const mostEngines = 8

interface SharedEngine {
  readonly engine: QuestionEngine
  readonly root: string
  users: number
}

/** Engines by everything that they were opened with, the least recently used first. */
class OpenEngines {
  readonly #kept = new Map<string, SharedEngine>()

  async take(options: EngineOptions & { readonly workspace: Workspace | null }): Promise<QuestionEngine> {
    const { root, indexDir, settings, env = {}, workspace } = options
    const own = Object.entries(env).filter(([name]) => /^(?:YORE_|XDG_|HOME$)/.test(name))
    const key = JSON.stringify([root, indexDir, settings, own, workspace !== null])
    const kept = this.#kept.get(key) ?? { engine: this.#open(options), root, users: 0 }
    kept.users++
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    return kept.engine
  }

  #open({ workspace, ...options }: Parameters<OpenEngines['take']>[0]): QuestionEngine {
    for (const [key, { engine, users }] of this.#kept) {
      if (this.#kept.size < mostEngines) break
      if (users > 0) continue
      engine.close()
      this.#kept.delete(key)
    }
    // The caller builds a first index itself: it shows progress and may ask.
    const shared = { env: {}, clock: Date.now, ...options, now: () => caller().now }
    if (workspace !== null) return openWorkspace({ ...shared, workspace })
    return openEngine({ ...shared, firstUse: { build: false } })
  }

  giveBack(engine: QuestionEngine): void {
    for (const kept of this.#kept.values()) if (kept.engine === engine) kept.users--
  }

  get roots(): readonly string[] {
    return [...new Set([...this.#kept.values()].map(({ root }) => root))]
  }
}

const callers = new AsyncLocalStorage<Caller>()
findCallersBy(() => callers.getStore())
const engines = new OpenEngines()
const startedAt = Date.now()
const build = buildOf()
const stop = new AbortController()
let answered = 0

async function runFor({ args, cwd, env, stdout, stderr }: DaemonRequest): Promise<DaemonAnswer> {
  const written: [stream: 'stdout' | 'stderr', text: string][] = []
  const to = (stream: 'stdout' | 'stderr') => (text: string) => written.push([stream, text])
  const asking: Caller = {
    stdout: { ...stdout, write: to('stdout') },
    stderr: { ...stderr, write: to('stderr') },
    cwd,
    env: { ...env },
    wishes: {},
    now: 0,
    engines,
  }
  const status = await callers.run(asking, () => runLine(args))
  if (written.length === 0) throw new Error('it wrote elsewhere')
  return { status, written }
}

interface HintRequest {
  readonly hint: PatternCall
  readonly cwd: string
  readonly env: Environment
}

const hints = new PatternHints()

async function hintFor({ hint, cwd, env }: HintRequest): Promise<string> {
  const { root, indexDir } = findCorpus({ cwd })
  const { settings } = loadSettings({ root, env, flags: {} })
  const engine = await engines.take({ root, indexDir, settings, env, now: Date.now, workspace: null })
  try {
    return await hints.answer(engine as Engine, hint)
  } finally {
    engines.giveBack(engine)
  }
}

/** On failure the caller runs the command itself and reports the error. */
async function answer(request: unknown): Promise<unknown> {
  const asked = request as DaemonRequest | HintRequest | { readonly report: true } | { readonly stop: true }
  if ('hint' in asked) return hintFor(asked)
  if ('stop' in asked) setImmediate(() => stop.abort())
  if (!('args' in asked)) {
    const bytes = process.memoryUsage.rss()
    const report: DaemonReport = { pid: process.pid, startedAt, answered, corpora: engines.roots, bytes }
    return report
  }
  try {
    const answer = await runFor(asked)
    answered++
    return answer
  } catch {
    return { declined: true }
  }
}

/** Ends after this time without a command. */
const IDLE_MINUTES = 30
/** Ends after an answer when it uses more memory. */
const MOST_MEGABYTES = 1024
const folder = daemonFolder(process.env)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort())
if (folder !== null)
  await serveDaemon(
    {
      folder,
      build,
      answer,
      idleMilliseconds: IDLE_MINUTES * 60_000,
      isSpent: () => process.memoryUsage.rss() > MOST_MEGABYTES * 2 ** 20 || buildOf() !== build,
    },
    stop.signal,
  )
// File watchers and threads would keep the process alive.
process.exit()
