// What does resolving know of the corpus? Every name that each document can be referred to by; documents can be added and removed.
import { addIds, type DecisionIds, type IdFamily, makeDecisionIds, removeIds } from './decision-ids.ts'
import {
  declaredPages,
  folderOf,
  isIndexPage,
  lastSegment,
  pageOf,
  withoutExtension,
  withoutNumbers,
} from './page-keys.ts'

export interface CatalogueSection {
  /** Canonical id. */
  readonly id: string
  readonly anchor: string
  readonly name: string
}

export interface CatalogueDocument {
  readonly path: string
  readonly title: string
  readonly frontmatter: Readonly<Record<string, unknown>>
  /** Paths of links that lead to it. */
  readonly otherNames?: readonly string[]
  /** In the order of the text; read only when an anchor is looked up, so it may be a getter. */
  readonly sections: readonly CatalogueSection[]
  /** Anchors that its text holds beside those of its headings, with the section of each, null before the first; likewise. */
  readonly ownAnchors?: ReadonlyMap<string, string | null>
  /** Names that its markup gives to places, each with the number of its section, 0 before the first. */
  readonly labels?: ReadonlyMap<string, number>
}

export interface CatalogueOptions {
  readonly families: readonly IdFamily[]
  /** `owner/name` of the corpus on its host, when known: links to its own files are then no guess. */
  readonly repository: string | null
  /** Is this the name of a file of code that the corpus would hold? */
  readonly isCode: (path: string) => boolean
  /** Files of code that it holds: their folders are there. */
  readonly codePaths: Iterable<string>
}
const catalogueDefaults: CatalogueOptions = {
  families: [],
  repository: null,
  isCode: () => false,
  codePaths: [],
}

/** Key → paths of the documents with that key. */
type Names = Map<string, Set<string>>

export interface Catalogue {
  readonly options: CatalogueOptions
  readonly documents: Map<string, CatalogueDocument>
  /** The pages under which each document may be served: its own, without order numbers, declared ones. */
  readonly addresses: Map<string, readonly string[]>
  /** `docs/a` for `docs/a.md` and for `docs/a/_index.md`. */
  readonly pages: Names
  /** Pages that frontmatter declares: aliases, slug, url, permalink, id. */
  readonly declared: Names
  /** Pages without the numbers that order them. */
  readonly unnumbered: Names
  /** Paths and pages in lower case. */
  readonly lowered: Names
  /** Last segment of each page, lower case: the documents of that name. */
  readonly stems: Names
  /** Frontmatter `id`, lower case. */
  readonly ids: Names
  /** Titles, lower case. */
  readonly titles: Names
  /** Labels, and objects that a document describes. */
  readonly labels: Names
  /** Folders that hold documents or code at any depth, with the number of files. */
  readonly folders: Map<string, number>
  /** How many `_index` pages there are: Hugo's sites have them. */
  readonly hugo: { indexes: number }
  readonly decisions: DecisionIds
}

/** Builds a catalogue from plain lists. */
export function makeCatalogue(
  documents: Iterable<CatalogueDocument>,
  options: Partial<CatalogueOptions> = {},
): Catalogue {
  const settings = { ...catalogueDefaults, ...options }
  const catalogue: Catalogue = {
    options: settings,
    documents: new Map(),
    addresses: new Map(),
    pages: new Map(),
    declared: new Map(),
    unnumbered: new Map(),
    lowered: new Map(),
    stems: new Map(),
    ids: new Map(),
    titles: new Map(),
    labels: new Map(),
    folders: new Map(),
    hugo: { indexes: 0 },
    decisions: makeDecisionIds(settings.families),
  }
  for (const document of documents) addDocument(catalogue, document)
  for (const path of settings.codePaths) countFolders(catalogue, path, 1)
  return catalogue
}

/** Adds a document, or puts it in the place of the one with its path. */
export function addDocument(catalogue: Catalogue, document: CatalogueDocument): void {
  removeDocument(catalogue, document.path)
  catalogue.documents.set(document.path, document)
  const pages = pagesOf(document)
  const { page, plain, declared } = pages
  catalogue.addresses.set(document.path, [...new Set([page, plain, ...declared])])
  for (const [names, key] of namesOf(catalogue, document, pages)) {
    const paths = names.get(key)
    if (paths === undefined) names.set(key, new Set([document.path]))
    else paths.add(document.path)
  }
  countDocument(catalogue, document.path, 1)
  addIds(catalogue.decisions, document)
}

/** Removes a document; one that is not there is no error. */
export function removeDocument(catalogue: Catalogue, path: string): void {
  const document = catalogue.documents.get(path)
  if (document === undefined) return
  catalogue.documents.delete(path)
  catalogue.addresses.delete(path)
  for (const [names, key] of namesOf(catalogue, document, pagesOf(document))) {
    const paths = names.get(key)
    paths?.delete(path)
    if (paths?.size === 0) names.delete(key)
  }
  countDocument(catalogue, path, -1)
  removeIds(catalogue.decisions, document)
}

/** Its own page, the same without order numbers, and what its frontmatter declares. */
interface DocumentPages {
  readonly page: string
  readonly plain: string
  readonly declared: readonly string[]
}

function pagesOf({ path, frontmatter }: CatalogueDocument): DocumentPages {
  const page = pageOf(path)
  return { page, plain: withoutNumbers(page), declared: declaredPages(page, frontmatter) }
}

function namesOf(
  catalogue: Catalogue,
  document: CatalogueDocument,
  { page, plain, declared }: DocumentPages,
): [Names, string][] {
  const { path, title, frontmatter, otherNames = [] } = document
  const names: [Names, string][] = [
    [catalogue.pages, page],
    [catalogue.lowered, path.toLowerCase()],
    [catalogue.lowered, page.toLowerCase()],
    [catalogue.stems, lastSegment(page).toLowerCase()],
    [catalogue.titles, title.trim().toLowerCase()],
  ]
  if (isIndexPage(path)) names.push([catalogue.pages, withoutExtension(path)])
  if (plain !== page)
    names.push([catalogue.unnumbered, plain], [catalogue.stems, lastSegment(plain).toLowerCase()])
  for (const other of declared)
    names.push([catalogue.declared, other], [catalogue.stems, lastSegment(other).toLowerCase()])
  for (const link of otherNames)
    names.push([catalogue.pages, pageOf(link)], [catalogue.lowered, link.toLowerCase()])
  for (const label of document.labels?.keys() ?? []) names.push([catalogue.labels, label])
  const { id } = frontmatter
  if (typeof id === 'string') names.push([catalogue.ids, id.toLowerCase()])
  return names
}

function countDocument(catalogue: Catalogue, path: string, step: 1 | -1): void {
  if (lastSegment(path).startsWith('_index.')) catalogue.hugo.indexes += step
  countFolders(catalogue, path, step)
}

function countFolders(catalogue: Catalogue, path: string, step: 1 | -1): void {
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
    const count = (catalogue.folders.get(folder) ?? 0) + step
    if (count === 0) catalogue.folders.delete(folder)
    else catalogue.folders.set(folder, count)
  }
}

/** The documents under a key, sorted; empty when there is none. */
export function pathsUnder(names: Names, key: string): readonly string[] {
  const paths = names.get(key)
  if (paths === undefined) return []
  return paths.size === 1 ? [...paths] : [...paths].sort()
}
