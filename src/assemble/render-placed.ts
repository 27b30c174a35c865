// How does text that was asked for by name read? Its heading, its source, and its lines: documents escaped, code fenced.
import type { PlacedText } from '../model/expansion.ts'
import { digestFrame as frame } from './digest-frame.ts'
import { escapeName, formatPlace } from './escape-inline.ts'
import { sourceLines, writeExcerpt } from './escape-text.ts'
import { markInvisible, markOneLine } from './mark-invisible.ts'

/** Languages whose text is Markdown, or reads as such. Everything else is code. */
const prose: ReadonlySet<string> = new Set(['markdown', 'text', 'pdf', 'docx'])

/** The text under its source, without a line end after the last line. */
export function renderPlaced({ kind, name, path, lines, place, text, truncated }: PlacedText): string {
  const language = kind === 'blind' ? 'text' : (kind.split('_', 1)[0] as string)
  const blocks = [
    frame.passage(escapeName(name), markOneLine(path)),
    frame.field('Source', formatPlace(path, [lines], place)),
    kind !== 'blind' && prose.has(language) ? writeExcerpt(text) : writeFenced(text, language),
    ...(truncated ? [frame.cut] : []),
  ]
  return blocks.join('\n\n')
}

/** Verbatim in a fence that nothing inside can close. */
function writeFenced(text: string, language: string): string {
  let longest = 2
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return [`${fence}${language}`, markInvisible(sourceLines(text).join('\n')), fence].join('\n')
}
