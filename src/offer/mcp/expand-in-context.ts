// In which context is an expansion asked, and what if its origin is in none? That is said, with what is there.

import { listSome } from '../../corpus/lookup/find-definition.ts'
import { clip, renderOutcome } from '../../explore/render-results.ts'
import type { ExpandRequest, ExpandResult } from '../../explore/request-expansion.ts'
import { YoreError } from '../../model/errors.ts'
import type { ExpansionSession } from '../../model/expansion.ts'
import type { Engine } from '../engine/engine.ts'
import type { InputOf } from '../operations/operation.ts'
import type { operations } from '../operations/operations.ts'
import type { Context } from './contexts.ts'
import { type FitResultOptions, listMost, listShare } from './fit-result.ts'

type Given = InputOf<typeof operations.expand> & ExpandRequest

interface ExpandedIn {
  readonly result: ExpandResult
  readonly context: Context
}

interface ExpandCall {
  readonly engine: Engine
  readonly signal: AbortSignal
}

/** What the facts around a text take beside the names in them. */
const factTokens = 120
/** What the names take at least: a target is often called by a shorter one. */
const nameTokens = 30
/** More than JSON adds to most texts. */
const escapes = 1.12
/** The sentence above what comes along, its source and some lines. */
const leastBrought = 150

/**
 * The tokens of what comes along, so that it need not be cut afterwards: it is paid for and read once. Throws
 * BUDGET_TOO_SMALL before anything is spent.
 */
export function roomToBring({ from, via, target = '' }: ExpandRequest, options: FitResultOptions): number {
  const { maxTokens, countTokens } = options
  const [origin, wanted] = [from, target].map((name) => countTokens(clip(name))) as [number, number]
  const around = factTokens + 3 * Math.max(nameTokens, origin, wanted)
  const room = Math.floor((maxTokens - around - Math.min(listMost, maxTokens * listShare)) / escapes)
  const least = leastBrought + 2 * origin
  if (via === undefined || room >= least) return Math.max(room, least)
  throw new YoreError('BUDGET_TOO_SMALL', `${maxTokens} tokens cannot hold what would come along`, {
    leastTokens: Math.ceil((least * escapes + around + 2) / (1 - listShare) / 10) * 10,
  })
}

/** Asks in the latest context that knows the origin. Throws BAD_INPUT when nothing in the index is called so. */
export async function expandInContext(
  given: Given,
  contexts: readonly [Context, ...Context[]],
  call: ExpandCall,
): Promise<ExpandedIn> {
  const asked = await askEach(given, contexts, call)
  if (!isUnknown(asked.result)) return asked
  const { present } = await call.engine.startExpansion(given.from)
  // It may be there under another of its names, such as ADR-013.
  const [id] = present
  const again = { ...given, from: id ?? given.from, refresh: 'never' } as const
  const renamed = again.from === given.from ? asked : await askEach(again, contexts, call)
  if (!isUnknown(renamed.result)) return renamed
  const context = contexts.find(({ session }) => session.present.length > 0) ?? asked.context
  return { context, result: explain(asked.result, context.session) }
}

async function askEach(
  given: Given,
  contexts: readonly [Context, ...Context[]],
  { engine, signal }: ExpandCall,
): Promise<ExpandedIn> {
  let known: ExpandedIn | null = null
  let first: ExpandedIn | null = null
  for (const context of contexts) {
    const asked = first === null ? given : ({ ...given, refresh: 'never' } as const)
    const result = await engine.expand(asked, { session: context.session, signal })
    const found = { result, context }
    first ??= found
    if (isUnknown(result)) continue
    known ??= found
    if (result.outcome !== null || result.offers.length > 0) return found
  }
  return known ?? (first as ExpandedIn)
}

function isUnknown({ outcome }: ExpandResult): boolean {
  return outcome !== null && !outcome.allowed && outcome.reason === 'unknown_origin'
}

/** How the origin could come into the context, and what is there. */
function explain(result: ExpandResult, session: ExpansionSession): ExpandResult {
  const { outcome } = result
  if (outcome === null || outcome.allowed) return result
  const way = 'Find it by assemble_context or search to expand from it; read shows its text.'
  const explained = { ...outcome, message: `${outcome.message} ${way} ${describePresent(session)}` }
  return { ...result, outcome: explained, left: session.left, output: renderOutcome(explained) }
}

function describePresent({ present }: ExpansionSession): string {
  if (present.length === 0) return 'The context is empty.'
  return `In the context: ${listSome(present.map((id) => clip(id)))}.`
}
