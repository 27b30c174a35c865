// Where do the members of a JSON object stand? Offsets only, in a text that may have comments and trailing commas.

/** A member of an object, by its offsets; `comma` is that behind it, or -1. */
export interface Member {
  readonly key: string
  readonly keyStart: number
  readonly valueStart: number
  readonly valueEnd: number
  readonly comma: number
}

export interface JsonObject {
  /** Offset of the brace. */
  readonly open: number
  readonly members: readonly Member[]
}

/** The members of the object at or behind an offset. The text is JSON with comments; this is linear in its length. */
export function readMembers(text: string, from = 0): JsonObject {
  const open = skipBlanks(text, text[from] === '\uFEFF' ? from + 1 : from)
  const members: Member[] = []
  for (let at = skipBlanks(text, open + 1); at < text.length && text[at] !== '}'; ) {
    if (text[at] !== '"') {
      at = skipBlanks(text, at + 1)
      continue
    }
    const keyEnd = endOfValue(text, at)
    const valueStart = skipBlanks(text, skipBlanks(text, keyEnd) + 1)
    const valueEnd = endOfValue(text, valueStart)
    const next = skipBlanks(text, valueEnd)
    const comma = text[next] === ',' ? next : -1
    const key = JSON.parse(text.slice(at, keyEnd)) as string
    members.push({ key, keyStart: at, valueStart, valueEnd, comma })
    at = comma === -1 ? next : skipBlanks(text, comma + 1)
  }
  return { open, members }
}

function skipBlanks(text: string, from: number): number {
  let at = from
  for (;;) {
    while (at < text.length && /\s/.test(text[at] as string)) at++
    const end = skipComment(text, at)
    if (end === at) return at
    at = end
  }
}

export function skipComment(text: string, at: number): number {
  const close = text.startsWith('//', at) ? '\n' : text.startsWith('/*', at) ? '*/' : null
  if (close === null) return at
  const end = text.indexOf(close, at + 2)
  if (end === -1) return text.length
  return close === '\n' ? end : end + 2
}

/** A string, a whole object or list, or a word. */
function endOfValue(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; ) {
    const char = text[at] as string
    const comment = skipComment(text, at)
    if (comment > at) at = comment
    else if (char === '"') at = endOfString(text, at)
    else {
      if (char === '{' || char === '[') depth++
      if (char === '}' || char === ']') depth--
      at++
      if (isWord(char) && isWord(text[at] ?? '')) continue
    }
    if (depth === 0) return at
  }
  return text.length
}

function isWord(char: string): boolean {
  return /^[\w.+-]$/.test(char)
}

function endOfString(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}
