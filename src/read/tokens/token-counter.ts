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

/** Limits on cached lines and characters; a digest has a few thousand lines. Above them the table starts over. */
const KEPT_LINES = 20_000
const KEPT_CHARACTERS = 4_000_000
/** A longer stretch without a safe cut is counted whole; in JSON a passage is one line. */
const LONGEST_LINE = 65_536

const SLASH = 47

/**
 * The same counts as the given o200k counter, which must be exact: a text is cut after a line end where something
 * visible other than a slash follows. No o200k pretoken crosses such a place (white space before it belongs to the
 * line end, and only slashes are joined to a line end before them), so the parts add up.
 */
export function rememberLines(countTokens: TokenCounter): TokenCounter {
  const known = new Map<string, number>()
  let characters = 0
  const countLine = (line: string): number => {
    if (line.length > LONGEST_LINE) return countTokens(line)
    let count = known.get(line)
    if (count === undefined) {
      count = countTokens(line)
      characters += line.length
      if (known.size >= KEPT_LINES || characters > KEPT_CHARACTERS) {
        known.clear()
        characters = line.length
      }
      known.set(line, count)
    }
    return count
  }
  return (text) => {
    let tokens = 0
    let start = 0
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      if (!startsLine(text.charCodeAt(at + 1))) continue
      tokens += countLine(text.slice(start, at + 1))
      start = at + 1
    }
    return start < text.length ? tokens + countLine(text.slice(start)) : tokens
  }
}

/** Visible ASCII except the slash; text is not cut before anything else, such as white space. */
function startsLine(code: number): boolean {
  return code > 32 && code < 127 && code !== SLASH
}
