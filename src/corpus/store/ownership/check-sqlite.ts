// Is the SQLite of this Node safe to open files with? Older versions delete a file that a planted journal names.
import { YoreError } from '../../../model/errors.ts'

/** The first version that does not follow a journal to another file. */
export const neededSqlite = '3.53.2'

/** Is `version` at least `least`? Compared number by number; a missing version is too old. */
export function isAtLeast(version: string | undefined, least: string): boolean {
  const parts = (version ?? '0').split('.').map(Number)
  for (const [at, wanted] of least.split('.').map(Number).entries()) {
    const part = parts[at] ?? 0
    if (part !== wanted) return part > wanted
  }
  return true
}

/** Throws WRONG_NODE when the SQLite of this process is too old. */
export function requireSqlite(version: string | undefined = process.versions['sqlite']): void {
  if (isAtLeast(version, neededSqlite)) return
  const found = `Node ${process.versions.node} carries SQLite ${version ?? 'of an unknown version'}`
  throw new YoreError('WRONG_NODE', `yore needs SQLite ${neededSqlite} or newer, and ${found}`)
}
