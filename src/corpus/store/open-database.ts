// How is a corpus file opened? For one writer or for many readers, and never when it is foreign, newer or damaged.
import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  copyFileSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { pathBelow } from '../../model/config/path-below.ts'
import type { Environment } from '../../model/config/state-folder.ts'
import { YoreError } from '../../model/errors.ts'
import { asFull, isFull, isRefusal, noPermission } from './ownership/check-permission.ts'
import { requireSqlite } from './ownership/check-sqlite.ts'
import {
  besidePath,
  claimIndex,
  fileIdentity,
  judgeIndex,
  refuseLinkedFolder,
  refuseOtherRoot,
  setAside,
} from './ownership/index-home.ts'
import { deleteDatabase } from './replace-database.ts'
import { readMeta, writeMeta } from './rows/meta.ts'
import { select } from './rows/table.ts'
import { applicationId, files, hasOurSchema, schemaVersion, tables } from './schema.ts'

export interface OpenFileOptions {
  /** The folder whose files it must hold; any when not given. */
  readonly root?: string
  /** Says where the user's state folder is; the process's own when not given. */
  readonly env?: Environment
}

/** Where an index lies in its root; null when it lies outside. One that is still there moved with its root. */
export function placeInRoot(indexPath: string, root: string): string | null {
  return pathBelow(resolve(root), resolve(dirname(indexPath))) || null
}

/** Are the first files that it holds in this folder, as long as they were? Of a copied folder most are. */
function holdsFilesOf(db: DatabaseSync, root: string): boolean {
  const rows = select(db, files.pick(['path', 'size']), 'FROM files ORDER BY id LIMIT 20').all()
  const isHere = ({ path, size }: { path: string; size: number }): boolean =>
    statSync(join(root, path), { throwIfNoEntry: false })?.size === size
  return rows.filter(isHere).length * 2 >= rows.length
}

function checkRoot(db: DatabaseSync, indexPath: string, root: string): void {
  if (readMeta(db, 'root') === root) return
  const place = placeInRoot(indexPath, root)
  const isMoved = place !== null && place === readMeta(db, 'place') && holdsFilesOf(db, root)
  if (isMoved) return
  refuseOtherRoot(indexPath, readMeta(db, 'root'), root)
}

/** Is this file a yore index of this version, and of this root? No table is read before all of them are ours. */
function checkDatabase(db: DatabaseSync, indexPath: string, options: OpenFileOptions): void {
  const id = (db.prepare('PRAGMA application_id').get() as { application_id: number }).application_id
  const version = (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version
  // A process was killed, or is still at work, between creating the file and its first transaction.
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
  if (id !== applicationId && isEmpty) throw new YoreError('NO_INDEX', `no index at ${dirname(indexPath)}`)
  if (id !== applicationId) throw new YoreError('INDEX_DAMAGED', `${indexPath} is not a yore index`)
  if (version > schemaVersion)
    throw new YoreError(
      'INDEX_NEWER',
      `${indexPath} was written by a newer yore (schema ${version}, this one knows ${schemaVersion})`,
    )
  if (version < schemaVersion)
    throw new YoreError(
      'INDEX_OUTDATED',
      `${indexPath} was written by an older yore (schema ${version}, now ${schemaVersion})`,
    )
  if (!hasOurSchema(db))
    throw new YoreError('INDEX_DAMAGED', `${indexPath} has other tables than a yore index`)
  if (options.root !== undefined) checkRoot(db, indexPath, options.root)
}

function asDamaged(indexPath: string, cause: unknown): YoreError {
  if (cause instanceof YoreError) return cause
  const full = asFull(cause, dirname(indexPath))
  if (full !== null) return full
  if (isRefusal(cause)) return noPermission(dirname(indexPath), cause)
  return new YoreError('INDEX_DAMAGED', `cannot read ${indexPath}: ${(cause as Error).message}`, { cause })
}

/** What the file holds cannot run code: no functions with side effects in a schema, no writing to it. */
function openSafely(place: string | URL, options: { readOnly: boolean }): DatabaseSync {
  const db = new DatabaseSync(place, { ...options, timeout: 5000, defensive: true })
  db.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON')
  return db
}

function openChecked(place: string | URL, indexPath: string, options: OpenFileOptions): DatabaseSync {
  const db = openSafely(place, { readOnly: true })
  try {
    db.exec('PRAGMA mmap_size = 1073741824')
    checkDatabase(db, indexPath, options)
    return db
  } catch (cause) {
    db.close()
    throw cause
  }
}

/** Opens a file that cannot be locked, because nothing can be written beside it: then nobody else writes it either. */
function openUnlocked(indexPath: string, options: OpenFileOptions): DatabaseSync {
  if ((statSync(`${indexPath}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    const reason = 'its last changes are still in index.db-wal, and the folder cannot be written'
    throw new YoreError('NO_PERMISSION', `cannot read ${indexPath}: ${reason}`)
  }
  const place = pathToFileURL(indexPath)
  place.searchParams.set('immutable', '1')
  return openChecked(place, indexPath, options)
}

/** Throws NO_INDEX and INDEX_FOREIGN. */
function requireOwn(indexPath: string, env: Environment = process.env): void {
  const found = judgeIndex(indexPath, env)
  if (found.kind === 'none') throw new YoreError('NO_INDEX', `no index at ${dirname(indexPath)}`)
  if (found.kind === 'foreign')
    throw new YoreError('INDEX_FOREIGN', `the index at ${indexPath} is not yours: ${found.reason}`)
}

function openOnce(indexPath: string, options: OpenFileOptions): DatabaseSync {
  requireOwn(indexPath, options.env)
  try {
    return openChecked(indexPath, indexPath, options)
  } catch (cause) {
    // Nothing can be written beside it, for lack of a right or of room.
    if (!isRefusal(cause) && !isFull(cause)) throw cause
  }
  return openUnlocked(indexPath, options)
}

/** While a rebuilt file takes the place of the old one, a reader may find some of each: it looks again so often. */
const ATTEMPTS = 5

/** Opens for reading; every read transaction sees one consistent state, whatever a writer does meanwhile. */
export function openForReading(indexPath: string, options: OpenFileOptions = {}): DatabaseSync {
  requireSqlite()
  try {
    if (options.root !== undefined) refuseLinkedFolder(dirname(indexPath), options.root)
    return openPatiently(indexPath, options)
  } catch (cause) {
    if (isRefusal(cause)) throw new YoreError('NO_PERMISSION', `${indexPath} may not be read`, { cause })
    throw asDamaged(indexPath, cause)
  }
}

function openPatiently(indexPath: string, options: OpenFileOptions): DatabaseSync {
  for (let attempt = 1; ; attempt++) {
    const before = fileIdentity(indexPath)
    try {
      const db = openOnce(indexPath, options)
      if (attempt === ATTEMPTS || fileIdentity(indexPath) === before) return db
      db.close()
    } catch (cause) {
      const isFinal = cause instanceof YoreError && cause.code !== 'INDEX_FOREIGN'
      const isReplaced = fileIdentity(indexPath) !== before
      if (attempt === ATTEMPTS || (isFinal && !isReplaced)) throw cause
      Atomics.wait(pause, 0, 0, 2 ** attempt)
    }
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4))

/** Bytes that are hashed at once. */
const HASHED_BYTES = 1 << 20

function hashFile(file: string): string {
  const handle = openSync(file, 'r')
  try {
    const [sum, bytes] = [createHash('sha256'), Buffer.allocUnsafe(HASHED_BYTES)]
    for (let read = readSync(handle, bytes); read > 0; read = readSync(handle, bytes))
      sum.update(bytes.subarray(0, read))
    return sum.digest('hex')
  } finally {
    closeSync(handle)
  }
}

/**
 * Opens a finished file that nobody writes any more. Where it came from does not matter: its hash says that it is the
 * one that was meant, and nothing beside it is read. Throws NO_INDEX and INDEX_DAMAGED.
 */
export function openImmutable(file: string, sha256: string): DatabaseSync {
  requireSqlite()
  try {
    const before = fileIdentity(file)
    if (before === null) throw new YoreError('NO_INDEX', `there is no file ${file}`)
    if (hashFile(file) !== sha256.toLowerCase())
      throw new YoreError('INDEX_DAMAGED', `${file} has another hash than the one that was given`)
    const db = openUnlocked(file, {})
    if (fileIdentity(file) === before) return db
    db.close()
    throw new YoreError('INDEX_DAMAGED', `${file} was replaced while it was opened`)
  } catch (cause) {
    throw asDamaged(file, cause)
  }
}

/** Creates `file`, which is the index or will be renamed to it. */
function createDatabase(
  file: string,
  indexPath: string,
  { root, env = process.env }: OpenFileOptions,
): DatabaseSync {
  const folder = dirname(indexPath)
  mkdirSync(folder, { recursive: true })
  makeIgnoreFile(join(folder, '.gitignore'))
  deleteDatabase(file)
  // Made here and claimed while it is empty: SQLite follows links, and a reader must not take it for a stranger's.
  closeSync(openSync(file, 'wx'))
  if (file === indexPath) claimIndex(indexPath, env)
  const db = openSafely(file, { readOnly: false })
  // By way of a journal in memory: one in a file, which this change writes otherwise, counts as a stranger's.
  db.exec(
    'PRAGMA page_size = 8192; PRAGMA journal_mode = MEMORY; PRAGMA journal_mode = WAL; SELECT 1 FROM sqlite_schema',
  )
  if (file === indexPath) claimIndex(indexPath, env)
  db.exec(
    `BEGIN; ${tables} PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion};`,
  )
  if (root !== undefined) setRoot(db, indexPath, root)
  db.exec('COMMIT')
  return db
}

/** The index keeps itself out of the repository. 'wx' does not follow a link that lies there. */
function makeIgnoreFile(place: string): void {
  try {
    writeFileSync(place, '*\n', { flag: 'wx' })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
  }
}

/** Whose files it holds, and where it lies among them: a folder that is moved or copied takes its index along. */
function setRoot(db: DatabaseSync, indexPath: string, root: string): void {
  writeMeta(db, 'root', root)
  writeMeta(db, 'place', placeInRoot(indexPath, root) ?? '')
}

/** A corpus file that is open for writing. */
interface OpenedForWriting {
  readonly db: DatabaseSync
  /** The file is new and holds nothing yet. */
  readonly created: boolean
  /** Where it is written: the index itself, or beside it until it may take its place (`replaceDatabase`). */
  readonly file: string
  /** Where a foreign index went that was there; null when there was none. */
  readonly setAsideAt: string | null
}

/** A rebuild replaces whatever is there, but not the index of another folder. */
function refuseToReplace(indexPath: string, options: OpenFileOptions): void {
  try {
    openForReading(indexPath, options).close()
  } catch (cause) {
    if (cause instanceof YoreError && cause.code === 'WRONG_ROOT') throw cause
  }
}

/** Opens for writing. Where there is an index, `rebuild` begins a new one beside it, and that one stays readable. */
export function openForWriting(
  indexPath: string,
  options: OpenFileOptions & { readonly rebuild: boolean },
): OpenedForWriting {
  requireSqlite()
  if (options.root !== undefined) refuseLinkedFolder(dirname(indexPath), options.root)
  const found = judgeIndex(indexPath, options.env ?? process.env)
  const setAsideAt = found.kind === 'foreign' ? setAside(indexPath) : null
  const opened = openOwn(indexPath, { ...options, exists: found.kind === 'own' })
  return { ...opened, setAsideAt }
}

/**
 * Makes a copy of a corpus file the index of a folder that holds its documents, of which each is read again where it is
 * not the same. Whoever asks has verified the file: nothing of it is judged here. There is no index yet.
 */
export function adoptDatabase(
  file: string,
  { indexPath, root, env }: { readonly indexPath: string; readonly root: string; readonly env: Environment },
): void {
  mkdirSync(dirname(indexPath), { recursive: true })
  copyFileSync(file, indexPath, constants.COPYFILE_EXCL)
  claimIndex(indexPath, env)
  const db = openSafely(indexPath, { readOnly: false })
  try {
    writeMeta(db, 'root', root)
    writeMeta(db, 'place', placeInRoot(indexPath, root) ?? '')
  } finally {
    db.close()
  }
}

function openOwn(
  indexPath: string,
  options: OpenFileOptions & { readonly rebuild: boolean; readonly exists: boolean },
): Omit<OpenedForWriting, 'setAsideAt'> {
  const beside = besidePath(indexPath)
  // What a rebuild left that was stopped: it cannot be gone on with, and takes space.
  deleteDatabase(beside)
  let db: DatabaseSync | null = null
  const file = options.rebuild && options.exists ? beside : indexPath
  const created = options.rebuild || !options.exists
  if (file !== indexPath && options.root !== undefined) refuseToReplace(indexPath, options)
  try {
    if (created) db = createDatabase(file, indexPath, options)
    else {
      db = openSafely(indexPath, { readOnly: false })
      checkDatabase(db, indexPath, options)
      // Its log is there now and holds nothing new yet.
      claimIndex(indexPath, options.env ?? process.env)
    }
    db.exec(
      'PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY',
    )
    return { db, created, file }
  } catch (cause) {
    db?.close()
    if (created && db !== null) deleteDatabase(file)
    // A file of an older schema is only a cache of the source files: it is built anew.
    if (cause instanceof YoreError && (cause.code === 'INDEX_OUTDATED' || cause.code === 'NO_INDEX'))
      return openOwn(indexPath, { ...options, rebuild: true, exists: cause.code === 'INDEX_OUTDATED' })
    throw asDamaged(indexPath, cause)
  }
}
