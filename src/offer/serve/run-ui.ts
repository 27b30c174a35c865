// How does `yore ui` serve? One engine, on this machine only.
import { basename } from 'node:path'
import type { Settings } from '../../model/config/settings.ts'
import { YoreError } from '../../model/errors.ts'
import type { Engine } from '../engine/engine.ts'

/** Serves until the signal aborts. */
export async function runUi(
  { engine, root, settings }: { readonly engine: Engine; readonly root: string; readonly settings: Settings },
  { port }: { readonly port: number },
  hooks: { readonly signal: AbortSignal; readonly onListening: (url: string) => void },
): Promise<void> {
  const { serveUi } = await import('../ui/serve-ui.ts')
  try {
    await serveUi({ engine, name: basename(root), root, settings }, { port, ...hooks })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw cause
    throw new YoreError('BAD_INPUT', `cannot listen on 127.0.0.1:${port} (${code})`, {
      hint: 'choose another --port; 0 takes a free one',
      cause,
    })
  }
}
