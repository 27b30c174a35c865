// How is a folder read so that nobody can swap it for a link meanwhile? Through a descriptor that is held open.
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  type Stats,
} from 'node:fs'

/** A folder held open. Paths that start with `base` stay in this very folder even when its name is given away. */
export interface OpenDirectory {
  readonly base: string
  readonly stats: Stats
  /** Where the folder really is; null where the system cannot say. */
  readonly realPath: string | null
  close(): void
}

let descriptorsAreFolders: boolean | undefined

/** Linux lists open descriptors as links that can be walked through, which makes every look-up relative to them. */
function canWalkDescriptors(): boolean {
  descriptorsAreFolders ??= process.platform === 'linux' && existsSync('/proc/self/fd')
  return descriptorsAreFolders
}

/** Opens a folder; throws when it is a link or no folder. Close it after everything below it has been read. */
export function openDirectory(path: string): OpenDirectory {
  if (!canWalkDescriptors()) {
    const stats = lstatSync(path)
    if (!stats.isDirectory()) throw new Error('not a folder')
    return { base: path, stats, realPath: null, close: () => {} }
  }
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  const base = `/proc/self/fd/${descriptor}`
  return {
    base,
    stats: fstatSync(descriptor),
    get realPath() {
      return readlinkSync(base)
    },
    close: () => closeSync(descriptor),
  }
}
