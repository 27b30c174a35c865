// Which names does each document have in a question? Titles, file names, headings and link texts; built once per index.
import { endsWith, savedExtensions } from '../model/file-extensions.ts'
import { makeIdSearch } from '../parse/find-ids.ts'
import { addPeople, makePeople, type People } from './authors.ts'
import { addIds, type DecisionIds, type IdFamily, makeDecisionIds } from './decision-ids.ts'
import { folderOf, lastSegment, pageOf } from './page-keys.ts'
import { termsOf } from './question/words.ts'

interface NamedSection {
  /** Canonical id. */
  readonly id: string
  readonly anchor: string | null
  readonly name: string
}

export interface NamedDocument {
  readonly path: string
  readonly title: string
  readonly frontmatter: Readonly<Record<string, unknown>>
  /** Headings in the order of the text. */
  readonly sections: readonly NamedSection[]
}

/** The words that other documents use to link to one, and how often they do. */
export interface LinkText {
  readonly text: string
  readonly path: string
  readonly count: number
}

interface NamesOptions {
  readonly links: Iterable<LinkText>
  readonly families: readonly IdFamily[]
  /** Paths of code: asked for by path or file name only, since their names are ordinary words. */
  readonly codePaths: readonly string[]
}
const namesDefaults: NamesOptions = { links: [], families: [], codePaths: [] }

/** Where a name comes from. Numbers, because there are tens of thousands of names. */
export const nameFields = { title: 0, stem: 1, folder: 2, heading: 3, link: 4 } as const
export const fieldCount = 5

/** One way to call a document. */
interface DocumentName {
  readonly document: number
  readonly field: number
  /** Numbers of its terms in the vocabulary, compounds left out. */
  readonly terms: readonly number[]
  /** How often it is used; more than 1 for link texts only. */
  readonly count: number
}

export interface DocumentNames {
  readonly documents: readonly NamedDocument[]
  /** Path → number of the document. */
  readonly numbers: ReadonlyMap<string, number>
  readonly names: readonly DocumentName[]
  /** Term → its number. */
  readonly vocabulary: ReadonlyMap<string, number>
  /** By term: the names that hold it, in order. */
  readonly postings: readonly (readonly number[])[]
  /** Inverse document frequency by term. */
  readonly rarities: Float64Array
  /** Inverse document frequency of a term that no name has. */
  readonly unknownRarity: number
  /** By name: the sum of the IDF of its terms. */
  readonly weights: Float64Array
  /** Terms that stand for several words: `configmap` where a name says `ConfigMap`. */
  readonly compounds: ReadonlySet<string>
  /** By document: how many links lead to it. */
  readonly inbound: Float64Array
  /** Lower-case path, page, and last segments of both → documents. */
  readonly keys: ReadonlyMap<string, readonly number[]>
  /** Lower-case names of files of code, with their extensions. */
  readonly codeFiles: ReadonlySet<string>
  readonly people: People
  /** Words of a link text → documents that are linked by just these words, with how often. */
  readonly linked: ReadonlyMap<string, ReadonlyMap<number, number>>
  /** Terms of a title or a file name, joined → the documents that are called just that. */
  readonly called: ReadonlyMap<string, readonly number[]>
  readonly decisions: DecisionIds
  /** Finds ids of every family that the corpus may have. */
  readonly idSearch: RegExp
}

interface Building {
  readonly names: DocumentName[]
  readonly vocabulary: Map<string, number>
  readonly postings: number[][]
  readonly compounds: Set<string>
  /** Cache of terms by text: many documents have a heading such as "See also". */
  readonly known: Map<string, readonly number[]>
}

type NameUse = Omit<DocumentName, 'terms'>

/** Builds what questions are resolved with, from plain lists. Documents of one path: the last one counts. */
export function makeDocumentNames(
  documents: Iterable<NamedDocument>,
  options: Partial<NamesOptions> = {},
): DocumentNames {
  const { links, families, codePaths } = { ...namesDefaults, ...options }
  const all = [...new Map(Array.from(documents, (document) => [document.path, document])).values()]
  const numbers = new Map(all.map(({ path }, number) => [path, number]))
  const building = startBuilding()
  const inbound = new Float64Array(all.length)
  const linksTo = groupLinks(links, numbers, inbound)
  const linked = collectLinked(linksTo)
  const keys = new Map<string, number[]>()
  const people = makePeople()
  const decisions = makeDecisionIds(families)
  for (const [number, document] of all.entries()) {
    const { path } = document
    const page = pageOf(path)
    const place: Place = { page, stem: stemOf(page) }
    addNames(building, document, { ...place, number })
    for (const { text, count } of linksTo[number] ?? [])
      addName(building, text, { document: number, field: nameFields.link, count })
    addKeys(keys, path, { ...place, number })
    addPeople(people, { stem: place.stem, frontmatter: document.frontmatter }, number)
    addIds(decisions, document)
  }
  const codeFiles = new Set<string>()
  const code = codePaths.map((path, at): NamedDocument => {
    const lower = path.toLowerCase()
    codeFiles.add(lastSegment(lower))
    for (const key of new Set([lower, lastSegment(lower)])) addTo(keys, key, all.length + at)
    numbers.set(path, all.length + at)
    return { path, title: path, frontmatter: {}, sections: [] }
  })
  const { names, vocabulary, postings, compounds } = building
  const rarities = raritiesOf(building, all.length)
  const weights = weightsOf(names, rarities)
  const unknownRarity = rarityOf(0.5, all.length)
  return {
    documents: [...all, ...code],
    numbers,
    names,
    vocabulary,
    postings,
    rarities,
    unknownRarity,
    weights,
    compounds,
    inbound,
    keys,
    codeFiles,
    people,
    linked,
    called: collectCalled(names),
    decisions,
    idSearch: makeIdSearch([...decisions.prefixes.keys()]),
  }
}

/** The key of a link text: its words in lower case. */
export function linkedKey(text: string): string {
  return text.toLowerCase().replace(notInWord, ' ').trim()
}

const notInWord = /[^\p{L}\p{N}]+/gu

function collectLinked(
  linksTo: readonly (readonly LinkText[] | undefined)[],
): Map<string, Map<number, number>> {
  const linked = new Map<string, Map<number, number>>()
  for (const [document, links] of linksTo.entries()) {
    for (const { text, count } of links ?? []) {
      const key = linkedKey(text)
      const uses = linked.get(key)
      if (uses === undefined) linked.set(key, new Map([[document, count]]))
      else uses.set(document, (uses.get(document) ?? 0) + count)
    }
  }
  return linked
}

/** The key under which a name of these terms is found. */
export function calledKey(terms: readonly number[]): string {
  return terms.join(' ')
}

function collectCalled(names: readonly DocumentName[]): Map<string, number[]> {
  const called = new Map<string, number[]>()
  for (const { document, field, terms } of names)
    if (field === nameFields.title || field === nameFields.stem) addTo(called, calledKey(terms), document)
  return called
}

function addTo(map: Map<string, number[]>, key: string, document: number): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, [document])
  else if (known.at(-1) !== document) known.push(document)
}

function startBuilding(): Building {
  return { names: [], vocabulary: new Map(), postings: [], compounds: new Set(), known: new Map() }
}

/** Links of each document, and their number in all. */
function groupLinks(
  links: Iterable<LinkText>,
  numbers: ReadonlyMap<string, number>,
  inbound: Float64Array,
): (LinkText[] | undefined)[] {
  const grouped: (LinkText[] | undefined)[] = []
  for (const link of links) {
    const number = numbers.get(link.path)
    if (number === undefined || link.count <= 0) continue
    inbound[number]! += link.count
    const known = grouped[number]
    if (known === undefined) grouped[number] = [link]
    else known.push(link)
  }
  return grouped
}

/** What the path of a document says: its page, and the name of its file or, for an index page, of its folder. */
interface Place {
  readonly page: string
  readonly stem: string
}

function addNames(
  building: Building,
  { title, frontmatter, sections }: NamedDocument,
  { page, stem, number: document }: Place & { readonly number: number },
) {
  const add = (text: unknown, field: number): void => {
    if (typeof text === 'string' && text !== '') addName(building, text, { document, field, count: 1 })
  }
  const { linkTitle, linktitle, aliases, short_title: shortTitle } = frontmatter
  add(title, nameFields.title)
  for (const other of [linkTitle, linktitle, shortTitle]) if (other !== title) add(other, nameFields.title)
  add(stem, nameFields.stem)
  for (const alias of Array.isArray(aliases) ? aliases : [aliases])
    if (typeof alias === 'string')
      add(lastSegment(pageOf(alias.endsWith('/') ? alias.slice(0, -1) : alias)), nameFields.stem)
  const folder = folderOf(page)
  add(lastSegment(folder), nameFields.folder)
  add(lastSegment(folderOf(folder)), nameFields.folder)
  for (const { name } of sections) if (name !== title) add(name, nameFields.heading)
}

function addName(building: Building, text: string, { document, field, count }: NameUse): void {
  let terms = building.known.get(text)
  if (terms === undefined) {
    terms = numberTerms(building, text)
    building.known.set(text, terms)
  }
  if (terms.length === 0) return
  const { names, postings } = building
  for (const term of terms) postings[term]!.push(names.length)
  names.push({ document, field, terms, count })
}

function numberTerms({ vocabulary, postings, compounds }: Building, text: string): readonly number[] {
  const { parts, wholes } = termsOf(text)
  for (const whole of wholes) compounds.add(whole)
  return parts.map((part) => {
    const known = vocabulary.get(part)
    if (known !== undefined) return known
    vocabulary.set(part, postings.length)
    return postings.push([]) - 1
  })
}

function addKeys(
  keys: Map<string, number[]>,
  path: string,
  { page, stem, number }: Place & { readonly number: number },
): void {
  const lower = path.toLowerCase()
  for (const key of new Set([lower, page.toLowerCase(), lastSegment(lower), stem.toLowerCase()]))
    if (key !== '') addTo(keys, key, number)
}

const savedExtension = endsWith(savedExtensions)

function stemOf(page: string): string {
  return lastSegment(page).replace(savedExtension, '')
}

function weightsOf(names: readonly DocumentName[], rarities: Float64Array): Float64Array {
  const weights = new Float64Array(names.length)
  for (let name = 0; name < names.length; name++)
    for (const term of names[name]!.terms) weights[name]! += rarities[term]!
  return weights
}

/** By document frequency: in how many documents' names a term occurs. */
function raritiesOf({ names, postings }: Building, documents: number): Float64Array {
  const rarities = new Float64Array(postings.length)
  for (let term = 0; term < postings.length; term++) {
    let count = 0
    let last = -1
    for (const name of postings[term]!) {
      const { document } = names[name]!
      if (document !== last) count++
      last = document
    }
    rarities[term] = rarityOf(count, documents)
  }
  return rarities
}

function rarityOf(count: number, documents: number): number {
  return Math.log(1 + documents / count)
}
