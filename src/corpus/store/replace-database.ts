// How does a rebuilt corpus file take the place of the old one? By a rename, when it is complete; until then readers see the old one.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Environment } from '../../model/config/state-folder.ts'
import { YoreError } from '../../model/errors.ts'
import { claimIndex, companions } from './ownership/index-home.ts'

/** Removes a corpus file with everything SQLite keeps beside it. */
export function deleteDatabase(indexPath: string): void {
  for (const suffix of ['', ...companions]) rmSync(indexPath + suffix, { force: true })
}

/**
 * Takes the companions of the old file away: SQLite would read them with the new one. Outside of WAL mode a file has
 * none, so that a reader that comes between this and the rename makes no new ones. While readers have it open the mode
 * cannot change: they keep the files that they opened, and find the new ones at their next question.
 */
function parkDatabase(indexPath: string): void {
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(indexPath, { timeout: 0, defensive: true })
    // In memory: a process that is killed here leaves no journal, which would count as a stranger's.
    db.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = MEMORY')
  } catch {
    // In use, or damaged: it is about to go.
  } finally {
    db?.close()
  }
  for (const suffix of companions) rmSync(indexPath + suffix, { force: true })
}

/** Windows does not replace a file that somebody has open. */
const inUse: ReadonlySet<string | undefined> = new Set(['EBUSY', 'EPERM', 'EACCES'])

/** Puts a complete and closed corpus file in the place of another, in one step. The caller holds the writer's lock. */
export function replaceDatabase(complete: string, indexPath: string, env: Environment): void {
  try {
    // Both are ours until the step is done: a reader finds one or the other.
    claimIndex(indexPath, env, [indexPath, complete])
    if (existsSync(indexPath)) parkDatabase(indexPath)
    renameSync(complete, indexPath)
    claimIndex(indexPath, env)
  } catch (cause) {
    deleteDatabase(complete)
    if (!inUse.has((cause as NodeJS.ErrnoException).code)) throw cause
    const hint = 'stop the other yore processes that use it, such as `yore mcp`, and try again'
    throw new YoreError('INDEX_LOCKED', `another process has ${indexPath} open`, { hint, cause })
  }
}
