// What does a program print? A file of ours, run by Node in a process of its own.
import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import path from 'node:path'

type Variables = Readonly<Record<string, string>>

export const main: string = path.join(import.meta.dirname, '../src/offer/cli/main.ts')

/** Standard output; the environment is what is given, and what a process needs to start. */
export function runNode(
  program: string,
  args: readonly string[],
  env: Variables,
  cwd = process.cwd(),
): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', program, ...args],
    { cwd, encoding: 'utf8', env: { PATH: process.env['PATH'], NO_COLOR: '1', ...env } },
  )
  if (status !== 0) throw new Error(stderr)
  return stdout
}

export interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** What a program of ours did; the environment is that of the tests unless another one is given. */
export function runProgram(program: string, args: readonly string[], options: SpawnSyncOptions = {}): Ran {
  const env = { ...process.env, NO_COLOR: '1', NODE_NO_WARNINGS: '1' }
  const given = { env, maxBuffer: 1 << 28, ...options, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], given)
  return { status, stdout, stderr }
}

/** What `yore` did. */
export function runYore(args: readonly string[], options: SpawnSyncOptions = {}): Ran {
  return runProgram(main, args, options)
}

/** The variables of the tests without those that change what yore says. */
export function plainVariables(): NodeJS.ProcessEnv {
  const isPlain = ([name]: [string, unknown]): boolean => !/^(YORE_|FORCE_COLOR|SOURCE_DATE_EPOCH)/.test(name)
  return Object.fromEntries(Object.entries(process.env).filter(isPlain))
}

export function runCommandLine(args: readonly string[], env: Variables = {}): string {
  return runNode(main, args, env)
}
