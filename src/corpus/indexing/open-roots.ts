// Which folders does a corpus have besides its root? Each entry of `roots`; sources that are not folders are fetched into the user's cache.
import { lstatSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isInsideEntry, type RootEntry, readRootEntry, rootForms } from '../../model/config/root-entries.ts'
import type { Settings } from '../../model/config/settings.ts'
import type { Environment } from '../../model/config/state-folder.ts'
import { YoreError } from '../../model/errors.ts'
import { findCachedSource } from '../../read/source/fetch/cached-sources.ts'
import { fetchDefaults, fetchRepository } from '../../read/source/fetch/fetch-repository.ts'
import { findDependencies, isDocumentation } from '../../read/source/fetch/find-dependencies.ts'
import { type CorpusRoots, type NamedRoot, refuseTakenNames } from '../../read/source/walk/corpus-roots.ts'
import { isInside, pathBelow } from '../../read/source/walk/is-inside.ts'
import { joinWalks, type WalkResult, walkFiles } from '../../read/source/walk/walk-files.ts'

/** What to fetch: nothing, missing sources, or all again. */
export type Fetching = 'never' | 'missing' | 'all'

interface RootsOptions {
  readonly root: string
  readonly settings: Pick<Settings, 'roots' | 'maxFileSize' | 'ignore'>
  readonly env: Environment
  readonly clock?: () => number
  readonly fetching?: Fetching
}

export interface OpenedRoots extends CorpusRoots {
  /** Whether the documentation of installed packages is read. */
  readonly dependencies: boolean
  readonly notices: readonly string[]
}

/** Opens every entry. Throws BAD_CONFIG for a name that is taken and BAD_INPUT for a missing folder. */
export async function openRoots(options: RootsOptions): Promise<OpenedRoots> {
  const { root, settings } = options
  const named: NamedRoot[] = []
  const notices: string[] = []
  let dependencies = false
  for (const text of settings.roots) {
    const entry = readRootEntry(text)
    if (entry.kind === 'dependencies') {
      dependencies = true
      continue
    }
    const found =
      entry.kind === 'folder'
        ? { folder: findFolder(root, entry.folder, text), origin: null, isCached: false }
        : await fetchEntry(entry, text, { ...options, notices })
    if (found !== null) named.push({ name: entry.name, ...found, entry: text })
  }
  refuseTakenNames(root, named)
  return { root, named, dependencies, notices }
}

/** The real folder of an entry. A folder that a repository names must be inside it after following links, too. */
function findFolder(root: string, given: string, entry: string): string {
  const bad = (code: 'BAD_INPUT' | 'OUTSIDE_ROOT', why: string): YoreError =>
    new YoreError(code, `roots: ${entry} ${why}`, {
      hint: `${rootForms}; to remove an entry, edit yore.json or run \`yore index --remove NAME\``,
    })
  let folder: string
  try {
    folder = realpathSync.native(resolve(root, given))
  } catch {
    throw bad('BAD_INPUT', 'does not exist')
  }
  const realRoot = realpathSync.native(root)
  if (!lstatSync(folder).isDirectory()) throw bad('BAD_INPUT', 'is not a folder')
  if (isInside(realRoot, folder)) throw bad('BAD_INPUT', 'contains the corpus itself')
  if (isInsideEntry(entry) && !isInside(folder, realRoot))
    throw bad('OUTSIDE_ROOT', 'is a link that leads out of the repository')
  return folder
}

type Repository = Extract<RootEntry, { kind: 'git' }>

/** The files of a repository in the cache; null when there are none and none are fetched now. */
async function fetchEntry(
  entry: Repository,
  text: string,
  options: RootsOptions & { readonly notices: string[] },
): Promise<Omit<NamedRoot, 'name' | 'entry'> | null> {
  const { root, env, notices, clock = () => 0, fetching = 'never' } = options
  const isLocal = !entry.repository.startsWith('https://')
  const identity = isLocal ? `${text}\0${realpathSync.native(root)}` : text.replace(/^[\w.@+-]+=/, '')
  const source = findCachedSource(env, identity)
  if (source === null) {
    notices.push(`${entry.name} is skipped: this user has no cache folder`)
    return null
  }
  const known = source.facts()
  const isWanted = fetching === 'all' || (fetching === 'missing' && known === null)
  if (!isWanted && known === null) {
    notices.push(`${entry.name} is not fetched yet: run \`yore index\``)
    return null
  }
  source.markUsed(root)
  let facts = known
  if (isWanted)
    try {
      const lay = (folder: string): Promise<string> => fetchFiles(entry, folder, { root, env, text })
      facts = await source.replace(text, { laidAt: clock(), lay })
    } catch (cause) {
      if (known === null || !(cause instanceof YoreError)) throw cause
      notices.push(`${entry.name} could not be fetched again: ${cause.message}`)
    }
  const { origin = null, laidAt = 0 } = facts ?? {}
  return { folder: source.files, origin, fetchedAt: laidAt, isCached: true }
}

/** Writes the files of a commit; returns the version that citations show. */
async function fetchFiles(
  entry: Repository,
  folder: string,
  { root, env, text }: Pick<RootsOptions, 'root' | 'env'> & { readonly text: string },
): Promise<string> {
  const { repository, ref } = entry
  const isRemote = /^\w+:\/\//.test(repository)
  const name = isRemote ? { url: repository, ref } : { folder: findFolder(root, repository, text), ref }
  const commit = await fetchRepository(name, folder, { ...fetchDefaults, env })
  return ref === 'HEAD' || commit.startsWith(ref) ? commit.slice(0, 12) : `${ref}, ${commit.slice(0, 12)}`
}

interface WalkedRoots {
  readonly walk: WalkResult
  /** Folders with their versions, inside the first root or next to it. */
  readonly origins: readonly { readonly name: string; readonly origin: string }[]
}

/** Every file of every root. `paths` limits it to parts of the first one. */
export function walkRoots(
  { root, named, dependencies }: Pick<OpenedRoots, 'root' | 'named' | 'dependencies'>,
  settings: Pick<Settings, 'maxFileSize' | 'ignore'>,
  wanted: { readonly paths?: readonly string[]; readonly onFound?: (files: number) => void } = {},
): WalkedRoots {
  const { paths = [], onFound } = wanted
  const { maxFileSize } = settings
  const realRoot = realpathSync.native(root)
  // Folders with their own name are not read under another.
  const inside = named.flatMap(({ folder }) =>
    isInside(folder, realRoot) ? [`/${pathBelow(folder, realRoot)}/`] : [],
  )
  const extraIgnore = [...settings.ignore, ...inside]
  const own = walkFiles(root, { maxFileSize, include: [...paths], extraIgnore, ...(onFound && { onFound }) })
  const walks = [{ name: '', walk: own }]
  const origins = named.flatMap(({ name, origin }) => (origin === null ? [] : [{ name, origin }]))
  if (paths.length > 0) return { walk: own, origins }
  for (const { name, folder, ...rest } of named) {
    const isCached = rest.isCached || isInside(folder, realRoot)
    const walk = walkFiles(folder, { maxFileSize, extraIgnore: [...settings.ignore], isCached })
    walks.push({ name, walk })
  }
  const files = own.files.map(({ path }) => path)
  const packages = dependencies ? findDependencies(root, files) : []
  for (const { path, origin } of packages) {
    const place = realpathSync.native(join(root, path))
    if (!isInside(place, realRoot) || !lstatSync(place).isDirectory()) continue
    const walk = walkFiles(place, { maxFileSize, isCached: true, keeps: isDocumentation })
    walks.push({ name: path, walk })
    origins.push({ name: path, origin })
  }
  return walks.length === 1 ? { walk: own, origins } : { walk: joinWalks(walks), origins }
}
