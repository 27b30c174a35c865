// Is the index still up to date? One stat per file and folder answers that, without a walk or ignore rules.
import { type Stats, statSync } from 'node:fs'
import type { FileStamp } from '../../../model/source-file.ts'
import { placeOnDisk, type Root } from './corpus-roots.ts'

/** Identifies the state of a file, for a later comparison. */
export function stampOf(stats: Stats): Omit<FileStamp, 'path'> {
  return { size: stats.size, mtime: stats.mtimeMs, ctime: stats.ctimeMs, inode: stats.ino }
}

export const isSameStamp = (a: Omit<FileStamp, 'path'>, b: Omit<FileStamp, 'path'>): boolean =>
  a.size === b.size && a.mtime === b.mtime && a.ctime === b.ctime && a.inode === b.inode

/** The state of a folder when it was read. '' is the root. */
export interface DirectoryStamp {
  readonly path: string
  readonly mtime: number
}

/** The state when the index was built. */
export interface KnownFiles {
  readonly files: readonly FileStamp[]
  readonly directories: readonly DirectoryStamp[]
  readonly ignoreFiles?: readonly FileStamp[]
  /** Milliseconds since 1970 at which the walk began. */
  readonly indexedAt: number
}

export type FileChanges =
  | { readonly fresh: true }
  | {
      readonly fresh: false
      /** Files that changed, are gone, or may have changed unnoticed: compare their hash. */
      readonly touched: readonly string[]
      /** A folder or an ignore file changed: files may have been added or removed, so walk again. */
      readonly directoriesChanged: boolean
    }

/** Resolution of file times: a few milliseconds on current systems, up to 2 s where times are whole seconds. */
const FINE_TICK = 50
const COARSE_TICK = 2000

/**
 * A file written just before it was read can be written again within the same clock tick and with the same size. Its
 * stamp then stays the same and the change goes unnoticed (git calls such a
 * file racily clean). Such files count as touched, so that the caller compares their hash. This does not apply to
 * folders, where no cheap comparison exists.
 */
export const isRacy = (time: number, indexedAt: number): boolean =>
  time >= indexedAt - (time % 1000 === 0 ? COARSE_TICK : FINE_TICK)

/**
 * Compares the known state with the file system.
 *
 * @example checkFreshness('.', { files: [], directories: [], indexedAt: 0 }) // { fresh: true }
 */
export function checkFreshness(root: Root, known: KnownFiles): FileChanges {
  const touched: string[] = []
  const paths = placesOf(root, known.files)
  for (const [at, file] of known.files.entries())
    if (isRacy(file.mtime, known.indexedAt) || hasChanged(paths[at] as string, file)) touched.push(file.path)

  const directoriesChanged =
    known.directories.some((directory) => mtimeOf(root, directory.path) !== directory.mtime) ||
    (known.ignoreFiles ?? []).some((file) => hasChanged(placeOnDisk(root, file.path), file))
  return touched.length === 0 && !directoriesChanged
    ? { fresh: true }
    : { fresh: false, touched, directoriesChanged }
}

/** Which of these files are gone or changed? */
export const changedAmong = (root: Root, files: readonly FileStamp[]): readonly string[] =>
  files.filter((file) => hasChanged(placeOnDisk(root, file.path), file)).map(({ path }) => path)

/** Where the files of the last question lie: they are mostly those of the next one. */
let places: { readonly root: Root; readonly files: readonly FileStamp[]; readonly paths: readonly string[] }

function placesOf(root: Root, files: readonly FileStamp[]): readonly string[] {
  if (places?.root !== root || places.files !== files)
    places = { root, files, paths: files.map(({ path }) => placeOnDisk(root, path)) }
  return places.paths
}

function hasChanged(place: string, file: FileStamp): boolean {
  const stats = look(place)
  return stats === undefined || !isSameStamp(stampOf(stats), file)
}

function mtimeOf(root: Root, path: string): number | undefined {
  const stats = look(placeOnDisk(root, path))
  return stats?.isDirectory() ? stats.mtimeMs : undefined
}

/** What is at a path; undefined for what cannot be seen. */
export function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined // No permission any more, or a link that leads in a circle: as good as gone.
  }
}
