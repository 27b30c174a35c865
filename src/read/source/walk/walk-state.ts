// What does a walk record? Growing lists, and the functions that add to them.

import type { Stats } from 'node:fs'
import { extensionOf } from '../../../model/paths.ts'
import type { FileStamp, SkippedFile, SkipReason } from '../../../model/source-file.ts'
import { describeExcess } from '../describe-failure.ts'
import { isLockFile } from '../judge-text.ts'
import { type DirectoryStamp, stampOf } from './check-freshness.ts'
import { escapeName, isUnusualName } from './corpus-path.ts'
import type { IgnoreRules } from './ignore-rules.ts'
import type { Coverage } from './walk-options.ts'
import { sizeLimit } from './walk-options.ts'

export interface Walk {
  readonly root: string
  /** The path from the top of the checkout to the root: '' or `docs/`. */
  readonly prefix: string
  readonly maxFileSize: number
  readonly keeps: ((path: string) => boolean) | null
  readonly onFound: (files: number) => void
  readonly coverage: (path: string) => Coverage
  readonly files: FileStamp[]
  readonly directories: DirectoryStamp[]
  readonly ignoreFiles: FileStamp[]
  readonly skipped: SkippedFile[]
  readonly unsupported: Map<string, number>
  readonly links: string[]
  /** Links to files that are read, with the names of those. */
  readonly otherNames: Map<string, string>
  ignored: number
}

export interface Folder {
  readonly path: string
  readonly location: string
  readonly depth: number
  readonly rules: IgnoreRules
}

export const childPath = (folder: string, name: string): string =>
  folder === '' ? name : `${folder}/${name}`

export function skip(walk: Walk, path: string, why: { reason: SkipReason; detail: string }): void {
  // Reported paths hold no line ends or control characters.
  const shown = isUnusualName(path) ? escapeName(path).slice(1, -1) : path
  walk.skipped.push({ path: shown, ...why })
}

export function addFile(walk: Walk, path: string, stats: Stats): void {
  if (!stats.isFile()) skip(walk, path, { reason: 'unreadable', detail: 'not a regular file' })
  else if (isLockFile(path))
    skip(walk, path, { reason: 'lock-file', detail: 'a lock file of a package manager' })
  else if (stats.size > sizeLimit(path, walk.maxFileSize)) {
    const most = sizeLimit(path, walk.maxFileSize)
    skip(walk, path, { reason: 'too-large', detail: describeExcess(stats.size, most) })
  } else walk.files.push({ path, ...stampOf(stats) })
}

export function countUnsupported(walk: Walk, path: string): void {
  const own = extensionOf(path)
  const extension = isUnusualName(own) ? '' : own
  walk.unsupported.set(extension, (walk.unsupported.get(extension) ?? 0) + 1)
}
