// Under which words is each document known? Titles, file names, headings, and what other documents call it; built once per index.
import { addIds, type DecisionIds, type IdFamily, makeDecisionIds } from './decision-ids.ts'
import { folderOf, lastSegment, pageOf } from './page-keys.ts'
import { collectPeople, type People } from './question-people.ts'
import { termsOf } from './question-terms.ts'

export interface NamedSection {
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

export const TITLE = 0
export const STEM = 1
export const FOLDER = 2
export const HEADING = 3
export const LINK = 4
export const fieldCount = 5

/** One way to call a document. */
export interface DocumentName {
  readonly document: number
  readonly field: number
  readonly text: string
  /** Its terms, without compounds. */
  readonly terms: number
  /** How often; more than one for link texts only. */
  readonly count: number
  /** Of a heading, its section's number; -1 otherwise. */
  readonly section: number
}

export interface DocumentNames {
  readonly documents: readonly NamedDocument[]
  readonly numbers: ReadonlyMap<string, number>
  readonly names: readonly DocumentName[]
  /** Term → numbers of the names that hold it. */
  readonly postings: ReadonlyMap<string, readonly number[]>
  /** Compounds that names hold beside their parts. */
  readonly compounds: ReadonlySet<string>
  /** How informative each term is. */
  readonly rarity: (term: string) => number
  /** Sum of the rarities of each name's terms. */
  readonly weights: Float64Array
  /** Links to each document, however they are worded. */
  readonly inbound: Float64Array
  /** Lower-case path, page, file name, stem → documents. */
  readonly keys: ReadonlyMap<string, readonly number[]>
  readonly people: People
  readonly decisions: DecisionIds
}

export interface NamesOptions {
  readonly links: Iterable<LinkText>
  readonly families: readonly IdFamily[]
}
export const namesDefaults: NamesOptions = { links: [], families: [] }
