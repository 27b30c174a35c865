// Where on the disk is this path of the corpus? Below the root, or below another folder whose name it starts with.
import { existsSync } from 'node:fs'
import { YoreError } from '../../../model/errors.ts'

/** A folder whose files are in the corpus below a name. */
export interface NamedRoot {
  readonly name: string
  /** Absolute. */
  readonly folder: string
  /** What is there, as the index knows it: `v2.32.3`, `fastify 5.8.5`; it stands beside each citation. */
  readonly origin: string | null
  /** yore wrote it into its own cache: no ignore file above it holds, and git has nothing to say of it. */
  readonly isLaid: boolean
  /** What `roots` says of it. */
  readonly entry: string
  /** Milliseconds since 1970, of what was fetched from elsewhere. */
  readonly fetchedAt?: number
}

/** A corpus that is more than one folder. */
export interface CorpusRoots {
  readonly root: string
  readonly named: readonly NamedRoot[]
}

/** Where the files of a corpus are; a plain path for one folder. */
export type Root = string | CorpusRoots

/** The root in which a path of the corpus lies, and its path there. */
export function locate(root: Root, path: string): { readonly root: string; readonly path: string } {
  if (typeof root === 'string') return { root, path }
  for (const { name, folder } of root.named) {
    if (path === name) return { root: folder, path: '' }
    if (path.startsWith(`${name}/`)) return { root: folder, path: path.slice(name.length + 1) }
  }
  return { root: root.root, path }
}

/** The file or folder itself. */
export function placeOnDisk(root: Root, path: string): string {
  const at = locate(root, path)
  return at.path === '' ? at.root : `${at.root}/${at.path}`
}

/** Is it a file of the first root, and not of another? */
export function isOfFirstRoot(root: Root, path: string): boolean {
  return typeof root === 'string' || locate(root, path).root === root.root
}

/** What an index remembers of its roots; the corpus is one folder when it remembers none. */
export function readRoots(root: string, remembered: string | null): Root {
  if (remembered === null || remembered === '') return root
  return { root, named: JSON.parse(remembered) as NamedRoot[] }
}

/** Throws BAD_CONFIG where a name is taken by a file or folder of the root: nobody could tell their paths apart. */
export function refuseTakenNames(root: string, named: readonly NamedRoot[]): void {
  const taken = named.find(({ name }) => existsSync(`${root}/${name}`))
  if (taken === undefined) return
  throw new YoreError(
    'BAD_CONFIG',
    `roots: ${taken.name} is already the name of a file or folder in ${root}`,
    {
      hint: `give it another name: yore index other=${taken.entry.replace(/^[^=]*=/, '')}`,
    },
  )
}
