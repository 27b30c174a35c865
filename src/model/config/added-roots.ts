// What did the user add to this corpus? Kept in the user's own state folder: a repository cannot write there.
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { YoreError } from '../errors.ts'
import { readJsonFile } from './read-config-file.ts'
import { isRemovedEntry } from './root-entries.ts'
import { type Environment, stateFolder } from './state-folder.ts'

/** The file of the list for a folder; null where the user has no state folder. */
function statePlace(root: string, env: Environment): string | null {
  const folder = stateFolder(env)
  if (folder === null || !existsSync(root)) return null
  return path.join(folder, 'roots', `${hash('sha256', realpathSync(root)).slice(0, 32)}.json`)
}

/** Replaces the file at once, readable by its user alone. */
function writeState(place: string, state: unknown): void {
  mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 })
  writeFileSync(`${place}.${process.pid}`, `${JSON.stringify(state)}\n`, { mode: 0o600 })
  renameSync(`${place}.${process.pid}`, place)
}

/** The entries that the user gave for this folder. */
export function readAddedRoots(root: string, env: Environment): readonly string[] {
  const folder = stateFolder(env)
  if (folder === null || !existsSync(path.join(folder, 'roots'))) return []
  const place = statePlace(root, env)
  const held = place === null ? undefined : readJsonFile(place, { name: place, confinedTo: null })
  return Array.isArray(held)
    ? held.filter((entry) => typeof entry === 'string' && !isRemovedEntry(entry))
    : []
}

/** Throws NO_PERMISSION when they cannot be stored. */
export function writeAddedRoots(root: string, env: Environment, entries: readonly string[]): void {
  const place = statePlace(root, env)
  try {
    if (place === null) throw new Error('this user has no state folder')
    if (entries.length === 0) {
      rmSync(place, { force: true })
      return
    }
    writeState(place, entries)
  } catch (cause) {
    throw new YoreError('NO_PERMISSION', `what was added cannot be remembered: ${(cause as Error).message}`, {
      hint: 'set XDG_STATE_HOME to a folder that you can write, or name it in `roots` of your own config',
      cause,
    })
  }
}
