// What does a server for agents answer from? One corpus or the repositories of a workspace, open as long as it runs.
import { readNow } from '../../model/config/read-time.ts'
import { loadTokenizer } from '../../read/assets/load-tokenizer.ts'
import { openEngine } from '../engine/open-engine.ts'
import { openWorkspace } from '../engine/open-workspace.ts'
import type { ThreadCorpus } from './ask-in-threads.ts'
import type { Serving } from './tool.ts'

export function openServing({ workspace, ...corpus }: ThreadCorpus): Serving {
  // A server runs for long: the time is read for each question.
  const now = (): number => readNow({ env: process.env, clock: Date.now() })
  const options = { ...corpus, env: process.env, clock: Date.now, now, firstUse: { early: true } }
  return {
    engine: workspace === null ? openEngine(options) : openWorkspace({ ...options, workspace }),
    settings: corpus.settings,
    countTokens: (text) => loadTokenizer('o200k')(text),
  }
}
