// What does a text's markup say beside its headings? Where it points, which names it gives, and what it tells of itself.
import type { FoundMention } from '../markdown/collect-inline.ts'
import { emptyValues } from '../markdown/read-simple-lines.ts'

/** A name that others may refer to, at a 0-based line. */
export interface FoundLabel {
  readonly name: string
  readonly line: number
}

export interface MarkedText {
  /** In the order of the lines, which count from the first of the text. */
  readonly mentions: readonly FoundMention[]
  /** In the order of the lines. */
  readonly labels: readonly FoundLabel[]
  /** Fields such as author, date and status. */
  readonly values: Readonly<Record<string, unknown>>
}

export const unmarked: MarkedText = { mentions: [], labels: [], values: emptyValues() }

/** The facts under which a document keeps its labels: pairs of a name and the number of its section, 0 for none. */
export const labelsKey = '$labels'
/** Before the name of an object that is described: a class, an option, a setting, a term. */
export const objectMark = ':'
