// What does a JSON file with comments say? As tsconfig.json is written: comments and trailing commas are skipped, nothing is run.

/** The value, or null for anything that is not JSON even so. Linear in the text's length. */
export function parseLooseJson(text: string): unknown {
  try {
    return JSON.parse(withoutExtras(text.replace(/^\uFEFF/, '')))
  } catch {
    return null
  }
}

function withoutExtras(text: string): string {
  const kept: string[] = []
  let comma = -1
  for (let at = 0; at < text.length; ) {
    const end = endOfToken(text, at)
    const char = text[at] as string
    const isComment = char === '/' && end > at + 1
    if (!isComment && !isBlank(char)) {
      if ((char === '}' || char === ']') && comma >= 0) kept[comma] = ''
      comma = char === ',' ? kept.length : -1
    }
    if (!isComment) kept.push(text.slice(at, end))
    at = end
  }
  return kept.join('')
}

function isBlank(char: string): boolean {
  return char === ' ' || char === '\n' || char === '\r' || char === '\t'
}

/** A string, a comment, or one character. */
function endOfToken(text: string, at: number): number {
  if (text[at] === '"') {
    let end = at + 1
    while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
    return end + 1
  }
  if (text.startsWith('//', at)) return orEnd(text, text.indexOf('\n', at), 0)
  if (text.startsWith('/*', at)) return orEnd(text, text.indexOf('*/', at + 2), 2)
  return at + 1
}

function orEnd(text: string, found: number, more: number): number {
  return found === -1 ? text.length : found + more
}
