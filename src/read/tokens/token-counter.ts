// How long is a text for a model? The port, the estimate, and a counter that caches lines; the exact one is in o200k.ts.

/** Returns the number of tokens in a text, deterministically. */
export type TokenCounter = (text: string) => number

/**
 * A quarter of the length, rounded up: needs no table, fits English prose, too low for tables and CJK.
 *
 * @example
 * estimateTokens('How do I deploy?') // 4
 */
export const estimateTokens: TokenCounter = (text) => Math.ceil(text.length / 4)

/** Limits on cached parts and characters; a digest has a few thousand lines. Above them the table starts over. */
const KEPT_PARTS = 20_000
const KEPT_CHARACTERS = 4_000_000
/** A longer stretch without a safe cut is counted whole; in JSON a passage is one line. */
const LONGEST_PART = 65_536
/** Between two passages of a digest, which is counted again and again until it fits. */
const RULE = '\n---\n\n'

const SLASH = 47

/**
 * The same counts as the given o200k counter, which must be exact: a text is cut after a line end where something
 * visible other than a slash follows. No o200k pretoken crosses such a place (white space before it belongs to the
 * line end, and only slashes are joined to a line end before them), so the parts add up.
 */
export const rememberLines = (countTokens: TokenCounter): TokenCounter =>
  rememberParts(rememberParts(countTokens, '\n'), RULE)

/** Parts end with `end`, a line end or several. */
function rememberParts(countTokens: TokenCounter, end: string): TokenCounter {
  const known = new Map<string, number>()
  let characters = 0
  const countPart = (part: string): number => {
    if (part.length > LONGEST_PART) return countTokens(part)
    let count = known.get(part)
    if (count === undefined) {
      count = countTokens(part)
      characters += part.length
      if (known.size >= KEPT_PARTS || characters > KEPT_CHARACTERS) {
        known.clear()
        characters = part.length
      }
      known.set(part, count)
    }
    return count
  }
  return (text) => {
    let tokens = 0
    let start = 0
    for (let at = text.indexOf(end); at !== -1; at = text.indexOf(end, at + 1)) {
      const next = at + end.length
      if (!startsLine(text.charCodeAt(next))) continue
      tokens += countPart(text.slice(start, next))
      start = next
    }
    return start < text.length ? tokens + countPart(text.slice(start)) : tokens
  }
}

/** Visible ASCII except the slash; text is not cut before anything else, such as white space. */
const startsLine = (code: number): boolean => code > 32 && code < 127 && code !== SLASH
