// What does git report about this folder, and which commit is checked out? git runs so that a hostile repository cannot run code.
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../find-program.ts'
import { findCheckoutTop } from '../walk/is-inside.ts'

interface GitOptions {
  /** Milliseconds after which git is stopped. */
  readonly timeout: number
  /** Limit on the output, in bytes. */
  readonly maxOutput: number
}

export const gitDefaults: GitOptions = { timeout: 20_000, maxOutput: 256 * 1024 * 1024 }

/** Settings by which a repository could name a program to run; the command line overrides them. */
const harmlessConfig: readonly string[] = [
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  'core.quotepath=off',
  'log.showSignature=false',
  'safe.bareRepository=explicit',
]

/** Variables that would point git to another repository than `root`, or run a program. */
const leadingElsewhere: readonly string[] =
  'ALTERNATE_OBJECT_DIRECTORIES COMMON_DIR DIR EXTERNAL_DIFF INDEX_FILE NAMESPACE OBJECT_DIRECTORY PREFIX WORK_TREE'
    .split(' ')
    .map((name) => `GIT_${name}`)

/**
 * The output of a read-only git command; null when it fails for any reason: no git, no checkout, a
 * repository that git does not trust, a timeout, too much output.
 *
 * @example runGit('.', ['rev-parse', '--show-toplevel'])
 */
export function runGit(root: string, args: readonly string[], options: Partial<GitOptions> = {}) {
  const { timeout, maxOutput } = { ...gitDefaults, ...options }
  const top = findTop(root)
  const git = top === null ? null : findProgram('git', { outside: top, env: process.env })
  if (git === null) return null
  const config = harmlessConfig.flatMap((setting) => ['-c', setting])
  // Loaded on use, so that a query starts without it.
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const done = spawnSync(git, [...config, '--no-pager', '-C', root, ...args], {
    encoding: 'utf8',
    env: gitEnvironment(),
    maxBuffer: maxOutput,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout,
    windowsHide: true,
  })
  return done.error === undefined && done.status === 0 ? done.stdout : null
}

function gitEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    // Allow no protocol: a partial clone cannot fetch missing objects, so no transport command can run.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
  }
  for (const name of leadingElsewhere) delete environment[name]
  return environment
}

/**
 * The hash of the checked-out commit, followed by `shallow` if its history is cut off.
 *
 * @example readGitHead('.') // '3f1c…' or null
 */
export function readGitHead(root: string): string | null {
  if (findTop(root) === null) return null
  const output = runGit(root, ['rev-parse', 'HEAD', '--is-shallow-repository'], { timeout: 5000 })
  const [head = '', shallow] = output?.split('\n') ?? []
  if (!/^[0-9a-f]{40,64}$/.test(head)) return null
  return shallow === 'true' ? `${head} shallow` : head
}

/**
 * Was another commit checked out since `before`, a result of `readGitHead` or `none`? Starting git for every question
 * takes longer than reading two files of a plain repository.
 */
export function hasGitHeadMoved(root: string, before: string): boolean {
  const top = findTop(root)
  if (top === null) return false
  const seen = peekGitHead(join(top, '.git'))
  return (seen === '' || !before.startsWith(seen)) && (readGitHead(root) ?? 'none') !== before
}

/** The checked-out commit as the files of a repository name it; empty where only git knows, as in a linked worktree. */
function peekGitHead(folder: string): string {
  const head = readSmall(join(folder, 'HEAD')).trim()
  const name = /^ref: (refs(?:\/[\w-][\w.-]*)+)$/.exec(head)?.[1]
  const commit = name === undefined ? head : readSmall(join(folder, name)).trim() || readPacked(folder, name)
  return /^[0-9a-f]{40,64}$/.test(commit) ? commit : ''
}

function readPacked(folder: string, name: string): string {
  const lines = readSmall(join(folder, 'packed-refs')).split('\n')
  return lines.find((line) => line.endsWith(` ${name}`))?.split(' ')[0] ?? ''
}

/** Limit on a file of references. */
const MOST_REFERENCES = 16 * 1024 * 1024

/** Empty for what is not a regular file, or too large. */
function readSmall(path: string): string {
  try {
    const stats = statSync(path)
    return stats.isFile() && stats.size <= MOST_REFERENCES ? readFileSync(path, 'utf8') : ''
  } catch {
    return ''
  }
}

/** Checks for a checkout around `root`, which is cheaper than starting git. */
function findTop(root: string): string | null {
  try {
    return findCheckoutTop(realpathSync.native(root))
  } catch {
    return null
  }
}
