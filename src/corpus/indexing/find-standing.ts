// How does a file stand to the index? Held, about to be, left out with the reason, or not there at all.

import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../../model/config/settings.ts'
import { extensionOf } from '../../model/paths.ts'
import { sizeLimit } from '../../read/source/extracted-formats.ts'
import { readBytesInside } from '../../read/source/read-bytes-inside.ts'
import { normalizeCorpusPath } from '../../read/source/walk/corpus-path.ts'
import { locate } from '../../read/source/walk/corpus-roots.ts'
import { walkFiles } from '../../read/source/walk/walk-files.ts'
import { isAlwaysSkipped } from '../../read/source/walk/walk-options.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import { rootsOf } from './refresh-index.ts'
import { isDigest } from './written-by-yore.ts'

/** How a file stands to the index; `not indexed yet` is what the next `yore index` would read. */
export type FileStanding =
  | { readonly state: 'indexed' | 'not indexed yet' | 'absent' }
  | { readonly state: 'left out'; readonly reason: string }

interface StandingOptions {
  readonly root: string
  readonly settings: Pick<Settings, 'maxFileSize' | 'ignore'>
}

/** Looks at the index, then at the file itself and the folders above it; nothing else is walked. */
export function findStanding(reader: CorpusReader, path: string, options: StandingOptions): FileStanding {
  const { root, settings } = options
  const indexed = reader.fileByPath(path) !== null
  const at = locate(rootsOf(reader, root), path)
  if (normalizeCorpusPath(path) !== path || !isFile(join(at.root, at.path)))
    return { state: indexed ? 'indexed' : 'absent' }
  const read = readBytesInside(at.root, at.path, sizeLimit(path, settings.maxFileSize))
  if ('bytes' in read && isDigest(read.bytes.toString('utf8', 0, 8000)))
    return { state: 'left out', reason: 'it is a digest that yore wrote' }
  if (indexed) return { state: 'indexed' }
  const walk = walkFiles(at.root, {
    maxFileSize: settings.maxFileSize,
    include: [at.path],
    extraIgnore: [...settings.ignore],
  })
  const skipped =
    walk.skipped.find((file) => file.path === at.path) ?? reader.skipped().find((file) => file.path === path)
  if (skipped !== undefined) return { state: 'left out', reason: skipped.detail }
  if (walk.files.length > 0) return { state: 'not indexed yet' }
  return { state: 'left out', reason: whyNotWalked(path, Object.keys(walk.unsupported)) }
}

function whyNotWalked(path: string, unsupported: readonly string[]): string {
  if (unsupported.length > 0) return `files that end in ${extensionOf(path)} are no text`
  const folders = path.split('/').slice(0, -1)
  const never = folders.find((name) => isAlwaysSkipped(name, 'directory'))
  return never === undefined ? 'ignore rules leave it out' : `folders called ${never} are never read`
}

function isFile(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === false
}
