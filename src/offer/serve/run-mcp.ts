// How does `yore mcp` serve? One corpus to one client over standard input.

import type { EngineOptions } from '../../model/config/engine-options.ts'
import { readNow } from '../../model/config/read-time.ts'
import { loadTokenizer } from '../../read/assets/load-tokenizer.ts'
import { openEngine } from '../engine/open-engine.ts'
import { serveOverStdio } from '../mcp/serve-stdio.ts'

type ServedCorpus = Pick<EngineOptions, 'root' | 'indexDir' | 'settings'>

/** Serves until the client goes or the signal aborts. */
export async function runMcp(corpus: ServedCorpus, signal: AbortSignal): Promise<void> {
  const { settings } = corpus
  // A server runs for long: the time is read for each question.
  const now = (): number => readNow({ env: process.env, clock: Date.now() })
  using engine = openEngine({ ...corpus, env: process.env, now, firstUse: { early: true } })
  const countTokens = (text: string): number => loadTokenizer()(text)
  await serveOverStdio({ engine, settings, countTokens }, signal)
}
