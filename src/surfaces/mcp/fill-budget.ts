// How does a digest with its list fit into the tokens that an agent gave? The list has a share; the digest takes the rest.
import type { Engine } from '../../engine/engine.ts'
import { presentIn } from '../../engine/expand-context.ts'
import { YoreError } from '../../errors.ts'
import type { ExpansionSession, PlacedOffer, PresentArtifact } from '../../model/expansion.ts'
import type { AssembleResult } from '../../model/report.ts'
import {
  type FitOptions,
  fits,
  listMost,
  listShare,
  mostParts,
  sizeOf,
  type ToolResult,
} from './fit-result.ts'
import { assembleResult, type ContextFacts, mostUseful } from './make-results.ts'

/** A digest, what it holds, and what may be expanded from it. */
export interface Draft {
  readonly answer: AssembleResult
  readonly present: readonly PresentArtifact[]
  readonly session: ExpansionSession
  readonly offers: readonly PlacedOffer[]
}

export interface FillOptions extends FitOptions {
  readonly engine: Engine
  /** A digest of at most so many tokens. */
  readonly assemble: (digestTokens: number) => Promise<AssembleResult>
}

/** A digest that was counted by another tokenizer, or that JSON makes much longer, is made smaller so often. */
const attempts = 4
/** As many tokens as the name of a context ever has. */
const someId = 'Z-7_Z-7_Z-7_'

/** The digest beside which a list has room. Throws BUDGET_TOO_SMALL with the tokens that would do. */
export async function fillBudget(options: FillOptions): Promise<Draft> {
  const { maxTokens, countTokens } = options
  let digestTokens = maxTokens - Math.min(listMost, Math.floor(maxTokens * listShare))
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const answer = await assembleWithin(digestTokens, options)
    if (answer === null) break
    const draft = await describe(answer, options.engine)
    const result = bareResult(draft)
    if (fits(result, options)) return draft
    const share = Math.min(0.9, maxTokens / sizeOf(result, countTokens)) - attempt / 50
    digestTokens = Math.floor(digestTokens * share)
  }
  return makeSmallest(options)
}

/** The result, with as much of the list as fits beside the digest. */
export function fitList(answer: AssembleResult, context: ContextFacts, options: FitOptions): ToolResult {
  const make = (parts: number): ToolResult => assembleResult(answer, context, parts)
  return make(mostParts(context.offers.length, (parts) => fits(make(parts), options)) ?? 0)
}

/** What may be expanded from what stands in the digest, in a context that may hold more. */
export function offersFrom(
  held: ExpansionSession,
  { session, present, offers }: Draft,
): readonly PlacedOffer[] {
  if (held === session) return offers
  const found = new Map<string, PlacedOffer>()
  for (const { id } of present)
    for (const offer of held.offers(id)) {
      const key = JSON.stringify([offer.via, offer.target])
      if (offer.from === id && !found.has(key)) found.set(key, offer)
    }
  return mostUseful([...found.values()])
}

function bareResult({ answer, session, offers }: Draft): ToolResult {
  return assembleResult(answer, { id: someId, left: session.left, offers }, 0)
}

/** Null when no source fits. */
async function assembleWithin(tokens: number, { assemble }: FillOptions): Promise<AssembleResult | null> {
  try {
    return await assemble(Math.max(1, tokens))
  } catch (error) {
    if (error instanceof YoreError && error.code === 'BUDGET_TOO_SMALL') return null
    throw error
  }
}

/** The smallest digest with a source is always the same, so that the budget which is named as enough is enough. */
async function makeSmallest(options: FillOptions): Promise<Draft> {
  const { maxTokens, countTokens, assemble, engine } = options
  const answer = await assemble(1).catch((error: unknown) => {
    if (error instanceof YoreError && error.leastTokens !== null) return assemble(error.leastTokens)
    throw error
  })
  const draft = await describe(answer, engine)
  const least = countTokens(bareResult(draft).content[0].text)
  if (least <= maxTokens) return draft
  throw new YoreError(
    'BUDGET_TOO_SMALL',
    `${maxTokens} tokens cannot hold the question, one source and the facts around them`,
    // The digits of a larger budget may add some.
    { leastTokens: Math.ceil((least + 4) / 10) * 10 },
  )
}

async function describe(answer: AssembleResult, engine: Engine): Promise<Draft> {
  const present = presentIn(answer.digest)
  const session = await engine.startExpansion(present)
  return { answer, present, session, offers: mostUseful(session.offers()) }
}
