// What does an agent get for one request? The verdict, the added text, the remaining budget, and the next options.
import { nearestName } from '../model/config/nearest-name.ts'
import { viaNames } from '../model/config/rulebook-names.ts'
import { YoreError } from '../model/errors.ts'
import type { ExpansionLeft, ExpansionOutcome, ExpansionSession, PlacedOffer } from '../model/expansion.ts'
import type { RenderedResult } from '../model/report.ts'
import type { TokenCounter } from '../read/tokens/token-counter.ts'
import { renderOutcome } from './render-results.ts'

/** Without `via` and `target` it lists the allowed requests. */
export interface ExpandRequest {
  readonly from: string
  readonly via?: string | undefined
  readonly target?: string | undefined
  readonly maxTokens?: number
  readonly refresh?: 'auto' | 'never'
}

/** The output is the added text, or the denial in words, within the budget. */
export interface ExpandResult extends RenderedResult {
  /** Null for a list of allowed requests. */
  readonly outcome: ExpansionOutcome | null
  /** The requests that are allowed now. */
  readonly offers: readonly PlacedOffer[]
  readonly left: ExpansionLeft
}

/** Token budget of the added text by default. */
const usualTokens = 4000
/** Tokens of the sentence above it. */
const frameTokens = 60

/** Judges and reads synchronously, so that requests of a session do not interleave. */
export function requestExpansion(
  session: ExpansionSession,
  request: ExpandRequest,
  countTokens: TokenCounter,
): Omit<ExpandResult, 'freshness'> {
  const { from, via, target } = request
  if (via === undefined || target === undefined) {
    checkVia(via)
    const offers = session.offers(from, { via, target })
    const denial = offers.length > 0 ? null : lookForOrigin(session, from)
    if (denial === null) return { outcome: null, offers, left: session.left, output: '', tokensUsed: 0 }
    return describeOutcome(session, denial, countTokens)
  }
  const maxTokens = Math.max(1, (request.maxTokens ?? usualTokens) - frameTokens - 2 * countTokens(from))
  return describeOutcome(session, session.expand({ from, via, target }, { maxTokens }), countTokens)
}

function describeOutcome(session: ExpansionSession, outcome: ExpansionOutcome, countTokens: TokenCounter) {
  const offers = outcome.allowed ? offersAfter(session, outcome.brought.id) : outcome.wouldBeAllowed
  const output = renderOutcome(outcome)
  return { outcome, offers, left: session.left, output, tokensUsed: countTokens(output) }
}

/** The denial of an origin outside the context; null if it is inside without relations. */
function lookForOrigin(session: ExpansionSession, from: string): ExpansionOutcome | null {
  // The empty name is always denied, and costs nothing.
  const outcome = session.expand({ from, via: '', target: '' }, { maxTokens: 1 })
  return !outcome.allowed && outcome.reason === 'unknown_origin' ? outcome : null
}

/** An empty list would not say that the relation is unknown. */
function checkVia(via: string | undefined): void {
  if (via === undefined || viaNames.includes(via)) return
  const near = nearestName(via, viaNames)
  throw new YoreError('BAD_INPUT', `unknown relation ${JSON.stringify(via)}`, {
    hint: near === null ? `relations are ${viaNames.join(', ')}` : `did you mean ${near}?`,
  })
}

/** From the added text if that may continue; otherwise from everything. */
function offersAfter(session: ExpansionSession, brought: string): ExpandResult['offers'] {
  const further = session.offers(brought)
  return further.length > 0 ? further : session.offers()
}
