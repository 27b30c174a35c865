// Where on disk is this path of the corpus? Below the root, or below another folder with a name of its own.

import { existsSync } from 'node:fs'
import { YoreError } from '../../../model/errors.ts'
import type { SourceReport } from '../../../model/report.ts'

/** A folder whose files are in the corpus under a name. */
export interface NamedRoot extends Pick<SourceReport, 'name' | 'entry' | 'origin'> {
  /** Absolute. */
  readonly folder: string
  /** True if yore wrote it into its cache: ignore files above it and git do not apply. */
  readonly isCached: boolean
  /** Milliseconds since 1970 of the fetch. */
  readonly fetchedAt?: number
}

/** A corpus of more than one folder. */
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

export function placeOnDisk(root: Root, path: string): string {
  const at = locate(root, path)
  return at.path === '' ? at.root : `${at.root}/${at.path}`
}

export const isOfFirstRoot = (root: Root, path: string): boolean =>
  typeof root === 'string' || locate(root, path).root === root.root

/** The roots that an index stores; one folder if it stores none. */
export const asRoot = (root: string, named: readonly NamedRoot[] | null): Root =>
  named === null || named.length === 0 ? root : { root, named }

/** Throws BAD_CONFIG if a file or folder of the root already has the name, because their paths would be ambiguous. */
export function refuseTakenNames(root: string, named: readonly NamedRoot[]): void {
  const taken = named.find(({ name }) => existsSync(`${root}/${name}`))
  if (taken === undefined) return
  const message = `roots: ${taken.name} is already the name of a file or folder in ${root}`
  const hint = `give it another name: yore index other=${taken.entry.replace(/^[^=]*=/, '')}`
  throw new YoreError('BAD_CONFIG', message, { hint })
}
