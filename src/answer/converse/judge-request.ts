// May a request by an LLM be granted? Resolves its handles, asks the session, and reports one denial of several.

import type { ContextSection, LoopDenial, WrittenRequest } from '../../model/conversation.ts'
import type { ExpansionOutcome, ExpansionSession, PlacedOffer } from '../../model/expansion.ts'
import { mostSpecific } from '../expand/judge-expansion.ts'

export type Allowed = Extract<ExpansionOutcome, { allowed: true }>
type DeniedOutcome = Extract<ExpansionOutcome, { allowed: false }>

/** Why not, and what would be allowed instead, by handles. */
export interface RefusedRequest {
  readonly reason: LoopDenial
  readonly message: string
  readonly offers: readonly PlacedOffer[]
}

/** The session spends and reads when it allows; a denial changes nothing. `shown` has sections by their handles. */
export function judgeRequest(
  { from: named, via, target }: WrittenRequest,
  session: ExpansionSession,
  shown: ReadonlyMap<string, ContextSection>,
  maxTokens: number,
): Allowed | RefusedRequest {
  // A handle names the artifacts of its section; anything else is for the session to understand.
  const origins = named === null ? [undefined] : (shown.get(named)?.artifacts ?? [named])
  const denials: DeniedOutcome[] = []
  for (const from of origins) {
    const outcome = session.expand({ from, via, target }, { maxTokens })
    if (outcome.allowed) return outcome
    denials.push(outcome)
  }
  const { reason, message } = mostSpecific(denials as [DeniedOutcome, ...DeniedOutcome[]])
  const handles = new Map(
    [...shown].flatMap(([handle, { artifacts }]) => artifacts.map((id) => [id, handle] as const)),
  )
  const offers = distinctOffers(denials.flatMap(({ wouldBeAllowed }) => wouldBeAllowed))
  return {
    reason,
    message,
    offers: offers.map((one) => ({ ...one, from: handles.get(one.from) ?? one.from })),
  }
}

/** The first of those that lead to the same target by the same relation. */
export function distinctOffers(offers: readonly PlacedOffer[]): PlacedOffer[] {
  const known = new Map<string, PlacedOffer>()
  for (const offer of offers) {
    const key = JSON.stringify([offer.via, offer.target])
    if (!known.has(key)) known.set(key, offer)
  }
  return [...known.values()]
}
