// How much of an explanation does a digest in JSON list? The best few of each list, within a share of the budget.

import type { TokenCounter } from '../../read/tokens/token-counter.ts'
import { droppedFacts, type ExplanationLists, unresolvedFacts } from './render-json.ts'
import { DROPPED_SHARE, UNRESOLVED_SHARE } from './tuning.ts'

interface ExplanationRoom {
  /** Budget of the whole digest. */
  readonly maxTokens: number
  readonly countTokens: TokenCounter
}

/** What was dropped with the best scores first, and the first references that lead nowhere. */
export function boundExplanation(
  { unresolved, dropped }: ExplanationLists,
  { maxTokens, countTokens }: ExplanationRoom,
): ExplanationLists {
  const cost = (facts: object): number => countTokens(JSON.stringify(facts)) + 2
  const best = dropped.toSorted((a, b) => b.score - a.score || (a.artifact < b.artifact ? -1 : 1))
  return {
    unresolved: takeWithin(unresolved, maxTokens * UNRESOLVED_SHARE, (one) => cost(unresolvedFacts(one))),
    dropped: takeWithin(best, maxTokens * DROPPED_SHARE, (one) => cost(droppedFacts(one))),
  }
}

/** Entries from the first on, up to the first without room. */
function takeWithin<T>(entries: readonly T[], room: number, cost: (entry: T) => number): T[] {
  const taken: T[] = []
  let left = room
  for (const entry of entries) {
    left -= cost(entry)
    if (left < 0) break
    taken.push(entry)
  }
  return taken
}
