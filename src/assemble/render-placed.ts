// How does text that was asked for by name read? Its heading, its source, and its lines, escaped as in a digest.
import type { PlacedText } from '../model/expansion.ts'
import { digestFrame as frame } from './digest-frame.ts'
import { escapeName, formatPlace } from './escape-inline.ts'
import { writeExcerpt } from './escape-text.ts'
import { markOneLine } from './mark-invisible.ts'

/** The text under its source, without a line end after the last line. */
export function renderPlaced({ name, path, lines, text, truncated }: PlacedText): string {
  const blocks = [
    frame.passage(escapeName(name), markOneLine(path)),
    frame.field('Source', formatPlace(path, [lines])),
    writeExcerpt(text),
    ...(truncated ? [frame.cut] : []),
  ]
  return blocks.join('\n\n')
}
