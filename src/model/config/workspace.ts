// Which repositories answer together? Those that `yore.workspace.json` lists; paths are relative to that file.
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { YoreError } from '../errors.ts'
import { product } from '../version.ts'
import { readAddedRoots } from './added-roots.ts'
import { pathBelow } from './path-below.ts'
import { readJsonFile } from './read-config-file.ts'
import { isSafeToSuggest } from './root-entries.ts'
import type { Environment } from './state-folder.ts'

/** One repository; its name is the first part of its paths. */
export interface WorkspaceMember {
  readonly name: string
  /** Absolute. */
  readonly root: string
}

export interface Workspace {
  readonly root: string
  readonly members: readonly WorkspaceMember[]
  /** One sentence for each entry that has no effect. */
  readonly warnings: readonly string[]
}

const { workspaceFile } = product
const named = /^([A-Za-z0-9][\w.@+-]{0,99})=(.+)$/s

/** `NAME=FOLDER`, `FOLDER` or `FOLDER/*`, which means every clone in that folder. */
interface Entry {
  readonly text: string
  readonly name: string | undefined
  /** Absolute. */
  readonly folder: string
  readonly isParent: boolean
}

export function readEntry(text: string, base: string): Entry {
  const [, name, given = text] = named.exec(text) ?? []
  const isParent = /[\\/]\*$/.test(given)
  return { text, name, folder: path.resolve(base, isParent ? given.slice(0, -2) : given), isParent }
}

/** The entries of the file; null without one. Throws BAD_CONFIG. */
export function readWorkspaceEntries(root: string): readonly string[] | null {
  const raw = readJsonFile(path.join(root, workspaceFile), { name: workspaceFile, confinedTo: root })
  if (raw === undefined) return null
  const { repositories } = (raw ?? {}) as { repositories?: unknown }
  if (Array.isArray(repositories) && repositories.every((one) => typeof one === 'string' && one !== ''))
    return repositories as string[]
  throw new YoreError('BAD_CONFIG', `${workspaceFile}: "repositories" must be a list of folders`, {
    hint: 'for example { "repositories": ["../api", "../web"] }',
  })
}

/** Null for a folder without the file. A folder outside of it holds only when the user added it. Throws BAD_CONFIG. */
export function readWorkspace(root: string, env: Environment): Workspace | null {
  const entries = readWorkspaceEntries(root)
  if (entries === null) return null
  const allowed = new Set(readAddedRoots(root, env, 'workspaces'))
  const warnings: string[] = []
  const found: WorkspaceMember[] = []
  const taken = new Set<string>()
  for (const entry of entries.map((text) => readEntry(text, root))) {
    const folders = listFolders(entry)
    if (folders.length === 0) warnings.push(`${workspaceFile}: no repository at ${entry.text}`)
    else if (!allowed.has(entry.folder) && !isInside(root, entry.folder))
      warnings.push(describeOutside(entry, root))
    else
      for (const folder of folders)
        if (!found.some((one) => one.root === folder))
          found.push({ name: nameOnce(entry.name ?? path.basename(folder), taken), root: folder })
  }
  return { root, members: found, warnings }
}

/** A name that no other member has: the second `api` is `api-2`. */
function nameOnce(wanted: string, taken: Set<string>): string {
  const plain = wanted.replaceAll(/[^\w.@+-]/g, '-') || 'root'
  let name = plain
  for (let count = 2; taken.has(name); count++) name = `${plain}-${count}`
  taken.add(name)
  return name
}

function listFolders({ folder, isParent }: Entry): readonly string[] {
  if (!isFolder(folder)) return []
  return isParent ? listClones(folder) : [folder]
}

/** The clones directly in a folder, by name. */
function listClones(folder: string): readonly string[] {
  return readdirSync(folder)
    .sort()
    .map((name) => path.join(folder, name))
    .filter((child) => isRepository(child) && isInside(folder, child))
}

const isRepository = (folder: string): boolean =>
  existsSync(path.join(folder, '.git')) || isFolder(path.join(folder, product.folder))

const isFolder = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Follows symbolic links: a link of a repository must not lead out of it. */
const isInside = (root: string, folder: string): boolean =>
  pathBelow(realpathSync(root), realpathSync(folder)) !== null

function describeOutside({ text }: Entry, root: string): string {
  const what = `${workspaceFile} names ${JSON.stringify(text.slice(0, 200))} outside of its folder, which is skipped`
  try {
    const folder = text.replace(/[\\/]\*$/, '')
    return isSafeToSuggest(folder, root)
      ? `${what}; \`${product.name} workspace add ${folder}\` allows it`
      : what
  } catch {
    return what
  }
}

/** The entry for a folder of a command line, as the file of `root` holds it. Throws BAD_INPUT. */
export function makeEntry(given: string, { cwd, root }: { cwd: string; root: string }): Entry {
  const entry = readEntry(given, cwd)
  const { name, folder } = entry
  if (!isFolder(folder))
    throw new YoreError('BAD_INPUT', `no such folder: ${given}`, { hint: 'name an existing folder' })
  const isParent = entry.isParent || (!isRepository(folder) && listClones(folder).length > 0)
  const below = path.relative(root, folder).replaceAll('\\', '/') || '.'
  return {
    ...entry,
    isParent,
    text: `${name === undefined ? '' : `${name}=`}${below}${isParent ? '/*' : ''}`,
  }
}
