// Which folder is the corpus, and where is its index? Simple rules, the first that fits holds.
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { YoreError } from '../errors.ts'
import { product } from '../version.ts'
import { pathBelow } from './path-below.ts'

export interface RootRequest {
  /** The current directory, absolute. */
  readonly cwd: string
  /** `--root`, as given. */
  readonly root?: string | undefined
  /** `--index`, as given. */
  readonly index?: string | undefined
  /** The arguments of `yore index`, as given. */
  readonly paths?: readonly string[] | undefined
}

export interface CorpusPlace {
  /** Absolute. */
  readonly root: string
  /** Absolute. */
  readonly indexDir: string
  /** What to confine indexing to: relative to the root, with `/`; empty for everything. */
  readonly paths: readonly string[]
}

/** Finds root, index folder and the sub-paths. Throws BAD_INPUT or OUTSIDE_ROOT. */
export function findCorpus(request: RootRequest): CorpusPlace {
  const root = findRoot(request)
  if (!isFolder(root))
    throw new YoreError('BAD_INPUT', `no such folder: ${root}`, { hint: 'name an existing folder' })
  const indexDir =
    request.index === undefined ? path.join(root, product.folder) : path.resolve(request.cwd, request.index)
  if (existsSync(indexDir) && !isFolder(indexDir))
    throw new YoreError('BAD_INPUT', `--index must name a folder, and ${indexDir} is a file`, {
      hint: 'name the folder that holds index.db',
    })

  return { root, indexDir, paths: confine(root, request) }
}

/**
 * 1. `--root`. 2. The nearest folder, from the current one upwards, that holds `.yore/` or `.git`.
 * 3. The only folder given to `yore index`. 4. The folder around an `--index` named `.yore`. 5. The current folder.
 */
function findRoot(request: RootRequest): string {
  const { cwd, root, index, paths = [] } = request
  if (root !== undefined) return path.resolve(cwd, root)
  const repository = nearestRepository(cwd)
  if (repository !== null) return repository
  if (paths.length === 1 && isFolder(path.resolve(cwd, paths[0]!))) return path.resolve(cwd, paths[0]!)
  if (index !== undefined && path.basename(path.resolve(cwd, index)) === product.folder)
    return path.dirname(path.resolve(cwd, index))

  return cwd
}

function nearestRepository(start: string): string | null {
  for (let folder = start; ; folder = path.dirname(folder)) {
    // A worktree's .git is a file, so its mere existence counts.
    if (existsSync(path.join(folder, '.git')) || isFolder(path.join(folder, product.folder))) return folder
    if (folder === path.dirname(folder)) return null
  }
}

function confine(root: string, request: RootRequest): readonly string[] {
  const relatives: string[] = []
  for (const given of request.paths ?? []) {
    const absolute = path.resolve(request.cwd, given)
    if (!existsSync(absolute))
      throw new YoreError('BAD_INPUT', `no such file or folder: ${given}`, { hint: 'check the path' })

    const below = pathBelow(root, absolute)
    if (below === null)
      throw new YoreError('OUTSIDE_ROOT', `${given} is outside of ${root}`, {
        hint: `name a path inside it, or make it a corpus of its own: \`yore index --root ${given}\``,
      })

    if (below === '') return []
    relatives.push(below)
  }
  return relatives
}

const isFolder = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false
