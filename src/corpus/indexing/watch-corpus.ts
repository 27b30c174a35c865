// How does the index stay fresh automatically? Changes are collected for a moment, then indexed.
import { existsSync, watch } from 'node:fs'
import { relative, sep } from 'node:path'
import type { EngineOptions, Surroundings } from '../../model/config/engine-options.ts'
import { YoreError } from '../../model/errors.ts'
import type { IndexReport } from '../../model/report.ts'
import { product } from '../../model/version.ts'
import { indexCorpus } from './index-corpus.ts'
import { openRoots } from './open-roots.ts'

/** Milliseconds to wait after a change, because editors write in bursts. */
const SETTLE_MILLISECONDS = 200

interface WatchOptions {
  readonly signal: AbortSignal
  readonly onIndexed: (report: IndexReport) => void
}

/** Changes in the index and in the folders of tools are not changes of the corpus. */
function isOurs(name: string | null, index: string): boolean {
  const first = name?.split(sep)[0]
  return (
    first === product.folder || first === '.git' || name === index || name?.startsWith(index + sep) === true
  )
}

function cannotWatch(root: string, cause: unknown): YoreError {
  const { code, message } = cause as NodeJS.ErrnoException
  const isLimit = code === 'ENOSPC' || code === 'EMFILE'
  return new YoreError('CANNOT_WATCH', `cannot watch ${root}: ${message}`, {
    ...(isLimit
      ? { hint: 'raise fs.inotify.max_user_watches, or let questions refresh the index by themselves' }
      : {}),
    cause,
  })
}

/** Indexes once, then after every change, until the signal aborts. */
export async function watchCorpus(
  engine: EngineOptions & Surroundings,
  options: WatchOptions,
): Promise<void> {
  const { root, indexDir } = engine
  const run = async (): Promise<void> =>
    options.onIndexed(await indexCorpus({ ...engine, paths: [], rebuild: false }))
  const index = relative(root, indexDir)
  let changed = true
  let failure: unknown = null
  let wake: () => void = () => {}
  const { named } = await openRoots(engine)
  const watchers = [root, ...named.map(({ folder }) => folder)].map((folder) =>
    startWatching(folder, options.signal, (name) => {
      if (isOurs(name, index)) return
      changed = true
      wake()
    }),
  )
  for (const watcher of watchers)
    watcher.on('error', (cause) => {
      if ((cause as Error).name !== 'AbortError') failure = cause
      wake()
    })
  options.signal.addEventListener('abort', () => wake())
  try {
    while (!options.signal.aborted) {
      if (!changed && failure === null) await new Promise<void>((resolve) => (wake = resolve))
      if (options.signal.aborted) break
      if (failure !== null) throw cannotWatch(root, failure)
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MILLISECONDS))
      if (!existsSync(root)) throw cannotWatch(root, new Error('the folder is gone'))
      changed = false
      const report = await tryRun(run)
      if (report === 'locked') changed = true
    }
  } finally {
    for (const watcher of watchers) watcher.close()
  }
}

function startWatching(
  root: string,
  signal: AbortSignal,
  onChange: (name: string | null) => void,
): ReturnType<typeof watch> {
  try {
    return watch(root, { recursive: true, signal }, (_, name) => onChange(name))
  } catch (cause) {
    throw cannotWatch(root, cause)
  }
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
