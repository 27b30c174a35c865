// Where is this program? At an absolute path on PATH, outside the repository that is read.

import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Environment } from '../../model/config/state-folder.ts'
import { getOrAdd } from '../../model/remember.ts'
import { isInside } from './walk/is-inside.ts'

/**
 * Windows searches the working folder before PATH, and `npx` puts the project's `node_modules/.bin` on PATH: a
 * repository could ship a program of this name. Null when PATH has no other.
 *
 * @example findProgram('git', { outside: '/home/me/project', env: process.env }) // '/usr/bin/git'
 */
export function findProgram(
  name: string,
  { outside, env }: { readonly outside: string; readonly env: Environment },
): string | null {
  const searched = env['PATH'] ?? env['Path'] ?? ''
  const key = [name, outside, searched].join('\0')
  return getOrAdd(programs, key, () => searchPath(name, outside, searched))
}

/** Caches one search per repository. */
const programs = new Map<string, string | null>()

function searchPath(name: string, outside: string, searched: string): string | null {
  const repository = realpathSync.native(outside)
  const file = process.platform === 'win32' ? `${name}.exe` : name
  for (const folder of searched.split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue
    const place = path.join(folder, file)
    try {
      const real = realpathSync.native(place)
      const isForeign = [realpathSync.native(folder), real].some((one) => isInside(one, repository))
      if (isForeign || !statSync(real).isFile()) continue
      accessSync(real, constants.X_OK)
      return place
    } catch {
      // Missing, or not a program.
    }
  }
  return null
}
