// How does an agent get a digest? The list of what may be expanded has a share of its tokens; the digest takes the rest.
import type { AssembleOptions } from '../../../answer/answering/question-options.ts'
import { presentIn } from '../../../explore/expand-context.ts'
import { YoreError } from '../../../model/errors.ts'
import type { ExpansionSession, PlacedOffer, PresentArtifact } from '../../../model/expansion.ts'
import type { AssembleResult } from '../../../model/report.ts'
import type { InputOf } from '../../operations/operation.ts'
import { callerOptions, operations, scopeOptions } from '../../operations/operations.ts'
import {
  type FitResultOptions,
  fits,
  listMost,
  listShare,
  mostParts,
  shareOf,
  type ToolResult,
} from '../fit-result.ts'
import { type ContextFacts, expansionBlock, listOffers } from '../make-results.ts'
import { defineTool, limitTokens, type Tool, type ToolCall } from '../tool.ts'

const operation = operations.assemble

export const assembleContext: Tool = defineTool(
  {
    name: 'assemble_context',
    operation,
    needs: 'question',
    inputs: ['question', 'maxTokens', ...Object.keys({ ...callerOptions, ...scopeOptions })],
  },
  async (input, call) => {
    const options = { maxTokens: limitTokens(input.maxTokens), countTokens: call.countTokens }
    const draft = await fillBudget(input, options, call)
    call.signal.throwIfAborted()
    const { id, session } = call.contexts.open(input.question, draft.present, draft.session)
    const context = { id, left: session.left, offers: offersFrom(session, draft) }
    const make = (parts: number): ToolResult => makeResult(draft.answer, context, parts)
    return make(mostParts(context.offers.length, (parts) => fits(make(parts), options)) ?? 0)
  },
)

/** A digest, what it holds, and what may be expanded from it. */
interface DigestDraft {
  readonly answer: AssembleResult
  readonly present: readonly PresentArtifact[]
  readonly session: ExpansionSession
  readonly offers: readonly PlacedOffer[]
}

/** A placeholder with the most tokens that a context id takes. */
const someId = 'Z-7_Z-7_Z-7_'

/** Tokens of the list of expansions. */
function listRoom(maxTokens: number): number {
  return Math.min(listMost, Math.floor(maxTokens * listShare))
}

/** The smallest budget that leaves this many tokens for the digest. */
function budgetFor(digestTokens: number): number {
  let maxTokens = digestTokens
  while (maxTokens - listRoom(maxTokens) < digestTokens) maxTokens++
  return maxTokens
}

/**
 * A digest that leaves tokens for the list, assembled once: each try is measured as the result that it would become.
 * Throws BUDGET_TOO_SMALL with the tokens that would do.
 */
async function fillBudget(
  input: InputOf<typeof operation>,
  options: FitResultOptions,
  { engine, settings }: ToolCall,
): Promise<DigestDraft> {
  const { maxTokens, countTokens } = options
  const left = { budgetLeft: settings.expansionBudget, maxDepth: settings.depth }
  const someOffer = { from: '', via: '', target: '', cost: 1, name: '' }
  const context = { id: someId, left, offers: Array.from({ length: 10 }, () => someOffer) }
  const sizeOf: NonNullable<AssembleOptions['sizeOf']> = (output, about) => {
    const bare = makeResult({ output, freshness: about.freshness }, context, 0)
    const most = budgetFor(about.maxTokens)
    const over = shareOf(bare, { maxTokens: most, countTokens }) - most
    return about.maxTokens + over
  }
  const asked = {
    ...input,
    askForWords: true,
    format: 'markdown',
    layout: 'brief',
    statedTokens: maxTokens,
    sizeOf,
  } as const
  const digestTokens = Math.max(1, maxTokens - listRoom(maxTokens))
  const answer = await engine
    .assemble(input.question, { ...asked, maxTokens: digestTokens })
    .catch((error: unknown) => {
      if (!(error instanceof YoreError) || error.leastTokens === null) throw error
      throw new YoreError(
        'BUDGET_TOO_SMALL',
        `${maxTokens} tokens cannot hold the question, one source and the facts around them`,
        { leastTokens: Math.ceil(budgetFor(error.leastTokens) / 10) * 10 },
      )
    })
  const present = presentIn(answer.digest)
  const session = await engine.startExpansion(present)
  return { answer, present, session, offers: mostUseful(session.offers()) }
}

/** What may be expanded from what the digest holds, in a context that may hold more. */
function offersFrom(
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

const usefulOffers = 4

/** Every section has relatives: a digest lists few of them, a denial more. */
function mostUseful(offers: readonly PlacedOffer[]): readonly PlacedOffer[] {
  const references = offers.filter(({ via }) => via !== 'defines')
  const family = offers.filter(({ via }) => via === 'defines')
  return [...references, ...family.slice(0, Math.max(0, usefulOffers - references.length))]
}

/** The digest and the first offers: text alone, so that every client shows the same. */
function makeResult(
  { output, freshness }: Pick<AssembleResult, 'output' | 'freshness'>,
  context: ContextFacts,
  parts: number,
): ToolResult {
  const text = `${output.trimEnd()}\n\n${expansionBlock(listOffers(context, parts), freshness)}`
  return { content: [{ type: 'text', text }] }
}
