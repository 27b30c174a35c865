// Where is the index of one early answer? In a folder of its own next to the real index; folders of processes that are gone are removed.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../../model/config/state-folder.ts'
import { requireWritable } from './check-permission.ts'
import { forgetToken, leaveHome } from './index-home.ts'
import { lookAtLock, takeWriterLock } from './writer-lock.ts'

const prefix = 'part-'

export interface IndexPart {
  readonly indexDir: string
  remove(): void
}

/** The lock next to a part shows that its process is running. */
export function makePart(indexDir: string, env: Environment): IndexPart {
  requireWritable(indexDir)
  clearParts(indexDir, env)
  const home = mkdtempSync(join(indexDir, prefix))
  const lock = takeWriterLock(home)
  const remove = (): void => {
    lock.release()
    removePart(home, env)
  }
  return { indexDir: join(home, 'index'), remove }
}

function removePart(home: string, env: Environment): void {
  forgetToken(join(home, 'index'), env)
  rmSync(home, { recursive: true, force: true })
}

/** Removes the parts of processes that are gone. A link in their place is left alone. */
export function clearParts(indexDir: string, env: Environment): void {
  for (const entry of readdirSync(indexDir, { withFileTypes: true })) {
    if (!entry.isDirectory() || !entry.name.startsWith(prefix)) continue
    const home = join(indexDir, entry.name)
    const { kind } = lookAtLock(home)
    if (kind === 'left') removePart(home, env)
    // Its process was killed before it took the lock, or is about to: then it makes the folder again.
    if (kind === 'free') leaveHome(home)
  }
}
