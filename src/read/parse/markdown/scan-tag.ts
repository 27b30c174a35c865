// Which HTML tag starts here, and what are its attributes? Values may contain Hugo shortcodes with their own quotes.
import { shortcodeEnd } from './scan-shortcode.ts'

export interface Tag {
  /** Lower case. */
  readonly name: string
  readonly closing: boolean
  /** By lower-case name; the first of a name counts. */
  readonly attributes: ReadonlyMap<string, string>
  /** Offset after `>`. */
  readonly end: number
}

/** Reads the tag at an offset; null if there is none. A value ends at a bare `<`, so a run of open tags is one pass. */
export function scanTag(text: string, at: number): Tag | null {
  if (text.charCodeAt(at) !== 60) return null
  const closing = text.charCodeAt(at + 1) === 47
  const nameStart = at + (closing ? 2 : 1)
  let pos = nameStart
  while (isNameChar(text.charCodeAt(pos))) pos++
  if (pos === nameStart || isDigit(text.charCodeAt(nameStart))) return null
  const name = text.slice(nameStart, pos).toLowerCase()
  const attributes = new Map<string, string>()
  for (;;) {
    pos = skipBlanks(text, pos)
    const code = text.charCodeAt(pos)
    if (code === 62) return { name, closing, attributes, end: pos + 1 }
    if (Number.isNaN(code) || code === 60) return null
    pos = readAttribute(text, pos, attributes)
    if (pos === -1) return null
  }
}

/** Reads one attribute and returns the offset after it; -1 if its value never ends. */
function readAttribute(text: string, start: number, attributes: Map<string, string>): number {
  let pos = start
  while (pos < text.length && !isAttributeEnd(text.charCodeAt(pos))) pos++
  if (pos === start) return pos + 1
  const name = text.slice(start, pos).toLowerCase()
  const equals = skipBlanks(text, pos)
  if (text.charCodeAt(equals) !== 61) {
    if (!attributes.has(name)) attributes.set(name, '')
    return pos
  }
  const valueStart = skipBlanks(text, equals + 1)
  const quote = text.charCodeAt(valueStart)
  const quoted = quote === 34 || quote === 39
  const first = quoted ? valueStart + 1 : valueStart
  const end = findValueEnd(text, first, quoted ? quote : 0)
  if (end === -1) return -1
  if (!attributes.has(name)) attributes.set(name, text.slice(first, end))
  return quoted ? end + 1 : end
}

/** `quote` 0 means a bare value, which ends at a blank or `>`. */
function findValueEnd(text: string, from: number, quote: number): number {
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (quote === 0 ? isBlank(code) || code === 62 : code === quote) return at
    if (code === 60) return -1
    const end = code === 123 ? shortcodeEnd(text, at) : -1
    at = end === -1 ? at + 1 : end
  }
  return -1
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (isBlank(text.charCodeAt(at))) at++
  return at
}

const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)

const isDigit = (code: number): boolean => code >= 48 && code <= 57

const isNameChar = (code: number): boolean =>
  isDigit(code) || code === 45 || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)

const isAttributeEnd = (code: number): boolean =>
  isBlank(code) || code === 61 || code === 62 || code === 60 || code === 34 || code === 39
