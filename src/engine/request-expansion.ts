// What does an agent get for one request? The verdict, what it brought, what is left, and what may be asked next.
import type { ExpansionSession } from '../model/expansion.ts'
import type { TokenCounter } from '../tokens/token-counter.ts'
import type { ExpandRequest, ExpandResult } from './engine.ts'
import { renderOutcome } from './render-results.ts'

/** Room for what comes along, unless the request says otherwise. */
const usualTokens = 4000
/** The sentence above it. */
const frameTokens = 60

/** Judges and reads at once: between two requests of a session nothing else happens. */
export function requestExpansion(
  session: ExpansionSession,
  request: ExpandRequest,
  countTokens: TokenCounter,
): Omit<ExpandResult, 'freshness'> {
  const { from, via, target } = request
  if (via === undefined || target === undefined) {
    return { outcome: null, offers: session.offers(from), left: session.left, output: '', tokensUsed: 0 }
  }
  const maxTokens = Math.max(1, (request.maxTokens ?? usualTokens) - frameTokens - 2 * countTokens(from))
  const outcome = session.expand({ from, via, target }, { maxTokens })
  const offers = outcome.allowed ? offersAfter(session, outcome.brought.id) : outcome.wouldBeAllowed
  const output = renderOutcome(outcome)
  return { outcome, offers, left: session.left, output, tokensUsed: countTokens(output) }
}

/** From what came, when that may go on; else from everything. */
function offersAfter(session: ExpansionSession, brought: string): ExpandResult['offers'] {
  const further = session.offers(brought)
  return further.length > 0 ? further : session.offers()
}
