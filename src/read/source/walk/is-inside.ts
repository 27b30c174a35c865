// Is one real path inside another, and what is there? Compares whole segments, not string prefixes.

import { lstatSync, realpathSync, type Stats } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { lastSegment } from '../../../model/paths.ts'
import { normalizeCorpusPath } from './corpus-path.ts'
import { locate, type Root } from './corpus-roots.ts'

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

/**
 * The kind of file at a path below the root; null when nothing is there. A link that leads out of the root counts as a
 * file, whatever its target.
 *
 * @example lookInside('.', 'README.md') // 'file'
 */
export function lookInside(corpus: Root, named: string): 'file' | 'folder' | null {
  const { root, path } = locate(corpus, named)
  const below = normalizeCorpusPath(path)
  if (below === null) return null
  try {
    const realRoot = realpathSync.native(root)
    const folder = realpathSync.native(join(realRoot, dirname(below)))
    if (!isInside(folder, realRoot)) return null
    const place = join(folder, lastSegment(below))
    const stats = lstatSync(place)
    if (!stats.isSymbolicLink()) return kindOf(stats)
    const end = realpathSync.native(place)
    return isInside(end, realRoot) ? kindOf(lstatSync(end)) : 'file'
  } catch {
    return null
  }
}

const kindOf = (stats: Stats): 'file' | 'folder' => (stats.isDirectory() ? 'folder' : 'file')

/** The nearest folder, from `folder` upwards, that holds `.git`. */
export function findCheckoutTop(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (lstatSync(join(at, '.git'), { throwIfNoEntry: false }) !== undefined) return at
    if (dirname(at) === at) return null
  }
}
