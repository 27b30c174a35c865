// Does a document link to a file of code? Relative to the document or to the corpus root, by its exact path.
import type { Mention, Resolution } from '../../model/reference.ts'
import { folderOf, normalizeSegments } from '../page-keys.ts'
import { readTarget } from '../read-target.ts'

/** The file, or null when the link means something else. */
export function resolveCodeLink(
  { form, origin, target }: Mention,
  paths: ReadonlySet<string>,
): Resolution | null {
  if (form !== 'link' || paths.size === 0) return null
  const { scheme, path } = readTarget(target)
  if (scheme !== null || path === '') return null
  const hash = origin.lastIndexOf('#')
  const folder = folderOf(hash === -1 ? origin : origin.slice(0, hash))
  const here = path.startsWith('/') ? path : `${folder}/${path}`
  for (const key of [normalizeSegments(here), normalizeSegments(path)])
    if (key !== null && paths.has(key))
      return { outcome: 'resolved', path: key, section: null, anchor: null, confidence: 1, method: 'path' }
  return null
}
