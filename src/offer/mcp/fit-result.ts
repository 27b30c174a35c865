// How does a result stay within its tokens? The text is counted, and the body is shortened until it fits.

import { YoreError } from '../../model/errors.ts'
import { largest } from '../../model/largest.ts'

/** A result of the protocol. Text alone, so that every client shows its model the same; only errors have their code as JSON, too. */
export interface ToolResult {
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }]
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly isError?: true
  readonly [key: string]: unknown
}

export const textResult = (text: string): ToolResult => ({ content: [{ type: 'text', text }] })

export interface FitResultOptions {
  readonly maxTokens: number
  readonly countTokens: (text: string) => number
}

/** Hard limit of a whole result in tokens: clients cut or refuse larger ones. */
export const hardCap = 25_000

/** Tokens of the text that a model sees. */
export const sizeOf = ({ content }: ToolResult, countTokens: FitResultOptions['countTokens']): number =>
  countTokens(content[0].text)

/** The text within its tokens, and the whole, escaped as JSON, within what clients take. */
export function fits(result: ToolResult, { maxTokens, countTokens }: FitResultOptions): boolean {
  const size = sizeOf(result, countTokens)
  if (size > maxTokens) return false
  // Most texts take less than twice their tokens as JSON.
  return 4 * size + 500 <= hardCap || countTokens(JSON.stringify(result)) <= hardCap
}

/** The largest number of parts that fits; null when not even zero does. */
export function mostParts(parts: number, fits: (parts: number) => boolean): number | null {
  if (fits(parts)) return parts
  const most = largest(parts - 1, fits)
  return parts > 0 && fits(most) ? most : null
}

const cut = '*[… shortened to fit; read the source for the rest …]*'

/** A body with as many of its lines as fit. */
export function fitLines(body: string, make: (body: string) => ToolResult, options: FitResultOptions) {
  const lines = body.split('\n')
  const shorten = (count: number): string =>
    count === lines.length ? body : [...lines.slice(0, count), '', cut].join('\n')
  const most = mostParts(lines.length, (count) => fits(make(shorten(count)), options))
  if (most !== null) return make(shorten(most))
  throw new YoreError('BUDGET_TOO_SMALL', `${options.maxTokens} tokens are too few for this result`, {
    leastTokens: sizeOf(make(shorten(0)), options.countTokens),
  })
}
