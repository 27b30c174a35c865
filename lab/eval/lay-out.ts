// How does a commit become a folder? From a git snapshot: only changed files are written, so that an index can follow.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Commit {
  /** `owner/name`. */
  readonly repository: string
  readonly commit: string
  /** The folder of the repository that is laid out; empty for all of it. */
  readonly root: string
}

/** No tool of the field reads these, and snapshots lack many of them. */
const picture = /\.(?:gif|png|jpe?g|mp4|ico|woff2?|ttf|pdf|webp|svgz|npy|fits|gz|zip)$/i

function git(directory: string, args: readonly string[], input = ''): Buffer | null {
  const run = spawnSync('git', ['--git-dir', directory, ...args], { input, maxBuffer: 2 ** 31 - 1 })
  return run.status === 0 ? run.stdout : null
}

/** The git directory of a repository in a folder of snapshots, `owner+name/repo`; null without one. Case does not matter. */
function findSnapshot(snapshots: string, repository: string): string | null {
  const wanted = repository.replace('/', '+').toLowerCase()
  const name = readdirSync(snapshots).find((one) => one.toLowerCase() === wanted)
  if (name === undefined) return null
  const folder = join(snapshots, name, 'repo')
  return existsSync(join(folder, '.git')) ? join(folder, '.git') : folder
}

/** Seconds since 1970 of a commit; null when the snapshots lack it. */
export function dateOf(snapshots: string, { repository, commit }: Commit): number | null {
  const directory = findSnapshot(snapshots, repository)
  const text = directory === null ? null : git(directory, ['log', '-1', '--format=%ct', commit])
  return text === null ? null : Number(text.toString())
}

/** Files of the commit by path, with the hash of their text. Links and pictures are left out. */
function listTree(directory: string, { commit, root }: Commit): Map<string, string> {
  const listed = git(directory, ['ls-tree', '-r', '-z', commit, ...(root === '' ? [] : [`${root}/`])])
  const rows = (listed?.toString() ?? '').split('\0').filter((row) => row !== '')
  return new Map(
    rows.flatMap((row): [string, string][] => {
      const [about = '', path = ''] = row.split('\t')
      const [mode, type, hash = ''] = about.split(' ')
      return type !== 'blob' || mode === '120000' || picture.test(path) ? [] : [[path, hash]]
    }),
  )
}

/** Makes the folder hold what the commit has. Returns how many files the snapshot lacks. */
export function layOut(snapshots: string, commit: Commit, folder: string): number {
  const directory = findSnapshot(snapshots, commit.repository)
  if (directory === null) throw new Error(`no snapshot of ${commit.repository}`)
  const list = `${folder}.json`
  const before = new Map<string, string>(
    existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as [string, string][]) : [],
  )
  const files = listTree(directory, commit)
  for (const path of before.keys()) if (!files.has(path)) rmSync(join(folder, path), { force: true })
  const changed = [...files].filter(([path, hash]) => before.get(path) !== hash)
  const hashes = changed.map(([, hash]) => `${hash}\n`).join('')
  const texts = changed.length === 0 ? null : git(directory, ['cat-file', '--batch'], hashes)
  let [at, absent] = [0, 0]
  for (const [path] of texts === null ? [] : changed) {
    const end = (texts as Buffer).indexOf(10, at)
    const [, kind, size] = (texts as Buffer).subarray(at, end).toString().split(' ')
    at = end + 1
    if (kind === 'missing') {
      absent++
      continue
    }
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), (texts as Buffer).subarray(at, at + Number(size)))
    at += Number(size) + 1
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(list, JSON.stringify([...files]))
  return absent
}
