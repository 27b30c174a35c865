// Which files changed since a commit? Compares two trees, then the files on disk: by size, then by hash.
//
// git would compare files with the filters of .git/config, which are programs. yore hashes them instead.
import { createHash } from 'node:crypto'
import { YoreError } from '../../../model/errors.ts'
import { readBytesInside } from '../read-bytes-inside.ts'
import { lookInside } from '../walk/is-inside.ts'
import { runGit } from './run-git.ts'

/** Larger files are compared by size only. */
const HASHED_BYTES = 64 * 1024 * 1024

interface Blob {
  readonly hash: string
  readonly size: number
}

/** The full name of a commit, so that nothing in it can be taken for an option. Throws BAD_INPUT. */
export function findCommit(root: string, ref: string): string {
  const named = /^[\w@^~{}./:+-]{1,200}$/.test(ref) && !ref.startsWith('-')
  const parsing = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]
  const commit = named ? runGit(root, parsing) : null
  if (commit !== null) return commit.trim()
  const hint = 'name a branch, a tag or a commit, such as main or HEAD~3'
  throw new YoreError('BAD_INPUT', `git knows no commit ${JSON.stringify(ref)} in ${root}`, { hint })
}

/** The files of a commit below the root, by their path from it. */
function readTree(root: string, commit: string): Map<string, Blob> {
  const listed = runGit(root, ['ls-tree', '-r', '-l', '-z', commit]) ?? ''
  const blobs = new Map<string, Blob>()
  for (const record of listed.split('\0')) {
    const [facts = '', path] = record.split('\t', 2)
    const [, , hash, size] = facts.split(/ +/)
    if (path !== undefined && hash !== undefined) blobs.set(path, { hash, size: Number(size) })
  }
  return blobs
}

function isSame(root: string, path: string, { hash, size }: Blob): boolean {
  const read = readBytesInside(root, path, HASHED_BYTES)
  if (!('bytes' in read) || read.bytes.length !== size) return false
  const algorithm = hash.length === 64 ? 'sha256' : 'sha1'
  return createHash(algorithm).update(`blob ${size}\0`).update(read.bytes).digest('hex') === hash
}

export interface Changes {
  /** Existing files that differ from the commit or are not in it. */
  readonly changed: readonly string[]
  /** Files of the commit that no longer exist. */
  readonly removed: readonly string[]
}

/** Compares files, by path from the root, with a commit. Throws BAD_INPUT for an unknown one. */
export function readChanges(root: string, ref: string, files: readonly string[]): Changes {
  const tree = readTree(root, findCommit(root, ref))
  const here = new Set(files)
  return {
    changed: files.filter((path) => {
      const blob = tree.get(path)
      return blob === undefined || !isSame(root, path, blob)
    }),
    removed: [...tree.keys()].filter((path) => !here.has(path) && lookInside(root, path) === null).sort(),
  }
}

/** The text of a file in a commit; null when the commit has no such file. */
export const readOldText = (root: string, commit: string, path: string): string | null =>
  runGit(root, ['cat-file', 'blob', `${commit}:./${path}`])
