// How much of a conversation goes along with the next question? The latest turns that fit into the budget, in order.
import type { Exchange } from '../model/conversation.ts'

/** Longer answers are remembered by their beginning. */
const longestAnswer = 4000

/** The latest exchanges within the tokens; none is cut in the middle but a very long answer. */
export function budgetHistory(
  exchanges: readonly Exchange[],
  options: { readonly maxTokens: number; readonly countTokens: (text: string) => number },
): readonly Exchange[] {
  const kept: Exchange[] = []
  let used = 0
  for (const exchange of exchanges.toReversed()) {
    const answer =
      exchange.answer.length > longestAnswer ? `${exchange.answer.slice(0, longestAnswer)}…` : exchange.answer
    used += options.countTokens(exchange.question) + options.countTokens(answer) + 20
    if (used > options.maxTokens) break
    kept.push({ ...exchange, answer })
  }
  return kept.reverse()
}
