// What does a walk remember? The lists that grow, and the few verbs that add to them.

import type { Stats } from 'node:fs'
import { extensionOf } from '../../../model/paths.ts'
import type { FileStamp, SkippedFile, SkipReason } from '../../../model/source-file.ts'
import { describeExcess } from '../describe-failure.ts'
import { sizeLimit } from '../extracted-formats.ts'
import { isLockFile } from '../judge-text.ts'
import { type DirectoryStamp, stampOf } from './check-freshness.ts'
import { escapeName, isUnusualName } from './corpus-path.ts'
import type { IgnoreRules } from './ignore-rules.ts'
import type { Coverage, WalkOptions } from './walk-options.ts'

export interface Walk {
  /** Real path of the root. */
  readonly root: string
  /** Leads from the top of the checkout to the root: '' or `docs/`. */
  readonly prefix: string
  readonly maxFileSize: number
  readonly keeps: ((path: string) => boolean) | null
  readonly onFound: (files: number) => void
  readonly onIgnored: WalkOptions['onIgnored']
  readonly coverage: (path: string) => Coverage
  readonly files: FileStamp[]
  readonly directories: DirectoryStamp[]
  readonly ignoreFiles: FileStamp[]
  readonly skipped: SkippedFile[]
  readonly unsupported: Map<string, number>
  /** To be followed when every folder has been read under its own name. */
  readonly links: Link[]
  /** The name under which each file is read, by its real path: its own, or that of a link. */
  readonly readAs: Map<string, string>
  /** Links to files that are read under another name, with that name. */
  readonly otherNames: Map<string, string>
  /** Device and inode of each folder that was read: each is read once, so circles end. */
  readonly entered: Set<string>
  /** The rules in each folder, once known; null in a folder that is left out itself. */
  readonly rulesIn: Map<string, IgnoreRules | null>
  ignored: number
}

export interface Folder {
  readonly path: string
  /** Where to open it. */
  readonly location: string
  readonly depth: number
  /** The rules that hold there. */
  readonly rules: IgnoreRules
}

export type Link = Omit<Folder, 'location'>

export function childPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

export function skip(walk: Walk, path: string, why: { reason: SkipReason; detail: string }): void {
  // Nothing that is reported may hold a line end or a control character.
  const shown = isUnusualName(path) ? escapeName(path).slice(1, -1) : path
  walk.skipped.push({ path: shown, ...why })
}

export function addFile(walk: Walk, path: string, stats: Stats): void {
  if (!stats.isFile()) {
    skip(walk, path, { reason: 'unreadable', detail: 'not a regular file' })
  } else if (isLockFile(path)) {
    skip(walk, path, { reason: 'lock-file', detail: 'written by a package manager for itself' })
  } else if (stats.size > sizeLimit(path, walk.maxFileSize)) {
    const most = sizeLimit(path, walk.maxFileSize)
    skip(walk, path, { reason: 'too-large', detail: describeExcess(stats.size, most) })
  } else {
    walk.files.push({ path, ...stampOf(stats) })
  }
}

export function countUnsupported(walk: Walk, path: string): void {
  const own = extensionOf(path)
  const extension = isUnusualName(own) ? '' : own
  walk.unsupported.set(extension, (walk.unsupported.get(extension) ?? 0) + 1)
}
