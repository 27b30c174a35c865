// Where do the members of a JSON object stand? Offsets only, in a text that may have comments and trailing commas.
import { type JsonToken, scanTokens } from '../../config/parse-loose-json.ts'

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
  const members: Member[] = []
  let open = -1
  let depth = 0
  let key: JsonToken | null = null
  let value: JsonToken | null = null
  let valueEnd = 0
  const close = (comma: number): void => {
    if (key !== null && value !== null)
      members.push({
        key: JSON.parse(text.slice(key.start, key.end)) as string,
        keyStart: key.start,
        valueStart: value.start,
        valueEnd,
        comma,
      })
    key = null
    value = null
  }
  for (const token of scanTokens(text, from)) {
    const { char, start, end } = token
    if (open === -1) open = start
    if (char === '}' || char === ']') depth--
    if (depth === 0 && start > open) {
      close(-1)
      break
    }
    if (depth === 1 && char === ',') close(start)
    else if (depth === 1 && key === null) key = token
    else if (key !== null && (depth > 1 || char !== ':')) {
      value ??= token
      valueEnd = end
    }
    if (char === '{' || char === '[') depth++
  }
  return { open, members }
}
