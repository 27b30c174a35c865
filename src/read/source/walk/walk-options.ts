// What may a walk be told, and what does it always leave out?
import { YoreError } from '../../../model/errors.ts'
import { product } from '../../../model/version.ts'
import { normalizeCorpusPath } from './corpus-path.ts'

export interface WalkOptions {
  /** Bytes; larger files are skipped. */
  readonly maxFileSize: number
  /** Files or folders below the root to confine the walk to; empty means everything. */
  readonly include: readonly string[]
  /** Patterns in the syntax of `.gitignore`, relative to the root. They outrank every ignore file. */
  readonly extraIgnore: readonly string[]
  /** yore laid the folder itself, or it is part of a folder whose rules left it out: nothing above it has a say. */
  readonly isLaid?: boolean
  /** Which files are wanted, by their path from the root; all without it. */
  readonly keeps?: (path: string) => boolean
  /** Called for each file and folder that rules leave out, with the rule; folders end with a slash. */
  readonly onIgnored?: (path: string, rule: string | null) => void
  /** Hears, folder by folder, how many files were found so far. */
  readonly onFound?: (files: number) => void
}

export const walkDefaults: WalkOptions = { maxFileSize: 2 * 1024 * 1024, include: [], extraIgnore: [] }

const toolStores: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', product.folder])
/** What says how a corpus is read says nothing about it. */
const steering: ReadonlySet<string> = new Set([
  '.gitignore',
  product.ignoreFile,
  'yore.json',
  'yore.rulebook.json',
])
/** Left out whatever any ignore file says: the stores of tools, and what others wrote. */
const alwaysLeftOut: ReadonlySet<string> = new Set([...toolStores, ...steering, 'node_modules'])
/** Hidden folders (with a leading dot) hold settings and caches; these hold documents. */
const hiddenButRead: ReadonlySet<string> = new Set(['.github'])
/** Deeper than any real project; bounds the stack, the open descriptors and the cost of matching a path. */
export const maxDepth = 64

/** Is a file or folder with this name never part of a corpus? */
export function isAlwaysLeftOut(name: string, kind: 'file' | 'directory'): boolean {
  if (alwaysLeftOut.has(name)) return true
  return kind === 'directory' && name.startsWith('.') && !hiddenButRead.has(name)
}

/** Is this the store of a tool, yore's own among them, or does it steer yore? Nobody looks for text there, so it is not even counted. */
export function isToolStore(name: string): boolean {
  return toolStores.has(name) || steering.has(name)
}

/** Where a path lies in relation to what a walk is confined to. */
export type Coverage = 'inside' | 'above' | 'outside'

/** Tells for each path whether the walk covers it or must pass through it. Throws OUTSIDE_ROOT for a path outside. */
export function coverageOf(include: readonly string[]): (path: string) => Coverage {
  const parts = includedPaths(include)
  if (parts === null) return () => 'inside'
  return (path) => {
    if (parts.some((part) => path === part || path.startsWith(`${part}/`))) return 'inside'
    return parts.some((part) => part.startsWith(`${path}/`)) ? 'above' : 'outside'
  }
}

/** The paths that a walk is confined to, or null for the whole root. */
export function includedPaths(include: readonly string[]): readonly string[] | null {
  if (include.length === 0 || include.some((path) => path === '.' || path === './')) return null
  return include.map((path) => {
    const part = normalizeCorpusPath(path)
    if (part === null)
      throw new YoreError('OUTSIDE_ROOT', `${JSON.stringify(path)} is not a path inside the root`)
    return part
  })
}
