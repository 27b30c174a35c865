// How does a list stay within its token budget? Its lines in order, as many as fit, and the number of the rest.
import type { RenderedResult } from '../model/report.ts'
import type { TokenCounter } from '../read/tokens/token-counter.ts'

/** A report for people and models: text within a budget, and its data. */
export interface Report<Facts> extends RenderedResult {
  readonly facts: Facts
}

export interface ReportOptions {
  readonly maxTokens: number
  readonly refresh: 'auto' | 'never'
}

/** Tokens of the line about lines that did not fit. */
const TAIL_TOKENS = 12

/** The most lines from the start that fit. Each line is counted once: joining costs at most one token per line. */
export function fitReport(
  lines: readonly string[],
  { maxTokens, countTokens }: { readonly maxTokens: number; readonly countTokens: TokenCounter },
): { output: string; tokensUsed: number } {
  let used = 0
  let count = 0
  for (const line of lines) {
    const cost = countTokens(line) + 1
    const isLast = count === lines.length - 1
    if (used + cost + (isLast ? 0 : TAIL_TOKENS) > maxTokens) break
    used += cost
    count++
  }
  const more = lines.slice(count).filter((line) => line.trim() !== '').length
  const shown = more === 0 ? lines : [...lines.slice(0, count), `… and ${more} more lines`]
  const output = `${shown.join('\n').trimEnd()}\n`
  return { output, tokensUsed: countTokens(output) }
}
