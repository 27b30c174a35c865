// Which commit is checked out? Null outside a checkout, before the first commit, or without git.
import { runGit } from './run-git.ts'

/**
 * The hash of the commit that is checked out at `root`.
 *
 * @example readGitHead('.') // '3f1c…' or null
 */
export function readGitHead(root: string): string | null {
  const output = runGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD'], { timeout: 5000 })
  const head = output?.trim() ?? ''
  return /^[0-9a-f]{40,64}$/.test(head) ? head : null
}
