// What does a JSON file with comments say? As tsconfig.json is written: comments and trailing commas are skipped, nothing is run.
import { createScanner } from 'jsonc-parser'

/** A token of JSON with comments, by its offsets. Whitespace and comments are not tokens. */
export interface JsonToken {
  /** Its first character: `"` for a string, a brace, a bracket, a comma, a colon, or that of a word or number. */
  readonly char: string
  readonly start: number
  readonly end: number
}

/** The tokens at or behind an offset, in order. Linear in the text's length, and never recursive. */
export function* scanTokens(text: string, from = 0): Generator<JsonToken> {
  const scanner = createScanner(text, true)
  scanner.setPosition(text[from] === '\uFEFF' ? from + 1 : from)
  for (;;) {
    scanner.scan()
    const start = scanner.getTokenOffset()
    const end = start + scanner.getTokenLength()
    if (end === start) return
    yield { char: text[start] as string, start, end }
  }
}

/** The value, or null for anything that is not JSON even so. `JSON.parse` reads it: no key is special. */
export function parseLooseJson(text: string): unknown {
  const kept: string[] = []
  for (const { char, start, end } of scanTokens(text)) {
    if ((char === '}' || char === ']') && kept.at(-1) === ',') kept.pop()
    kept.push(text.slice(start, end))
  }
  try {
    return JSON.parse(kept.join(' '))
  } catch {
    return null
  }
}
