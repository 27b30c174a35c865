// How do the tests get real files? A temporary folder that is removed when the test ends.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A new temporary folder with these files; a path that ends with `/` is an empty folder. */
export function makeTestTree(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'yore-source-')))
  // The largest have 200,000 files.
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }), 600_000)
  addFiles(root, files)
  return root
}

export function addFiles(root: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    const full = join(root, path)
    mkdirSync(path.endsWith('/') ? full : dirname(full), { recursive: true })
    if (!path.endsWith('/')) writeFileSync(full, content)
  }
}

/** Runs real git, untouched by the settings of the machine. */
export function git(root: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  return execFileSync('git', ['-C', root, ...args], {
    encoding: 'utf8',
    env: {
      ...process.env,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@example.org',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@example.org',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

/** Makes a folder a repository with everything in it committed. */
export function startRepository(folder: string): void {
  git(folder, ['init', '--quiet', '--initial-branch=main'])
  git(folder, ['add', '.'])
  git(folder, ['commit', '--quiet', '-m', 'first'])
}
