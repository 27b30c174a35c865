// Which commit is checked out? Null outside a checkout, before the first commit, or without git.
import { realpathSync } from 'node:fs'
import { findCheckoutTop } from './ignore-files.ts'
import { runGit } from './run-git.ts'

/**
 * The hash of the commit that is checked out at `root`; followed by `shallow` where its history is cut off.
 *
 * @example readGitHead('.') // '3f1c…' or null
 */
export function readGitHead(root: string): string | null {
  if (!isInCheckout(root)) return null
  const output = runGit(root, ['rev-parse', 'HEAD', '--is-shallow-repository'], { timeout: 5000 })
  const [head = '', shallow] = output?.split('\n') ?? []
  if (!/^[0-9a-f]{40,64}$/.test(head)) return null
  return shallow === 'true' ? `${head} shallow` : head
}

/** Starting git costs more than looking whether it has anything to say. */
function isInCheckout(root: string): boolean {
  try {
    return findCheckoutTop(realpathSync.native(root)) !== null
  } catch {
    return false
  }
}
