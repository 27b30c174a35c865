// What does an entry of `roots` mean? A folder, a repository at a ref, or the dependencies, each with its name.
import path from 'node:path'
import { YoreError } from '../errors.ts'

/** A source in addition to the root, whose files are in the corpus under its name. */
export type RootEntry =
  | { readonly kind: 'folder'; readonly name: string; readonly folder: string }
  | { readonly kind: 'git'; readonly name: string; readonly repository: string; readonly ref: string }
  | { readonly kind: 'dependencies'; readonly name: 'dependencies' }

const nameShape = /^[A-Za-z0-9][\w.@+-]{0,99}$/
const withName = /^([A-Za-z0-9][\w.@+-]{0,99})=(.+)$/s
/** What can be a branch, a tag or a commit, and nothing that git could take for an option or a range. */
export const refShape: RegExp = /^(?!.*(?:\.\.|\/\/|@\{|\.lock$))[A-Za-z0-9][\w./-]{0,199}$/
/** Entries of the last release: commit messages, the pages that a site lists, and every installed package. */
const removedEntry =
  /^commits(?::\w+)?$|^dependencies:all$|^(?:[\w.@+-]+=)?https:\/\/\S+\/(?:llms(?:-full)?\.txt|[^/]*sitemap[^/]*\.xml)$/

/** A hint for entries that lead to nothing. */
export const rootForms =
  'a root is NAME=FOLDER, https://HOST/NAME.git#REF, NAME=FOLDER.git#REF or dependencies'

const refuse = (entry: string, why: string): YoreError =>
  new YoreError('BAD_CONFIG', `roots: ${JSON.stringify(entry.slice(0, 200))} ${why}`, {
    hint: rootForms,
  })

/** Was this a source before, which is read no more? */
export const isRemovedEntry = (text: string): boolean => removedEntry.test(text)

/** Is this text of a command line an entry, and no path of the corpus? */
export const isRootEntry = (text: string): boolean =>
  /^\w+:\/\//.test(text) || withName.test(text) || /\.git(?:#|$)/.test(text)

/**
 * Throws BAD_CONFIG.
 *
 * @example readRootEntry('wiki=../wiki') // { kind: 'folder', name: 'wiki', folder: '../wiki' }
 * @example readRootEntry('https://github.com/psf/requests#v2.32.3').name // 'requests@v2.32.3'
 */
export function readRootEntry(text: string): RootEntry {
  if (isRemovedEntry(text)) throw refuse(text, 'is read no more: write its texts into a folder, and add that')
  if (text === 'dependencies') return { kind: 'dependencies', name: 'dependencies' }
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

function readAddress(text: string, source: string, given: string | undefined): RootEntry {
  const url = URL.parse(source)
  if (url === null || url.protocol !== 'https:') throw refuse(text, 'is not an https:// address')
  if (url.username !== '' || url.password !== '' || url.search !== '')
    throw refuse(text, 'has a password or a query, which an address here cannot have')
  const ref = url.hash === '' ? 'HEAD' : url.hash.slice(1)
  url.hash = ''
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
  const reserved = ['node_modules', 'dependencies'].includes(name)
  if (!reserved && nameShape.test(name)) return name
  throw refuse(text, `needs a name of letters, digits and . _ - @ +, for example docs=${text.slice(0, 60)}`)
}

/**
 * May a repository name it by itself? Only what lies inside of it: its own folders and what is installed in it.
 * Whatever is not plainly below it is outside.
 */
export function isInsideEntry(text: string): boolean {
  const entry = readRootEntry(text)
  if (entry.kind === 'dependencies') return true
  if (entry.kind !== 'folder') return false
  return !/^(?:[\\/~]|[A-Za-z]:)/.test(entry.folder) && !entry.folder.split(/[\\/]/).includes('..')
}

/** The entries with one for each name, the last; in the order of the names' first ones. */
export const latestByName = (entries: readonly string[]): readonly string[] => [
  ...new Map(entries.map((entry) => [readRootEntry(entry).name, entry])).values(),
]

/** An entry of a command line as it is remembered: its folder from the top of the file system. */
export function locateEntry(text: string, cwd: string): string {
  const entry = readRootEntry(text)
  if (entry.kind === 'folder') return `${entry.name}=${path.resolve(cwd, entry.folder)}`
  if (entry.kind !== 'git' || entry.repository.startsWith('https://')) return text
  const ref = entry.ref === 'HEAD' ? '' : `#${entry.ref}`
  return `${entry.name}=${path.resolve(cwd, entry.repository)}${ref}`
}
