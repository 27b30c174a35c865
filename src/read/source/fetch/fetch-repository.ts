// What is in this repository? git fetches the newest commit into a temporary folder; no code of it runs and nothing is checked out.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { devNull } from 'node:os'
import path from 'node:path'
import type { Environment } from '../../../model/config/state-folder.ts'
import { YoreError } from '../../../model/errors.ts'
import { product } from '../../../model/version.ts'
import { findProgram } from '../find-program.ts'
import { normalizeCorpusPath } from '../walk/corpus-path.ts'
import { sizeLimit } from '../walk/walk-options.ts'

export interface FetchLimits {
  /** That git may speak to a server. */
  readonly protocols: string
  readonly packBytes: number
  /** Of all files, and of one text file; larger ones are skipped. */
  readonly totalBytes: number
  readonly fileBytes: number
  readonly files: number
  /** Of the whole fetch. */
  readonly timeoutMs: number
}

const megabyte = 1024 * 1024

export const fetchDefaults: FetchLimits = {
  protocols: 'https',
  packBytes: 512 * megabyte,
  totalBytes: 1024 * megabyte,
  fileBytes: 2 * megabyte,
  files: 20_000,
  timeoutMs: 80_000,
}

/** A repository, by its URL or as a bare repository on this machine, and the parts to read. */
export interface RepositoryName {
  readonly url?: string
  readonly folder?: string
  readonly ref: string
}

/** Limits for git: 512-byte blocks of a file, and KB of memory. They stop a pack that expands without end. */
const limited = 'ulimit -f "$1"; ulimit -v 4194304; shift; exec "$@"'

interface GitRun {
  readonly cwd: string
  readonly home: string
  readonly env: Environment
  readonly protocols: string
  readonly packBytes: number
  readonly signal: AbortSignal
  readonly input?: string
  readonly onOutput: (piece: Buffer) => void
}

/** Excludes the machine's configuration, credentials and environment. */
async function runGit(args: readonly string[], options: GitRun): Promise<void> {
  const { cwd, signal, packBytes } = options
  const git = findProgram('git', { outside: cwd, env: options.env })
  if (git === null) throw new YoreError('CANNOT_FETCH', 'git is not on PATH', { hint: 'install git' })
  const isWindows = process.platform === 'win32'
  const [program, given] = isWindows
    ? [git, args]
    : ['/bin/sh', ['-c', limited, 'sh', String(Math.ceil(packBytes / 512)), git, ...args]]
  const child = spawn(program, given, {
    cwd,
    // A process group of its own, so that processes started by git end with it.
    detached: !isWindows,
    windowsHide: true,
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'ignore'],
    env: {
      PATH: options.env['PATH'] ?? '',
      HOME: options.home,
      LC_ALL: 'C',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: devNull,
      GIT_NO_LAZY_FETCH: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: options.protocols,
    },
  })
  const end = (): void => {
    try {
      if (isWindows) child.kill()
      else if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The process has already ended.
    }
  }
  signal.addEventListener('abort', end)
  let fault: unknown = null
  child.stdout?.on('data', (piece: Buffer) => {
    try {
      options.onOutput(piece)
    } catch (error) {
      fault ??= error
      end()
    }
  })
  child.stdin?.on('error', () => {})
  child.stdin?.end(options.input)
  try {
    const [status] = (await once(child, 'close')) as [number | null]
    if (fault !== null) throw fault
    if (signal.aborted) throw new YoreError('CANNOT_FETCH', 'fetching the repository took too long')
    if (status !== 0)
      throw new YoreError(
        'CANNOT_FETCH',
        'cannot fetch the repository: it does not exist, is not public, redirects, lacks the ref or is too large',
      )
  } finally {
    signal.removeEventListener('abort', end)
  }
}

interface TreeEntry {
  readonly object: string
  readonly size: number
  readonly path: string
}

const isOfTool = (path: string): boolean =>
  path.split('/').some((segment) => [product.folder, '.git'].includes(segment.toLowerCase()))

/** Regular files within the limits and with valid paths. */
function readTree(listed: string, { files, totalBytes, fileBytes }: FetchLimits): readonly TreeEntry[] {
  const entries = new Map<string, TreeEntry>()
  let total = 0
  for (const line of listed.split('\0')) {
    const found = /^(100\d{3}) \w+ ([0-9a-f]{40,64}) +(\d+)\t([\s\S]+)$/.exec(line)
    const path = found?.[4]?.normalize('NFC') ?? ''
    const size = Number(found?.[3])
    const isDocument = normalizeCorpusPath(path) === path && path.split('/').length <= mostFolders
    if (found === null || isOfTool(path) || !isDocument || size > sizeLimit(path, fileBytes)) continue
    entries.set(path, { path, object: found[2] ?? '', size })
    total += size
    if (entries.size > files) throw new YoreError('CANNOT_FETCH', `it holds more than ${files} files`)
    if (total > totalBytes)
      throw new YoreError('CANNOT_FETCH', `its files have more than ${totalBytes} bytes`)
  }
  return [...entries.values()]
}

/** Parses the output of `cat-file --batch`: a line per object, then its bytes and a line end. */
class BatchReader {
  readonly objects: Buffer[] = []
  #rest: Buffer = Buffer.alloc(0)

  add(piece: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, piece])
    for (;;) {
      const end = this.#rest.indexOf(10)
      if (end < 0) return
      const size = /^[0-9a-f]+ blob (\d+)$/.exec(this.#rest.toString('latin1', 0, end))?.[1]
      if (size === undefined) throw new YoreError('CANNOT_FETCH', 'an object of the repository is missing')
      const from = end + 1
      const to = from + Number(size)
      if (this.#rest.length <= to) return
      this.objects.push(Buffer.from(this.#rest.subarray(from, to)))
      this.#rest = this.#rest.subarray(to + 1)
    }
  }
}

/** Objects are read in batches of this many bytes. */
const batchBytes = 32 * megabyte

/** Limit on the output of git's file list. */
const listBytes = 32 * megabyte

/** Limit on nested folders: each costs a folder on disk. */
const mostFolders = 64

function* inBatches(entries: readonly TreeEntry[]): Generator<readonly TreeEntry[]> {
  let batch: TreeEntry[] = []
  let bytes = 0
  for (const entry of entries) {
    batch.push(entry)
    bytes += entry.size
    if (bytes < batchBytes) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

type Repository = ReturnType<typeof openRepository>

/** Runs git on one repository, without the machine's configuration and without hooks. */
function openRepository(run: Omit<GitRun, 'input' | 'onOutput'>) {
  /** Arguments before every reading command: the folder is itself the repository. */
  const inside = [`--git-dir=${run.cwd}`, '-c', `core.hooksPath=${devNull}`, '-c', 'core.fsmonitor=false']

  /** A few objects that contain each other can list more files than fit in memory; reading stops at the limit. */
  async function git(args: readonly string[]): Promise<Buffer> {
    const output: Buffer[] = []
    let bytes = 0
    const onOutput = (piece: Buffer): void => {
      bytes += piece.length
      if (bytes > listBytes) throw new YoreError('CANNOT_FETCH', 'its list of files is too long')
      output.push(piece)
    }
    await runGit(args, { ...run, onOutput })
    return Buffer.concat(output)
  }

  async function readObjects(ids: readonly string[]): Promise<readonly Buffer[]> {
    const reader = new BatchReader()
    const input = ids.map((id) => `${id}\n`).join('')
    const onOutput = (piece: Buffer): void => reader.add(piece)
    await runGit([...inside, 'cat-file', '--batch'], { ...run, input, onOutput })
    return reader.objects
  }

  return { inside, git, readObjects }
}

/** Fetches one commit into an empty repository and returns its name there. */
async function fetchCommit(repository: Repository, { url = '', ref }: RepositoryName): Promise<string> {
  await repository.git(['init', '--quiet', '--bare', '--template=', '.'])
  await repository.git([
    ...['-c', 'http.followRedirects=false', '-c', 'credential.helper='],
    ...['-c', 'http.lowSpeedLimit=1000', '-c', 'http.lowSpeedTime=20'],
    ...['-c', 'core.bigFileThreshold=8m', '-c', 'pack.threads=1', '-c', `core.hooksPath=${devNull}`],
    ...['fetch', '--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules', '--', url],
    `+${ref}:refs/yore/fetched`,
  ])
  return 'refs/yore/fetched'
}

/** Writes the files of the commit below `root`, each with the commit's time; returns its id. Throws CANNOT_FETCH. */
export async function fetchRepository(
  name: RepositoryName,
  root: string,
  options: FetchLimits & { readonly env: Environment },
): Promise<string> {
  const scratch = `${root}.git`
  await mkdir(scratch, { recursive: true })
  await mkdir(root, { recursive: true })
  const repository = openRepository({
    ...{ cwd: name.folder ?? scratch, home: scratch, env: options.env, packBytes: options.packBytes },
    // A repository on this machine is read in place, without a protocol.
    protocols: name.folder === undefined ? options.protocols : 'none',
    signal: AbortSignal.timeout(options.timeoutMs),
  })
  const { inside } = repository
  try {
    const ref = name.folder === undefined ? await fetchCommit(repository, name) : name.ref
    const log = ['log', '-1', '--format=%H %ct', '--end-of-options', ref, '--']
    const [commit = '', time] = (await repository.git([...inside, ...log])).toString().trim().split(' ')
    const modifiedAt = new Date(Number(time) * 1000)
    const listed = await repository.git([...inside, 'ls-tree', '-r', '-l', '-z', '--full-tree', commit])
    for (const batch of inBatches(readTree(listed.toString(), options))) {
      const objects = await repository.readObjects(batch.map(({ object }) => object))
      for (const [at, { path: name }] of batch.entries()) {
        const place = path.join(root, name)
        await mkdir(path.dirname(place), { recursive: true })
        await writeFile(place, objects[at] ?? Buffer.alloc(0), { flag: 'wx' })
        await utimes(place, modifiedAt, modifiedAt)
      }
    }
    return commit
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
