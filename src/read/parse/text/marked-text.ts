// What does a text's markup say besides its headings? References, labels and metadata.
import type { FoundMention } from '../markdown/collect-inline.ts'
import type { MentionHolder } from '../markdown/find-mentions.ts'
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

/** Limits on labels, per character of the file and for every file: see bound-rows.ts. */
const labelShare = 2
const freeLabelChars = 16_384

/** The metadata of the text, with the section number of each label; 0 is the document. */
export function withLabels(
  { values, labels }: MarkedText,
  holders: readonly MentionHolder[],
  chars: number,
): MarkedText['values'] {
  if (labels.length === 0) return values
  const places = new Map<string, number>()
  let holder = 0
  let room = freeLabelChars + labelShare * chars
  for (const { name, line } of labels) {
    room -= name.length
    if (room < 0) break
    while (holder + 1 < holders.length && holders[holder + 1]![0] <= line + 1) holder++
    if (!places.has(name)) places.set(name, holder)
  }
  return Object.assign(emptyValues(), values, { [labelsKey]: [...places] })
}
