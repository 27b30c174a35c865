// How does text that was asked for by name read? Its heading, its source, and its lines: documents escaped, code fenced.
import type { PlacedText } from '../../model/expansion.ts'
import { markOneLine } from '../../model/mark-invisible.ts'
import { isCodeKind, languageOfKind } from '../../read/parse/artifact-kinds.ts'
import { digestFrame as frame } from './digest-frame.ts'
import { formatPlace } from './escape-inline.ts'
import { writeCode, writeExcerpt } from './escape-text.ts'
import { documentLanguage, fenceLanguage } from './fence-language.ts'

/** The text under its source, without a line end after the last line. */
export function renderPlaced({ kind, name, path, lines, place, text, truncated }: PlacedText): string {
  const language = kind === 'blind' ? (fenceLanguage(path) ?? 'text') : languageOfKind(kind)
  const blocks = [
    frame.briefPassage(markOneLine(name)),
    frame.field('Source', formatPlace(path, [lines], place)),
    isCodeKind(kind)
      ? writeCode(text, language)
      : writeExcerpt(text, { language: documentLanguage(path, kind) }),
    ...(truncated ? [frame.goesOn] : []),
  ]
  return blocks.join('\n\n')
}
