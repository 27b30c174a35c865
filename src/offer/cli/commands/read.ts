// How are exact lines read? `yore read`: the place on a line of its own, then the lines, and where to read on.
import type { PlacedText } from '../../../model/expansion.ts'
import { toggle } from '../../operations/operation.ts'
import { operations } from '../../operations/operations.ts'
import { type Command, corpusCommand } from '../command.ts'
import { outPalette, type Palette, printable, printableJson } from '../format.ts'
import { corpusOptions, json, refresh } from '../options.ts'
import { note, noteFreshness, out } from '../terminal.ts'

export const command: Command = corpusCommand(
  {
    ...operations.read,
    details: [
      'Only indexed text can be read: no skipped file, and nothing outside of the corpus.',
      'For a PDF, a Word file or a notebook it reads the extracted text, whose lines citations count: `yore read --raw paper.pdf:340-352` prints exactly those lines.',
    ],
    options: {
      ...operations.read.options,
      raw: toggle('Print all lines and nothing else, without a token budget.'),
      refresh,
      ...corpusOptions,
      json,
    },
    examples: [
      'yore read docs/guide.md#retries',
      'yore read docs/guide.md:12-40',
      'yore read ADR-013',
      'yore read --raw deck.pptx > deck.md',
    ],
  },
  async ({ input, now, useAt }) => {
    const terminal = process.stdout.isTTY === true
    const { raw, ...asked } = { ...input, ...(input.raw ? { maxTokens: Number.POSITIVE_INFINITY } : {}) }
    const result = await useAt(input.place, (engine, place) => engine.read(place, asked))
    const { text } = result.passage
    // Lines of a file stay as long as they are.
    if (input.json) out(printableJson(result))
    else if (raw) out(`${terminal ? printable(text) : text}\n`)
    else out(printPassage(result.passage, { palette: outPalette(), terminal }))
    if (result.next !== null) note(`there is more: yore read ${printable(result.next)}`)
    noteFreshness(result.freshness, now)
    return 0
  },
)

/** The place, then the lines; control characters are escaped for a terminal. */
export function printPassage(
  { path, lines, place: where, text }: PlacedText,
  { palette, terminal }: { readonly palette: Palette; readonly terminal: boolean },
): string {
  const place = `${path}:${lines.start}-${lines.end}${where === undefined ? '' : ` (${where})`}`
  return `${palette.cyan(printable(place))}\n${terminal ? printable(text) : text}\n`
}
