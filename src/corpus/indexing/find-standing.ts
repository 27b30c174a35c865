// Is a file indexed? Indexed, not indexed yet, skipped with a reason, or missing.
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../../model/config/settings.ts'
import { extensionOf } from '../../model/paths.ts'
import { readBytesInside } from '../../read/source/read-bytes-inside.ts'
import { normalizeCorpusPath } from '../../read/source/walk/corpus-path.ts'
import { locate } from '../../read/source/walk/corpus-roots.ts'
import { walkFiles } from '../../read/source/walk/walk-files.ts'
import { isAlwaysSkipped, sizeLimit } from '../../read/source/walk/walk-options.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import { rootsOf } from './refresh-index.ts'
import { isDigest } from './written-by-yore.ts'

/** The state of a file; `not indexed yet` means that the next `yore index` reads it. */
export type FileStanding =
  | { readonly state: 'indexed' | 'not indexed yet' | 'absent' }
  | { readonly state: 'skipped'; readonly reason: string }

interface FileStateOptions {
  readonly root: string
  readonly settings: Pick<Settings, 'maxFileSize' | 'ignore'>
}

/** Reads the index, then the file itself and the folders above it. */
export function findStanding(reader: CorpusReader, path: string, options: FileStateOptions): FileStanding {
  const { root, settings } = options
  const indexed = reader.fileByPath(path) !== null
  const at = locate(rootsOf(reader, root), path)
  const stats =
    normalizeCorpusPath(path) === path && lstatSync(join(at.root, at.path), { throwIfNoEntry: false })
  if (!stats || stats.isDirectory()) return { state: indexed ? 'indexed' : 'absent' }
  const read = readBytesInside(at.root, at.path, sizeLimit(path, settings.maxFileSize))
  if ('bytes' in read && isDigest(read.bytes.toString('utf8', 0, 8000)))
    return { state: 'skipped', reason: 'it is a digest that yore wrote' }
  if (indexed) return { state: 'indexed' }
  const walk = walkFiles(at.root, {
    maxFileSize: settings.maxFileSize,
    include: [at.path],
    extraIgnore: [...settings.ignore],
  })
  const skipped =
    walk.skipped.find((file) => file.path === at.path) ?? reader.skipped().find((file) => file.path === path)
  if (skipped !== undefined) return { state: 'skipped', reason: skipped.detail }
  if (walk.files.length > 0) return { state: 'not indexed yet' }
  if (isOtherSpelling(reader, path, root)) return { state: 'absent' }
  return { state: 'skipped', reason: whyNotWalked(path, Object.keys(walk.unsupported)) }
}

/** Is it an indexed file in other case? Windows and macOS open it, and no walk lists it under this name. */
function isOtherSpelling(reader: CorpusReader, path: string, root: string): boolean {
  const inode = (name: string): bigint | undefined => {
    const at = locate(rootsOf(reader, root), name)
    return lstatSync(join(at.root, at.path), { bigint: true, throwIfNoEntry: false })?.ino
  }
  const folded = path.toLowerCase()
  return reader.files().some((file) => file.path.toLowerCase() === folded && inode(file.path) === inode(path))
}

function whyNotWalked(path: string, unsupported: readonly string[]): string {
  if (unsupported.length > 0) return `files that end in ${extensionOf(path)} are not text`
  const folders = path.split('/').slice(0, -1)
  const never = folders.find((name) => isAlwaysSkipped(name, 'directory'))
  return never === undefined ? 'ignore rules exclude it' : `folders called ${never} are never read`
}
