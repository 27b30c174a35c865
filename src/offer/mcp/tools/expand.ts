// How does an agent follow a reference? In the latest context that knows the origin; a denial says what is possible instead.

import { listSome } from '../../../corpus/lookup/find-definition.ts'
import { renderFollowing, renderOutcome } from '../../../explore/render-results.ts'
import type { ExpandRequest, ExpandResult } from '../../../explore/request-expansion.ts'
import { YoreError } from '../../../model/errors.ts'
import type { ExpansionSession } from '../../../model/expansion.ts'
import { clip } from '../../../model/mark-invisible.ts'
import { operations } from '../../operations/operations.ts'
import type { Contexts } from '../contexts.ts'
import {
  type FitResultOptions,
  fitLines,
  fits,
  mostParts,
  type ToolResult,
  textResult,
} from '../fit-result.ts'
import { freshnessLine } from '../make-results.ts'
import { defineTool, limitTokens, type Tool, type ToolCall } from '../tool.ts'

export const expand: Tool = defineTool(
  {
    name: 'expand',
    description:
      'Follow a reference from a passage of a reply. Call it when the passage relies on text that is missing; from alone lists what is allowed. Not for known lines (read). Example: {"from": "docs/a.md:3-9"}',
    operation: operations.expand,
    inputs: ['from', 'via', 'target'],
    unlisted: ['maxTokens'],
  },
  async (input, call) => {
    if ((input.via === undefined) !== (input.target === undefined))
      throw new YoreError('BAD_INPUT', `${input.via === undefined ? 'via' : 'target'} is missing`, {
        hint: 'give via and target together, or from alone for the list of what is allowed',
      })
    const options = { maxTokens: limitTokens(input.maxTokens), countTokens: call.countTokens }
    const asked = { ...input, maxTokens: tokensToBring(input, options) }
    const result =
      call.contexts === null ? await call.engine.expand(asked) : await expandIn(asked, call.contexts, call)
    const make = (body: string, offers: number): ToolResult => expandResult(body, result, offers)
    // The text is worth more than the list.
    const offers = mostParts(result.offers.length, (count) => fits(make(result.output, count), options))
    if (offers !== null) return make(result.output, offers)
    return fitLines(result.output, (body) => make(body, 0), options)
  },
)

interface ExpandedIn {
  readonly result: ExpandResult
  readonly session: ExpansionSession
}

/** Share and maximum tokens of the list of further references. */
const listShare = 0.1
const listMost = 200
/** Tokens of the lines around a text, without the names in them. */
const factTokens = 40
/** Tokens of the sentence above the text, its source and some lines. */
const leastBrought = 150

/** The tokens for the referenced section, so that it need not be cut afterwards. Throws BUDGET_TOO_SMALL before anything is spent. */
function tokensToBring({ from, via, target = '' }: ExpandRequest, options: FitResultOptions): number {
  const { maxTokens, countTokens } = options
  const [origin, wanted] = [from, target].map((name) => countTokens(clip(name))) as [number, number]
  const around = factTokens + Math.max(origin, wanted)
  const room = Math.floor(maxTokens - around - Math.min(listMost, maxTokens * listShare))
  const least = leastBrought + 2 * origin
  if (via === undefined || room >= least) return Math.max(room, least)
  throw new YoreError('BUDGET_TOO_SMALL', `${maxTokens} tokens cannot hold the referenced section`, {
    leastTokens: Math.ceil((least + around + 2) / (1 - listShare) / 10) * 10,
  })
}

/** Asks in the latest context that knows the origin. Throws BAD_INPUT when nothing in the index is called so. */
async function expandIn(given: ExpandRequest, contexts: Contexts, call: ToolCall): Promise<ExpandResult> {
  const asked = await askEach(given, contexts, call)
  if (!isUnknown(asked.result)) return asked.result
  const { present } = await contexts.engine.startExpansion(given.from)
  // It may be present under another name, such as ADR-013.
  const [id] = present
  const again = { ...given, from: id ?? given.from, refresh: 'never' } as const
  const renamed = again.from === given.from ? asked : await askEach(again, contexts, call)
  if (!isUnknown(renamed.result)) return renamed.result
  return explain(asked.result, contexts.latest().find((one) => one.present.length > 0) ?? asked.session)
}

async function askEach(given: ExpandRequest, contexts: Contexts, { signal }: ToolCall): Promise<ExpandedIn> {
  let known: ExpandedIn | null = null
  let first: ExpandedIn | null = null
  for (const session of contexts.latest()) {
    const asked = first === null ? given : ({ ...given, refresh: 'never' } as const)
    const result = await contexts.engine.expand(asked, { session, signal })
    const found = { result, session }
    first ??= found
    if (isUnknown(result)) continue
    known ??= found
    if (result.outcome !== null || result.offers.length > 0) return found
  }
  return known ?? (first as ExpandedIn)
}

const isUnknown = ({ outcome }: ExpandResult): boolean =>
  outcome !== null && !outcome.allowed && outcome.reason === 'unknown_origin'

/** Adds to a denial how the origin gets into the context, and what the context holds. */
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

/** The outcome, how much may still be expanded, and the first references to follow. */
function expandResult(body: string, result: ExpandResult, count: number): ToolResult {
  const { offers, left, freshness } = result
  const about = `Expansion budget left: ${left.budgetLeft}, ${left.maxDepth} deep at most. ${freshnessLine(freshness)}.`
  const following = renderFollowing(about, offers.slice(0, count), offers.length - count)
  return textResult([...(body === '' ? [] : [body]), following].join('\n\n'))
}
