// Which other pages does a man page name? `.Xr name 3`, `.BR name (3)` and `\fBname\fP(3)`.

import { lineAt, type TextLines } from '../find-lines.ts'
import type { FoundMention } from '../markdown/collect-inline.ts'
import { patterns } from '../patterns.ts'
import { cutText } from '../slug.ts'
import { type MarkedText, unmarked } from './marked-text.ts'

/** Of a longer line only so much is read. */
const maxLineChars = 5_000

/** Linear in the text. */
export function markMan(lines: TextLines): MarkedText {
  const mentions: FoundMention[] = []
  for (let line = 0; line < lines.starts.length; line++) {
    const text = cutText(lineAt(lines, line), maxLineChars)
    const add = (name: string, section: string): void => {
      const page = name.replace(patterns.roffDash, '-')
      mentions.push({ form: 'link', text: `${page}(${section})`, target: `man:${page}.${section}`, line })
    }
    const macro = patterns.manPage.exec(text)
    if (macro !== null) add(macro[1] ?? macro[3]!, macro[2] ?? macro[4]!)
    else if (text.includes('\\f'))
      for (const [, name, section] of text.matchAll(patterns.manInline)) add(name!, section!)
  }
  return { ...unmarked, mentions }
}
