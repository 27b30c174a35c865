// Which commit is checked out? Recorded with every measurement.
import { execFileSync } from 'node:child_process'

/** Short hash and date of HEAD: `58cee37, 2026-11-16`. */
export function describeHead(): string {
  const args = ['log', '-1', '--format=%h, %cs']
  return execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
}
