// How does the command line start the agents' surface? One engine for all calls, with a clock that goes on.
import { readNow } from '../config/read-time.ts'
import type { Settings } from '../config/settings.ts'
import { loadTokenizer } from '../engine/load-tokenizer.ts'
import { openEngine } from '../engine/open-engine.ts'
import { YoreError } from '../errors.ts'
import type { McpInput } from './agent-operations.ts'

export interface McpCorpus {
  readonly root: string
  readonly indexDir: string
  readonly settings: Settings
}

export interface McpHooks {
  readonly signal: AbortSignal
  readonly onListening: (url: string) => void
}

/** Serves one corpus until the client goes or the signal aborts. */
export async function runMcp(corpus: McpCorpus, input: McpInput, hooks: McpHooks): Promise<void> {
  const { root, indexDir, settings } = corpus
  const engine = openEngine({
    root,
    indexDir,
    settings,
    // A server lives longer than a moment.
    now: () => readNow({ env: process.env, clock: Date.now() }),
  })
  const serving = { engine, settings, countTokens: (text: string) => loadTokenizer('o200k')(text) }
  try {
    if (!input.http) {
      const { serveOverStdio } = await import('./mcp/serve-stdio.ts')
      return await serveOverStdio(serving, hooks.signal)
    }
    const { serveOverHttp } = await import('./mcp/serve-http.ts')
    const allowHosts = (input.allowHosts ?? '').split(',').map((name) => name.trim())
    const { host, port } = input
    await serveOverHttp(serving, { host, port, allowHosts: allowHosts.filter(Boolean), ...hooks })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE' && code !== 'EACCES' && code !== 'EADDRNOTAVAIL') throw cause
    throw new YoreError('BAD_INPUT', `cannot listen on ${input.host}:${input.port} (${code})`, {
      hint: 'choose another --port or --host',
      cause,
    })
  } finally {
    engine.close()
  }
}
