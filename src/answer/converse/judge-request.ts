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

interface RequestSituation {
  readonly session: ExpansionSession
  /** Sections by their handles. */
  readonly shown: ReadonlyMap<string, ContextSection>
  /** Tokens that the text may take. */
  readonly maxTokens: number
}

/** The session spends and reads when it allows; a denial changes nothing. */
export function judgeRequest(request: WrittenRequest, situation: RequestSituation): Allowed | RefusedRequest {
  const { session, shown, maxTokens } = situation
  const { via, target } = request
  const denials: DeniedOutcome[] = []
  for (const from of originsOf(request.from, shown)) {
    const outcome = session.expand({ from, via, target }, { maxTokens })
    if (outcome.allowed) return outcome
    denials.push(outcome)
  }
  const { reason, message } = mostSpecific(denials as [DeniedOutcome, ...DeniedOutcome[]])
  return {
    reason,
    message,
    offers: placeOffers(
      denials.flatMap((one) => one.wouldBeAllowed),
      shown,
    ),
  }
}

/** The artifacts of the section that a handle names; anything else is for the session to understand. */
function originsOf(
  from: string | null,
  shown: ReadonlyMap<string, ContextSection>,
): readonly (string | undefined)[] {
  if (from === null) return [undefined]
  return shown.get(from)?.artifacts ?? [from]
}

/** Offers by the handles that the LLM knows, each once. */
function placeOffers(
  offers: readonly PlacedOffer[],
  shown: ReadonlyMap<string, ContextSection>,
): PlacedOffer[] {
  const handles = new Map(
    [...shown].flatMap(([handle, { artifacts }]) => artifacts.map((id) => [id, handle] as const)),
  )
  const placed = new Map<string, PlacedOffer>()
  for (const offer of offers) {
    const key = JSON.stringify([offer.via, offer.target])
    if (!placed.has(key)) placed.set(key, { ...offer, from: handles.get(offer.from) ?? offer.from })
  }
  return [...placed.values()]
}
