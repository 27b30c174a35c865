// Which files do ignore rules exclude, by which rule, and which of them does git track? Read from the folder, not from the index.

import type { Settings } from '../../model/config/settings.ts'
import type { IgnoredEntry, IgnoredReport } from '../../model/report.ts'
import { runGit } from '../../read/source/git/run-git.ts'
import { escapeName, isUnusualName } from '../../read/source/walk/corpus-path.ts'
import { walkFiles } from '../../read/source/walk/walk-files.ts'

/** Entries listed, those with tracked files first; an ignored folder is one entry. */
const MOST_LISTED = 500

/** Excluded entries below the root; other roots are not listed. */
export function listIgnored(
  root: string,
  { maxFileSize, ignore }: Pick<Settings, 'maxFileSize' | 'ignore'>,
): IgnoredReport {
  const found: { path: string; rule: string | null }[] = []
  walkFiles(root, {
    maxFileSize,
    extraIgnore: [...ignore],
    onIgnored: (path, rule) => found.push({ path, rule }),
  })
  const trackedBelow = countTracked(
    root,
    new Set(found.flatMap(({ path, rule }) => (rule === null ? [] : path))),
  )
  const entries = found
    .map(({ path, rule }): IgnoredEntry => {
      const shown = isUnusualName(path) ? escapeName(path).slice(1, -1) : path
      return { path: shown, rule: rule ?? 'never read', tracked: trackedBelow.get(path) ?? 0 }
    })
    .sort((a, b) => Number(b.tracked > 0) - Number(a.tracked > 0) || (a.path < b.path ? -1 : 1))
  return {
    total: entries.length,
    tracked: entries.reduce((sum, { tracked }) => sum + tracked, 0),
    entries: entries.slice(0, MOST_LISTED),
  }
}

/** How many files git tracks at each of these paths; folders end with a slash. Empty without git. */
function countTracked(root: string, ignored: ReadonlySet<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const listed = ignored.size === 0 ? null : runGit(root, ['ls-files', '-z'])
  for (const file of listed?.split('\0') ?? []) {
    // Only the outermost ignored folder is listed.
    for (let slash = file.indexOf('/'); ; slash = file.indexOf('/', slash + 1)) {
      const part = slash === -1 ? file : file.slice(0, slash + 1)
      if (ignored.has(part)) counts.set(part, (counts.get(part) ?? 0) + 1)
      if (slash === -1 || ignored.has(part)) break
    }
  }
  return counts
}
