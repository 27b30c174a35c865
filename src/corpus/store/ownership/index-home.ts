// Who created this index? The file `owner` says it, and is read before SQLite opens anything. A folder `.yore` may
// have come with a checkout. `owner` names the files by inode and time of birth, which a checkout cannot foresee, and
// a random token. The user's state folder stores the token, too, which identifies an index that was moved or copied
// with its folder.
import { hash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { pathBelow } from '../../../model/config/path-below.ts'
import { type Environment, stateFolder } from '../../../model/config/state-folder.ts'
import { YoreError } from '../../../model/errors.ts'

/** The writer's lock inside the index folder. */
export const lockFileName = 'writer.lock'
const ownerFileName = 'owner'

/** Companion files of SQLite. */
export const companions = ['-wal', '-shm', '-journal'] as const

/** The file of a rebuild until it is complete. */
export const rebuildPath = (indexPath: string): string => `${indexPath}.new`

/** Every file that SQLite could open for an index. */
const sqliteFiles = (indexPath: string): string[] =>
  [indexPath, rebuildPath(indexPath)].flatMap((file) => ['', ...companions].map((end) => file + end))

interface Owner {
  readonly token: string
  readonly folder: string
  /** Identities of the index; two while one replaces the other. */
  readonly files: readonly string[]
  /** Identity of the write-ahead log of the last writer. */
  readonly log: string | null
}

function lookAt(place: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(place, { throwIfNoEntry: false })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw cause
  }
}

/** Inode and time of birth, which another file at the same path does not share; null without a file. */
export function fileIdentity(place: string): string | null {
  const stats = fs.lstatSync(place, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? null : `${stats.ino}:${stats.birthtimeNs}`
}

/** The first bytes of a regular file; null for anything else. Never blocks and never follows a link. */
export function readPlainFile(place: string, limit: number): string | null {
  if (!(lookAt(place)?.isFile() ?? false)) return null
  let handle: number | null = null
  try {
    handle = fs.openSync(
      place,
      fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0),
    )
    if (!fs.fstatSync(handle).isFile()) return null
    const bytes = Buffer.alloc(limit)
    return bytes.toString('utf8', 0, fs.readSync(handle, bytes, 0, limit, 0))
  } catch {
    return null
  } finally {
    if (handle !== null) fs.closeSync(handle)
  }
}

function readOwner(folder: string): Owner | null {
  try {
    const owner = JSON.parse(readPlainFile(join(folder, ownerFileName), 4096) ?? '') as Partial<Owner>
    const isOwner =
      /^[0-9a-f]{32}$/.test(owner.token ?? '') &&
      typeof owner.folder === 'string' &&
      Array.isArray(owner.files)
    return isOwner ? ({ ...owner, log: owner.log ?? null } as Owner) : null
  } catch {
    return null
  }
}

/** Writes all or nothing, and never through a link. */
function writeWhole(place: string, text: string): void {
  const temporary = `${place}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    fs.writeFileSync(temporary, text, { flag: 'wx', mode: 0o644 })
    fs.renameSync(temporary, place)
  } catch (cause) {
    fs.rmSync(temporary, { force: true })
    throw cause
  }
}

/** The folder of the user's tokens; null without a state folder. */
function tokenFolder(env: Environment): string | null {
  const folder = stateFolder(env)
  return folder === null ? null : join(folder, 'indexes')
}

/** Hashed, so that a listing of the folder reveals no token. */
function tokenPlace(token: string, env: Environment): string | null {
  const folder = tokenFolder(env)
  return folder === null ? null : join(folder, hash('sha256', token).slice(0, 32))
}

function isKnown(token: string, env: Environment): boolean {
  const place = tokenPlace(token, env)
  try {
    return place !== null && (lookAt(place)?.isFile() ?? false)
  } catch {
    return false
  }
}

/** Stores a token of this user; false when it cannot be written. */
function rememberToken(token: string, folder: string, env: Environment): boolean {
  const place = tokenPlace(token, env)
  if (place === null) return false
  try {
    if (readPlainFile(place, 4096) === folder) return true
    fs.mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
    writeWhole(place, folder)
    return true
  } catch {
    return false
  }
}

/** Can a token be stored? */
function hasTokens(env: Environment): boolean {
  const folder = tokenFolder(env)
  if (folder === null) return false
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    fs.accessSync(folder, fs.constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Tells the user when there is no state folder for tokens. */
export function withoutTokens(env: Environment): string | null {
  if (hasTokens(env)) return null
  const folder = tokenFolder(env) ?? 'the state folder of this user'
  return `${folder} cannot be written: this index is known here, and not after it is moved or copied`
}

function describeKind(stats: fs.Stats): string {
  if (stats.isSymbolicLink()) return 'a link'
  if (stats.isDirectory()) return 'a folder'
  if (stats.isFIFO()) return 'a FIFO'
  return stats.isFile() ? 'a second name of another file' : 'no regular file'
}

/** A reason in the companion files against opening an index; null without any. */
function findUnusual(indexPath: string): string | null {
  for (const place of sqliteFiles(indexPath)) {
    const stats = lookAt(place)
    if (stats === undefined) continue
    if (!stats.isFile() || stats.nlink > 1) return `${basename(place)} is ${describeKind(stats)}`
    // The index is in WAL mode: yore leaves no such journal, and SQLite would apply it.
    if (place.endsWith('-journal') && stats.size > 0) return `${basename(place)} is not yore's`
  }
  return null
}

/** Why the index is foreign; null when it is the user's. `file` and its companions are regular files. */
function findStranger(indexPath: string, file: fs.Stats, env: Environment): string | null {
  // Read first, because a writer names its log before it writes to it.
  const logSize = lookAt(`${indexPath}-wal`)?.size ?? 0
  const log = fileIdentity(`${indexPath}-wal`)
  const identity = fileIdentity(indexPath)
  const folder = dirname(indexPath)
  const owner = readOwner(folder)
  if (owner === null) return 'nothing says that your yore built it'
  const isHere = identity !== null && owner.files.includes(identity)
  const isSameFolder = owner.folder === fileIdentity(fs.realpathSync(folder))
  if (logSize > 0 && !(isHere && log === owner.log)) return 'index.db-wal came from somewhere else'
  if (isKnown(owner.token, env)) return isHere || !isSameFolder ? null : 'index.db came from somewhere else'
  // Built here by another user, or by a user without a state folder. A birth of 0 is unknown.
  const isAnothers = process.getuid !== undefined && file.uid !== process.getuid()
  const isBuiltHere = isHere && !identity.endsWith(':0') && (isAnothers || !hasTokens(env))
  return isBuiltHere ? null : 'it was built somewhere else'
}

/** Is there an index, and is it the user's? An empty file does not count: a process was killed at its start. */
export function judgeIndex(
  indexPath: string,
  env: Environment,
): { readonly kind: 'none' | 'own' } | { readonly kind: 'foreign'; readonly reason: string } {
  if (lookAt(dirname(indexPath)) === undefined) return { kind: 'none' }
  const unusual = findUnusual(indexPath)
  if (unusual !== null) return { kind: 'foreign', reason: unusual }
  const file = lookAt(indexPath)
  if (file === undefined || (file.size === 0 && (lookAt(`${indexPath}-wal`)?.size ?? 0) === 0))
    return { kind: 'none' }
  const reason = findStranger(indexPath, file, env)
  return reason === null ? { kind: 'own' } : { kind: 'foreign', reason }
}

/** Claims these files as the index. The caller holds the writer's lock. */
export function claimIndex(indexPath: string, env: Environment, files: readonly string[] = [indexPath]) {
  const folder = fs.realpathSync(dirname(indexPath))
  const before = readOwner(folder)
  const owner: Owner = {
    token: before?.token ?? randomBytes(16).toString('hex'),
    folder: fileIdentity(folder) as string,
    files: files.flatMap((file) => fileIdentity(file) ?? []),
    log: fileIdentity(`${indexPath}-wal`),
  }
  const isSame = before !== null && JSON.stringify(owner) === JSON.stringify(before)
  if (!isSame) writeWhole(join(folder, ownerFileName), JSON.stringify(owner))
  rememberToken(owner.token, folder, env)
}

/** Deletes the stored token of an index that is going to be removed. */
export function forgetToken(folder: string, env: Environment): void {
  const token = readOwner(folder)?.token
  const place = token === undefined ? null : tokenPlace(token, env)
  if (place !== null) fs.rmSync(place, { force: true })
}

/** Removes what a first run without a result left in its folder. The caller holds the writer's lock. */
export function clearHome(folder: string, env: Environment): void {
  forgetToken(folder, env)
  for (const name of [ownerFileName, '.gitignore']) fs.rmSync(join(folder, name), { force: true })
}

/** Removes an empty index folder. */
export function leaveHome(folder: string): void {
  try {
    fs.rmdirSync(folder)
  } catch {
    // Not empty: it is an index, or another process began one.
  }
}

/** Moves a foreign index aside unchanged; returns its new folder. The caller holds the writer's lock. */
export function setAside(indexPath: string): string {
  const folder = dirname(indexPath)
  let number = 1
  while (lookAt(join(folder, `foreign-${number}`)) !== undefined) number++
  const target = join(folder, `foreign-${number}`)
  fs.mkdirSync(target)
  for (const place of [...sqliteFiles(indexPath), join(folder, ownerFileName)])
    if (lookAt(place) !== undefined) fs.renameSync(place, join(target, basename(place)))
  return target
}

/**
 * Throws OUTSIDE_ROOT when a link leads from the root to the index folder: a checkout may contain it, and yore would
 * write to its target. The user may name the target itself.
 */
export function refuseLinkedFolder(indexDir: string, root: string): void {
  const below = pathBelow(resolve(root), resolve(indexDir))
  if (below === null || below === '') return
  const names = below.split('/')
  for (const depth of names.keys()) {
    const place = join(root, ...names.slice(0, depth + 1))
    if (!(lookAt(place)?.isSymbolicLink() ?? false)) continue
    throw new YoreError('OUTSIDE_ROOT', `${place} is a link: the index would be written to its target`, {
      hint: 'remove the link, or name the folder that it leads to with --index',
    })
  }
}

/** The identity of a folder under any of its names; null when it is gone. */
function sameFolder(folder: string): string | null {
  try {
    const stats = fs.statSync(folder, { throwIfNoEntry: false })
    return stats === undefined ? null : `${stats.dev}:${stats.ino}`
  } catch {
    return folder // Not readable.
  }
}

/** Throws when the index holds the files of another folder that still exists there. */
export function refuseOtherRoot(indexPath: string, holds: string | null, root: string): void {
  if (holds === null || holds === root) return
  const identity = sameFolder(holds)
  if (identity === null || identity === sameFolder(root)) return
  const folder = dirname(indexPath)
  const hint = `add \`--root ${holds}\`, or name another index with --index; delete ${folder} to use it for ${root}`
  throw new YoreError('WRONG_ROOT', `the index at ${folder} holds the files of ${holds}`, { hint })
}
