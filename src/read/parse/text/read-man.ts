// What is in a man page? Headings and items by roff and mdoc requests, and the pages that it names.
import { lineAt, type TextLines } from '../find-lines.ts'
import type { FoundMention } from '../markdown/collect-inline.ts'
import { patterns } from '../patterns.ts'
import { cutText } from '../slug.ts'
import { type HeadCandidate, makeCandidate } from './head-candidate.ts'
import { type MarkedText, unmarked } from './marked-text.ts'

/** Longer lines are cut. */
const maxLineChars = 5_000

/** Headings are `.SH` and `.SS`, in mdoc `.Sh` and `.Ss`; items are `.TP` with the line below it, `.IP` and `.It`. */
export function findManHeads(texts: readonly string[]): HeadCandidate[] {
  const found: HeadCandidate[] = []
  for (const [line, text] of texts.entries()) {
    if (!text.startsWith('.')) continue
    const request = text.slice(1, 3)
    const level = { SH: 1, Sh: 1, SS: 2, Ss: 2 }[request]
    const next = texts[line + 1] ?? ''
    const below = text.length > 3 ? text.slice(3) : next
    if (level !== undefined) {
      const bodyLine = line + (text.length > 3 ? 1 : 2)
      found.push(makeCandidate(line, level, plainRoff(below), { bodyLine: Math.min(bodyLine, texts.length) }))
    } else if (request === 'TP' || request === 'IP' || request === 'It') {
      const isNext = request === 'TP'
      const name = plainRoff(isNext ? next.replace(patterns.roffRequest, '') : text.slice(3))
      if (!patterns.word.test(name)) continue
      const bodyLine = Math.min(texts.length, line + (isNext ? 2 : 1))
      found.push(makeCandidate(line, null, name, { bodyLine }))
    }
  }
  return found
}

/** Removes roff markup: `\fB\-a\fP, "x" 4` becomes `-a, x`. */
function plainRoff(text: string): string {
  const quoted = patterns.roffQuoted.exec(text.trim())
  const written = quoted?.[1] ?? text
  return written
    .replace(patterns.roffFont, '')
    .replace(patterns.roffDash, '-')
    .replace(patterns.roffEscape, '$1')
    .replaceAll('"', '')
    .replace(patterns.roffTail, '')
}

/** Finds `.Xr name 3`, `.BR name (3)` and `\fBname\fP(3)`. Linear in the text. */
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
