// How is a consistent copy of a SQLite file taken? After a checkpoint, while no one can change it.
import { constants } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'

/** How long to wait for a lock, and for a moment without a commit between checkpoint and copy. */
const patienceMs = 5_000

/**
 * Copies the main file after a checkpoint. While the log is empty, a read transaction holds the
 * lock that a checkpoint needs: writers can continue, but only in the log.
 *
 * No other connection of this process may have the file open: closing a file drops all locks of the process on it.
 */
export async function copyDatabase(file: string, target: string): Promise<void> {
  using db = new DatabaseSync(file, { timeout: patienceMs })
  for (const started = performance.now(); performance.now() - started < patienceMs; ) {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    db.exec('BEGIN')
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    const log = await stat(`${file}-wal`).catch(() => null)
    if ((log?.size ?? 0) === 0) return await copyFile(file, target, constants.COPYFILE_FICLONE)
    db.exec('ROLLBACK')
  }
  throw new Error(`${file} has too many writes for a consistent copy`)
}
