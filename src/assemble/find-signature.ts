// Which lines of a definition are its signature? From the line that names it to the line that opens its body.
import type { Excerpt } from '../model/digest.ts'

/** Longer ones are shown only so far. */
const maxLines = 20
/** The end of a cell's code in the text of a notebook. */
const closesBlock = /^`{3,}$/
const opening = /^\s*(?:@|#|\/\/|\/\*|\*|--)/

/** The signature of a definition whose text starts at a line; null when no line names it. */
export function findSignature(text: string, name: string, firstLine: number): Excerpt | null {
  const lines = text.split(/\r\n|\n|\r/)
  const start = lines.findIndex((line) => !opening.test(line) && namesIt(line, name))
  if (start === -1) return null
  let end = start
  let open = openBrackets(lines[start] as string)
  while (
    end + 1 < lines.length &&
    end - start < maxLines - 1 &&
    (open > 0 || !opensBody(lines[end] as string)) &&
    !closesBlock.test(lines[end + 1] as string)
  )
    open += openBrackets(lines[++end] as string)
  return {
    lines: { start: firstLine + start, end: firstLine + end },
    text: lines.slice(start, end + 1).join('\n'),
  }
}

/** Does a line hold this name as a whole word? */
export function namesIt(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + 1)) {
    const before = line.charAt(at - 1)
    const after = line.charAt(at + name.length)
    if (!/[\p{L}\p{N}_$]/u.test(before) && !/[\p{L}\p{N}_$]/u.test(after)) return true
  }
  return false
}

/** How many round brackets a line opens more than it closes. */
function openBrackets(line: string): number {
  let open = 0
  for (const char of line) open += char === '(' ? 1 : char === ')' ? -1 : 0
  return open
}

function opensBody(line: string): boolean {
  return /(?:[:{;)]|=>)\s*(?:#|\/\/|\/\*|$)/.test(line)
}
