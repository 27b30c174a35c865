// By which names can a document be linked? Its path, its page without extension, index pages, and its frontmatter.
import { htmlExtensions } from '../../model/file-extensions.ts'
import { folderOf, lastSegment } from '../../model/paths.ts'
import { markupExtensions } from '../../read/parse/text/text-formats.ts'
import { patterns } from './patterns.ts'
import { readResource } from './read-target.ts'

/** Files that represent their folder. */
const indexNames = new Set(['_index', 'index', 'readme'])
const documentExtensions = new Set([...markupExtensions, ...htmlExtensions])

/** Lower-case extension of the last segment; empty when it has none, or when a dot is part of a name such as `v1.2`. */
export const extensionOf = (path: string): string =>
  patterns.extension.exec(lastSegment(path))?.[1]?.toLowerCase() ?? ''

/** Could a target with this extension be a document? One without may be a page's address. */
export const isDocumentExtension = (extension: string): boolean =>
  extension === '' || documentExtensions.has(extension)

/** Could a target with this extension be a page's address? A file's path has the extension of its format. */
export const isAddressExtension = (extension: string): boolean =>
  htmlExtensions.includes(extension) || !documentExtensions.has(extension)

/** A path or address without the extension of a document; Sphinx ships its sources as `.rst.txt`. */
export function withoutExtension(path: string): string {
  if (path.endsWith('.rst.txt')) return path.slice(0, -'.rst.txt'.length)
  const extension = extensionOf(path)
  return extension !== '' && documentExtensions.has(extension) ? path.slice(0, -extension.length - 1) : path
}

export const isIndexPage = (path: string): boolean =>
  indexNames.has(lastSegment(withoutExtension(path)).toLowerCase())

/** The page of a document: `docs/a/_index.md` is `docs/a`, `docs/a/b.md` is `docs/a/b`; the root's index is empty. */
export const pageOf = (path: string): string => (isIndexPage(path) ? folderOf(path) : withoutExtension(path))

/** A page without the numbers that order it, as Docusaurus serves it: `learn/01-advanced/02-store` is `learn/advanced/store`. */
export function withoutNumbers(page: string): string {
  if (!patterns.orderNumber.test(page)) return page
  const segments = page.split('/').map((segment) => segment.replace(patterns.segmentNumber, ''))
  return segments.join('/')
}

/** Pages that frontmatter declares: Hugo's aliases, slug and url, Jekyll's permalink, Docusaurus' slug and id, Antora's page-aliases. */
export function declaredPages(
  page: string,
  frontmatter: Readonly<Record<string, unknown>>,
): readonly string[] {
  const folder = folderOf(page)
  const declared: string[] = []
  const add = (value: unknown): void => {
    if (typeof value !== 'string' || value.trim() === '' || value.includes('://')) return
    const address = value.trim()
    const place = normalizeSegments(address.startsWith('/') ? address : `${folder}/${address}`)
    if (place === null || place === '') return
    declared.push(withoutExtension(place))
    // Docusaurus serves `slug: /faq` below the folder of its documents, which is one of those around the page.
    if (address.startsWith('/'))
      for (let root = folder; root !== ''; root = folderOf(root))
        declared.push(`${root}/${withoutExtension(place)}`)
  }
  for (const key of ['slug', 'url', 'permalink', 'id']) add(frontmatter[key])
  const { aliases, 'page-aliases': resources } = frontmatter
  for (const alias of Array.isArray(aliases) ? aliases : [aliases]) add(alias)
  // Antora's are resources, relative to the pages of the module.
  if (typeof resources === 'string')
    for (const alias of resources.split(',')) add(readResource(alias.trim(), `${page}/`))
  return declared
}

/** The target of a path from a document, or from the root when it starts with a slash; null outside the root. */
export const placeOf = (path: string, origin: string): string | null =>
  normalizeSegments(path.startsWith('/') ? path : `${folderOf(origin)}/${path}`)

/** A path from the root of a documentation, which is any folder around the origin: the nearest first. */
export function placesAround(path: string, origin: string): string[] {
  const places: (string | null)[] = []
  for (let folder = folderOf(origin); folder !== ''; folder = folderOf(folder))
    places.push(normalizeSegments(`${folder}/${path}`))
  return places.filter((place) => place !== null)
}

/** Resolves `.` and `..`, and drops empty segments; null when the path leaves the root. */
export function normalizeSegments(path: string): string | null {
  const segments: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') segments.push(segment)
    else if (segments.pop() === undefined) return null
  }
  return segments.join('/')
}
