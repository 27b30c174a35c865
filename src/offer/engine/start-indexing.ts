// Who indexes while questions are answered? A process of low priority, which goes on when this one has ended.
import { spawn } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../../model/config/state-folder.ts'

/** Without a folder for the index, those of the workspace that the root holds are built. */
export function startIndexing(place: {
  readonly root: string
  readonly indexDir?: string
  readonly env: Environment
}): void {
  const { root, indexDir, env } = place
  const file = fileURLToPath(new URL(`./index-later${extname(import.meta.url)}`, import.meta.url))
  const started = spawn(process.execPath, [file, root, ...(indexDir === undefined ? [] : [indexDir])], {
    cwd: root,
    detached: true,
    env,
    stdio: 'ignore',
    windowsHide: true,
  })
  started.on('error', () => {})
  started.unref()
}
