// What do the results of all tools share? Text that reads well, the same facts as JSON, freshness, and what may be expanded.
import {
  describeCompared,
  describeFailed,
  describeIncomplete,
} from '../../corpus/indexing/describe-freshness.ts'
import type { Report } from '../../explore/fit-report.ts'
import { clip, renderOffers } from '../../explore/render-results.ts'
import type { ExpansionLeft, PlacedOffer } from '../../model/expansion.ts'
import type { Freshness } from '../../model/report.ts'
import { fitLines, type ToolResult } from './fit-result.ts'
import { limitTokens, type Serving } from './tool.ts'

/** Tokens that a report leaves for its last line. */
const freshnessTokens = 30
/** Maximum length of an error message of the system. */
const longestTold = 240

export type Facts = Readonly<Record<string, unknown>>

export function makeResult(text: string, structuredContent: Facts): ToolResult {
  return { content: [{ type: 'text', text }], structuredContent }
}

export function freshnessFacts({ state, changedFiles, indexedAt, compared, failure }: Freshness): Facts {
  const time = state === 'incomplete' ? null : new Date(indexedAt).toISOString()
  const more = {
    ...(compared === undefined ? {} : { compared }),
    ...(failure === undefined ? {} : { failure }),
  }
  return { state, changedFiles, indexedAt: time, ...more }
}

export function freshnessLine(freshness: Freshness): string {
  const { state, changedFiles, compared } = freshness
  const told = describeFailed(freshness) ?? describeIncomplete(freshness)
  if (told !== null) return clip(told, longestTold)
  if (state === 'unchecked') return 'index not compared with the files'
  if (state === 'fresh' && compared !== undefined) return `index fresh: ${describeCompared(compared)}`
  return state === 'stale' ? `index stale, ${changedFiles} changed` : `index ${state}`
}

function offerFacts({ from, via, target, cost }: PlacedOffer): Facts {
  return { from, via, target, cost }
}

/** The context of a result. */
export interface ContextFacts {
  readonly id: string
  readonly left: ExpansionLeft
  readonly offers: readonly PlacedOffer[]
  /** Offers that did not fit. */
  readonly unlisted?: number
}

/** Document headings in a digest are demoted, so that no document can write this one. */
export function expansionBlock(context: ContextFacts, freshness: Freshness): string {
  const { budgetLeft, maxDepth } = context.left
  const facts = `Context ${context.id}; expansion budget left: ${budgetLeft} (one takes 1), ${maxDepth} deep at most; ${freshnessLine(freshness)}.`
  return `## Expansion\n\n${facts}\n${describeOffers(context)}`
}

function describeOffers({ offers, unlisted = 0 }: ContextFacts): string {
  if (offers.length === 0)
    return unlisted === 0
      ? 'No more references to follow.'
      : `References to follow: ${unlisted}; call expand with from alone for the list.`
  const more = unlisted === 0 ? '' : `\n- and ${unlisted} more`
  return `References to follow:\n${renderOffers(offers)}${more}`
}

export function expansionFacts({ id, left, offers, unlisted = 0 }: ContextFacts): Facts {
  const more = unlisted === 0 ? {} : { more: unlisted }
  return { context: id, expansion: { ...left, allowed: offers.map(offerFacts), ...more } }
}

/** The first offers, and how many are left. */
export function listOffers(context: ContextFacts, most: number): ContextFacts {
  const offers = context.offers.slice(0, Math.max(0, most))
  return { ...context, offers, unlisted: context.offers.length - offers.length }
}

/** The place inside a document (page, slide, cell), where it has one. */
export function placeFact({ place }: { readonly place?: string | undefined }): Facts {
  return place === undefined ? {} : { place }
}

/** Text alone, as of a digest; its last line says how fresh the index is. */
export async function reportResult(
  asked: { readonly maxTokens: number },
  { countTokens }: Pick<Serving, 'countTokens'>,
  make: (maxTokens: number) => Promise<Report<unknown>>,
): Promise<ToolResult> {
  const maxTokens = limitTokens(asked.maxTokens)
  const { output, freshness } = await make(maxTokens - freshnessTokens)
  const last = `${freshnessLine(freshness)}.`
  return fitLines(output, (body) => ({ content: [{ type: 'text', text: `${body.trimEnd()}\n\n${last}` }] }), {
    maxTokens,
    countTokens,
  })
}
