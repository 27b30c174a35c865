// How are given files indexed without a walk? They are judged as the walk would judge them.

import { YoreError } from '../../model/errors.ts'
import { extensionOf } from '../../model/paths.ts'
import type { FileStamp, SkippedFile } from '../../model/source-file.ts'
import { describeExcess } from '../../read/source/describe-failure.ts'
import { isLockFile } from '../../read/source/judge-text.ts'
import { isBinaryName } from '../../read/source/language-of.ts'
import { isSecretDirectoryName, isSecretFileName } from '../../read/source/secrets/secret-paths.ts'
import { escapeName, isUnusualName, normalizeCorpusPath } from '../../read/source/walk/corpus-path.ts'
import type { WalkResult } from '../../read/source/walk/walk-files.ts'
import { isAlwaysSkipped, sizeLimit } from '../../read/source/walk/walk-options.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import { textOfFile } from '../store/stored-text.ts'
import type { FileTask } from './analyze-documents.ts'

/** Files to add and remove without a folder to walk. */
export interface CorpusChanges {
  readonly put?: readonly {
    /** From the root, with `/`. */
    readonly path: string
    readonly bytes: Uint8Array
    /** Milliseconds since 1970. */
    readonly modifiedAt: number
  }[]
  readonly remove?: readonly string[]
}

/** What the index knows of files from an earlier run. */
export interface KnownState {
  /** Of all documents. */
  readonly paths: readonly string[]
  /** Content hashes of documents that were parsed with the same settings. */
  readonly hashes: ReadonlyMap<string, string>
  /** Stamps of documents that need not be opened while these stay the same. */
  readonly stamps: ReadonlyMap<string, FileStamp>
  readonly refused: ReadonlyMap<string, SkippedFile>
  readonly indexedAt: number
}

export interface WorkPlan {
  readonly tasks: readonly FileTask[]
  readonly removed: readonly string[]
  readonly unchanged: number
  /** Files that were skipped because of their content, and are unchanged. */
  readonly refused: readonly SkippedFile[]
}

type Given = NonNullable<CorpusChanges['put']>[number]

export type GivenFiles = ReturnType<typeof takeChanges>

/** One set of changes against one index. Throws BAD_INPUT for a path outside the corpus. */
export function takeChanges(
  reader: CorpusReader,
  { put = [], remove = [] }: CorpusChanges,
  maxFileSize: number,
) {
  const putFiles = new Map(put.map((file) => [file.path, file]))
  const touched = new Set([...putFiles.keys(), ...remove])
  for (const path of touched)
    if (normalizeCorpusPath(path) !== path)
      throw new YoreError('BAD_INPUT', `${JSON.stringify(path)} is not a path inside a corpus`, {
        hint: 'write it from the root, with / and without . or ..',
      })

  /** What a walk would find: the indexed files that stay, and the added ones. */
  function walk(): WalkResult {
    const stays = ({ path }: { path: string }): boolean => !touched.has(path)
    const refused = new Set(reader.refused().map(({ path }) => path))
    const files = reader.stamps().filter(stays)
    const skipped = reader.skipped().filter((file) => stays(file) && !refused.has(file.path))
    const unsupported: Record<string, number> = { ...reader.meta('unsupported') }
    let ignored = reader.meta('ignored') ?? 0
    for (const file of putFiles.values()) {
      const { path, bytes, modifiedAt: mtime } = file
      const verdict = judgeName(file, maxFileSize)
      if (verdict === 'ignored') ignored++
      else if (verdict === 'unsupported') {
        const extension = extensionOf(path)
        unsupported[extension] = (unsupported[extension] ?? 0) + 1
      } else if (verdict === 'taken') files.push({ path, size: bytes.length, mtime, ctime: mtime, inode: 0 })
      else skipped.push({ path: isUnusualName(path) ? escapeName(path).slice(1, -1) : path, ...verdict })
    }
    const otherNames = Object.fromEntries([...reader.otherNames()].filter(([path]) => stays({ path })))
    return { files, directories: [], ignoreFiles: [], skipped, otherNames, ignored, unsupported }
  }

  /** Added files are read from their bytes, files to parse again from their stored text. */
  function plan(walk: WalkResult, known: KnownState): WorkPlan {
    const tasks: FileTask[] = []
    for (const stamp of walk.files) {
      const put = putFiles.get(stamp.path)
      if (put === undefined && known.stamps.has(stamp.path)) continue
      const given =
        put === undefined ? storedFile(stamp.path) : { bytes: put.bytes, contentHash: null, places: null }
      const knownHash = known.hashes.get(stamp.path) ?? null
      tasks.push({ ...stamp, knownHash, committedAt: null, given })
    }
    const present = new Set(walk.files.map(({ path }) => path))
    return {
      tasks,
      removed: known.paths.filter((path) => !present.has(path)),
      unchanged: walk.files.length - tasks.length,
      refused: reader.refused().filter(({ path }) => !touched.has(path)),
    }
  }

  /** The stored text of a file; null when it is not indexed. */
  const textOf = (path: string): string | null => {
    const file = reader.hasFile(path) ? reader.fileByPath(path) : null
    return file === null ? null : textOfFile(reader, file.id)
  }

  function storedFile(path: string): NonNullable<FileTask['given']> {
    const contentHash = reader.fileByPath(path)?.contentHash ?? null
    return { bytes: Buffer.from(textOf(path) ?? ''), contentHash, places: reader.placesIn(path) }
  }

  return { walk, plan, textOf }
}

/** By name and size only, in the order of the walk. */
function judgeName(
  { path, bytes }: Given,
  maxFileSize: number,
): 'taken' | 'ignored' | 'unsupported' | Omit<SkippedFile, 'path'> {
  const names = path.split('/')
  const name = names.pop() as string
  const secret = names.some(isSecretDirectoryName) ? 'directory' : isSecretFileName(name) ? 'file' : null
  if (secret === null && isBinaryName(name)) return 'unsupported'
  const isLeftOut = names.some((one) => isAlwaysSkipped(one, 'directory')) || isAlwaysSkipped(name, 'file')
  if (secret === null && isLeftOut) return 'ignored'
  if (secret !== null) return { reason: 'secret', detail: `a ${secret} of this name holds secrets` }
  const unusual = [...names, name].find(isUnusualName)
  if (unusual !== undefined) {
    const detail = `its name contains characters that cannot be displayed: ${escapeName(unusual)}`
    return { reason: 'unusual-name', detail }
  }
  if (isLockFile(path)) return { reason: 'lock-file', detail: 'a lock file of a package manager' }
  const most = sizeLimit(path, maxFileSize)
  if (bytes.length <= most) return 'taken'
  return { reason: 'too-large', detail: describeExcess(bytes.length, most) }
}
