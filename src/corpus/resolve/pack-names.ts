// Which names does each document have in a question? Titles, file names, headings and link texts, packed as one blob of numbers that is searched in place (document-names.ts).
import { endsWith, savedExtensions } from '../../model/file-extensions.ts'
import { folderOf, lastSegment } from '../../model/paths.ts'
import { listAuthors, listYears } from './authors.ts'
import { type Carrier, type DecisionIds, listCarriers } from './decision-ids.ts'
import { pageOf } from './page-keys.ts'
import { type NameTerms, termsOf } from './question/words.ts'

export interface NamedDocument {
  readonly path: string
  readonly title: string
  readonly frontmatter: Readonly<Record<string, unknown>>
  /** Headings in the order of the text. */
  readonly sections: readonly { readonly name: string }[]
  /** Code is found by path or file name only, because its names are ordinary words. */
  readonly isCode?: boolean
}

/** A link text to a document, and how often it occurs. */
export interface LinkText {
  readonly text: string
  readonly path: string
  readonly count: number
}

/** The source of a name. */
export const nameFields = { title: 0, stem: 1, folder: 2, heading: 3, link: 4 } as const
export const fieldCount = 5

/** Documents of one part: an edit repacks one part, a question reads all. */
export const PART_DOCUMENTS = 128

/** Keys besides the words of names; the first letter is the kind of key. */
export const keyOf = {
  /** Lower-case path, page, or last segment of either. */
  file: (text: string): string => `f${text}`,
  /** Lower-case name of a file of code, with its extension. */
  code: (text: string): string => `c${text}`,
  /** Lower-case family name. */
  author: (text: string): string => `a${text}`,
  year: (text: string | number): string => `y${text}`,
  /** The words of a link text. */
  linked: (text: string): string => `l${text.toLowerCase().replace(notInWord, ' ').trim()}`,
} as const

const notInWord = /[^\p{L}\p{N}]+/gu

/** A text as 64 bits in two halves: texts with equal hashes count as equal. The lowest bit of `high` is free. */
export function hashText(text: string): { readonly low: number; readonly high: number } {
  let low = 0x2f6b1c05
  let high = 0x51ed270b ^ text.length
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    low = Math.imul(low ^ code, 0x9e3779b1)
    low ^= low >>> 15
    high = Math.imul(high + code, 0x85ebca6b)
    high ^= high >>> 13
  }
  return { low: low >>> 0, high: (((high ^ Math.imul(low, 0x27d4eb2f)) >>> 1) << 1) >>> 0 }
}

interface PackedTerm {
  readonly low: number
  readonly high: number
  /** True if it represents several words: `configmap` for a name with `ConfigMap`. */
  isCompound: boolean
  /** Documents with it in their names, and the last one of them. */
  documents: number
  last: number
  readonly names: number[]
}

interface PackedKey {
  readonly low: number
  readonly high: number
  readonly document: number
  readonly count: number
}

/** Documents by path, with the links to each. */
export class NamesPacker {
  readonly #ids: DecisionIds
  readonly #families: string
  readonly #terms = new Map<string, PackedTerm>()
  /** By name: its document, its field and count in one number, and its terms. */
  readonly #owners: number[] = []
  readonly #uses: number[] = []
  readonly #named: (readonly PackedTerm[])[] = []
  readonly #keys = new Map<string, PackedKey>()
  readonly #paths: Uint8Array[] = []
  readonly #inbound: number[] = []
  readonly #code: number[] = []
  readonly #carriers: (readonly [document: number, ...Carrier])[] = []
  readonly #known: Map<string, NameTerms>

  /** `known` caches terms by text for the next parts: many documents have a heading such as "See also". */
  constructor(ids: DecisionIds, families: string, known: Map<string, NameTerms> = new Map()) {
    this.#ids = ids
    this.#families = families
    this.#known = known
  }

  get size(): number {
    return this.#paths.length
  }

  add(document: NamedDocument, links: readonly LinkText[]): void {
    const number = this.#paths.push(encoder.encode(document.path)) - 1
    const lower = document.path.toLowerCase()
    this.#code.push(document.isCode === true ? 1 : 0)
    this.#inbound.push(0)
    if (document.isCode === true) {
      for (const key of new Set([lower, lastSegment(lower)])) this.#addKey(keyOf.file(key), number)
      this.#addKey(keyOf.code(lastSegment(lower)), number)
      return
    }
    const page = pageOf(document.path)
    const stem = stemOf(page)
    this.#addNames(document, { page, stem, number })
    for (const { text, count } of links) {
      if (count <= 0) continue
      this.#addName(text, number, nameFields.link, count)
      this.#addKey(keyOf.linked(text), number, count)
      this.#inbound[number]! += count
    }
    for (const key of new Set([lower, page.toLowerCase(), lastSegment(lower), stem.toLowerCase()]))
      if (key !== '') this.#addKey(keyOf.file(key), number)
    const written = { stem: stem.toLowerCase(), frontmatter: document.frontmatter }
    for (const author of listAuthors(written)) this.#addKey(keyOf.author(author), number)
    for (const year of listYears(written)) this.#addKey(keyOf.year(year), number)
    for (const carrier of listCarriers(this.#ids, document)) this.#carriers.push([number, ...carrier])
  }

  #addKey(key: string, document: number, count = 1): void {
    const known = this.#keys.get(`${document} ${key}`)?.count ?? 0
    this.#keys.set(`${document} ${key}`, { ...hashText(key), document, count: known + count })
  }

  #addNames(
    { title, frontmatter, sections }: NamedDocument,
    { page, stem, number }: { readonly page: string; readonly stem: string; readonly number: number },
  ): void {
    const add = (text: unknown, field: number): void => {
      if (typeof text === 'string' && text !== '') this.#addName(text, number, field, 1)
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

  #addName(text: string, document: number, field: number, count: number): void {
    let words = this.#known.get(text)
    if (words === undefined) {
      if (this.#known.size >= KNOWN_TEXTS) this.#known.clear()
      words = termsOf(text)
      this.#known.set(text, words)
    }
    for (const whole of words.wholes) this.#term(whole).isCompound = true
    if (words.parts.length === 0) return
    const terms = words.parts.map((part) => this.#term(part))
    for (const term of terms) {
      term.names.push(this.#named.length)
      if (term.last !== document) term.documents++
      term.last = document
    }
    this.#named.push(terms)
    this.#owners.push(document)
    this.#uses.push(count * 8 + field)
  }

  #term(text: string): PackedTerm {
    let term = this.#terms.get(text)
    if (term === undefined) {
      term = { ...hashText(text), isCompound: false, documents: 0, last: -1, names: [] }
      this.#terms.set(text, term)
    }
    return term
  }

  pack(): Uint8Array {
    const terms = [...this.#terms.values()].sort((a, b) => a.low - b.low || a.high - b.high)
    const numbers = new Map(terms.map((term, number) => [term, number]))
    const keys = [...this.#keys.values()].sort(
      (a, b) => a.low - b.low || a.high - b.high || a.document - b.document,
    )
    const named = this.#named.map((list) => list.map((term) => numbers.get(term)!))
    const ids = JSON.stringify({ families: this.#families, carriers: this.#carriers })
    return packLists({
      low: terms.map(({ low }) => low),
      high: terms.map(({ high, isCompound }) => high + (isCompound ? 1 : 0)),
      frequencies: terms.map(({ documents }) => documents),
      postingStarts: startsOf(terms.map(({ names }) => names.length)),
      postings: terms.flatMap(({ names }) => names),
      owners: this.#owners,
      uses: this.#uses,
      termStarts: startsOf(named.map(({ length }) => length)),
      terms: named.flat(),
      keyLow: keys.map(({ low }) => low),
      keyHigh: keys.map(({ high }) => high),
      keyDocuments: keys.map(({ document }) => document),
      keyCounts: keys.map(({ count }) => count),
      inbound: this.#inbound,
      code: this.#code,
      pathStarts: startsOf(this.#paths.map(({ length }) => length)),
      paths: Uint8Array.from(this.#paths.flatMap((path) => [...path])),
      ids: encoder.encode(ids),
    })
  }
}

const encoder = new TextEncoder()

/** Texts whose terms are cached while many parts are packed. */
const KNOWN_TEXTS = 50_000

const savedExtension = endsWith(savedExtensions)

function stemOf(page: string): string {
  return lastSegment(page).replace(savedExtension, '')
}

function startsOf(lengths: readonly number[]): number[] {
  let sum = 0
  return [0, ...lengths.map((length) => (sum += length))]
}

/** The bytes of a number in a list, by its largest: 1, 2 or 4. */
function widthOf(list: ArrayLike<number>): 1 | 2 | 4 {
  let largest = 0
  for (let at = 0; at < list.length; at++) if (list[at]! > largest) largest = list[at]!
  return largest < 0x100 ? 1 : largest < 0x10000 ? 2 : 4
}

/** In storage order. Values at the same position of two lists belong together. */
const listNames = [
  // Terms by their hashes, a compound marked by the lowest bit; documents in whose names each is.
  ...(['low', 'high', 'frequencies'] as const),
  // Names that hold a term, one list after the other.
  ...(['postingStarts', 'postings'] as const),
  // By name: its document, its field with eight times how often it is used, its terms in their order.
  ...(['owners', 'uses', 'termStarts', 'terms'] as const),
  // What documents are looked up by, sorted by hashes.
  ...(['keyLow', 'keyHigh', 'keyDocuments', 'keyCounts'] as const),
  // By document: how many links lead to it, whether it is code, its path in UTF-8.
  ...(['inbound', 'code', 'pathStarts', 'paths'] as const),
  // JSON of decision ids.
  'ids',
] as const
type ListName = (typeof listNames)[number]

export type NumberList = Uint8Array | Uint16Array | Uint32Array

const kinds = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array } as const

/** Consecutive lists of numbers: the length and width of each, then each aligned to four bytes. */
function packLists(named: Readonly<Record<ListName, ArrayLike<number>>>): Uint8Array {
  const lists = listNames.map((name) => named[name])
  const widths = lists.map(widthOf)
  const sizes = lists.map(({ length }, at) => (length * widths[at]! + 3) & ~3)
  const header = Uint32Array.from(lists.flatMap(({ length }, at) => [length, widths[at]!]))
  const packed = new Uint8Array(sizes.reduce((sum, size) => sum + size, header.byteLength))
  packed.set(new Uint8Array(header.buffer))
  let from = header.byteLength
  for (const [at, list] of lists.entries()) {
    new kinds[widths[at]!](packed.buffer, from, list.length).set(list)
    from += sizes[at]!
  }
  return packed
}

/** The lists of a packed part, as views of its bytes. */
export function unpackLists(bytes: Uint8Array): Readonly<Record<ListName, NumberList>> {
  const { buffer, byteOffset } = (
    bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  ) as Uint8Array<ArrayBuffer>
  const header = new Uint32Array(buffer, byteOffset, listNames.length * 2)
  const lists: Partial<Record<ListName, NumberList>> = {}
  let from = byteOffset + header.byteLength
  for (const [at, name] of listNames.entries()) {
    const length = header[at * 2]!
    const width = header[at * 2 + 1] as 1 | 2 | 4
    lists[name] = new kinds[width](buffer, from, length)
    from += (length * width + 3) & ~3
  }
  return lists as Record<ListName, NumberList>
}
