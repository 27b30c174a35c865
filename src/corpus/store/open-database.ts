// How is a corpus file opened? For one writer or for many readers; a foreign, newer or damaged file is refused.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { pathBelow } from '../../model/config/path-below.ts'
import type { Environment } from '../../model/config/state-folder.ts'
import { YoreError } from '../../model/errors.ts'
import { judgeBuild } from './ownership/build-record.ts'
import { asFull, isFull, isRefusal, noPermission } from './ownership/check-permission.ts'
import { requireSqlite } from './ownership/check-sqlite.ts'
import {
  claimIndex,
  fileIdentity,
  judgeIndex,
  rebuildPath,
  refuseLinkedFolder,
  refuseOtherRoot,
  setAside,
} from './ownership/index-home.ts'
import { deleteDatabase } from './replace-database.ts'
import { readMeta, writeMeta } from './rows/meta.ts'
import { select } from './rows/table.ts'
import { applicationId, files, hasOurSchema, schemaVersion, tables } from './schema.ts'

export interface OpenFileOptions {
  /** The folder whose files it must hold; any by default. */
  readonly root?: string
  /** Locates the user's state folder; by default the environment of the process. */
  readonly env?: Environment
}

/** The folder of an index inside its root; null outside. An index at the same place moved with its root. */
export const placeInRoot = (indexPath: string, root: string): string | null =>
  pathBelow(resolve(root), resolve(dirname(indexPath))) || null

/** Are most of its first files in this folder, with the same size? They are in a copied folder. */
function holdsFilesOf(db: DatabaseSync, root: string): boolean {
  const rows = select(db, files.pick(['path', 'size']), 'FROM files ORDER BY id LIMIT 20').all()
  const isHere = ({ path, size }: { path: string; size: number }): boolean =>
    fs.statSync(join(root, path), { throwIfNoEntry: false })?.size === size
  return rows.filter(isHere).length * 2 >= rows.length
}

function checkRoot(db: DatabaseSync, indexPath: string, root: string): void {
  if (readMeta(db, 'root') === root) return
  const place = placeInRoot(indexPath, root)
  const isMoved = place !== null && place === readMeta(db, 'place') && holdsFilesOf(db, root)
  if (isMoved) return
  refuseOtherRoot(indexPath, readMeta(db, 'root'), root)
}

/** Says who builds it, or what ended the last process that did. */
function noIndex(indexPath: string): YoreError {
  const folder = dirname(indexPath)
  const build = judgeBuild(folder, null)
  const why =
    build.kind === 'growing' ? `${build.by} is building it` : 'failure' in build ? build.failure : null
  return new YoreError('NO_INDEX', `no index at ${folder}${why === null ? '' : ` (${why})`}`)
}

/** Checks application id, version, schema and root, before any table is read. */
function checkDatabase(db: DatabaseSync, indexPath: string, options: OpenFileOptions): void {
  const id = (db.prepare('PRAGMA application_id').get() as { application_id: number }).application_id
  const version = (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version
  // A process was killed, or is running, between creating the file and its first transaction.
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
  if (id !== applicationId && isEmpty) throw noIndex(indexPath)
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
    throw new YoreError('INDEX_DAMAGED', `${indexPath} does not have the tables of a yore index`)
  if (options.root !== undefined) checkRoot(db, indexPath, options.root)
}

function asDamaged(indexPath: string, cause: unknown): YoreError {
  if (cause instanceof YoreError) return cause
  const full = asFull(cause, dirname(indexPath))
  if (full !== null) return full
  if (isRefusal(cause)) return noPermission(dirname(indexPath), cause)
  return new YoreError('INDEX_DAMAGED', `cannot read ${indexPath}: ${(cause as Error).message}`, { cause })
}

/** A file cannot run code: its schema has no functions with side effects and cannot be changed. */
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

/** Opens a file in a folder that is not writable and therefore has no lock and no writer. */
function openUnlocked(indexPath: string, options: OpenFileOptions): DatabaseSync {
  if ((fs.statSync(`${indexPath}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
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
  if (found.kind === 'none') throw noIndex(indexPath)
  if (found.kind === 'foreign')
    throw new YoreError('INDEX_FOREIGN', `the index at ${indexPath} is not yours: ${found.reason}`)
}

function openOnce(indexPath: string, options: OpenFileOptions): DatabaseSync {
  requireOwn(indexPath, options.env)
  try {
    return openChecked(indexPath, indexPath, options)
  } catch (cause) {
    // The folder is not writable, or the disk is full.
    if (!isRefusal(cause) && !isFull(cause)) throw cause
  }
  return openUnlocked(indexPath, options)
}

/** Attempts of a reader that finds parts of the old and of the rebuilt file. */
const ATTEMPTS = 5

/** Opens for reading; every read transaction sees one consistent state. */
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

const HASHED_BYTES = 1 << 20

function hashFile(file: string): string {
  const handle = fs.openSync(file, 'r')
  try {
    const [sum, bytes] = [createHash('sha256'), Buffer.allocUnsafe(HASHED_BYTES)]
    for (let read = fs.readSync(handle, bytes); read > 0; read = fs.readSync(handle, bytes))
      sum.update(bytes.subarray(0, read))
    return sum.digest('hex')
  } finally {
    fs.closeSync(handle)
  }
}

/** Opens a finished file that is not written any more and is identified by its hash. Throws NO_INDEX and INDEX_DAMAGED. */
export function openImmutable(file: string, sha256: string): DatabaseSync {
  requireSqlite()
  try {
    const before = fileIdentity(file)
    if (before === null) throw new YoreError('NO_INDEX', `no such file: ${file}`)
    if (hashFile(file) !== sha256.toLowerCase())
      throw new YoreError('INDEX_DAMAGED', `${file} does not have the expected hash`)
    const db = openUnlocked(file, {})
    if (fileIdentity(file) === before) return db
    db.close()
    throw new YoreError('INDEX_DAMAGED', `${file} was replaced while it was opened`)
  } catch (cause) {
    throw asDamaged(file, cause)
  }
}

/** Creates `file`, which is the index or will be renamed to it. */
function createDatabase(file: string, indexPath: string, { root, env = process.env }: OpenFileOptions) {
  const folder = dirname(indexPath)
  fs.mkdirSync(folder, { recursive: true })
  makeIgnoreFile(join(folder, '.gitignore'))
  deleteDatabase(file)
  // Created and claimed while it is empty: SQLite follows links, and a reader must not take the file for foreign.
  fs.closeSync(fs.openSync(file, 'wx'))
  if (file === indexPath) claimIndex(indexPath, env)
  const db = openSafely(file, { readOnly: false })
  // Uses a journal in memory, because a journal file without a claim counts as foreign.
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

/** Keeps the index out of git. The flag 'wx' does not follow a link. */
function makeIgnoreFile(place: string): void {
  try {
    fs.writeFileSync(place, '*\n', { flag: 'wx' })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
  }
}

/** The root and the folder of the index inside it, so that a moved or copied folder keeps its index. */
function setRoot(db: DatabaseSync, indexPath: string, root: string): void {
  writeMeta(db, 'root', root)
  writeMeta(db, 'place', placeInRoot(indexPath, root) ?? '')
}

interface OpenedForWriting {
  readonly db: DatabaseSync
  /** True for a new, empty file. */
  readonly created: boolean
  /** The file to write: the index itself, or a new file that replaces it later (`replaceDatabase`). */
  readonly file: string
  /** Where a foreign index was moved; null if there was none. */
  readonly setAsideAt: string | null
}

/** A rebuild may replace any index but that of another folder. */
function refuseToReplace(indexPath: string, options: OpenFileOptions): void {
  try {
    openForReading(indexPath, options).close()
  } catch (cause) {
    if (cause instanceof YoreError && cause.code === 'WRONG_ROOT') throw cause
  }
}

/** Opens for writing. With `rebuild` and an existing index, a new file is written while the old one stays readable. */
export function openForWriting(
  indexPath: string,
  options: OpenFileOptions & { readonly rebuild: boolean },
): OpenedForWriting {
  requireSqlite()
  if (options.root !== undefined) refuseLinkedFolder(dirname(indexPath), options.root)
  const found = judgeIndex(indexPath, options.env ?? process.env)
  const setAsideAt = found.kind === 'foreign' ? setAside(indexPath) : null
  return { ...openOwn(indexPath, { ...options, exists: found.kind === 'own' }), setAsideAt }
}

/** Makes a verified copy of a corpus file the index of a folder, which has none yet. Changed documents are read again by the next run. */
export function adoptDatabase(
  file: string,
  { indexPath, root, env }: { readonly indexPath: string; readonly root: string; readonly env: Environment },
): void {
  fs.mkdirSync(dirname(indexPath), { recursive: true })
  fs.copyFileSync(file, indexPath, fs.constants.COPYFILE_EXCL)
  claimIndex(indexPath, env)
  const db = openSafely(indexPath, { readOnly: false })
  try {
    setRoot(db, indexPath, root)
  } finally {
    db.close()
  }
}

function openOwn(
  indexPath: string,
  options: OpenFileOptions & { readonly rebuild: boolean; readonly exists: boolean },
): Omit<OpenedForWriting, 'setAsideAt'> {
  const rebuilt = rebuildPath(indexPath)
  // A stopped rebuild cannot be continued.
  deleteDatabase(rebuilt)
  let db: DatabaseSync | null = null
  const file = options.rebuild && options.exists ? rebuilt : indexPath
  const created = options.rebuild || !options.exists
  if (file !== indexPath && options.root !== undefined) refuseToReplace(indexPath, options)
  try {
    if (created) db = createDatabase(file, indexPath, options)
    else {
      db = openSafely(indexPath, { readOnly: false })
      checkDatabase(db, indexPath, options)
      // The log exists now and is empty.
      claimIndex(indexPath, options.env ?? process.env)
    }
    db.exec(
      'PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY',
    )
    return { db, created, file }
  } catch (cause) {
    db?.close()
    if (created && db !== null) deleteDatabase(file)
    // An index of an older schema is rebuilt: it is a cache of the source files.
    if (cause instanceof YoreError && (cause.code === 'INDEX_OUTDATED' || cause.code === 'NO_INDEX'))
      return openOwn(indexPath, { ...options, rebuild: true, exists: cause.code === 'INDEX_OUTDATED' })
    throw asDamaged(indexPath, cause)
  }
}
