// How is a folder read so that it cannot be swapped for a link meanwhile? Through an open descriptor.
import fs from 'node:fs'

/** An open folder. Paths that start with `base` stay in this folder even if its name is reused. */
export interface OpenDirectory {
  readonly base: string
  readonly stats: fs.Stats
  /** The folder's real path; null if the system does not report it. */
  readonly realPath: string | null
  close(): void
}

let descriptorsAreFolders: boolean | undefined

/** Linux lists open descriptors as links that paths can pass through, so look-ups are relative to them. */
function canWalkDescriptors(): boolean {
  descriptorsAreFolders ??= process.platform === 'linux' && fs.existsSync('/proc/self/fd')
  return descriptorsAreFolders
}

/** Opens a folder; throws if it is a link or not a folder. Close it after everything below it has been read. */
export function openDirectory(path: string): OpenDirectory {
  if (!canWalkDescriptors()) {
    const stats = fs.lstatSync(path)
    if (!stats.isDirectory()) throw new Error('not a folder')
    return { base: path, stats, realPath: null, close: () => {} }
  }
  const descriptor = fs.openSync(
    path,
    fs.constants.O_RDONLY | fs.constants.O_DIRECTORY | fs.constants.O_NOFOLLOW,
  )
  const base = `/proc/self/fd/${descriptor}`
  return {
    base,
    stats: fs.fstatSync(descriptor),
    get realPath() {
      return fs.readlinkSync(base)
    },
    close: () => fs.closeSync(descriptor),
  }
}
