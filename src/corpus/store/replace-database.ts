// How does a rebuilt corpus file replace the old one? By a rename when it is complete; until then readers see the old one.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Environment } from '../../model/config/state-folder.ts'
import { YoreError } from '../../model/errors.ts'
import { claimIndex, companions } from './ownership/index-home.ts'

/** Removes a corpus file with its companion files. */
export function deleteDatabase(indexPath: string): void {
  for (const suffix of ['', ...companions]) rmSync(indexPath + suffix, { force: true })
}

/**
 * Removes the companions of the old file, which SQLite would read with the new one. Outside of WAL mode a file has
 * none, so that a reader before the rename creates none. While readers have the file open the mode cannot change: they
 * keep their files until their next question.
 */
function parkDatabase(indexPath: string): void {
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(indexPath, { timeout: 0, defensive: true })
    // In memory, because a journal file of a killed process would count as foreign.
    db.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = MEMORY')
  } catch {
    // In use or damaged; it is replaced anyway.
  } finally {
    db?.close()
  }
  for (const suffix of companions) rmSync(indexPath + suffix, { force: true })
}

/** Windows does not replace an open file. */
const inUse: ReadonlySet<string | undefined> = new Set(['EBUSY', 'EPERM', 'EACCES'])

/** Replaces a corpus file by a complete and closed one, in one step. The caller holds the writer's lock. */
export function replaceDatabase(complete: string, indexPath: string, env: Environment): void {
  try {
    // Both files are claimed until the rename: a reader finds one or the other.
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
