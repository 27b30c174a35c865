// What is in this folder? Reads it and everything below it, and sorts each name into the walk's lists.
import fs, { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { describeFailure } from '../describe-failure.ts'
import { isBinaryName } from '../language-of.ts'
import { isSecretDirectoryName, isSecretFileName } from '../secrets/secret-paths.ts'
import { escapeName, isUnusualName } from './corpus-path.ts'
import { addIgnoreFile } from './ignore-files.ts'
import { type IgnoreRules, isIgnored } from './ignore-rules.ts'
import { isInside } from './is-inside.ts'
import { ignoreFileNames, isAlwaysSkipped, isToolStore, maxDepth } from './walk-options.ts'
import { addFile, childPath, countUnsupported, type Folder, skip, type Walk } from './walk-state.ts'

/** An open folder. Paths that start with `base` stay in this folder even if its name is reused. */
interface OpenDirectory {
  readonly base: string
  readonly stats: fs.Stats
  /** The folder's real path; null if the system does not report it. */
  readonly realPath: string | null
  close(): void
}

let descriptorsAreFolders: boolean | undefined

/** Linux lists open descriptors as links that paths can pass through, so look-ups are relative to them. */
function canWalkDescriptors(): boolean {
  descriptorsAreFolders ??= process.platform === 'linux' && fs.existsSync('/proc/self/fd')
  return descriptorsAreFolders
}

/** Opens a folder; throws if it is a link or not a folder. Close it after everything below it has been read. */
export function openDirectory(path: string): OpenDirectory {
  if (!canWalkDescriptors()) {
    const stats = fs.lstatSync(path)
    if (!stats.isDirectory()) throw new Error('not a folder')
    return { base: path, stats, realPath: null, close: () => {} }
  }
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = fs.constants
  const descriptor = fs.openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  const base = `/proc/self/fd/${descriptor}`
  return {
    base,
    stats: fs.fstatSync(descriptor),
    get realPath() {
      return fs.readlinkSync(base)
    },
    close: () => fs.closeSync(descriptor),
  }
}

/** Reads a folder and everything below it. `folder.rules` come from above; its own ignore files are read here. */
export function readFolder(walk: Walk, folder: Folder): void {
  if (folder.depth > maxDepth) {
    skip(walk, folder.path, { reason: 'unreadable', detail: `more than ${maxDepth} folders deep` })
    return
  }
  let opened: OpenDirectory | undefined
  try {
    opened = openDirectory(folder.location)
    readOpened(walk, folder, opened)
  } catch (error) {
    skip(walk, folder.path, { reason: 'unreadable', detail: describeFailure(error) })
  } finally {
    opened?.close()
  }
}

function readOpened(walk: Walk, folder: Folder, opened: OpenDirectory): void {
  const { realPath, stats, base } = opened
  if (realPath !== null && !isInside(realPath, walk.root)) {
    skip(walk, folder.path, { reason: 'outside-root', detail: 'the folder was moved out of the root' })
    return
  }
  // The folder's time is taken before its names are read, so later additions change it.
  const entries = readdirSync(base, { withFileTypes: true })
  walk.directories.push({ path: folder.path, mtime: stats.mtimeMs })
  const rules = readOwnRules(walk, { ...folder, location: base }, entries)
  const here = { ...folder, location: base, rules }
  for (const entry of entries) visit(walk, here, entry)
  walk.onFound(walk.files.length)
}

function readOwnRules(walk: Walk, folder: Folder, entries: readonly Dirent[]): IgnoreRules {
  let rules = folder.rules
  for (const origin of ['git', 'yore'] as const) {
    const name = ignoreFileNames[origin]
    if (!entries.some((entry) => entry.name === name && entry.isFile())) continue
    const below = folder.path === '' ? walk.prefix.slice(0, -1) : walk.prefix + folder.path
    const file = { origin, location: `${folder.location}/${name}`, path: childPath(folder.path, name) }
    rules = addIgnoreFile(rules, { ...file, folder: below }, walk)
  }
  return rules
}

/** Handles one name in a folder that is open at `folder.location`. */
function visit(walk: Walk, folder: Folder, entry: Dirent): void {
  const { name } = entry
  const path = childPath(folder.path, name)
  const kind = entry.isDirectory() ? 'directory' : 'file'
  const coverage = walk.coverage(path)
  if (coverage === 'outside' || (coverage === 'above' && entry.isFile())) return
  if (walk.keeps !== null && !entry.isDirectory() && !walk.keeps(path)) return

  const secret = kind === 'directory' ? isSecretDirectoryName(name) : isSecretFileName(name)
  if (!secret && entry.isFile() && isBinaryName(name)) {
    // Binary files are counted without the ignore rules, which take most of the time of a walk.
    countUnsupported(walk, name)
    return
  }
  const leftOut = !secret && isAlwaysSkipped(name, kind)
  if (leftOut || isIgnored(folder.rules, walk.prefix + path, kind)) {
    if (isToolStore(name)) return
    walk.ignored++
  } else if (secret) skip(walk, path, { reason: 'secret', detail: `a ${kind} of this name holds secrets` })
  else if (isUnusualName(name)) {
    const detail = `its name contains characters that cannot be displayed: ${escapeName(name)}`
    skip(walk, path, { reason: 'unusual-name', detail })
  } else if (kind === 'directory') {
    const location = `${folder.location}/${name}`
    readFolder(walk, { path, location, depth: folder.depth + 1, rules: folder.rules })
  } else if (entry.isSymbolicLink()) walk.links.push(path)
  else visitFile(walk, path, `${folder.location}/${name}`)
}

function visitFile(walk: Walk, path: string, location: string): void {
  try {
    addFile(walk, path, lstatSync(location))
  } catch (error) {
    skip(walk, path, { reason: 'unreadable', detail: describeFailure(error) })
  }
}
