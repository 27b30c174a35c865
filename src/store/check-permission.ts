// May this index be read and written? What only reads goes on without writing; what writes says so first.
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { YoreError } from '../errors.ts'

/** SQLITE_READONLY and SQLITE_CANTOPEN, in all their variants. */
const refusals: ReadonlySet<number> = new Set([8, 14])
const refusedCodes: ReadonlySet<string | undefined> = new Set(['EACCES', 'EROFS', 'EPERM'])

/** Did the system, or SQLite for it, refuse to write or to open? */
export function isRefusal(cause: unknown): boolean {
  const { errcode, code } = cause as { errcode?: number; code?: string }
  return refusals.has((errcode ?? 0) & 0xff) || refusedCodes.has(code)
}

export function noPermission(folder: string, cause?: unknown): YoreError {
  return new YoreError('NO_PERMISSION', `the index folder ${folder} cannot be written`, { cause })
}

/** Can files in this folder be written, and made? */
export function isWritable(folder: string): boolean {
  try {
    for (const name of ['', 'writer.lock', 'index.db']) {
      const place = join(folder, name)
      if (name === '' || existsSync(place)) accessSync(place, constants.W_OK)
    }
    return true
  } catch {
    return false
  }
}

/** Makes the index folder when there is none. Throws NO_PERMISSION when it could not be written to. */
export function requireWritable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (cause) {
    if (isRefusal(cause)) throw noPermission(folder, cause)
    throw cause
  }
  if (!isWritable(folder)) throw noPermission(folder)
}

/**
 * What changes when a reader has to open the file anew: it is another file. One without shared memory is read as one
 * that nobody writes (see open-database.ts), so that any change counts.
 */
export function versionOf(indexPath: string): string {
  const stats = statSync(indexPath, { throwIfNoEntry: false })
  if (stats === undefined) return ''
  return existsSync(`${indexPath}-shm`) ? `${stats.ino}` : `${stats.ino} ${stats.mtimeMs} ${stats.size}`
}
