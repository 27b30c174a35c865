// How does the index stay fresh by itself? Changes are gathered for a moment, then indexed.
import { watch } from 'node:fs'
import { sep } from 'node:path'
import type { IndexReport } from '../model/report.ts'
import type { EngineOptions, Surroundings } from './engine.ts'
import { indexCorpus } from './index-corpus.ts'

/** Editors write in bursts. */
const SETTLE_MILLISECONDS = 200

export interface WatchOptions {
  readonly signal: AbortSignal
  readonly onIndexed: (report: IndexReport) => void
}

function isOurs(name: string | null): boolean {
  const first = name?.split(sep)[0]
  return first === '.yore' || first === '.git'
}

/** Indexes once, then after every change, until the signal aborts. */
export async function watchCorpus(
  engine: EngineOptions & Surroundings,
  options: WatchOptions,
): Promise<void> {
  const { root } = engine
  const run = async (): Promise<void> =>
    options.onIndexed(await indexCorpus({ ...engine, paths: [], rebuild: false }))
  let changed = true
  let wake: () => void = () => {}
  const watcher = watch(root, { recursive: true, signal: options.signal }, (_, name) => {
    if (isOurs(name)) return
    changed = true
    wake()
  })
  watcher.on('error', (cause) => {
    if ((cause as Error).name !== 'AbortError') wake()
  })
  options.signal.addEventListener('abort', () => wake())
  while (!options.signal.aborted) {
    if (!changed) await new Promise<void>((resolve) => (wake = resolve))
    if (options.signal.aborted) break
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MILLISECONDS))
    changed = false
    const report = await tryRun(run)
    if (report === 'locked') changed = true
  }
  watcher.close()
}

async function tryRun(run: () => Promise<void>): Promise<'done' | 'locked'> {
  try {
    await run()
    return 'done'
  } catch (cause) {
    if ((cause as { code?: string }).code === 'INDEX_LOCKED') return 'locked'
    throw cause
  }
}
