// Whose index is this? Of the place where it was built, and of the folder whose files it holds.
import { hash } from 'node:crypto'
import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { YoreError } from '../errors.ts'

/** An index's place and inode. A file that came with a clone or a copy has another. */
export function homeOf(indexPath: string): string {
  const real = realpathSync(indexPath)
  return hash('sha256', `${real}\0${statSync(real).ino}`)
}

/** The home of a file that will be renamed to `indexPath`: a rename keeps the inode. */
export function homeAfterRename(file: string, indexPath: string): string {
  const place = join(realpathSync(dirname(indexPath)), basename(indexPath))
  return hash('sha256', `${place}\0${statSync(file).ino}`)
}

/** What stays the same when a folder is reached under another name; null when it is gone. */
function identityOf(folder: string): string | null {
  try {
    const stats = statSync(folder, { throwIfNoEntry: false })
    return stats === undefined ? null : `${stats.dev}:${stats.ino}`
  } catch {
    return folder // Somewhere that may not be looked into.
  }
}

/** Throws when the index holds the files of another folder. One whose folder is gone, or was moved, may be used. */
export function refuseOtherRoot(indexPath: string, holds: string | null, root: string): void {
  if (holds === null || holds === root) return
  const identity = identityOf(holds)
  if (identity === null || identity === identityOf(root)) return
  const folder = dirname(indexPath)
  const hint = `add \`--root ${holds}\`, or name another index with --index; delete ${folder} to use it for ${root}`
  throw new YoreError('WRONG_ROOT', `the index at ${folder} holds the files of ${holds}`, { hint })
}
