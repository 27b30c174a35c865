// How does a list stay within its tokens? Its lines in their order, as many as fit, and how many did not.
import type { Freshness } from '../model/report.ts'
import type { TokenCounter } from '../read/tokens/token-counter.ts'

/** A report for people and models alike: text within a budget, and the facts beside it. */
export interface Report<Facts> {
  readonly output: string
  readonly tokensUsed: number
  readonly facts: Facts
  readonly freshness: Freshness
}

export interface ReportOptions {
  readonly maxTokens: number
  readonly refresh: 'auto' | 'never'
}

/** What is said of the lines that did not fit, at its longest. */
const TAIL_TOKENS = 12

/** The most lines from the start that fit. A line is counted once: joining lines never takes more than one token each. */
export function fitReport(
  lines: readonly string[],
  { maxTokens, countTokens }: { readonly maxTokens: number; readonly countTokens: TokenCounter },
): { output: string; tokensUsed: number } {
  let used = 0
  let kept = 0
  for (const line of lines) {
    const cost = countTokens(line) + 1
    const isLast = kept === lines.length - 1
    if (used + cost + (isLast ? 0 : TAIL_TOKENS) > maxTokens) break
    used += cost
    kept++
  }
  const more = lines.slice(kept).filter((line) => line.trim() !== '').length
  const shown = more === 0 ? lines : [...lines.slice(0, kept), `… and ${more} more lines`]
  const output = `${shown.join('\n').trimEnd()}\n`
  return { output, tokensUsed: countTokens(output) }
}
