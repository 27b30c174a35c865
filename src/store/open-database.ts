// How is a corpus file opened? For one writer or for many readers, and never when it is foreign, newer or damaged.
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { YoreError } from '../errors.ts'
import { isRefusal, noPermission, requireWritable } from './check-permission.ts'
import { homeAfterRename, homeOf, refuseOtherRoot } from './index-home.ts'
import { besidePath, deleteDatabase } from './replace-database.ts'
import { applicationId, schemaVersion, tables } from './schema.ts'

function readMeta(db: DatabaseSync, key: string): string | null {
  const row = db.prepare('SELECT value FROM meta WHERE key = ?').get(key) as { value: string } | undefined
  return row?.value ?? null
}

/** A process was killed, or is still at work, between creating the file and its first transaction. */
function isEmpty(db: DatabaseSync): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
}

export interface OpenOptions {
  /** Also a file that was built somewhere else. */
  readonly anyHome?: boolean
  /** The folder whose files it must hold; any when not given. */
  readonly root?: string
}

/** Is this file one of ours, of this version, built here and of this root? Throws what is wrong. */
function checkDatabase(db: DatabaseSync, indexPath: string, options: OpenOptions): void {
  const id = (db.prepare('PRAGMA application_id').get() as { application_id: number }).application_id
  if (id !== applicationId && isEmpty(db))
    throw new YoreError('NO_INDEX', `no index at ${dirname(indexPath)}`)
  if (id !== applicationId) throw new YoreError('INDEX_DAMAGED', `${indexPath} is not a yore index`)
  const version = (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version
  if (version > schemaVersion)
    throw new YoreError(
      'INDEX_NEWER',
      `${indexPath} was written by a newer yore (schema ${version}, this one knows ${schemaVersion})`,
    )
  const isHome = readMeta(db, 'home') === homeOf(indexPath)
  if (isHome && options.root !== undefined) refuseOtherRoot(indexPath, readMeta(db, 'root'), options.root)
  if (version < schemaVersion)
    throw new YoreError(
      'INDEX_OUTDATED',
      `${indexPath} was written by an older yore (schema ${version}, now ${schemaVersion})`,
    )
  if (options.anyHome !== true && !isHome)
    throw new YoreError('INDEX_FOREIGN', `the index at ${indexPath} was built somewhere else`)
}

function asDamaged(indexPath: string, cause: unknown): YoreError {
  if (cause instanceof YoreError) return cause
  if (isRefusal(cause)) return noPermission(dirname(indexPath), cause)
  return new YoreError('INDEX_DAMAGED', `cannot read ${indexPath}: ${(cause as Error).message}`, { cause })
}

function openChecked(place: string | URL, indexPath: string, options: OpenOptions): DatabaseSync {
  const db = new DatabaseSync(place, { readOnly: true, timeout: 5000 })
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
function openUnlocked(indexPath: string, options: OpenOptions): DatabaseSync {
  if ((statSync(`${indexPath}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    const reason = 'its last changes are still in index.db-wal, and the folder cannot be written'
    throw new YoreError('NO_PERMISSION', `cannot read ${indexPath}: ${reason}`)
  }
  const place = pathToFileURL(indexPath)
  place.searchParams.set('immutable', '1')
  try {
    return openChecked(place, indexPath, options)
  } catch (cause) {
    if (isRefusal(cause)) throw new YoreError('NO_PERMISSION', `${indexPath} may not be read`, { cause })
    throw cause
  }
}

/** Opens for reading; every read transaction sees one consistent state, whatever a writer does meanwhile. */
export function openForReading(indexPath: string, options: OpenOptions = {}): DatabaseSync {
  if (!existsSync(indexPath)) throw new YoreError('NO_INDEX', `no index at ${dirname(indexPath)}`)
  try {
    return openChecked(indexPath, indexPath, options)
  } catch (cause) {
    if (!isRefusal(cause)) throw asDamaged(indexPath, cause)
  }
  try {
    return openUnlocked(indexPath, options)
  } catch (cause) {
    throw asDamaged(indexPath, cause)
  }
}

/** Creates `file`, which is the index or will be renamed to it. */
function createDatabase(file: string, indexPath: string, root: string | undefined): DatabaseSync {
  const folder = dirname(indexPath)
  mkdirSync(folder, { recursive: true })
  const ignore = join(folder, '.gitignore')
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n')
  deleteDatabase(file)
  const db = new DatabaseSync(file, { timeout: 5000 })
  db.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL')
  db.exec(
    `BEGIN; ${tables} PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion};`,
  )
  const add = db.prepare('INSERT INTO meta VALUES (?, ?)')
  add.run('home', homeAfterRename(file, indexPath))
  if (root !== undefined) add.run('root', root)
  db.exec('COMMIT')
  return db
}

/** A corpus file that is open for writing. */
export interface OpenedForWriting {
  readonly db: DatabaseSync
  /** The file is new and holds nothing yet. */
  readonly created: boolean
  /** Where it is written: the index itself, or beside it until it may take its place (`replaceDatabase`). */
  readonly file: string
}

/** A rebuild replaces whatever is there, but not the index of another folder. */
function refuseToReplace(indexPath: string, root: string): void {
  try {
    openForReading(indexPath, { root }).close()
  } catch (cause) {
    if (cause instanceof YoreError && cause.code === 'WRONG_ROOT') throw cause
  }
}

/** Opens for writing. Where there is an index, `rebuild` begins a new one beside it, and that one stays readable. */
export function openForWriting(
  indexPath: string,
  options: { rebuild: boolean; root?: string },
): OpenedForWriting {
  const beside = besidePath(indexPath)
  // What a rebuild left that was stopped: it cannot be gone on with, and takes space.
  deleteDatabase(beside)
  let db: DatabaseSync | null = null
  const exists = existsSync(indexPath)
  const file = options.rebuild && exists ? beside : indexPath
  const created = options.rebuild || !exists
  if (file !== indexPath && options.root !== undefined) refuseToReplace(indexPath, options.root)
  try {
    if (created) db = createDatabase(file, indexPath, options.root)
    else {
      db = new DatabaseSync(indexPath, { timeout: 5000 })
      checkDatabase(db, indexPath, options)
    }
    db.exec(
      'PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY',
    )
    return { db, created, file }
  } catch (cause) {
    db?.close()
    // A file of an older schema is only a cache of the source files: it is built anew.
    if (cause instanceof YoreError && (cause.code === 'INDEX_OUTDATED' || cause.code === 'NO_INDEX')) {
      if (cause.code === 'NO_INDEX') deleteDatabase(indexPath)
      return openForWriting(indexPath, { ...options, rebuild: true })
    }
    throw asDamaged(indexPath, cause)
  }
}

/** Holds the writer's lock until the process ends or `release` is called; null when another process has it. Throws NO_PERMISSION. */
export function takeWriterLock(folder: string): { release(): void } | null {
  requireWritable(folder)
  const db = new DatabaseSync(join(folder, 'writer.lock'), { timeout: 0 })
  try {
    db.exec('BEGIN EXCLUSIVE')
  } catch {
    db.close()
    return null
  }
  return { release: () => db.close() }
}
