// Which options does a walk have, and what does it always skip?
import { YoreError } from '../../../model/errors.ts'
import { product } from '../../../model/version.ts'
import { extractedFormatOf } from '../extracted-formats.ts'
import { normalizeCorpusPath } from './corpus-path.ts'

export interface WalkOptions {
  /** Bytes; larger files are skipped. */
  readonly maxFileSize: number
  /** Files or folders below the root to confine the walk to; empty means everything. */
  readonly include: readonly string[]
  /** Patterns in the syntax of `.gitignore`, relative to the root. They outrank every ignore file. */
  readonly extraIgnore: readonly string[]
  /** True for a folder in yore's cache, or below a folder that rules exclude: rules above it do not apply. */
  readonly isCached?: boolean
  /** Selects files by path from the root; all files without it. */
  readonly keeps?: (path: string) => boolean
  /** Called after each folder with the number of files found so far. */
  readonly onFound?: (files: number) => void
}

export const walkDefaults: WalkOptions = { maxFileSize: 2 * 1024 * 1024, include: [], extraIgnore: [] }

/** Images and fonts fill most of such a file, so its size limit is this many times larger. */
const SIZE_FACTOR = 16

/** The size limit for a file of this name, in bytes. */
export const sizeLimit = (path: string, maxFileSize: number): number =>
  extractedFormatOf(path) === null ? maxFileSize : SIZE_FACTOR * maxFileSize

/** Names of the ignore files, the weaker first. */
export const ignoreFileNames = { git: '.gitignore', yore: product.ignoreFile } as const

const toolStores: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', product.folder])
/** Files that configure how a corpus is read are not part of it. */
const steering: ReadonlySet<string> = new Set([...Object.values(ignoreFileNames), 'yore.json'])
/** Skipped whatever an ignore file says: the folders of tools, and installed packages. */
const alwaysSkipped: ReadonlySet<string> = new Set([...toolStores, ...steering, 'node_modules'])
/** Hidden folders that hold documents, or list those of a site; others hold settings and caches. */
const readHiddenFolders: ReadonlySet<string> = new Set(['.github', '.vitepress', '.vuepress'])
/** Deeper than any real project; limits the stack, the open descriptors and the cost of matching a path. */
export const maxDepth = 64

/** Is a file or folder with this name never part of a corpus? */
export function isAlwaysSkipped(name: string, kind: 'file' | 'directory'): boolean {
  if (alwaysSkipped.has(name)) return true
  return kind === 'directory' && name.startsWith('.') && !readHiddenFolders.has(name)
}

/** Is this the folder of a tool, or does it configure yore? Such files are not even counted. */
export const isToolStore = (name: string): boolean => toolStores.has(name) || steering.has(name)

/** How a path relates to the paths that a walk is limited to. */
export type Coverage = 'inside' | 'above' | 'outside'

/** Returns a function that tells whether the walk covers a path or passes through it. Throws OUTSIDE_ROOT for a path outside. */
export function coverageOf(include: readonly string[]): (path: string) => Coverage {
  const parts = includedPaths(include)
  if (parts === null) return () => 'inside'
  return (path) => {
    if (parts.some((part) => path === part || path.startsWith(`${part}/`))) return 'inside'
    return parts.some((part) => part.startsWith(`${path}/`)) ? 'above' : 'outside'
  }
}

/** The paths that a walk is limited to; null for the whole root. */
export function includedPaths(include: readonly string[]): readonly string[] | null {
  if (include.length === 0 || include.some((path) => path === '.' || path === './')) return null
  return include.map((path) => {
    const part = normalizeCorpusPath(path)
    if (part === null)
      throw new YoreError('OUTSIDE_ROOT', `${JSON.stringify(path)} is not a path inside the root`)
    return part
  })
}
