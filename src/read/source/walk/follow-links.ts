// Where do symbolic links lead? The walk follows them only to files it could have read itself, never out of the root.

import { lstatSync, realpathSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { byPath, folderOf, lastSegment } from '../../../model/paths.ts'
import { describeFailure } from '../describe-failure.ts'
import { isBinaryName } from '../language-of.ts'
import { isSecretPath } from '../secrets/secret-paths.ts'
import { addIgnoreFile } from './ignore-files.ts'
import { type IgnoreRules, isIgnored } from './ignore-rules.ts'
import { isInside, pathBelow } from './is-inside.ts'
import { folderIdentity, ignoreFileIn, readFolder } from './read-folder.ts'
import { isAlwaysSkipped } from './walk-options.ts'
import { addFile, childPath, countUnsupported, type Link, skip, type Walk } from './walk-state.ts'

/** Follows the links of a walk after all real folders, so that real names win over links. */
export function followLinks(walk: Walk): void {
  if (walk.links.length > 0) for (const { path } of walk.files) walk.readAs.set(path, path)
  while (walk.links.length > 0) {
    const links = walk.links.splice(0).sort((a, b) => byPath(a, b))
    for (const link of links) {
      try {
        followLink(walk, link)
      } catch (error) {
        const gone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
        const detail = gone ? 'a broken link' : describeFailure(error)
        skip(walk, link.path, { reason: 'unreadable', detail })
      }
    }
  }
}

function followLink(walk: Walk, link: Link): void {
  const real = realpathSync.native(join(walk.root, link.path))
  if (!isInside(real, walk.root)) {
    skip(walk, link.path, { reason: 'outside-root', detail: 'a link to a target outside the root' })
    return
  }
  const target = pathBelow(real, walk.root)
  const stats = lstatSync(real)
  const kind = stats.isDirectory() ? 'directory' : 'file'
  if (isSecretPath(target)) {
    skip(walk, link.path, { reason: 'secret', detail: 'a link to a file that is likely to hold secrets' })
  } else if (isLinkSkipped(walk, link, kind) || isTargetSkipped(walk, target, kind)) {
    walk.ignored++
  } else if (kind === 'file') {
    readLinkedFile(walk, link, { target, stats })
  } else {
    readLinkedFolder(walk, link, { real, target, stats })
  }
}

/** A file is read once: under its own name, or else under the first link to it. */
function readLinkedFile(
  walk: Walk,
  link: Link,
  end: { readonly target: string; readonly stats: Stats },
): void {
  if (isBinaryName(link.path)) {
    countUnsupported(walk, link.path)
    return
  }
  const name = walk.readAs.get(end.target)
  if (name === undefined) {
    walk.readAs.set(end.target, link.path)
    addFile(walk, link.path, end.stats)
    return
  }
  walk.otherNames.set(link.path, name)
  const detail = `a link to ${end.target}, which is read under its own name or another link`
  skip(walk, link.path, { reason: 'ignored', detail })
}

function readLinkedFolder(
  walk: Walk,
  link: Link,
  end: { readonly real: string; readonly target: string; readonly stats: Stats },
): void {
  if (walk.entered.has(folderIdentity(end.stats))) {
    const name = end.target === '' ? 'the root' : end.target
    const detail = `a link to ${name}, which is read under its own name or another link`
    skip(walk, link.path, { reason: 'ignored', detail })
    return
  }
  readFolder(walk, { ...link, location: end.real })
}

/** To git a link is a file; a link to a folder is also subject to rules for folders. */
function isLinkSkipped(walk: Walk, link: Link, kind: 'file' | 'directory'): boolean {
  const name = lastSegment(link.path)
  return isAlwaysSkipped(name, kind) || isIgnored(link.rules, walk.prefix + link.path, kind)
}

/** Would the walk have skipped the target of a link under its own name? */
function isTargetSkipped(walk: Walk, target: string, kind: 'file' | 'directory'): boolean {
  if (target === '') return false
  const rules = rulesIn(walk, folderOf(target))
  if (rules === null) return true
  const name = lastSegment(target)
  return isAlwaysSkipped(name, kind) || isIgnored(rules, walk.prefix + target, kind)
}

/** The rules in a folder that the walk may not have entered; null when the folder is skipped. */
function rulesIn(walk: Walk, path: string): IgnoreRules | null {
  const known = walk.rulesIn.get(path)
  if (known !== undefined) return known
  const above = path === '' ? null : rulesIn(walk, folderOf(path))
  let rules = above === null || isTargetSkipped(walk, path, 'directory') ? null : above
  for (const origin of ['git', 'yore'] as const) {
    if (rules === null) break
    const file = ignoreFileIn(walk, { path, location: childPath(walk.root, path) }, origin)
    rules = addIgnoreFile(rules, file, walk)
  }
  walk.rulesIn.set(path, rules)
  return rules
}
