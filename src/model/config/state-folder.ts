// Where does yore keep what belongs to a user and to no repository? In the state and config folders of the system.
import { homedir } from 'node:os'
import path from 'node:path'
import { product } from '../version.ts'

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

function absolute(place: string | undefined): string | null {
  // The XDG rule: a relative path there is invalid and ignored.
  return place !== undefined && path.isAbsolute(place) ? place : null
}

function homeFolder(env: Environment): string | null {
  try {
    return absolute(env['HOME']) ?? absolute(homedir())
  } catch {
    return null // A user without an entry in the list of users.
  }
}

/** The folder that a variable names, or that of Windows, else a usual one below the user's home. */
function ownFolder(env: Environment, variable: string, ...usual: readonly string[]): string | null {
  const named =
    absolute(env[variable]) ?? (process.platform === 'win32' ? absolute(env['LOCALAPPDATA']) : null)
  if (named !== null) return path.join(named, product.name)
  const home = homeFolder(env)
  return home === null ? null : path.join(home, ...usual, product.name)
}

/** The folder, which need not exist; null when the user has no place of their own. */
export const stateFolder = (env: Environment): string | null =>
  ownFolder(env, 'XDG_STATE_HOME', '.local', 'state')

/** Where what can be fetched again is kept; null when the user has no place of their own. */
export const cacheFolder = (env: Environment): string | null => ownFolder(env, 'XDG_CACHE_HOME', '.cache')

/** Where the user's own config lives. */
export function userConfigPath(env: Environment): string {
  const folder = absolute(env['XDG_CONFIG_HOME']) ?? path.join(env['HOME'] || homedir(), '.config')
  return path.join(folder, product.name, 'config.json')
}
