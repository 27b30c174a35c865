// How does a digest with its list fit into the tokens that an agent gave? The list has a share; the digest takes the rest.
import type { AssembleOptions } from '../../answer/answering/question-options.ts'
import { presentIn } from '../../explore/expand-context.ts'
import { YoreError } from '../../model/errors.ts'
import type { ExpansionLeft, ExpansionSession, PlacedOffer, PresentArtifact } from '../../model/expansion.ts'
import type { AssembleResult } from '../../model/report.ts'
import type { Engine } from '../engine/engine.ts'
import {
  type FitResultOptions,
  fits,
  listMost,
  listShare,
  mostParts,
  shareOf,
  type ToolResult,
} from './fit-result.ts'
import { assembleResult, type ContextFacts, mostUseful } from './make-results.ts'

/** A digest, what it holds, and what may be expanded from it. */
export interface DigestDraft {
  readonly answer: AssembleResult
  readonly present: readonly PresentArtifact[]
  readonly session: ExpansionSession
  readonly offers: readonly PlacedOffer[]
}

interface FillOptions extends FitResultOptions {
  readonly engine: Engine
  /** Of a new context. */
  readonly left: ExpansionLeft
  /** A digest of at most so many tokens, whose size is asked of `sizeOf`. */
  readonly assemble: (
    digestTokens: number,
    sizeOf: NonNullable<AssembleOptions['sizeOf']>,
  ) => Promise<AssembleResult>
}

/** As many tokens as the name of a context ever has. */
const someId = 'Z-7_Z-7_Z-7_'

/** What a list may take beside a digest. */
function listRoom(maxTokens: number): number {
  return Math.min(listMost, Math.floor(maxTokens * listShare))
}

/** The least budget that leaves so many tokens beside its list. */
function budgetFor(digestTokens: number): number {
  let maxTokens = digestTokens
  while (maxTokens - listRoom(maxTokens) < digestTokens) maxTokens++
  return maxTokens
}

/**
 * The digest beside which a list has room, assembled once: while it is fitted, each try is measured as the result that
 * it would become. Throws BUDGET_TOO_SMALL with the tokens that would do.
 */
export async function fillBudget(options: FillOptions): Promise<DigestDraft> {
  const { maxTokens, countTokens, engine, left, assemble } = options
  const someOffer = { from: '', via: '', target: '', cost: 1, name: '' }
  const context = { id: someId, left, offers: Array.from({ length: 10 }, () => someOffer) }
  const sizeOf: NonNullable<AssembleOptions['sizeOf']> = (output, about) => {
    const bare = assembleResult({ output, freshness: about.freshness }, context, 0)
    const most = budgetFor(about.maxTokens)
    const over = shareOf(bare, { maxTokens: most, countTokens }) - most
    return about.maxTokens + over
  }
  const answer = await assemble(Math.max(1, maxTokens - listRoom(maxTokens)), sizeOf).catch(
    (error: unknown) => {
      if (!(error instanceof YoreError) || error.leastTokens === null) throw error
      throw new YoreError(
        'BUDGET_TOO_SMALL',
        `${maxTokens} tokens cannot hold the question, one source and the facts around them`,
        { leastTokens: Math.ceil(budgetFor(error.leastTokens) / 10) * 10 },
      )
    },
  )
  const present = presentIn(answer.digest)
  const session = await engine.startExpansion(present)
  return { answer, present, session, offers: mostUseful(session.offers()) }
}

/** The result, with as much of the list as fits beside the digest. */
export function fitList(
  answer: AssembleResult,
  context: ContextFacts,
  options: FitResultOptions,
): ToolResult {
  const make = (parts: number): ToolResult => assembleResult(answer, context, parts)
  return make(mostParts(context.offers.length, (parts) => fits(make(parts), options)) ?? 0)
}

/** What may be expanded from what stands in the digest, in a context that may hold more. */
export function offersFrom(
  held: ExpansionSession,
  { session, present, offers }: DigestDraft,
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
