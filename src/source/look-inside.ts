// What stands at this path of the corpus? A file, a folder or nothing; nothing is opened, and nothing outside is looked at.
import { lstatSync, realpathSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { normalizeCorpusPath } from './corpus-path.ts'
import { isInside } from './is-inside.ts'

/**
 * What a path below the root leads to; null when nothing is there. A link that leads out of the root is a file of the
 * root itself, whatever stands at its end.
 *
 * @example lookInside('.', 'README.md') // 'file'
 */
export function lookInside(root: string, path: string): 'file' | 'folder' | null {
  const below = normalizeCorpusPath(path)
  if (below === null) return null
  try {
    const realRoot = realpathSync.native(root)
    const folder = realpathSync.native(join(realRoot, dirname(below)))
    if (!isInside(folder, realRoot)) return null
    const place = join(folder, below.slice(below.lastIndexOf('/') + 1))
    const stats = lstatSync(place)
    if (!stats.isSymbolicLink()) return kindOf(stats)
    const end = realpathSync.native(place)
    return isInside(end, realRoot) ? kindOf(lstatSync(end)) : 'file'
  } catch {
    return null
  }
}

function kindOf(stats: Stats): 'file' | 'folder' {
  return stats.isDirectory() ? 'folder' : 'file'
}
