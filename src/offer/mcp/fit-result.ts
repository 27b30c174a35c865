// How does a result stay within its tokens? Each of its forms is counted, and the body is shortened until they fit.
import { YoreError } from '../../model/errors.ts'

/** A result of the protocol: text, and the same facts as JSON. Clients show the model one of them, so a digest is text alone. */
export interface ToolResult {
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }]
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly isError?: true
  readonly [key: string]: unknown
}

export interface FitResultOptions {
  readonly maxTokens: number
  readonly countTokens: (text: string) => number
}

/** Maximum share and tokens of the list of expansions, unless more is unused. */
export const listShare = 0.1
export const listMost = 400

/** Tokens of the result of a tool that takes no budget. */
export const usualTokens = 8000

/** Hard limit of a whole result in tokens: clients cut or refuse larger ones. */
export const hardCap = 25_000

/** Tokens of a result: the larger of its two forms, as a model sees one of them. */
export function sizeOf(result: ToolResult, countTokens: FitResultOptions['countTokens']): number {
  const { content, structuredContent } = result
  const text = countTokens(content[0].text)
  return structuredContent === undefined
    ? text
    : Math.max(text, countTokens(JSON.stringify(structuredContent)))
}

/** Both forms within their tokens, and the whole within what clients take. */
export function fits(result: ToolResult, options: FitResultOptions): boolean {
  return shareOf(result, options) <= options.maxTokens
}

/** The tokens that a result counts for: of its budget, or of the hard cap scaled to it if that is more. */
export function shareOf(result: ToolResult, { maxTokens, countTokens }: FitResultOptions): number {
  const size = sizeOf(result, countTokens)
  // The whole holds the body twice, escaped once more: less than three times its size.
  if (3 * size + 500 <= hardCap) return size
  return Math.max(size, Math.ceil((maxTokens * countTokens(JSON.stringify(result))) / hardCap))
}

/** The result with the most parts that fits; `parts` are whatever `make` counts: lines, hits. */
export function fitParts(
  parts: number,
  make: (parts: number) => ToolResult,
  options: FitResultOptions,
): ToolResult {
  const most = mostParts(parts, (count) => fits(make(count), options))
  if (most !== null) return make(most)
  throw new YoreError('BUDGET_TOO_SMALL', `${options.maxTokens} tokens are too few for this result`, {
    leastTokens: sizeOf(make(0), options.countTokens),
  })
}

/** The largest number of parts that fits; null when not even zero does. */
export function mostParts(parts: number, fits: (parts: number) => boolean): number | null {
  if (fits(parts)) return parts
  let [low, high] = [0, parts - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return parts > 0 && fits(low) ? low : null
}

const cut = '*[… shortened to fit; read the source for the rest …]*'

/** A body with as many of its lines as fit. */
export function fitLines(
  body: string,
  make: (body: string) => ToolResult,
  options: FitResultOptions,
): ToolResult {
  const lines = body.split('\n')
  const shorten = (count: number): string =>
    count === lines.length ? body : [...lines.slice(0, count), '', cut].join('\n')
  return fitParts(lines.length, (count) => make(shorten(count)), options)
}
