// What does each tool answer? Text that reads well, and beside all but digests the same facts as JSON.

import {
  describeCompared,
  describeFailed,
  describeIncomplete,
} from '../../corpus/indexing/describe-freshness.ts'
import type { ReadResult } from '../../explore/read-passage.ts'
import { clip, excerptOf, renderHits, renderOffers } from '../../explore/render-results.ts'
import type { ExpandResult } from '../../explore/request-expansion.ts'
import type { ExpansionLeft, PlacedOffer } from '../../model/expansion.ts'
import type { AssembleResult, Freshness, SearchResult, StatusReport } from '../../model/report.ts'
import type { Context } from './contexts.ts'
import type { ToolResult } from './fit-result.ts'

const usefulOffers = 4
/** A message of the system may be of any length. */
const longestTold = 240

type Facts = Readonly<Record<string, unknown>>

function makeResult(text: string, structuredContent: Facts): ToolResult {
  return { content: [{ type: 'text', text }], structuredContent }
}

function freshnessFacts({ state, changedFiles, indexedAt, compared, failure }: Freshness): Facts {
  const time = state === 'incomplete' ? null : new Date(indexedAt).toISOString()
  const more = {
    ...(compared === undefined ? {} : { compared }),
    ...(failure === undefined ? {} : { failure }),
  }
  return { state, changedFiles, indexedAt: time, ...more }
}

function freshnessLine(freshness: Freshness): string {
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

/** What a result says about the context that it belongs to. */
export interface ContextFacts {
  readonly id: string
  readonly left: ExpansionLeft
  readonly offers: readonly PlacedOffer[]
  /** Offers for which there was no room. */
  readonly unlisted?: number
}

/** Document headings in a digest are demoted, so that no document can write this one. */
function expansionBlock(context: ContextFacts, freshness: Freshness): string {
  const { budgetLeft, maxDepth } = context.left
  const facts = `Context ${context.id}; expansion budget left: ${budgetLeft} (one takes 1), ${maxDepth} deep at most; ${freshnessLine(freshness)}.`
  return `## Expansion\n\n${facts}\n${describeOffers(context)}`
}

function describeOffers({ offers, unlisted = 0 }: ContextFacts): string {
  if (offers.length === 0)
    return unlisted === 0
      ? 'Nothing more can be brought along.'
      : `Can be brought along: ${unlisted}; call expand with from alone for the list.`
  const more = unlisted === 0 ? '' : `\n- and ${unlisted} more`
  return `Can be brought along:\n${renderOffers(offers)}${more}`
}

function expansionFacts({ id, left, offers, unlisted = 0 }: ContextFacts): Facts {
  const more = unlisted === 0 ? {} : { more: unlisted }
  return { context: id, expansion: { ...left, allowed: offers.map(offerFacts), ...more } }
}

/** As many of the offers as there is room for. */
function listSome(context: ContextFacts, most: number): ContextFacts {
  const offers = context.offers.slice(0, Math.max(0, most))
  return { ...context, offers, unlisted: context.offers.length - offers.length }
}

/** Every section has a family: of that a digest lists little, and a denial more. */
export function mostUseful(offers: readonly PlacedOffer[]): readonly PlacedOffer[] {
  const references = offers.filter(({ via }) => via !== 'defines')
  const family = offers.filter(({ via }) => via === 'defines')
  return [...references, ...family.slice(0, Math.max(0, usefulOffers - references.length))]
}

/** The digest and, of what may be expanded, as many as `parts` says: text alone, so that every client shows the same. */
export function assembleResult(
  { output, freshness }: Pick<AssembleResult, 'output' | 'freshness'>,
  context: ContextFacts,
  parts: number,
): ToolResult {
  const text = `${output.trimEnd()}\n\n${expansionBlock(listSome(context, parts), freshness)}`
  return { content: [{ type: 'text', text }] }
}

export function searchResult(found: SearchResult, context: Context): ToolResult {
  const { hits, candidateSections, freshness } = found
  const { budgetLeft } = context.session.left
  const text = [
    renderHits(found),
    `Context ${context.id}; ${hits.length} of ${candidateSections} sections; expansion budget left: ${budgetLeft}; ${freshnessLine(freshness)}.`,
  ]
  return makeResult(text.join('\n\n'), {
    context: context.id,
    expansion: context.session.left,
    candidateSections,
    confidence: found.confidence.label,
    suggestions: found.suggestions.map((term) => clip(term)),
    freshness: freshnessFacts(freshness),
    hits: hits.map((hit) => ({
      handle: hit.artifact,
      path: hit.path,
      lines: `${hit.lines.start}-${hit.lines.end}`,
      ...placeFact(hit),
      ...(hit.matchedLines.length === 0
        ? {}
        : { bestLines: hit.matchedLines.map(({ start, end }) => `${start}-${end}`) }),
      name: clip(hit.name),
      score: Number(hit.score.toFixed(3)),
      excerpt: excerptOf(hit),
    })),
  })
}

/** With as many of the offers as `parts` says. */
export function expandResult(body: string, result: ExpandResult, id: string, parts: number): ToolResult {
  const { outcome, offers, left, freshness } = result
  const context = listSome({ id, left, offers }, parts)
  const text = [...(body === '' ? [] : [body]), expansionBlock(context, freshness)].join('\n\n')
  return makeResult(text, {
    ...outcomeFacts(outcome),
    ...expansionFacts(context),
    freshness: freshnessFacts(freshness),
    ...(body === '' ? {} : { text: body }),
  })
}

function placeFact({ place }: { readonly place?: string | undefined }): Facts {
  return place === undefined ? {} : { place }
}

function outcomeFacts(outcome: ExpandResult['outcome']): Facts {
  if (outcome === null) return {}
  if (!outcome.allowed) return { allowed: false, reason: outcome.reason, message: outcome.message }
  const { from, via, target, cost, depth } = outcome.approval
  const { path, lines, place, truncated } = outcome.brought
  return {
    allowed: true,
    cost,
    from,
    via,
    depth,
    handle: target,
    path,
    lines: `${lines.start}-${lines.end}`,
    ...placeFact({ place }),
    truncated,
  }
}

export function readResult({ output, passage, next, tokensUsed, freshness }: ReadResult): ToolResult {
  const more = next === null ? '' : `; read on at ${next}`
  return makeResult(`${output}\n\n---\n\n${tokensUsed} tokens${more}; ${freshnessLine(freshness)}.`, {
    handle: passage.id,
    path: passage.path,
    lines: `${passage.lines.start}-${passage.lines.end}`,
    ...placeFact(passage),
    truncated: passage.truncated,
    next,
    tokens: tokensUsed,
    freshness: freshnessFacts(freshness),
    text: output,
  })
}

function builtAt({ state, indexedAt }: Freshness): string {
  return state === 'incomplete' ? '' : `, built ${new Date(indexedAt).toISOString()}`
}

export function reportResult(output: string, freshness: Freshness): ToolResult {
  return { content: [{ type: 'text', text: `${output.trimEnd()}\n\n${freshnessLine(freshness)}.` }] }
}

export function statusResult(report: StatusReport): ToolResult {
  const { files, sections, tokens, languages, skipped, masked, vectors, freshness, yoreVersion } = report
  const facts = {
    root: report.root,
    files,
    sections,
    tokens,
    languages,
    skipped: skipped.length,
    masked: masked.length,
    vectors: { model: vectors.model, embedded: vectors.embedded, total: vectors.total },
    freshness: freshnessFacts(freshness),
    yoreVersion,
  }
  const kinds = Object.entries(languages).map(([language, count]) => `${language} ${count}`)
  const text = [
    `${files} files (${kinds.join(', ')}), ${sections} sections, ${tokens} tokens; ${skipped.length} files skipped, ${masked.length} secrets masked.`,
    `${freshnessLine(freshness)}${builtAt(freshness)}; yore ${yoreVersion}.`,
    vectors.model === null ? 'Search goes by words.' : `Search goes by words and meaning (${vectors.model}).`,
  ]
  return makeResult(text.join('\n'), facts)
}
