// What does an entry of `roots` mean? A folder, a repository at a ref, a site, the dependencies or the commits, each with its name.
import path from 'node:path'
import { YoreError } from '../errors.ts'

/** A source in addition to the root, whose files are in the corpus under its name. */
export type RootEntry =
  | { readonly kind: 'folder'; readonly name: string; readonly folder: string }
  | { readonly kind: 'git'; readonly name: string; readonly repository: string; readonly ref: string }
  | { readonly kind: 'site'; readonly name: string; readonly url: string }
  | { readonly kind: 'dependencies'; readonly name: 'dependencies'; readonly indirect: boolean }
  | { readonly kind: 'commits'; readonly name: 'commits'; readonly most: number }

const DEFAULT_COMMITS = 1000
const MOST_COMMITS = 100_000

const nameShape = /^[A-Za-z0-9][\w.@+-]{0,99}$/
const withName = /^([A-Za-z0-9][\w.@+-]{0,99})=(.+)$/s
/** What can be a branch, a tag or a commit, and nothing that git could take for an option or a range. */
export const refShape: RegExp = /^(?!.*(?:\.\.|\/\/|@\{|\.lock$))[A-Za-z0-9][\w./-]{0,199}$/
const sitePage = /\/(?:llms(?:-full)?\.txt|[^/]{0,100}sitemap[^/]{0,100}\.xml)$/

/** A hint for entries that lead to nothing. */
export const rootForms =
  'a root is NAME=FOLDER, https://HOST/NAME.git#REF, NAME=FOLDER.git#REF, https://HOST/llms.txt, dependencies or commits'

function refuse(entry: string, why: string): YoreError {
  return new YoreError('BAD_CONFIG', `roots: ${JSON.stringify(entry.slice(0, 200))} ${why}`, {
    hint: rootForms,
  })
}

/** Is this text of a command line an entry, and no path of the corpus? */
export function isRootEntry(text: string): boolean {
  return /^\w+:\/\//.test(text) || withName.test(text) || /\.git(?:#|$)/.test(text)
}

/**
 * Throws BAD_CONFIG.
 *
 * @example readRootEntry('wiki=../wiki') // { kind: 'folder', name: 'wiki', folder: '../wiki' }
 * @example readRootEntry('https://github.com/psf/requests#v2.32.3').name // 'requests@v2.32.3'
 */
export function readRootEntry(text: string): RootEntry {
  const special = /^(dependencies|commits)(?::(\w+))?$/.exec(text)
  if (special !== null) return readSpecial(text, special[1] as string, special[2])
  const [, given, named] = withName.exec(text) ?? []
  const source = named ?? text
  if (/^\w+:\/\//.test(source)) return readAddress(text, source, given)
  const [, folder = source, , ref = 'HEAD'] = /^(.*?\.git)(#(.*))?$/s.exec(source) ?? []
  const last = folder.split(/[\\/]/).findLast((part) => part !== '') ?? ''
  if (folder === source && !source.endsWith('.git'))
    return { kind: 'folder', name: checkName(text, given ?? last), folder }
  const name = checkName(text, given ?? nameOfRepository(last, ref))
  if (!refShape.test(ref)) throw refuse(text, 'names no branch, tag or commit after #')
  return { kind: 'git', name, repository: folder, ref }
}

function readSpecial(text: string, kind: string, detail: string | undefined): RootEntry {
  if (kind === 'dependencies') {
    if (detail !== undefined && detail !== 'all')
      throw refuse(text, 'is not a choice: dependencies or dependencies:all')
    return { kind, name: kind, indirect: detail === 'all' }
  }
  const most = Number(detail ?? DEFAULT_COMMITS)
  if (!Number.isSafeInteger(most) || most < 1 || most > MOST_COMMITS)
    throw refuse(text, `needs a number of commits from 1 to ${MOST_COMMITS}`)
  return { kind: 'commits', name: 'commits', most }
}

function readAddress(text: string, source: string, given: string | undefined): RootEntry {
  const url = URL.parse(source)
  if (url === null || url.protocol !== 'https:') throw refuse(text, 'is not an https:// address')
  if (url.username !== '' || url.password !== '' || url.search !== '')
    throw refuse(text, 'has a password or a query, which an address here cannot have')
  const ref = url.hash === '' ? 'HEAD' : url.hash.slice(1)
  url.hash = ''
  if (sitePage.test(url.pathname))
    return { kind: 'site', name: checkName(text, given ?? url.host.replace(':', '-')), url: url.href }
  if (!refShape.test(ref)) throw refuse(text, 'names no branch, tag or commit after #')
  const last = url.pathname.split('/').findLast((part) => part !== '') ?? ''
  const name = checkName(text, given ?? nameOfRepository(last, ref))
  return { kind: 'git', name, repository: url.href, ref }
}

function nameOfRepository(last: string, ref: string): string {
  const name = last.replace(/\.git$/, '')
  return ref === 'HEAD' ? name : `${name}@${ref.replaceAll('/', '-')}`
}

function checkName(text: string, name: string): string {
  const reserved = ['node_modules', 'dependencies', 'commits'].includes(name)
  if (!reserved && nameShape.test(name)) return name
  throw refuse(text, `needs a name of letters, digits and . _ - @ +, for example docs=${text.slice(0, 60)}`)
}

/**
 * May a repository name it by itself? Only what lies inside of it: its own folders, what is installed in it and its
 * commits. Whatever is not plainly below it is outside.
 */
export function isInsideEntry(text: string): boolean {
  const entry = readRootEntry(text)
  if (entry.kind === 'dependencies' || entry.kind === 'commits') return true
  if (entry.kind !== 'folder') return false
  const segments = entry.folder.split(/[\\/]/)
  return !/^(?:[\\/~]|[A-Za-z]:)/.test(entry.folder) && !segments.includes('..')
}

/** Characters that no shell reads as anything but themselves. */
const plainEntry = /^[\w.@+=/:#-]+$/
const systemFolders =
  /^\/(?:bin|boot|dev|etc|lib\w*|opt|proc|run|sbin|srv|sys|usr|var|private|System|Library)(?:\/|$)/

/**
 * May a message suggest `yore index ENTRY` for what a stranger's yore.json names? People and agents paste such
 * commands: not with characters that a shell reads, and not for system folders, hidden folders or parents of `root`.
 */
export function isSafeToSuggest(text: string, root: string): boolean {
  const entry = readRootEntry(text)
  if (!plainEntry.test(text) || text.startsWith('-')) return false
  const given = entry.kind === 'folder' ? entry.folder : entry.kind === 'git' ? entry.repository : ''
  if (given === '' || given.startsWith('https://')) return true
  const folder = path.resolve(root, given)
  if (systemFolders.test(folder) || path.dirname(folder) === folder) return false
  const isHidden = path
    .relative(root, folder)
    .split(path.sep)
    .some((part) => /^\.(?!\.$)/.test(part))
  return !isHidden && !`${path.resolve(root)}${path.sep}`.startsWith(`${folder}${path.sep}`)
}

/** The entries with one for each name, the last; in the order of the names' first ones. */
export function latestByName(entries: readonly string[]): readonly string[] {
  return [...new Map(entries.map((entry) => [readRootEntry(entry).name, entry])).values()]
}

/** An entry of a command line as it is remembered: its folder from the top of the file system. */
export function locateEntry(text: string, cwd: string): string {
  const entry = readRootEntry(text)
  if (entry.kind === 'folder') return `${entry.name}=${path.resolve(cwd, entry.folder)}`
  if (entry.kind !== 'git' || entry.repository.startsWith('https://')) return text
  const ref = entry.ref === 'HEAD' ? '' : `#${entry.ref}`
  return `${entry.name}=${path.resolve(cwd, entry.repository)}${ref}`
}
