// May a command start the yore in node_modules? Only one that the user installed: untracked by git, and of the running version. And which files of a setup does git ignore?
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { product, yoreVersion } from '../model/version.ts'
import { runGit } from '../read/source/git/run-git.ts'

/** Null without a package; `why` says why the one in the project must not be started. */
export function judgeOwnPackage(root: string): { readonly why: string | null } | null {
  let version: unknown
  try {
    const text = readFileSync(path.join(root, 'node_modules', product.name, 'package.json'), 'utf8')
    version = (JSON.parse(text) as { version?: unknown } | null)?.version
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
  }
  // Outside a checkout git reports nothing: the package may have come with an archive.
  if (runGit(root, ['ls-files', '-z', '--', 'node_modules']) !== '')
    return { why: 'git does not report that node_modules is untracked' }
  return { why: version === yoreVersion ? null : `its version is not ${yoreVersion}` }
}

/** Those of these files that git ignores, as they are given. */
export const listIgnored = (root: string, files: readonly string[]): readonly string[] =>
  (runGit(root, ['check-ignore', '--', ...files]) ?? '').split('\n').filter(Boolean)
