// Which ignore files apply in a folder? Those in it and in the folders above it, up to the top of the checkout.
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { FileStamp, SkippedFile } from '../../../model/source-file.ts'
import { describeExcess } from '../describe-failure.ts'
import { stampOf } from './check-freshness.ts'
import { locate, type Root } from './corpus-roots.ts'
import { addIgnoreText, type IgnoreRules, isIgnored, noRules } from './ignore-rules.ts'
import { findCheckoutTop, pathBelow } from './is-inside.ts'
import { ignoreFileNames } from './walk-options.ts'

/** An ignore file: where to open it, what to call it, and the folder that its patterns are relative to. */
interface IgnoreFile {
  readonly origin: keyof typeof ignoreFileNames
  readonly location: string
  /** Relative to the root; `../` leads above it. */
  readonly path: string
  /** Relative to the top of the checkout. */
  readonly folder: string
}

/** Grows with every ignore file. */
interface IgnoreFileLog {
  readonly ignoreFiles: FileStamp[]
  readonly skipped: SkippedFile[]
}

/** Larger than any real ignore file; limits the cost of a hostile one. */
const MAX_IGNORE_FILE = 256 * 1024

/** Adds the rules of one ignore file; unchanged when it is absent, a link, or not a regular file. */
export function addIgnoreFile(rules: IgnoreRules, file: IgnoreFile, log: IgnoreFileLog): IgnoreRules {
  const text = readIgnoreText(file, log)
  if (text === null) return rules
  const added = addIgnoreText(rules, { origin: file.origin, folder: file.folder, text })
  for (const line of added.refused) {
    const detail = `line ${line} is not applied: its pattern is too long or has too many **`
    log.skipped.push({ path: file.path, reason: 'parse-failed', detail })
  }
  return added.rules
}

function readIgnoreText(file: IgnoreFile, log: IgnoreFileLog): string | null {
  let descriptor: number
  try {
    // git does not follow a link here either; a pipe must not block.
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
    descriptor = openSync(file.location, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0))
  } catch {
    return null
  }
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) return null
    log.ignoreFiles.push({ path: file.path, ...stampOf(stats) })
    if (stats.size <= MAX_IGNORE_FILE) return readFileSync(descriptor, 'utf8')
    const detail = `not applied: ${describeExcess(stats.size, MAX_IGNORE_FILE)}`
    log.skipped.push({ path: file.path, reason: 'too-large', detail })
    return null
  } catch {
    return null
  } finally {
    closeSync(descriptor)
  }
}

/** The rules from above the root, and the root's path below the top of the checkout ('' at the top). */
export function readRulesAbove(
  realRoot: string,
  log: IgnoreFileLog,
): { readonly rules: IgnoreRules; readonly rootBelowTop: string } {
  const top = findCheckoutTop(realRoot)
  if (top === null) return { rules: noRules, rootBelowTop: '' }
  const rootBelowTop = top === realRoot ? '' : pathBelow(realRoot, top)
  const segments = rootBelowTop === '' ? [] : rootBelowTop.split('/')
  const upTo = (depth: number) => '../'.repeat(segments.length - depth)

  const name = '.git/info/exclude'
  const exclude = { origin: 'git', location: join(top, name), path: upTo(0) + name, folder: '' } as const
  let rules = addIgnoreFile(noRules, exclude, log)
  for (let depth = 0; depth < segments.length; depth++) {
    const folder = segments.slice(0, depth).join('/')
    for (const origin of ['git', 'yore'] as const) {
      const name = ignoreFileNames[origin]
      const location = join(top, folder, name)
      rules = addIgnoreFile(rules, { origin, location, path: upTo(depth) + name, folder }, log)
    }
  }
  return { rules, rootBelowTop }
}

/**
 * Would git ignore a file of this path, even if it does not exist? Build products are named by ignore files. Folders
 * are searched as long as they are real folders inside the root.
 */
export function isNamedByGitignore(corpus: Root, named: string): boolean {
  const { root, path } = locate(corpus, named)
  const log: IgnoreFileLog = { ignoreFiles: [], skipped: [] }
  try {
    const realRoot = realpathSync.native(root)
    let { rules, rootBelowTop } = readRulesAbove(realRoot, log)
    const folders = path.split('/').slice(0, -1)
    for (let depth = 0; depth <= folders.length; depth++) {
      const below = folders.slice(0, depth).join('/')
      const folder = [rootBelowTop, below].filter(Boolean).join('/')
      if (below !== '' && isIgnored(rules, folder, 'directory')) return true
      const at = join(realRoot, below)
      // A missing folder has no rules of its own.
      if (!existsSync(at) || realpathSync.native(at) !== at) break
      const location = join(realRoot, below, ignoreFileNames.git)
      rules = addIgnoreFile(rules, { origin: 'git', location, path: '', folder }, log)
    }
    return isIgnored(rules, [rootBelowTop, path].filter(Boolean).join('/'), 'file')
  } catch {
    return false
  }
}
