// How is a consistent copy of a SQLite file taken? With its log folded in, and while nobody can change it.
import { constants } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'

/** So long is waited for a lock, and for a moment in which no writer commits between the folding and the reading. */
const patienceMs = 5_000

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => null)
  return found?.size ?? 0
}

/**
 * Copies the main file after the write-ahead log was moved into it. While the log is empty, a read transaction holds the
 * lock without which nothing is moved from the log into the main file: writers may go on, and do not reach it.
 *
 * No other connection of this process may have the file open: closing a file drops all locks of the process on it.
 */
export async function copyDatabase(file: string, target: string): Promise<void> {
  const db = new DatabaseSync(file, { timeout: patienceMs })
  try {
    for (const started = performance.now(); performance.now() - started < patienceMs; ) {
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      db.exec('BEGIN')
      db.prepare('SELECT count(*) FROM sqlite_schema').get()
      if ((await sizeOf(`${file}-wal`)) === 0) {
        await copyFile(file, target, constants.COPYFILE_FICLONE)
        return
      }
      db.exec('ROLLBACK')
    }
    throw new Error(`${file} is written too busily for a copy`)
  } finally {
    db.close()
  }
}
