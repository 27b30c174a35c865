// Which files does a corpus have? Walks the root, never leaves it, and records everything it skips.

import { lstatSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { YoreError } from '../../../model/errors.ts'
import { byPath, compareText } from '../../../model/paths.ts'
import type { FileStamp, SkippedFile } from '../../../model/source-file.ts'
import type { DirectoryStamp } from './check-freshness.ts'
import { readRulesAbove } from './ignore-files.ts'
import { addIgnoreText, type IgnoreRules, noRules, reincludeFolder } from './ignore-rules.ts'
import { nameLinks } from './name-links.ts'
import { readFolder } from './read-folder.ts'
import { coverageOf, includedPaths, type WalkOptions, walkDefaults } from './walk-options.ts'
import { skip, type Walk } from './walk-state.ts'

export interface WalkResult {
  /** Sorted by path in code-unit order, as are the lists below. */
  readonly files: readonly FileStamp[]
  /** Every folder that was read; '' is the root. */
  readonly directories: readonly DirectoryStamp[]
  /** The ignore files that were applied, for the freshness check; `../` leads to those above the root. */
  readonly ignoreFiles: readonly FileStamp[]
  readonly skipped: readonly SkippedFile[]
  /** Links to files that are read, with the names of those. */
  readonly otherNames: Readonly<Record<string, string>>
  /** Number of files and folders excluded by ignore rules and the fixed list, without the folders of tools. */
  readonly ignored: number
  /** Number of binary files per extension, ignored or not. */
  readonly unsupported: Readonly<Record<string, number>>
}

/**
 * Lists every document below `root`, with all skipped files and the reasons. Ignore files also apply to tracked files; the
 * user's global ignore file is not used, so that every machine indexes the same files.
 *
 * @example walkFiles('.', { include: ['docs'] }).files.map((file) => file.path)
 */
export function walkFiles(root: string, options: Partial<WalkOptions> = {}): WalkResult {
  const chosen = { ...walkDefaults, ...options }
  const { maxFileSize, include, extraIgnore, isCached = false, keeps = null, onFound = () => {} } = chosen
  const realRoot = findRoot(root)
  const ignoreFiles: FileStamp[] = []
  const skipped: SkippedFile[] = []
  const above = isCached
    ? { rules: noRules, rootBelowTop: '' }
    : readRulesAbove(realRoot, { ignoreFiles, skipped })
  const walk: Walk = {
    root: realRoot,
    prefix: above.rootBelowTop === '' ? '' : `${above.rootBelowTop}/`,
    maxFileSize,
    onFound,
    coverage: coverageOf(include),
    keeps,
    files: [],
    directories: [],
    ignoreFiles,
    skipped,
    unsupported: new Map(),
    links: [],
    otherNames: new Map(),
    ignored: 0,
  }
  const rules = addCallerRules(above.rules, above.rootBelowTop, extraIgnore)
  readFolder(walk, { path: '', location: realRoot, depth: 0, rules })
  nameLinks(walk)
  reportMissing(walk, includedPaths(include) ?? [])
  return summarize(walk)
}

function findRoot(root: string): string {
  let realRoot: string
  try {
    realRoot = realpathSync.native(root)
  } catch (cause) {
    throw new YoreError('BAD_INPUT', `no folder at ${root}`, { cause })
  }
  if (!lstatSync(realRoot).isDirectory()) throw new YoreError('BAD_INPUT', `${root} is not a folder`)
  return realRoot
}

/** A root inside an ignored folder was requested by name, so the folders above it count as included. */
function addCallerRules(rules: IgnoreRules, rootBelowTop: string, extraIgnore: readonly string[]) {
  const segments = rootBelowTop === '' ? [] : rootBelowTop.split('/')
  const wayDown = segments.map((_, index) => reincludeFolder(segments.slice(0, index + 1).join('/')))
  const extra = { origin: 'caller', folder: rootBelowTop, text: extraIgnore.join('\n') } as const
  const withExtra = addIgnoreText(rules, extra).rules
  return addIgnoreText(withExtra, { origin: 'caller', folder: '', text: wayDown.join('\n') }).rules
}

function reportMissing(walk: Walk, included: readonly string[]): void {
  for (const path of included) {
    if (lstatSync(join(walk.root, path), { throwIfNoEntry: false }) !== undefined) continue
    skip(walk, path, { reason: 'unreadable', detail: 'no such file or folder' })
  }
}

function summarize(walk: Walk): WalkResult {
  const unsupported = [...walk.unsupported].sort(([a], [b]) => compareText(a, b))
  return {
    files: walk.files.sort(byPath),
    directories: walk.directories.sort(byPath),
    ignoreFiles: walk.ignoreFiles.sort(byPath),
    skipped: walk.skipped.sort(byPath),
    otherNames: Object.fromEntries([...walk.otherNames].sort(([a], [b]) => compareText(a, b))),
    ignored: walk.ignored,
    unsupported: Object.fromEntries(unsupported),
  }
}

/** Joins the walks of several folders into one of the corpus; the first one is the root's own. */
export function joinWalks(
  walks: readonly { readonly name: string; readonly walk: WalkResult }[],
): WalkResult {
  const below = (name: string, path: string): string => [name, path].filter(Boolean).join('/')
  const gather = <T extends { readonly path: string }>(of: (walk: WalkResult) => readonly T[]): T[] =>
    walks
      .flatMap(({ name, walk }) =>
        name === '' ? of(walk) : of(walk).map((item) => ({ ...item, path: below(name, item.path) })),
      )
      .sort(byPath)
  const otherNames = walks.flatMap(({ name, walk }) =>
    Object.entries(walk.otherNames).map(([link, path]) => [below(name, link), below(name, path)] as const),
  )
  const unsupported = new Map<string, number>()
  for (const { walk } of walks)
    for (const [extension, count] of Object.entries(walk.unsupported))
      unsupported.set(extension, (unsupported.get(extension) ?? 0) + count)
  return {
    files: withoutRepeats(gather((walk) => walk.files)),
    directories: withoutRepeats(gather((walk) => walk.directories)),
    ignoreFiles: gather((walk) => walk.ignoreFiles),
    skipped: gather((walk) => walk.skipped),
    otherNames: Object.fromEntries(otherNames.sort(([a], [b]) => compareText(a, b))),
    ignored: walks.reduce((sum, { walk }) => sum + walk.ignored, 0),
    unsupported: Object.fromEntries([...unsupported].sort(([a], [b]) => compareText(a, b))),
  }
}

function withoutRepeats<T extends { readonly path: string }>(sorted: readonly T[]): T[] {
  return sorted.filter(({ path }, at) => sorted[at - 1]?.path !== path)
}
