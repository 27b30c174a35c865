// How does a test run the service as processes of their own, which can be killed at any moment?
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { keySecret } from './service.ts'

/** The sources, or a built package: which starts in a fraction of the time, so that more can be killed in an hour. */
const program = process.env['YORE_SERVER_PROGRAM'] ?? path.join(import.meta.dirname, '..', 'src', 'main.ts')

/** As the image starts it. */
export const nodeFlags: readonly string[] = ['--max-semi-space-size=16']
export const nodeEnvironment: Readonly<Record<string, string>> = { MALLOC_MMAP_THRESHOLD_: '131072' }

/** For a node that is started again where it was. */
export async function freePort(): Promise<number> {
  return await new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

/** For `NodeProcess`: an empty file system at this folder, which only the process and its children see. */
export function ownDisk(folder: string, megabytes: number): readonly string[] {
  const mount = `mount -t tmpfs -o size=${megabytes}m tmpfs "$0" && exec "$@"`
  return ['unshare', '-m', 'sh', '-c', mount, folder]
}
const [mounting = '', ...tried] = [...ownDisk(tmpdir(), 1), 'true']
export const canMount: boolean = process.platform === 'linux' && spawnSync(mounting, tried).status === 0

/** One node as a process; killed and started again under the same name and port. */
export class NodeProcess {
  readonly #args: readonly string[]
  readonly #env: NodeJS.ProcessEnv
  readonly #within: readonly string[]
  #program: string
  #child: ChildProcess | null = null
  #errors = ''

  /** `within` is a command that becomes the program given after it, such as `ip netns exec NAME`; `of` is the program of another build. */
  constructor(
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    within: readonly string[] = [],
    of: string = program,
  ) {
    this.#program = of
    this.#args = args
    this.#within = within
    this.#env = { ...process.env, ...nodeEnvironment, YORE_KEY_SECRET: keySecret, ...env }
  }

  get errors(): string {
    return this.#errors
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  /** From its next start on it runs this program. */
  become(program: string): void {
    this.#program = program
  }

  /** Resolves with what it says first, once it serves. */
  async start(): Promise<string> {
    const node = [process.execPath, ...nodeFlags, this.#program]
    const [command = '', ...args] = [...this.#within, ...node, 'serve', ...this.#args]
    const child = spawn(command, args, { env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = child
    child.stderr.on('data', (piece: Buffer) => {
      this.#errors += piece.toString()
    })
    return await new Promise((resolve, reject) => {
      child.stdout.once('data', (piece: Buffer) => resolve(piece.toString().trim()))
      child.once('exit', (code) => reject(new Error(`the node ended with ${code}: ${this.#errors}`)))
    })
  }

  /** Starts it until it stays: the database may be away. */
  async startPatiently(): Promise<string> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.start()
      } catch (error) {
        if (attempt === 20) throw error
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
    }
  }

  /** Resolves with its exit code, or null when a signal ended it. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const child = this.#child
    if (child === null || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
    return await new Promise((resolve) => {
      child.once('exit', (code) => resolve(code))
      child.kill(signal)
    })
  }
}

interface Usage {
  /** Resident, in megabytes, with and without children. */
  readonly memory: number
  readonly own: number
  /** Of the processor so far, user and system, of ended children too. */
  readonly seconds: number
}

/** A process and its children; zeros for one that is gone. */
export function measureProcess(pid: number): Usage {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    const own = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const memory = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
    // In hundredths of a second.
    const seconds = [11, 12, 13, 14].reduce((sum, at) => sum + Number(own[at]), 0) / 100
    return children
      .filter(Boolean)
      .map((child) => measureProcess(Number(child)))
      .reduce(
        (sum, child) => ({
          own: memory,
          memory: sum.memory + child.memory,
          seconds: sum.seconds + child.seconds,
        }),
        { own: memory, memory, seconds },
      )
  } catch {
    return { own: 0, memory: 0, seconds: 0 }
  }
}

/** Files may vanish meanwhile. */
export const megabytesIn = (folder: string): number =>
  Number(spawnSync('du', ['-sk', folder], { encoding: 'utf8' }).stdout.split('\t')[0]) / 1024
