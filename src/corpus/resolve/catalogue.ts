// What does the resolver know of the corpus? Every name of every document; each kind of name is indexed on demand.
import { folderOf, lastSegment } from '../../model/paths.ts'
import {
  addIds,
  type DecisionIds,
  type IdFamily,
  makeDecisionIds,
  type NumberedDocument,
} from './decision-ids.ts'
import { declaredPages, isIndexPage, pageOf, withoutExtension, withoutNumbers } from './page-keys.ts'

export interface CatalogueSection {
  /** Canonical id. */
  readonly id: string
  readonly anchor: string
  readonly name: string
}

/** Everything but the path may be a getter that reads on demand. */
export interface CatalogueDocument extends NumberedDocument {
  /** Paths of links to it. */
  readonly otherNames?: readonly string[]
  /** In the order of the text. */
  readonly sections: readonly CatalogueSection[]
  /** Anchors in its text besides those of its headings, with the section of each, null before the first. */
  readonly ownAnchors?: ReadonlyMap<string, string | null>
  /** Labels in its markup, each with the number of its section, 0 before the first. */
  readonly labels?: ReadonlyMap<string, number>
}

export interface CatalogueOptions {
  readonly families: readonly IdFamily[]
  /** Could the corpus contain a file of code with this name? */
  readonly isCode: (path: string) => boolean
  /** Files of code in the corpus. */
  readonly codePaths: Iterable<string>
}
const catalogueDefaults: CatalogueOptions = { families: [], isCode: () => false, codePaths: [] }

/** Key → path of its document, or paths of several, each once. */
type Names = ReadonlyMap<string, string | readonly string[]>

export interface Catalogue {
  readonly options: CatalogueOptions
  readonly documents: ReadonlyMap<string, CatalogueDocument>
  /** The pages under which each document may be served: its own, without order numbers, declared ones. */
  readonly addresses: ReadonlyMap<string, readonly string[]>
  /** `docs/a` for `docs/a.md` and for `docs/a/_index.md`. */
  readonly pages: Names
  /** Pages that frontmatter declares: aliases, slug, url, permalink, id. */
  readonly declared: Names
  /** Pages without the numbers that order them. */
  readonly unnumbered: Names
  readonly lowered: Names
  /** Last segment of each page, lower case, with the documents of that name. */
  readonly stems: Names
  /** Frontmatter `id`, lower case. */
  readonly ids: Names
  /** Titles, lower case. */
  readonly titles: Names
  /** Labels, and objects that a document describes. */
  readonly labels: Names
  /** Folders that contain documents or code at any depth. */
  readonly folders: ReadonlySet<string>
  /** Whether there are `_index` pages, which Hugo's sites have. */
  readonly isHugo: boolean
  readonly decisions: DecisionIds
}

/** An object whose values are made when they are first read. */
function makeLazily<T extends object>(makers: { readonly [K in keyof T]: () => T[K] }): T {
  const made = {} as T
  for (const name of Object.keys(makers) as (keyof T)[])
    Object.defineProperty(made, name, {
      configurable: true,
      enumerable: true,
      get: () => {
        const value = makers[name]()
        Object.defineProperty(made, name, { value, enumerable: true })
        return value
      },
    })
  return made
}

/** A catalogue of these documents, which must not change. */
export function makeCatalogue(list: Iterable<CatalogueDocument>, options: Partial<CatalogueOptions> = {}) {
  const settings = { ...catalogueDefaults, ...options }
  const documents = new Map(Array.from(list, (document) => [document.path, document]))
  const named = (keysOf: (document: CatalogueDocument) => readonly string[]) => () =>
    gatherNames(documents.values(), keysOf)
  const catalogue: Catalogue = makeLazily<Catalogue>({
    options: () => settings,
    documents: () => documents,
    addresses: () => new Map(Array.from(documents.values(), (one) => [one.path, addressesOf(one)])),
    pages: named(({ path, otherNames = [] }) => [
      pageOf(path),
      ...(isIndexPage(path) ? [withoutExtension(path)] : []),
      ...otherNames.map(pageOf),
    ]),
    declared: named(({ path, frontmatter }) => declaredPages(pageOf(path), frontmatter)),
    unnumbered: named(({ path }) => [withoutNumbers(pageOf(path))].filter((page) => page !== pageOf(path))),
    lowered: named(({ path, otherNames = [] }) =>
      [path, pageOf(path), ...otherNames].map((name) => name.toLowerCase()),
    ),
    stems: named(({ path }) =>
      (catalogue.addresses.get(path) ?? []).map((page) => lastSegment(page).toLowerCase()),
    ),
    ids: named(({ frontmatter: { id } }) => (typeof id === 'string' ? [id.toLowerCase()] : [])),
    titles: named(({ title }) => [title.trim().toLowerCase()]),
    labels: named((document) => [...(document.labels?.keys() ?? [])]),
    folders: () => listFolders([...documents.keys(), ...settings.codePaths]),
    isHugo: () => [...documents.keys()].some((path) => lastSegment(path).startsWith('_index.')),
    decisions: () => {
      const known = makeDecisionIds(settings.families)
      for (const document of documents.values()) addIds(known, document)
      return known
    },
  })
  return catalogue
}

/** Its own page, the same without order numbers, and pages that its frontmatter declares. */
function addressesOf({ path, frontmatter }: CatalogueDocument): string[] {
  const page = pageOf(path)
  return [...new Set([page, withoutNumbers(page), ...declaredPages(page, frontmatter)])]
}

/** Most keys belong to one document: an array for each would take more memory than all names. */
function gatherNames(
  documents: Iterable<CatalogueDocument>,
  keysOf: (document: CatalogueDocument) => readonly string[],
): Names {
  const names = new Map<string, string | string[]>()
  for (const document of documents) {
    const { path } = document
    for (const key of keysOf(document)) {
      const known = names.get(key)
      if (known === undefined) names.set(key, path)
      else if (typeof known === 'string') {
        if (known !== path) names.set(key, [known, path])
      } else if (known.at(-1) !== path) known.push(path)
    }
  }
  return names
}

function listFolders(paths: Iterable<string>): Set<string> {
  const folders = new Set<string>()
  for (const path of paths)
    for (let folder = folderOf(path); folder !== '' && !folders.has(folder); folder = folderOf(folder))
      folders.add(folder)
  return folders
}

/** The documents with a key, sorted. */
export function pathsUnder(names: Names, key: string): readonly string[] {
  const paths = names.get(key)
  if (paths === undefined) return []
  return typeof paths === 'string' ? [paths] : paths.toSorted()
}
