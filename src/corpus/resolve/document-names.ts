// Which documents have a word in their names, and which names are they? Packed parts (pack-names.ts), searched in place.
import { makeIdSearch } from '../../read/parse/find-ids.ts'
import type { Writings } from './authors.ts'
import {
  addCarrier,
  addIds,
  type Carrier,
  type DecisionIds,
  type IdFamily,
  makeDecisionIds,
} from './decision-ids.ts'
import {
  hashText,
  keyOf,
  type LinkText,
  type NamedDocument,
  NamesPacker,
  type NumberList,
  nameFields,
  PART_DOCUMENTS,
  unpackLists,
} from './pack-names.ts'
import type { NameTerms } from './question/words.ts'

const decoder = new TextDecoder()

/** Consecutive documents; terms, names and documents have local numbers here. */
export class NamesPart {
  readonly #lists: ReturnType<typeof unpackLists>
  /** The global number of its first document, and of its first name. */
  readonly firstDocument: number
  readonly firstName: number
  /** By local term: its global number. */
  readonly numbers: Int32Array

  constructor(packed: Uint8Array, before: NamesPart | undefined) {
    this.#lists = unpackLists(packed)
    this.firstDocument = before === undefined ? 0 : before.firstDocument + before.documents
    this.firstName = before === undefined ? 0 : before.firstName + before.#lists.owners.length
    this.numbers = new Int32Array(this.terms)
  }

  get documents(): number {
    return this.#lists.code.length
  }

  get terms(): number {
    return this.#lists.low.length
  }

  lowOf(term: number): number {
    return this.#lists.low[term]!
  }

  /** With the mark of a compound as its lowest bit. */
  highOf(term: number): number {
    return this.#lists.high[term]!
  }

  frequencyOf(term: number): number {
    return this.#lists.frequencies[term]!
  }

  /** The names that contain a term, in order. */
  namesWith(low: number, high: number): NumberList {
    const { low: lows, high: highs, postings, postingStarts } = this.#lists
    const at = lowerBound(lows, highs, low, high)
    const isHere = lows[at] === low && highs[at]! >>> 1 === high >>> 1
    return isHere ? postings.subarray(postingStarts[at], postingStarts[at + 1]) : nothing
  }

  documentOf(name: number): number {
    return this.#lists.owners[name]!
  }

  fieldOf(name: number): number {
    return this.#lists.uses[name]! & 7
  }

  /** How often it is used; more than 1 for link texts only. */
  countOf(name: number): number {
    return this.#lists.uses[name]! >>> 3
  }

  /** Terms of a name in order, without compounds. */
  termsOf(name: number): NumberList {
    const { terms, termStarts } = this.#lists
    return terms.subarray(termStarts[name], termStarts[name + 1])
  }

  /** The sum of the global values of a name's terms, in order. */
  sumOver(name: number, values: Float64Array): number {
    const { terms, termStarts } = this.#lists
    const end = termStarts[name + 1]!
    let sum = 0
    for (let at = termStarts[name]!; at < end; at++) sum += values[this.numbers[terms[at]!]!]!
    return sum
  }

  pathOf(document: number): string {
    const { paths, pathStarts } = this.#lists
    return decoder.decode(paths.subarray(pathStarts[document], pathStarts[document + 1]))
  }

  inboundOf(document: number): number {
    return this.#lists.inbound[document]!
  }

  isCode(document: number): boolean {
    return this.#lists.code[document] === 1
  }

  /** Documents with a key, with counts, in order. */
  *under(low: number, high: number): Generator<readonly [document: number, count: number]> {
    const { keyLow, keyHigh, keyDocuments, keyCounts } = this.#lists
    for (let at = lowerBound(keyLow, keyHigh, low, high); keyLow[at] === low && keyHigh[at] === high; at++)
      yield [keyDocuments[at]!, keyCounts[at]!]
  }

  ids(): { readonly families: string; readonly carriers: readonly (readonly [number, ...Carrier])[] } {
    return JSON.parse(decoder.decode(this.#lists.ids))
  }
}

const nothing = new Uint8Array()

/** The first position that is not below; compounds and words share a position. */
function lowerBound(lows: NumberList, highs: NumberList, low: number, high: number): number {
  let from = 0
  let to = lows.length
  while (from < to) {
    const at = (from + to) >>> 1
    if (lows[at]! < low || (lows[at] === low && highs[at]! >>> 1 < high >>> 1)) from = at + 1
    else to = at
  }
  return from
}

/** Data for ids of a corpus that was packed with other families. */
type NumberedDocuments = () => Iterable<Pick<NamedDocument, 'path' | 'title' | 'frontmatter'>>

/** The names of all documents, in the order of their paths. */
export class DocumentNames implements Writings {
  readonly parts: readonly NamesPart[]
  /** The number of terms. */
  #terms = 0
  /** By term: two halves of its hash, and its inverse document frequency. */
  readonly #low: Uint32Array
  readonly #high: Uint32Array
  readonly #rarities: Float64Array
  readonly #frequencies: Uint32Array
  /** Numbers of terms by hash, plus one; 0 is free. */
  readonly #slots: Int32Array
  /** Inverse document frequency of an unknown term. */
  readonly unknownRarity: number
  readonly #families: readonly IdFamily[]
  readonly #documents: NumberedDocuments
  #decisions: DecisionIds | null = null
  #idSearch: RegExp | null = null

  constructor(packed: readonly Uint8Array[], families: readonly IdFamily[], documents: NumberedDocuments) {
    const parts: NamesPart[] = []
    for (const bytes of packed) parts.push(new NamesPart(bytes, parts.at(-1)))
    this.parts = parts
    this.#families = families
    this.#documents = documents
    const most = parts.reduce((sum, { terms }) => sum + terms, 0)
    this.#low = new Uint32Array(most)
    this.#high = new Uint32Array(most)
    this.#frequencies = new Uint32Array(most)
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(most * 2 + 2)))
    let texts = 0
    for (const part of parts) {
      for (let document = 0; document < part.documents; document++) if (!part.isCode(document)) texts++
      this.#addTerms(part)
    }
    this.#rarities = Float64Array.from(this.#frequencies.subarray(0, this.#terms), (count) =>
      rarityOf(count, texts),
    )
    this.unknownRarity = rarityOf(0.5, texts)
  }

  #addTerms(part: NamesPart): void {
    for (let term = 0; term < part.terms; term++) {
      const low = part.lowOf(term)
      const high = part.highOf(term)
      const slot = this.#slotOf(low, high)
      if (this.#slots[slot] === 0) {
        this.#low[this.#terms] = low
        this.#high[this.#terms] = high
        this.#slots[slot] = ++this.#terms
      }
      const number = this.#slots[slot]! - 1
      this.#high[number]! |= high & 1
      this.#frequencies[number]! += part.frequencyOf(term)
      part.numbers[term] = number
    }
  }

  #slotOf(low: number, high: number): number {
    const mask = this.#slots.length - 1
    let slot = low & mask
    for (;;) {
      const number = this.#slots[slot]! - 1
      if (number < 0 || (this.#low[number] === low && this.#high[number]! >>> 1 === high >>> 1)) return slot
      slot = (slot + 1) & mask
    }
  }

  #find(term: string): number {
    const { low, high } = hashText(term)
    return this.#slots[this.#slotOf(low, high)]! - 1
  }

  /** The number of a term; -1 if no name contains it. */
  term(term: string): number {
    const number = this.#find(term)
    return number !== -1 && this.#frequencies[number]! > 0 ? number : -1
  }

  /** Does a term represent several words: `configmap` for a name with `ConfigMap`? */
  isCompound(term: string): boolean {
    const number = this.#find(term)
    return number !== -1 && (this.#high[number]! & 1) === 1
  }

  frequency(term: number): number {
    return this.#frequencies[term]!
  }

  rarity(term: number): number {
    return this.#rarities[term]!
  }

  /** Parts that contain a term, with the names in each. */
  *namesWith(term: number): Generator<readonly [part: NamesPart, names: NumberList]> {
    for (const part of this.parts) {
      const names = part.namesWith(this.#low[term]!, this.#high[term]!)
      if (names.length > 0) yield [part, names]
    }
  }

  /** The sum of the rarities of a name's terms. */
  weightOf(part: NamesPart, name: number): number {
    return part.sumOver(name, this.#rarities)
  }

  /** Documents whose title or file name consists of just these terms. */
  calledBy(terms: readonly number[]): number[] {
    const [first] = terms
    const found: number[] = []
    if (first === undefined) return found
    for (const [part, names] of this.namesWith(first))
      for (const name of names) {
        const field = part.fieldOf(name)
        if (field !== nameFields.title && field !== nameFields.stem) continue
        const own = part.termsOf(name)
        if (own.length !== terms.length || terms.some((term, at) => part.numbers[own[at]!] !== term)) continue
        const document = part.firstDocument + part.documentOf(name)
        if (found.at(-1) !== document) found.push(document)
      }
    return found
  }

  #partOf(document: number): NamesPart {
    let from = 0
    let to = this.parts.length
    while (to - from > 1) {
      const at = (from + to) >>> 1
      if (this.parts[at]!.firstDocument <= document) from = at
      else to = at
    }
    return this.parts[from]!
  }

  pathOf(document: number): string {
    const part = this.#partOf(document)
    return part.pathOf(document - part.firstDocument)
  }

  inboundOf(document: number): number {
    const part = this.#partOf(document)
    return part.inboundOf(document - part.firstDocument)
  }

  /** The number of the document of this path; -1 if there is none. */
  numberOf(path: string): number {
    return this.filesCalled(path.toLowerCase()).find((document) => this.pathOf(document) === path) ?? -1
  }

  /** Documents before code, each in order. */
  #under(key: string): Map<number, number> {
    const { low, high } = hashText(key)
    const texts: [number, number][] = []
    const code: [number, number][] = []
    for (const part of this.parts)
      for (const [document, count] of part.under(low, high))
        (part.isCode(document) ? code : texts).push([part.firstDocument + document, count])
    return new Map([...texts, ...code])
  }

  /** Documents by lower-case path, page, or last segment of either. */
  filesCalled(text: string): number[] {
    return [...this.#under(keyOf.file(text)).keys()]
  }

  /** Is it the lower-case name of a file of code, with its extension? */
  isCodeFile(text: string): boolean {
    return this.#under(keyOf.code(text)).size > 0
  }

  byAuthor(name: string): readonly number[] {
    return [...this.#under(keyOf.author(name)).keys()]
  }

  inYear(year: number): readonly number[] {
    return [...this.#under(keyOf.year(year)).keys()]
  }

  /** Documents with just these words as link text, with counts. */
  linkedBy(text: string): ReadonlyMap<number, number> {
    return this.#under(keyOf.linked(text))
  }

  get decisions(): DecisionIds {
    this.#decisions ??= this.#readDecisions()
    return this.#decisions
  }

  #readDecisions(): DecisionIds {
    const ids = makeDecisionIds(this.#families)
    const packed = this.parts.map((part) => ({ part, ...part.ids() }))
    if (packed.every(({ families }) => families === JSON.stringify(this.#families)))
      for (const { part, carriers } of packed)
        for (const [document, ...carrier] of carriers) addCarrier(ids, part.pathOf(document), carrier)
    else for (const document of this.#documents()) addIds(ids, document)
    return ids
  }

  /** Finds ids of every family in the corpus. */
  get idSearch(): RegExp {
    this.#idSearch ??= makeIdSearch([...makeDecisionIds(this.#families).prefixes.keys()])
    return this.#idSearch
  }
}

function rarityOf(count: number, documents: number): number {
  return Math.log(1 + documents / count)
}

export interface PackedPart {
  readonly first: string
  readonly data: Uint8Array
}

/** Packs documents in the given order, with the links to each; `known` as in the packer. */
export function* packNames(
  documents: Iterable<readonly [document: NamedDocument, links: readonly LinkText[]]>,
  families: readonly IdFamily[],
  known: Map<string, NameTerms> = new Map(),
): Generator<PackedPart> {
  const ids = makeDecisionIds(families)
  let packer = new NamesPacker(ids, JSON.stringify(families), known)
  let first = ''
  for (const [document, links] of documents) {
    if (packer.size === 0) first = document.path
    packer.add(document, links)
    if (packer.size < PART_DOCUMENTS) continue
    yield { first, data: packer.pack() }
    packer = new NamesPacker(ids, JSON.stringify(families), known)
  }
  if (packer.size > 0) yield { first, data: packer.pack() }
}
