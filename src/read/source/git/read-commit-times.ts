// When was each file last committed? Read from the history, newest commits first, until every file is found.
import { gitDefaults, runGit } from './run-git.ts'

/** Starts the record of a commit in git's output. */
const COMMIT_MARK = '\u0002'
/** Commits in the first slice of history; each later slice is four times as long. */
const FIRST_SLICE = 500

/**
 * Milliseconds since 1970 of the last commit that touched each file below `root`, by corpus path. Files that are not in
 * the checked-out commit are absent; changes made by a merge commit itself do not count. Null without a checkout or git,
 * or when reading takes too long.
 *
 * @example readCommitTimes('.', ['README.md'])?.get('README.md') // 1790000000000
 */
export function readCommitTimes(root: string, paths?: readonly string[]): Map<string, number> | null {
  const deadline = performance.now() + gitDefaults.timeout
  const committed = runGit(root, ['ls-tree', '-r', '-z', '--name-only', 'HEAD'])
  if (committed === null) return null

  const wanted = wantedPaths(committed.split('\0'), paths)
  const times = new Map<string, number>()
  let skip = 0
  for (let slice = FIRST_SLICE; times.size < wanted.size; slice *= 4) {
    const timeout = Math.ceil(deadline - performance.now())
    const log = timeout > 0 ? runGit(root, logArguments(skip, slice), { timeout }) : null
    if (log === null) return null
    if (collectTimes(log, wanted, times) < slice) break
    skip += slice
  }
  return times
}

/** Paths below `root` whose last commit may differ from that at `before`, an ancestor of the checked-out commit; null if it is not one. */
export function readCommittedSince(root: string, before: string): readonly string[] | null {
  if (!/^[0-9a-f]+$/.test(before) || runGit(root, ['merge-base', '--is-ancestor', before, 'HEAD']) === null)
    return null
  const shared = ['-z', '--name-only', '--relative', '--no-renames', '--no-ext-diff', '--no-textconv']
  const log = runGit(root, ['log', '--format=', '--no-show-signature', ...shared, `${before}..HEAD`])
  const difference = runGit(root, ['diff', ...shared, before, 'HEAD'])
  return log === null || difference === null ? null : [...new Set(`${log}\0${difference}`.split('\0'))]
}

function wantedPaths(committed: readonly string[], paths: readonly string[] | undefined): Set<string> {
  const known = new Set(committed)
  known.delete('')
  return paths === undefined ? known : new Set(paths.filter((path) => known.has(path)))
}

const logOptions = (
  '--format=%x02%ct --name-only -z --relative --no-merges --no-renames --no-color --no-ext-diff ' +
  '--no-textconv --no-mailmap --no-show-signature --ignore-submodules=all'
).split(' ')

const logArguments = (skip: number, count: number): string[] => {
  return ['log', `--skip=${skip}`, `--max-count=${count}`, ...logOptions]
}

/** Adds the first time seen for each wanted path; returns how many commits the log held. */
function collectTimes(log: string, wanted: ReadonlySet<string>, times: Map<string, number>): number {
  let commits = 0
  let time = 0
  for (const record of log.split('\0')) {
    if (record.startsWith(COMMIT_MARK)) {
      commits++
      time = Number(record.slice(1)) * 1000
      continue
    }
    // A line end separates a commit's record from the first of its paths.
    const path = record.startsWith('\n') ? record.slice(1) : record
    if (wanted.has(path) && !times.has(path)) times.set(path, time)
  }
  return commits
}
