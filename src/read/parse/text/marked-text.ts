// What does a text's markup say besides its headings? References, labels and metadata.
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

/** The metadata key of a document's labels: pairs of a name and the number of its section, 0 for none. */
export const labelsKey = '$labels'
/** Precedes the name of a described object: a class, an option, a setting, a term. */
export const objectMark = ':'
