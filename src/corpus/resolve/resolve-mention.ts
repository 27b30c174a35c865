// What does a mention point at? A document of the catalogue and, where an anchor names one, its section; or the reason why not.
//
// A target becomes a key of the catalogue; no file is read. The confidence of each method:
//
// | method      | confidence | how                                                                             |
// |-------------|------------|----------------------------------------------------------------------------------|
// | path        | 1.0        | the exact file, from the origin's folder or the corpus root                      |
// | page        | 0.95       | without extension, `.html` for `.md`, the index page of a folder                 |
// | id          | 0.95       | a decision id that one file name or frontmatter carries                          |
// | label       | 0.95       | a name that one document's markup gives to a place, or to what is described there |
// | glossary    | 0.95, 0.9  | a glossary file of the term's name, or with it as frontmatter `id`               |
// | address     | 0.9        | relative to the origin's own address, as a site serves it                        |
// | site        | 0.9        | from a site's root: the origin's own, a usual content folder, the only one       |
// | alias       | 0.9        | frontmatter aliases, slug, url, permalink, id                                    |
// | number      | 0.9        | without the numbers that order files                                            |
// | ref, wiki   | 0.9        | a page's name that one document has, or one nearest to the origin                |
// | id-main     | 0.85       | several files carry the id, and the name of one starts all the others            |
// | id-title    | 0.85       | a decision id that one title carries                                            |
// | title       | 0.85       | a wiki link to a title                                                          |
// | case        | 0.85       | in other case; also the cap for a choice between two documents of one address    |
// | path-end    | 0.75       | a relative path, wrong from here, that ends one document's path                  |
// | man         | 0.5        | another manual page, which is not followed                                       |
// | file-name   | 0.7        | only the file's name, which one document has, or one nearest to the origin       |
// | repository  | 0.6        | an address on a code host that ends with the path of a document                  |
//
// A tie is `ambiguous` whatever its method. `external` is what lies outside the graph of documents: other sites, images,
// files that are neither documents nor code, folders without an index page, pages above a book's own root, ids of families
// that this corpus does not have.
import type { Mention, Resolution, UnresolvedReason } from '../../model/reference.ts'
import type { Catalogue } from './catalogue.ts'
import { findDecision } from './decision-ids.ts'
import {
  findAbsolute,
  findFromRoot,
  findGlossaryTerm,
  findLabel,
  findRef,
  findRelative,
  findWikiPage,
  leavesBook,
  type Match,
  sharedFolders,
} from './find-page.ts'
import { findPlace } from './find-section.ts'
import { extensionOf, isDocumentExtension, isIndexPage, normalizeSegments, placeOf } from './page-keys.ts'
import { patterns } from './patterns.ts'
import { type LinkTarget, readResource, readTarget } from './read-target.ts'

const maxCandidates = 20

/** Resolves one mention. Never throws, and only returns paths in the catalogue. */
export function resolveMention(mention: Mention, catalogue: Catalogue): Resolution {
  const origin = documentOf(mention.origin, catalogue)
  switch (mention.form) {
    case 'id':
      return resolveId(mention.target, origin, catalogue)
    case 'wiki':
      return resolveWiki(mention.target, origin, catalogue)
    case 'link':
      return resolveLink(mention.target, origin, catalogue)
    default:
      // An image, or a name in code, which has its own catalogue (resolve/code).
      return unresolved('external')
  }
}

/** The path in a canonical id; the names below it do not contain `#`. */
function documentOf(id: string, catalogue: Catalogue): string {
  const hash = catalogue.documents.has(id) ? -1 : id.lastIndexOf('#')
  return hash === -1 ? id : id.slice(0, hash)
}

function unresolved(outcome: UnresolvedReason, candidates: readonly string[] = []): Resolution {
  return { outcome, candidates: candidates.slice(0, maxCandidates) }
}

function resolveId(written: string, origin: string, catalogue: Catalogue): Resolution {
  const lookup = findDecision(catalogue.decisions, written)
  switch (lookup.kind) {
    case 'foreign':
      return unresolved('external')
    case 'missing':
      return unresolved('missing')
    case 'ambiguous':
      // A decision that names its own number means itself, even if others have the number, too.
      return lookup.paths.includes(origin) ? unresolved('self') : unresolved('ambiguous', lookup.paths)
    case 'found': {
      const confidence = lookup.evidence === 'name' ? 0.95 : 0.85
      const method = lookup.evidence === 'name' ? 'id' : `id-${lookup.evidence}`
      return settle({ paths: [lookup.path], confidence, method }, null, { origin, catalogue })
    }
  }
}

function resolveWiki(written: string, origin: string, catalogue: Catalogue): Resolution {
  const hash = written.indexOf('#')
  const path = (hash === -1 ? written : written.slice(0, hash)).trim()
  const anchor = hash === -1 ? '' : written.slice(written.lastIndexOf('#') + 1).trim()
  if (path === '') return unresolved('self')
  const match = findWikiPage(catalogue, { path, origin })
  return settle(match, anchor === '' ? null : anchor, { origin, catalogue })
}

/** A place by its label. */
function resolveLabel(label: string, here: Here, otherwise: 'missing' | 'external'): Resolution {
  const match = findLabel(here.catalogue, label, here.origin)
  if (match !== null) return settle(match, match.label, here)
  // AsciiDoc and Sphinx also use the words of a heading as its label.
  const own = here.catalogue.documents.get(here.origin)
  return unresolved(own !== undefined && findPlace(own, label) !== null ? 'self' : otherwise)
}

/** A role of Sphinx may name something in the documentation of another project; any other label must be here. */
const labelSchemes = { 'role:': 'external', 'label:': 'missing' } as const

function resolveLink(written: string, origin: string, catalogue: Catalogue): Resolution {
  for (const [scheme, otherwise] of Object.entries(labelSchemes))
    if (written.startsWith(scheme))
      return resolveLabel(written.slice(scheme.length), { origin, catalogue }, otherwise)
  const here = { origin, catalogue }
  const resource = readResource(written, origin)
  if (resource !== written) {
    const found = resolveLink(resource, origin, catalogue)
    // An `include` without a family is relative to its own file.
    if (found.outcome !== 'missing' || written.includes(':') || written.includes('$')) return found
  }
  const target = readTarget(written)
  const { scheme, path, anchor } = target
  switch (scheme) {
    case null:
      return resolvePath(target, here)
    case 'ref':
      return path === '' ? unresolved('self') : settle(findRef(catalogue, { path, origin }), anchor, here)
    case 'man': {
      // A missing page belongs to another program.
      const match = findRelative(catalogue, { path, origin })
      // A folder of the program's name has a README, which is not a manual page.
      const paths = match?.paths.filter((one) => !isIndexPage(one)) ?? []
      if (match === null || paths.length === 0) return unresolved('external')
      const confidence = Math.min(match.confidence, 0.5)
      return settle({ ...match, paths, confidence, method: 'man' }, null, here)
    }
    case 'doc': {
      const match = findFromRoot(catalogue, { path, origin })
      return match === null ? resolvePath(target, here) : settle(match, anchor, here)
    }
    case 'glossary':
      return settle(findGlossaryTerm(catalogue, path, origin), null, here)
    case 'http':
    case 'https': {
      const match = findInRepository(catalogue, path)
      return match === null ? unresolved('external') : settle(match, anchor, here)
    }
    default:
      return unresolved('external')
  }
}

interface Here {
  readonly origin: string
  readonly catalogue: Catalogue
}

function resolvePath({ path, anchor }: LinkTarget, here: Here): Resolution {
  const { origin, catalogue } = here
  if (path === '') return resolveHere(anchor, here)
  const match = path.startsWith('/')
    ? findAbsolute(catalogue, { path, origin })
    : findRelative(catalogue, { path, origin })
  if (match !== null) return settle(match, anchor, here)
  const label = extensionOf(path) === '' ? resolveWords(path, here) : null
  if (label !== null) return label
  // Existing code is found by its path (resolve/code). A target above the root is code of another corpus.
  const isMissing = isDocumentExtension(extensionOf(path))
    ? !isFolder(path, here) && !leavesBook(catalogue, { path, origin })
    : catalogue.options.isCode(path) && placeOf(path, origin) !== null
  return unresolved(isMissing ? 'missing' : 'external')
}

/** A folder without an index page exists, but is not a document. */
function isFolder(path: string, { origin, catalogue }: Here): boolean {
  const key = placeOf(path, origin)
  return key === '' || (key !== null && catalogue.folders.has(key))
}

function settle(match: Match | null, anchor: string | null, { origin, catalogue }: Here): Resolution {
  if (match === null) return unresolved('missing')
  const [path] = match.paths
  if (path === undefined || match.paths.length > 1) return unresolved('ambiguous', match.paths)
  if (path === origin) return resolveHere(anchor, { origin, catalogue })
  const document = catalogue.documents.get(path)
  if (document === undefined) return unresolved('missing')
  const place = anchor === null ? null : findPlace(document, anchor)
  // An anchor at the start of a document means the same as its path.
  const named = place !== null && place.section === null ? null : anchor
  const { confidence, method } = match
  return { outcome: 'resolved', path, section: place?.section ?? null, anchor: named, confidence, method }
}

/** An anchor of the document itself, which scripts may read if it has other marks. */
function resolveHere(anchor: string | null, here: Here): Resolution {
  const document = here.catalogue.documents.get(here.origin)
  const isOpen = anchor !== null && document !== undefined && !patterns.notOwnAnchor.test(anchor)
  if (!isOpen || findPlace(document, anchor) !== null) return unresolved('self')
  return resolveWords(anchor, here) ?? unresolved('missing', [here.origin])
}

/** MyST also links to labels of the same documentation: `[words](label)`, `[words](#label)`. */
function resolveWords(words: string, here: Here): Resolution | null {
  const label = findLabel(here.catalogue, words.toLowerCase(), here.origin)
  if (label?.paths.includes(here.origin) === true) return unresolved('self')
  const isNear = label?.paths.every((path) => sharedFolders(path, here.origin) > 0) === true
  return isNear ? settle(label, label.label, here) : null
}

const views = new Set(['blob', 'tree', 'raw', 'edit', 'blame', 'src'])
/** A branch's name may contain slashes, such as `release/v1`. */
const maxBranchSegments = 3

/**
 * Finds the file when its path is in the corpus. Whose repository the address names is unknown, so it is a guess: only a
 * path of two segments or more that is not an index page counts.
 */
function findInRepository(catalogue: Catalogue, address: string): Match | null {
  const segments = fileSegments(address)
  for (let branch = 1; branch <= maxBranchSegments; branch++) {
    const path = segments.slice(branch).join('/')
    if (catalogue.documents.has(path) && path.includes('/') && !isIndexPage(path))
      return { paths: [path], confidence: 0.6, method: 'repository' }
  }
  return null
}

/** The branch and the path below it: only the files tell them apart. */
function fileSegments(address: string): readonly string[] {
  const [host, , , ...rest] = normalizeSegments(address)?.split('/') ?? []
  if (host === 'raw.githubusercontent.com') return rest
  const view = rest[0] === '-' ? rest.slice(1) : rest
  return views.has(view[0] ?? '') ? view.slice(1) : []
}
