// How does `yore mcp` serve? One client over standard input in this process, or many over HTTP on threads.
import { YoreError } from '../../model/errors.ts'
import type { ThreadCorpus, ToolAnswer, ToolQuestion } from '../mcp/ask-in-threads.ts'
import { hintFolder } from '../service/call-socket.ts'

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
export async function runMcp(corpus: ThreadCorpus, input: McpInput, hooks: ServeHooks): Promise<void> {
  return input.http ? runOverHttp(corpus, input, hooks) : runOverStdio(corpus, hooks.signal)
}

async function runOverStdio(corpus: ThreadCorpus, signal: AbortSignal): Promise<void> {
  const [{ openServing }, { serveOverStdio }, { serveHints }] = await Promise.all([
    import('../mcp/open-serving.ts'),
    import('../mcp/serve-stdio.ts'),
    import('../service/pattern-hints.ts'),
  ])
  const serving = openServing(corpus)
  const { engine } = serving
  const { root, indexDir } = corpus
  const ended = new AbortController()
  const folder = hintFolder(process.env, root)
  const hints = 'describePattern' in engine ? serveHints(engine, { folder, indexDir }, ended.signal) : null
  try {
    await serveOverStdio(serving, signal)
  } finally {
    ended.abort()
    await hints
    engine.close()
  }
}

async function runOverHttp(corpus: ThreadCorpus, input: McpInput, hooks: ServeHooks): Promise<void> {
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
