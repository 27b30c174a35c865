// Does one real path lie inside another? Compared by whole segments, never by a string prefix alone.
import { sep } from 'node:path'

/**
 * Is `path` the folder itself or something below it? Both must be real paths, without links or `..`.
 *
 * @example isInside('/repo-evil/x', '/repo') // false
 */
export function isInside(path: string, folder: string): boolean {
  if (path === folder) return true
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** The path below `folder`, with `/` between its parts; '' for the folder itself. */
export function pathBelow(path: string, folder: string): string {
  const start = folder.endsWith(sep) ? folder.length : folder.length + 1
  const below = path.slice(start)
  return sep === '/' ? below : below.replaceAll(sep, '/')
}
