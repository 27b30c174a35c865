// How does `yore mcp` serve? One client over standard input in this process, or many over HTTP on threads.
import { readNow } from '../../model/config/read-time.ts'
import type { Settings } from '../../model/config/settings.ts'
import { YoreError } from '../../model/errors.ts'
import type { ToolAnswer, ToolQuestion } from '../mcp/ask-in-threads.ts'
import { hintFolder } from '../service/call-daemon.ts'

interface McpCorpus {
  readonly root: string
  readonly indexDir: string
  readonly settings: Settings
}

export interface McpInput {
  readonly http: boolean
  readonly host: string
  readonly port: number
  readonly allowHosts?: string
  readonly threads: number
}

export interface ServeHooks {
  readonly signal: AbortSignal
  readonly onListening: (url: string) => void
}

/** Serves one corpus until the client goes or the signal aborts. */
export async function runMcp(corpus: McpCorpus, input: McpInput, hooks: ServeHooks): Promise<void> {
  return input.http ? runOverHttp(corpus, input, hooks) : runOverStdio(corpus, hooks.signal)
}

async function runOverStdio(corpus: McpCorpus, signal: AbortSignal): Promise<void> {
  const [{ loadTokenizer }, { openEngine }, { serveOverStdio }, { serveHints }] = await Promise.all([
    import('../../read/assets/load-tokenizer.ts'),
    import('../engine/open-engine.ts'),
    import('../mcp/serve-stdio.ts'),
    import('../service/pattern-hints.ts'),
  ])
  const engine = openEngine({
    ...corpus,
    // A server runs for long: the time is read for each question.
    now: () => readNow({ env: process.env, clock: Date.now() }),
  })
  const { settings, root, indexDir } = corpus
  const ended = new AbortController()
  const folder = hintFolder(process.env, root)
  const hints = serveHints(engine, { folder, indexDir }, ended.signal)
  try {
    await serveOverStdio({ engine, settings, countTokens: (text) => loadTokenizer('o200k')(text) }, signal)
  } finally {
    ended.abort()
    await hints
    engine.close()
  }
}

async function runOverHttp(corpus: McpCorpus, input: McpInput, hooks: ServeHooks): Promise<void> {
  const [{ openCorpusPool }, { askInThreads, toolWorker }, { serveOverHttp }] = await Promise.all([
    import('../service/open-corpus-pool.ts'),
    import('../mcp/ask-in-threads.ts'),
    import('../mcp/serve-http.ts'),
  ])
  const { host, port, threads } = input
  const allowHosts = (input.allowHosts ?? '').split(',').map((name) => name.trim())
  const pool = openCorpusPool<ToolQuestion, ToolAnswer>(toolWorker(), corpus, threads)
  try {
    const answering = { ask: askInThreads(pool), room: pool }
    await serveOverHttp(answering, { host, port, allowHosts: allowHosts.filter(Boolean), ...hooks })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE' && code !== 'EACCES' && code !== 'EADDRNOTAVAIL') throw cause
    throw new YoreError('BAD_INPUT', `cannot listen on ${host}:${port} (${code})`, {
      hint: 'choose another --port or --host',
      cause,
    })
  } finally {
    await pool.close()
  }
}
