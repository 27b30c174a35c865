// In which context is an expansion asked, and what if its origin is in none? That is said, with what is there.
import type { Engine, ExpandRequest, ExpandResult } from '../../engine/engine.ts'
import { clip, renderOutcome } from '../../engine/render-results.ts'
import type { ExpansionSession } from '../../model/expansion.ts'
import { operations } from '../operations.ts'
import type { Context } from './contexts.ts'

type Given = Parameters<typeof operations.expand.run>[1] & ExpandRequest

export interface ExpandedIn {
  readonly result: ExpandResult
  readonly context: Context
}

export interface ExpandCall {
  readonly engine: Engine
  readonly signal: AbortSignal
}

/** So many of the artifacts in a context are named. */
const mostNamed = 5

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
  return isUnknown(renamed.result) ? { ...asked, result: explain(asked) } : renamed
}

async function askEach(
  given: Given,
  contexts: readonly [Context, ...Context[]],
  { engine, signal }: ExpandCall,
): Promise<ExpandedIn> {
  let known: ExpandedIn | null = null
  let first: ExpandedIn | null = null
  for (const context of contexts) {
    const refresh = first === null ? given.refresh : 'never'
    const result = await operations.expand.run(
      engine,
      { ...given, refresh },
      { session: context.session, signal },
    )
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
function explain({ result, context: { session } }: ExpandedIn): ExpandResult {
  const { outcome } = result
  if (outcome === null || outcome.allowed) return result
  const way = 'Find it by assemble_context or search to expand from it; read shows its text.'
  const explained = { ...outcome, message: `${outcome.message} ${way} ${describePresent(session)}` }
  return { ...result, outcome: explained, output: renderOutcome(explained) }
}

function describePresent({ present }: ExpansionSession): string {
  if (present.length === 0) return 'The context is empty.'
  const named = present.slice(0, mostNamed).map((id) => clip(id))
  const more = present.length > named.length ? ` and ${present.length - named.length} more` : ''
  return `In the context: ${named.join(', ')}${more}.`
}
