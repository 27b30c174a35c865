// What does a program print? A file of ours, run by Node in a process of its own.
import { spawnSync } from 'node:child_process'
import path from 'node:path'

type Variables = Readonly<Record<string, string>>

const main = path.join(import.meta.dirname, '../src/surfaces/cli/main.ts')

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

export function runCommandLine(args: readonly string[], env: Variables = {}): string {
  return runNode(main, args, env)
}
