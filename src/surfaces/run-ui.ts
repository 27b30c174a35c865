// How does the command line start the explorer? One engine for as long as it serves, on this machine alone.
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { LoadedSettings } from '../config/load-settings.ts'
import type { Engine } from '../engine/engine.ts'
import { YoreError } from '../errors.ts'
import { product } from '../version.ts'
import type { UiInput } from './agent-operations.ts'
import type { UiCorpus } from './ui/make-pages.ts'

interface ExploredCorpus {
  readonly engine: Engine
  readonly root: string
  readonly loaded: LoadedSettings
  /** Another checkout or index folder, absolute; null for none. */
  readonly beside: string | null
}

interface UiHooks {
  readonly signal: AbortSignal
  readonly onListening: (url: string) => void
}

/** Serves until the signal aborts. */
export async function runUi(
  { engine, root, loaded, beside: named }: ExploredCorpus,
  { port }: UiInput,
  hooks: UiHooks,
): Promise<void> {
  const { serveUi } = await import('./ui/serve-ui.ts')
  const beside = named === null ? null : await openBeside(named, root, loaded)
  try {
    await serveUi({ engine, name: basename(root), loaded, beside }, { port, ...hooks })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw cause
    throw new YoreError('BAD_INPUT', `cannot listen on 127.0.0.1:${port} (${code})`, {
      hint: 'choose another --port; 0 takes a free one',
      cause,
    })
  } finally {
    beside?.engine.close()
  }
}

/** The other index as it is: a copy of this folder's, or that of another checkout. Nothing is built there. */
async function openBeside(
  folder: string,
  root: string,
  { settings }: LoadedSettings,
): Promise<UiCorpus['beside']> {
  const { openEngine } = await import('../engine/open-engine.ts')
  const isIndex = existsSync(join(folder, 'index.db'))
  const engine = openEngine({
    root: isIndex ? root : folder,
    indexDir: isIndex ? folder : join(folder, product.folder),
    settings: { ...settings, refresh: 'never' },
    now: Date.now(),
  })
  // Said now, and not at the first comparison.
  await engine.status({ refresh: 'never' })
  return { engine, name: basename(folder) }
}
