// What is in this repository? Its newest commit, fetched by git into a folder that is thrown away; nothing of it is run or checked out.
import { execFile, spawn } from 'node:child_process'
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { ServiceError } from '../errors.ts'
import { checkPath } from './check-path.ts'
import { type AddressPolicy, chooseAddress, publicAddresses, readRepositoryUrl } from './public-address.ts'

export interface GitOptions {
  readonly policy: AddressPolicy
  /** Of the pack that is fetched. */
  readonly packBytes: number
  /** Of all files, and of one: larger ones are left out. */
  readonly totalBytes: number
  readonly fileBytes: number
  readonly files: number
  /** Of the whole fetch; less than a job may take. */
  readonly timeoutMs: number
}

const megabyte = 1024 * 1024

export const gitDefaults: GitOptions = {
  policy: publicAddresses,
  packBytes: 512 * megabyte,
  totalBytes: 1024 * megabyte,
  fileBytes: 2 * megabyte,
  files: 20_000,
  timeoutMs: 80_000,
}

/** A repository and what of it is wanted, as an ingestion names them: `https://host/name.git#main`. */
export interface RepositoryName {
  readonly url: string
  readonly ref: string
}

const refShape = /^(?!.*(?:\.\.|\/\/|@\{|\.lock$))[A-Za-z0-9][\w./-]{0,199}$/

/** Throws BAD_REPOSITORY. */
export function nameRepository(given: string, ref: string, policy: AddressPolicy): string {
  const url = readRepositoryUrl(given, policy)
  if (!refShape.test(ref))
    throw new ServiceError('BAD_REPOSITORY', 'ref is no name of a branch, tag or commit')
  return `${url.href}#${ref}`
}

function splitName(name: string): RepositoryName {
  const at = name.lastIndexOf('#')
  return { url: name.slice(0, at), ref: name.slice(at + 1) }
}

export interface RepositoryFile {
  /** Below the folder that was asked for. */
  readonly path: string
  readonly size: number
  readonly modifiedAt: Date
}

/** 512-byte blocks of a file, and KB of memory: a pack that unfolds without end meets these first. */
const limited = 'ulimit -f "$1"; ulimit -v 4194304; shift; exec git "$@"'

interface GitRun {
  readonly cwd: string
  readonly protocols: readonly string[]
  readonly packBytes: number
  readonly signal: AbortSignal
  readonly input?: string
  readonly onOutput: (piece: Buffer) => void
}

/** Without the machine's configuration, credentials or environment. */
async function runGit(args: readonly string[], options: GitRun): Promise<void> {
  const { cwd, signal, packBytes } = options
  const child = spawn('sh', ['-c', limited, 'sh', String(Math.ceil(packBytes / 512)), ...args], {
    cwd,
    // A group of its own: what git started ends with it.
    detached: true,
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'ignore'],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: cwd,
      LC_ALL: 'C',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: options.protocols.map((protocol) => protocol.slice(0, -1)).join(':'),
    },
  })
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended already.
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
    const status = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    if (fault !== null) throw fault
    if (signal.aborted) throw new ServiceError('BAD_REPOSITORY', 'fetching the repository took too long')
    if (status !== 0)
      throw new ServiceError(
        'BAD_REPOSITORY',
        'the repository cannot be fetched: it is not there, not public, leads elsewhere, lacks the ref or is too large',
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

/** Regular files within the limits, by paths that documents may have; links and submodules are left out. */
function readTree(listed: string, { files, totalBytes, fileBytes }: GitOptions): readonly TreeEntry[] {
  const entries = new Map<string, TreeEntry>()
  let total = 0
  for (const line of listed.split('\0')) {
    const found = /^100\d{3} blob ([0-9a-f]{40,64}) +(\d+)\t([\s\S]+)$/.exec(line)
    if (found === null || Number(found[2]) > fileBytes) continue
    let path: string
    try {
      path = checkPath(found[3] ?? '')
    } catch {
      continue
    }
    if (entries.has(path)) continue
    entries.set(path, { path, object: found[1] ?? '', size: Number(found[2]) })
    total += Number(found[2])
    if (entries.size > files) throw new ServiceError('BAD_REPOSITORY', `it holds more than ${files} files`)
    if (total > totalBytes)
      throw new ServiceError('BAD_REPOSITORY', `its files have more than ${totalBytes} bytes`)
  }
  return [...entries.values()]
}

/** Takes apart what `cat-file --batch` writes: a line about each object, then its bytes and a line end. */
class BatchReader {
  readonly #objects: Buffer[] = []
  #rest: Buffer = Buffer.alloc(0)

  get objects(): readonly Buffer[] {
    return this.#objects
  }

  add(piece: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, piece])
    for (;;) {
      const end = this.#rest.indexOf(10)
      if (end < 0) return
      const size = /^[0-9a-f]+ blob (\d+)$/.exec(this.#rest.toString('latin1', 0, end))?.[1]
      if (size === undefined)
        throw new ServiceError('BAD_REPOSITORY', 'an object of the repository is missing')
      const from = end + 1
      const to = from + Number(size)
      if (this.#rest.length <= to) return
      this.#objects.push(Buffer.from(this.#rest.subarray(from, to)))
      this.#rest = this.#rest.subarray(to + 1)
    }
  }
}

/** Objects are read in batches: so many bytes are in memory at once. */
const batchBytes = 32 * megabyte

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

/** Writes the files of the commit below `root`. Throws BAD_REPOSITORY. */
export async function fetchRepository(
  name: string,
  root: string,
  options: GitOptions,
): Promise<readonly RepositoryFile[]> {
  const { url: given, ref } = splitName(name)
  const { policy, packBytes } = options
  const url = readRepositoryUrl(given, policy)
  const address = await chooseAddress(url, policy)
  const repository = `${root}.git`
  await mkdir(repository, { recursive: true })
  const signal = AbortSignal.timeout(options.timeoutMs)
  const git = async (args: readonly string[], input?: string): Promise<Buffer> => {
    const output: Buffer[] = []
    await runGit(args, {
      ...{ cwd: repository, protocols: policy.protocols, packBytes, signal },
      ...(input === undefined ? {} : { input }),
      onOutput: (piece) => output.push(piece),
    })
    return Buffer.concat(output)
  }
  try {
    await git(['init', '--quiet', '--bare', '--template=', '.'])
    const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port
    const host = url.hostname
    await git([
      // The name is not looked up again, and nobody sends it elsewhere.
      ...['-c', `http.curloptResolve=${host}:${port}:${address}`, '-c', 'http.followRedirects=false'],
      ...['-c', 'credential.helper=', '-c', 'http.lowSpeedLimit=1000', '-c', 'http.lowSpeedTime=20'],
      ...['-c', 'core.bigFileThreshold=8m', '-c', 'pack.threads=1', '-c', 'core.hooksPath=/dev/null'],
      ...['fetch', '--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules', '--', url.href],
      `+${ref}:refs/yore/fetched`,
    ])
    const commit = 'refs/yore/fetched'
    const time = Number((await git(['log', '-1', '--format=%ct', commit])).toString())
    const modifiedAt = new Date(time * 1000)
    const listed = await git(['ls-tree', '-r', '-l', '-z', '--full-tree', commit])
    const entries = readTree(listed.toString(), options)
    for (const batch of inBatches(entries)) {
      const reader = new BatchReader()
      await runGit(['cat-file', '--batch'], {
        ...{ cwd: repository, protocols: policy.protocols, packBytes, signal },
        input: batch.map(({ object }) => `${object}\n`).join(''),
        onOutput: (piece) => reader.add(piece),
      })
      for (const [at, { path: name }] of batch.entries()) {
        const place = path.join(root, name)
        await mkdir(path.dirname(place), { recursive: true })
        await writeFile(place, reader.objects[at] ?? Buffer.alloc(0), { flag: 'wx' })
        await utimes(place, modifiedAt, modifiedAt)
      }
    }
    return entries.map(({ path, size }) => ({ path, size, modifiedAt }))
  } finally {
    await rm(repository, { recursive: true, force: true })
  }
}

/** Older ones look names up again: what was allowed is not what is asked then. Throws UNAVAILABLE. */
export async function requireGit(): Promise<void> {
  const said = await promisify(execFile)('git', ['--version']).catch(() => ({ stdout: '' }))
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(said.stdout)?.map(Number) ?? []
  if (major < 2 || (major === 2 && minor < 37))
    throw new ServiceError('UNAVAILABLE', 'fetching repositories needs git 2.37 or newer')
}
