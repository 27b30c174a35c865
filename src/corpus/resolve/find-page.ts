// Which document does a path or an address mean? Tried from the origin's folder, its own address, the root, and a site's root.
import { htmlExtensions } from '../../model/file-extensions.ts'
import { folderOf, lastSegment } from '../../model/paths.ts'
import { objectMark } from '../../read/parse/text/marked-text.ts'
import { type Catalogue, pathsUnder } from './catalogue.ts'
import {
  extensionOf,
  isAddressExtension,
  isIndexPage,
  normalizeSegments,
  pageOf,
  placesAround,
  withoutExtension,
} from './page-keys.ts'
import { patterns } from './patterns.ts'

/** Documents that a step found; several are a tie. */
export interface Match {
  readonly paths: readonly string[]
  readonly confidence: number
  readonly method: string
}

export interface WantedPage {
  /** As written, decoded. */
  readonly path: string
  /** Path of the document with the mention. */
  readonly origin: string
}

/** The documents with a key: the exact file, otherwise the page of that address. */
export function findAt(catalogue: Catalogue, key: string, endsWithSlash: boolean): Match | null {
  if (!endsWithSlash && catalogue.documents.has(key)) return { paths: [key], confidence: 1, method: 'path' }
  return preferOne(pathsUnder(catalogue.pages, pageOf(key)), endsWithSlash, 'page')
}

/** Of the documents of one address, an index page if the link ends with a slash, otherwise a file; Markdown before the rest. */
function preferOne(paths: readonly string[], endsWithSlash: boolean, method: string): Match | null {
  if (paths.length <= 1) return paths.length === 0 ? null : { paths, confidence: 0.95, method }
  const rank = (path: string): number => {
    const index = ['_index', 'index', 'readme'].indexOf(lastSegment(withoutExtension(path)).toLowerCase())
    return (isIndexPage(path) === endsWithSlash ? 0 : 100) + index * 10 + (extensionOf(path) === 'md' ? 0 : 1)
  }
  const best = Math.min(...paths.map(rank))
  return { paths: paths.filter((path) => rank(path) === best), confidence: 0.85, method }
}

/** A target without leading slash. */
export function findRelative(catalogue: Catalogue, { path, origin }: WantedPage): Match | null {
  const slash = path.endsWith('/')
  const here = normalizeSegments(`${folderOf(origin)}/${path}`)
  // A site serves `a/b.md` at `a/b/`, so that an address is relative to the page itself; a file's path never is.
  const isAddress = isAddressExtension(extensionOf(path)) && !isIndexPage(origin)
  const there = isAddress ? normalizeSegments(`${pageOf(origin)}/${path}`) : null
  const atThere = there === null ? null : asAddress(findAt(catalogue, there, slash), origin)
  // A path that leaves the root is not matched by its file name.
  if (here === null) return atThere
  const atHere = findAt(catalogue, here, slash)
  const keys = there === null ? [here] : [here, there]
  const match = chooseBase(catalogue, atHere, atThere) ?? findByOtherName(catalogue, keys, slash)
  // A file that exists without being a document, or is outside this corpus, is not replaced by a similar name.
  if (match !== null || catalogue.folders.has(here) || leavesBook(catalogue, { path, origin })) return match
  const guess =
    findSuffix(catalogue, { path: withoutClimbing(path), origin }, 0.75, 'path-end') ??
    findStem(catalogue, path)
  return guess === null ? null : { ...nearestOf(guess, origin), confidence: guess.confidence }
}

/** Does the address of a page leave the book of the link? mdBook builds the folder of its `SUMMARY.md`. */
export function leavesBook(catalogue: Catalogue, { path, origin }: WantedPage): boolean {
  if (!htmlExtensions.includes(extensionOf(path))) return false
  let folder = folderOf(origin)
  while (folder !== '' && !catalogue.documents.has(`${folder}/SUMMARY.md`)) folder = folderOf(folder)
  const key = normalizeSegments(`${folderOf(origin)}/${path}`)
  return folder !== '' && key?.startsWith(`${folder}/`) !== true
}

/** Of several, those that share the most folders with the origin: its own language, its own site. */
export function nearestOf(match: Match, origin: string): Match {
  if (match.paths.length === 1) return match
  const shared = match.paths.map((path) => sharedFolders(path, origin))
  const most = Math.max(...shared)
  const paths = match.paths.filter((_, index) => shared[index] === most)
  return { ...match, paths, confidence: Math.min(match.confidence, 0.9) }
}

export function sharedFolders(path: string, origin: string): number {
  const folders = folderOf(path).split('/')
  const others = folderOf(origin).split('/')
  let shared = 0
  while (shared < folders.length && folders[shared] === others[shared]) shared++
  return shared
}

/** An address does not resolve to the page of the link itself. */
const asAddress = (match: Match | null, origin: string): Match | null =>
  match === null || match.paths.includes(origin)
    ? null
    : { ...match, confidence: Math.min(match.confidence, 0.9), method: 'address' }

/** If both bases match, the exact file is meant, otherwise what the site's generator would do, with less confidence. */
function chooseBase(catalogue: Catalogue, here: Match | null, there: Match | null): Match | null {
  if (here === null || there === null) return here ?? there
  if (here.confidence === 1 || here.paths.join() === there.paths.join()) return here
  const chosen = catalogue.isHugo ? there : here
  return { ...chosen, confidence: Math.min(chosen.confidence, 0.85) }
}

/** Aliases, pages without order numbers, and other case, at this place. */
function findByOtherName(catalogue: Catalogue, keys: readonly string[], slash: boolean): Match | null {
  const steps = [
    { names: 'declared', confidence: 0.9, method: 'alias' },
    { names: 'unnumbered', confidence: 0.9, method: 'number' },
    { names: 'lowered', confidence: 0.85, method: 'case' },
  ] as const
  for (const { names, confidence, method } of steps)
    for (const key of keys) {
      const page = names === 'lowered' ? pageOf(key).toLowerCase() : pageOf(key)
      const match = page === '' ? null : preferOne(pathsUnder(catalogue[names], page), slash, method)
      if (match !== null) return { ...match, confidence: Math.min(match.confidence, confidence) }
    }

  return null
}

/** A target with a leading slash: from the corpus root, otherwise from the root of a site. */
export function findAbsolute(catalogue: Catalogue, { path, origin }: WantedPage): Match | null {
  const slash = path.endsWith('/')
  const key = normalizeSegments(path)
  if (key === null || key === '') return null
  return (
    findAt(catalogue, key, slash) ??
    findByOtherName(catalogue, [key], slash) ??
    findSuffix(catalogue, { path, origin }, 0.9, 'site')
  )
}

/** A path from the root of a documentation: the nearest folder around the origin that has it. */
export function findFromRoot(catalogue: Catalogue, { path, origin }: WantedPage): Match | null {
  for (const key of placesAround(path, origin)) {
    const match = findAt(catalogue, key, path.endsWith('/'))
    if (match !== null) return match
  }
  return null
}

/** Folders from which generators serve pages; `*` is a language. */
const siteRoots = 'content content/* docs doc src website website/docs site site/content pages'.split(' ')

interface Ending {
  readonly path: string
  /** The part before the wanted segments. */
  readonly root: string
  readonly exact: boolean
}

/**
 * The document whose page ends with the wanted segments. The origin's own site comes first, then a usual content
 * folder, then the only document; several are a tie.
 */
export function findSuffix(
  catalogue: Catalogue,
  wanted: WantedPage,
  confidence: number,
  method: string,
): Match | null {
  const key = normalizeSegments(wanted.path)
  const page = key === null ? '' : pageOf(key)
  if (page === '' || !page.includes('/')) return null
  const endings = listEndings(catalogue, page)
  const exact = endings.filter((ending) => ending.exact)
  const all = exact.length > 0 ? exact : endings
  if (all.length === 0) return null
  const sure = exact.length > 0 ? confidence : Math.min(confidence, 0.85)
  const own = all.filter(({ root }) => root === '' || wanted.origin.startsWith(`${root}/`))
  const nearest = Math.max(...own.map(({ root }) => root.length))
  const nearestRoots =
    own.length > 0 ? own.filter(({ root }) => root.length === nearest) : preferSiteRoots(all)
  const match = preferOne(nearestRoots.map(({ path }) => path).sort(), wanted.path.endsWith('/'), method)
  return match === null ? null : { ...match, confidence: Math.min(match.confidence, sure) }
}

function preferSiteRoots(endings: readonly Ending[]): readonly Ending[] {
  const usual = endings.filter(({ root }) => isSiteRoot(root))
  return usual.length > 0 ? usual : endings
}

const isSiteRoot = (root: string): boolean =>
  siteRoots.includes(root) || (root.startsWith('content/') && root.split('/').length === 2)

function listEndings(catalogue: Catalogue, page: string): Ending[] {
  const lower = page.toLowerCase()
  const endings: Ending[] = []
  for (const path of pathsUnder(catalogue.stems, lastSegment(lower)))
    for (const candidate of catalogue.addresses.get(path) ?? []) {
      if (!`/${candidate.toLowerCase()}`.endsWith(`/${lower}`)) continue
      const root = candidate.slice(0, Math.max(0, candidate.length - page.length - 1))
      endings.push({ path, root, exact: candidate.endsWith(page) })
      break
    }

  return endings
}

/** `../../a/b` without its steps up: `a/b`. */
function withoutClimbing(path: string): string {
  let rest = path
  while (rest.startsWith('../') || rest.startsWith('./')) rest = rest.slice(rest.indexOf('/') + 1)
  return rest
}

/** The only document of that name anywhere; an index page has no name. */
export function findStem(catalogue: Catalogue, path: string): Match | null {
  const key = normalizeSegments(withoutClimbing(path))
  if (key === null || key === '' || isIndexPage(key)) return null
  const named = pathsUnder(catalogue.stems, lastSegment(pageOf(key)).toLowerCase())
  // A file's name is not the name of a folder with an index page.
  const paths = isAddressExtension(extensionOf(key)) ? named : named.filter((found) => !isIndexPage(found))
  return paths.length === 0 ? null : { paths, confidence: 0.7, method: 'file-name' }
}

/** Hugo's `ref` and `relref`: from the content's root, from the page's folder, or a name that only one page has. */
export function findRef(catalogue: Catalogue, { path, origin }: WantedPage): Match | null {
  if (path.startsWith('/')) return findAbsolute(catalogue, { path, origin })
  const slash = path.endsWith('/')
  const here = normalizeSegments(`${folderOf(origin)}/${path}`)
  const atHere = here === null ? null : findAt(catalogue, here, slash)
  if (atHere !== null) return atHere
  const named = findSuffix(catalogue, { path, origin }, 0.9, 'ref') ?? findStem(catalogue, path)
  if (named === null) return null
  return { ...nearestOf(named, origin), method: 'ref' }
}

/** A term's file: `glossary/<term>.md` anywhere, by its name or by its frontmatter `id`. */
export function findGlossaryTerm(catalogue: Catalogue, term: string, origin: string): Match | null {
  const inGlossary = (path: string): boolean =>
    lastSegment(folderOf(pageOf(path))).toLowerCase() === 'glossary'
  const wanted = term.trim().toLowerCase()
  for (const names of ['stems', 'ids'] as const) {
    const paths = pathsUnder(catalogue[names], wanted).filter(inGlossary)
    if (paths.length === 0) continue
    const named = paths.every((path) => lastSegment(pageOf(path)).toLowerCase() === wanted)
    return nearestOf({ paths, confidence: named ? 0.95 : 0.9, method: 'glossary' }, origin)
  }
  return null
}

/** `[[Page]]`: a path, a file's name with blanks or dashes, or a title. */
export function findWikiPage(catalogue: Catalogue, { path, origin }: WantedPage): Match | null {
  if (path.includes('/'))
    return findAbsolute(catalogue, { path, origin }) ?? findRelative(catalogue, { path, origin })
  const lower = pageOf(path).toLowerCase()
  for (const key of [lower, lower.replace(patterns.blank, '-'), lower.replace(patterns.blank, '_')]) {
    const paths = pathsUnder(catalogue.stems, key)
    if (paths.length > 0) return nearestOf({ paths, confidence: 0.9, method: 'wiki' }, origin)
  }
  const titled = pathsUnder(catalogue.titles, path.trim().toLowerCase())
  return titled.length === 0 ? null : { paths: titled, confidence: 0.85, method: 'title' }
}

/** Nothing has this name; each part of a name is looked up. */
const maxLabelChars = 300

/**
 * The document that gives a place this name: a label, or an object under its full name or a shorter one, as
 * `jinja2.Environment.loader` may be described as `Environment.loader`. The origin's own label comes first.
 */
export function findLabel(
  catalogue: Catalogue,
  label: string,
  origin: string,
): (Match & { readonly label: string }) | null {
  if (label.length > maxLabelChars) return null
  let key = label
  for (;;) {
    const paths = pathsUnder(catalogue.labels, key)
    if (paths.length > 0) {
      const match = { paths: paths.includes(origin) ? [origin] : paths, confidence: 0.95, method: 'label' }
      return { ...nearestOf(match, origin), label: key }
    }
    // `:setting:debug` is also `:debug`, and `:app.Task.run` also `:Task.run`; but `run` alone may be anything.
    const colon = key.startsWith(objectMark) ? key.indexOf(objectMark, 1) : -1
    const end = colon === -1 && key.startsWith(objectMark) ? key.indexOf('.') : colon
    if (end === -1 || (end !== colon && !key.includes('.', end + 1))) return null
    key = objectMark + key.slice(end + 1)
  }
}
