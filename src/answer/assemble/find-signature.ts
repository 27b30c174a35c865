// Which lines of a definition are its signature? From the line that names it to the line that opens its body.
import type { Excerpt } from '../../model/digest.ts'
import { findWord } from '../../read/parse/code/code-names.ts'

/** Longer ones are shown only so far. */
const maxLines = 20
/** More of a signature is not searched for its body. */
const maxChars = 2000
const opening = /^\s*(?:@|#|\/\/|\/\*|\*|--)/

/** The signature of a definition whose text starts at a line; null when no line names it. */
export function findSignature(text: string, name: string, firstLine: number): Excerpt | null {
  const lines = text.split(/\r\n|\n|\r/)
  const start = lines.findIndex((line) => !opening.test(line) && findWord(line, name) >= 0)
  if (start === -1) return null
  let end = start
  let open = openBrackets(lines[start] as string)
  while (
    end + 1 < lines.length &&
    end - start < maxLines - 1 &&
    (open > 0 || !/(?:[:{;)]|=>)\s*(?:#|\/\/|\/\*|$)/.test(lines[end] as string))
  )
    open += openBrackets(lines[++end] as string)
  return {
    lines: { start: firstLine + start, end: firstLine + end },
    text: lines.slice(start, end + 1).join('\n'),
  }
}

/** By language: does a body begin at this offset, outside of brackets? In addition to `{`. */
const bodyStarts: Readonly<Record<string, (text: string, at: number) => boolean>> = {
  python: (text, at) => text[at] === ':',
  ruby: (text, at) =>
    text[at] === ';' ||
    text.startsWith(' #', at) ||
    (text.startsWith(' = ', at) && text.startsWith('def ')) ||
    (text[at] === '\n' && !/[,\\]\s*$/.test(text.slice(0, at))),
  kotlin: startsExpression,
  scala: startsExpression,
  swift: startsExpression,
  go: (text, at) => text[at] === '\n',
  elixir: (text, at) => /^(?:,?\s+do\b|\n)/.test(text.slice(at, at + 80)),
  csharp: (text, at) => text.startsWith('=>', at),
  html: (text, at) => text[at - 1] === '>',
  javascript: startsArrowBody,
  typescript: startsArrowBody,
}

/** A body after ` = `, or a definition without one that ends with its line. */
function startsExpression(text: string, at: number): boolean {
  const before = text.slice(0, at)
  if (text.startsWith(' = ', at)) return /\b(?:fun|def)\b/.test(before)
  return (
    text[at] === '\n' &&
    !/[,:=]\s*$/.test(before) &&
    !/^\s*(?:[{:=]|->|(?:where|extends|with)\b)/.test(text.slice(at))
  )
}

/** After the arrow of a function that is assigned: an arrow before the `=` belongs to a type. */
function startsArrowBody(text: string, at: number): boolean {
  return (
    text.startsWith('=>', at - 2) &&
    !/\btype\s/.test(text.slice(0, at)) &&
    /[^=!<>]=(?![=>])/.test(text.slice(0, at - 2))
  )
}

/** A signature up to its body, without blanks at the ends. */
export function cutAtBody(signature: string, language: string): string {
  const text = signature.trim().slice(0, maxChars)
  const starts = bodyStarts[language] ?? (() => false)
  let open = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string
    if (open === 0 && (starts(text, at) || (char === '{' && !isTypeBrace(text, at))))
      return text.slice(0, at).trim()
    open += '([{'.includes(char) ? 1 : ')]}'.includes(char) ? -1 : 0
  }
  return text
}

/** `interface{}` of Go, and a type of TypeScript: `): { x: number } {`. */
const isTypeBrace = (text: string, at: number): boolean =>
  /(?:\b(?:interface|struct)|[:|&]\s*)$/.test(text.slice(0, at))

/** How many round brackets a line opens more than it closes. */
function openBrackets(line: string): number {
  let open = 0
  for (const char of line) open += char === '(' ? 1 : char === ')' ? -1 : 0
  return open
}
