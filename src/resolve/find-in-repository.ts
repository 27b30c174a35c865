// Is this web address a file of the corpus itself? `github.com/owner/name/blob/branch/path`, and the same on other hosts.
import type { Catalogue } from './catalogue.ts'
import type { Match } from './find-page.ts'
import { isIndexPage, normalizeSegments } from './page-keys.ts'

const views = new Set(['blob', 'tree', 'raw', 'edit', 'blame', 'src'])
/** A branch's name may hold slashes, such as `release/v1`. */
const maxBranchSegments = 3

interface RepositoryFile {
  /** `owner/name`, lower case. */
  readonly repository: string
  /** The branch and the path below it: where one ends, only the files tell. */
  readonly segments: readonly string[]
}

/**
 * Finds the file when its path is in the corpus. When the corpus' own repository is not known, an address that happens
 * to name one of its paths is a guess: only a path of two segments or more that is no index page counts, at 0.6.
 */
export function findInRepository(catalogue: Catalogue, address: string): Match | null {
  const file = readRepositoryFile(address)
  if (file === null) return null
  const own = catalogue.options.repository?.toLowerCase() ?? null
  if (own !== null && own !== file.repository) return null
  for (let branch = 1; branch <= maxBranchSegments; branch++) {
    const path = file.segments.slice(branch).join('/')
    if (!catalogue.documents.has(path)) continue
    if (own !== null) return { paths: [path], confidence: branch === 1 ? 0.95 : 0.9, method: 'repository' }
    if (path.includes('/') && !isIndexPage(path))
      return { paths: [path], confidence: 0.6, method: 'repository' }
  }
  return null
}

function readRepositoryFile(address: string): RepositoryFile | null {
  const normal = normalizeSegments(address)
  const [host, owner, name, ...rest] = normal === null ? [] : normal.split('/')
  if (host === undefined || owner === undefined || name === undefined) return null
  const repository = `${owner}/${name}`.toLowerCase()
  if (host === 'raw.githubusercontent.com') return { repository, segments: rest }
  const view = rest[0] === '-' ? rest.slice(1) : rest
  return views.has(view[0] ?? '') ? { repository, segments: view.slice(1) } : null
}
