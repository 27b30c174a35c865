// May this index be read and written? Readers work without write access; writers check it first.
import { accessSync, constants, existsSync, lstatSync, mkdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { YoreError } from '../../../model/errors.ts'

/** SQLITE_READONLY and SQLITE_CANTOPEN, in all their variants. */
const refusals: ReadonlySet<number> = new Set([8, 14])
const refusedCodes: ReadonlySet<string | undefined> = new Set(['EACCES', 'EROFS', 'EPERM'])

/** Did the system or SQLite refuse to write or to open? */
export function isRefusal(cause: unknown): boolean {
  const { errcode, code } = cause as { errcode?: number; code?: string }
  return refusals.has((errcode ?? 0) & 0xff) || refusedCodes.has(code)
}

/** SQLITE_FULL, and SQLITE_IOERR_SHMSIZE: no space for the shared memory. */
const fullCodes: ReadonlySet<number | undefined> = new Set([13, 4874])
const fullNames: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

export function isFull(cause: unknown): boolean {
  const { errcode, code } = cause as { errcode?: number; code?: string }
  return fullCodes.has(errcode) || fullNames.has(code)
}

/** SQLITE_IOERR in its variants for writing, syncing and truncating. */
const unwritten: ReadonlySet<number | undefined> = new Set([778, 1034, 1546])

/** Converts a write failure to DISK_FULL with a hint; null for another failure. */
export function asFull(cause: unknown, folder: string): YoreError | null {
  if (isFull(cause)) return new YoreError('DISK_FULL', `no space left on the device of ${folder}`, { cause })
  const { errcode, message } = cause as { errcode?: number; message?: string }
  if (!unwritten.has(errcode)) return null
  const hint =
    'look for free space, a quota or a limit on the size of files, and for disk errors; the previous index is intact'
  return new YoreError('DISK_FULL', `the index could not be written: ${message}`, { cause, hint })
}

/** SQLITE_ERROR, SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH and SQLITE_RANGE: about the values of a row. */
const refusedValues: ReadonlySet<number> = new Set([1, 18, 19, 20, 25])

/** Was the failure caused by one document, and not by the disk, a lock or a damaged index? */
export function isOfOneDocument(cause: unknown): boolean {
  if (cause instanceof YoreError || isFull(cause) || isRefusal(cause)) return false
  const { errcode } = cause as { errcode?: number }
  return errcode === undefined || refusedValues.has(errcode & 0xff)
}

export const noPermission = (folder: string, cause?: unknown): YoreError =>
  new YoreError('NO_PERMISSION', `the index folder ${folder} cannot be written`, { cause })

/** Can files in this folder be written and created? */
export function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    // A link or a FIFO is not checked, because it will be replaced.
    const index = join(folder, 'index.db')
    if (lstatSync(index, { throwIfNoEntry: false })?.isFile()) accessSync(index, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Creates the index folder. Throws NO_PERMISSION. */
export function requireWritable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (cause) {
    if (isRefusal(cause)) throw noPermission(folder, cause)
    throw cause
  }
  if (!isWritable(folder)) throw noPermission(folder)
}

/** Changes when a reader must open the file again: for another file or, without shared memory (see open-database.ts), for any change. */
export function versionOf(indexPath: string): string {
  let stats: Stats | undefined
  try {
    stats = statSync(indexPath, { throwIfNoEntry: false })
  } catch {
    // Opening the file reports the reason.
  }
  if (stats === undefined) return ''
  return existsSync(`${indexPath}-shm`) ? `${stats.ino}` : `${stats.ino} ${stats.mtimeMs} ${stats.size}`
}
