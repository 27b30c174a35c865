// How do results read for a model? Every line of document text under its place, none that could be taken for the frame.
import { formatPlace } from '../assemble/escape-inline.ts'
import { escapeExcerpt } from '../assemble/escape-text.ts'
import { markOneLine } from '../assemble/mark-invisible.ts'
import { renderPlaced } from '../assemble/render-placed.ts'
import type { ExpansionOutcome, PlacedOffer } from '../model/expansion.ts'
import type { SearchHit, SearchResult } from '../model/report.ts'

/** Lines shown of each hit. */
const excerptLines = 4
const longestLine = 240
const longestName = 120

/** One line of bounded length. */
export function clip(text: string, most: number = longestName): string {
  const line = markOneLine(text)
  return line.length > most ? `${line.slice(0, most - 1).trimEnd()}…` : line
}

/** The lines that show why a section was found, none of them long. */
export function excerptOf({ excerpt }: SearchHit): string {
  const lines = excerpt.text.split('\n').filter((line) => line.trim() !== '')
  return lines
    .slice(0, excerptLines)
    .map((line) => clip(line, longestLine))
    .join('\n')
}

/** Hits in their order: rank, handle, place, headings, and a few lines. */
export function renderHits({ hits, suggestions, notices }: SearchResult): string {
  if (hits.length > 0)
    return [
      ...notices.map((notice) => clip(notice, longestLine)),
      ...hits.map((hit, at) => renderHit(hit, at + 1)),
    ].join('\n\n')
  const near =
    suggestions.length === 0 ? 'Try other words.' : `Near terms: ${suggestions.map(markOneLine).join(', ')}.`
  return `Nothing in the index matches these words. ${near}`
}

function renderHit(hit: SearchHit, rank: number): string {
  const lines = excerptOf(hit).split('\n')
  return [
    `${rank}. **${clip(hit.name)}** (score: ${hit.score.toFixed(2)})`,
    `   ${markOneLine(hit.artifact)} at ${formatPlace(hit.path, [hit.lines], hit.place)}${describeMatched(hit)}`,
    ...lines.map((line) => `   > ${escapeExcerpt(line)}`),
  ].join('\n')
}

/** Where to read on in a long section. */
function describeMatched({ path, matchedLines }: SearchHit): string {
  return matchedLines.length === 0 ? '' : `, best at ${formatPlace(path, matchedLines)}`
}

/** What became of a request to expand. */
export function renderOutcome(outcome: ExpansionOutcome): string {
  if (!outcome.allowed) return `Denied (${outcome.reason}): ${markOneLine(outcome.message)}`
  const { via, from, cost } = outcome.approval
  const taken = cost === 1 ? '' : `, for ${cost} of the budget`
  return `Brought along: ${via} from ${markOneLine(from)}${taken}.\n\n${renderPlaced(outcome.brought)}`
}

/** What could be asked for, below the places that it starts from; empty when nothing could. */
export function renderOffers(offers: readonly PlacedOffer[]): string {
  const origins = [...new Set(offers.map(({ from }) => from))]
  const lines = origins.flatMap((origin) => [
    `- from ${markOneLine(origin)}`,
    ...offers
      .filter(({ from }) => from === origin)
      .map((offer) => `  - ${offer.via} ${markOneLine(offer.target)} (${describeOffer(offer)})`),
  ])
  return lines.join('\n')
}

/** What it is called; that it stands nearby, because `defines` says nothing of siblings; its price when that is not 1. */
function describeOffer({ via, cost, name }: PlacedOffer): string {
  const near = via === 'defines' ? ', same document' : ''
  return `${clip(name)}${near}${cost === 1 ? '' : cost === 0 ? '; free' : `; takes ${cost}`}`
}
