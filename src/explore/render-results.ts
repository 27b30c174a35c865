// How do results read for a model? Every line of document text under its source, distinct from the frame.
import { formatRanges } from '../answer/assemble/escape-inline.ts'
import { escapeExcerpt } from '../answer/assemble/escape-text.ts'
import { markInvisible, markOneLine } from '../answer/assemble/mark-invisible.ts'
import { renderPlaced } from '../answer/assemble/render-placed.ts'
import type { ExpansionOutcome, PlacedOffer } from '../model/expansion.ts'
import type { SearchHit, SearchResult } from '../model/report.ts'

/** Lines shown of each hit. */
const excerptLines = 4
const longestLine = 240
const longestName = 120

/** One line of bounded length. */
export function clip(text: string, most: number = longestName): string {
  return cut(markOneLine(text), most)
}

function cut(line: string, most: number): string {
  return line.length > most ? `${line.slice(0, most - 1).trimEnd()}…` : line
}

/** The lines that show why a section matched, each cut to a length, as in the document. */
function linesOf({ excerpt }: SearchHit): string[] {
  const lines = excerpt.text.split(/\r?\n/).filter((line) => line.trim() !== '')
  return lines.slice(0, excerptLines).map((line) => cut(line, longestLine))
}

/** These lines with their tabs, and with marks for invisible characters. */
export function excerptOf(hit: SearchHit): string {
  return markInvisible(linesOf(hit).join('\n'))
}

/** Hits in order: rank, headings, handle with lines, and a few lines of text. */
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
  return [
    `${rank}. **${clip(hit.name)}** (score: ${hit.score.toFixed(2)})`,
    `   ${describePlace(hit)}`,
    ...linesOf(hit).map((line) => `   > ${escapeExcerpt(line)}`),
  ].join('\n')
}

/** The handle, which starts with the path, then lines: those of the section, and where to continue in a long one. */
function describePlace({ artifact, lines, place, matchedLines, furtherLines }: SearchHit): string {
  const where = place === undefined ? '' : ` (${markOneLine(place)})`
  const best = matchedLines.length === 0 ? '' : `, best at ${formatRanges(matchedLines)}`
  const also = furtherLines.length === 0 ? '' : `; also at ${formatRanges(furtherLines)}`
  return `${markOneLine(artifact)} lines ${formatRanges([lines])}${where}${best}${also}`
}

/** The outcome of a request to expand. */
export function renderOutcome(outcome: ExpansionOutcome): string {
  if (!outcome.allowed) return `Denied (${outcome.reason}): ${markOneLine(outcome.message)}`
  const { via, from, cost } = outcome.approval
  const taken = cost === 1 ? '' : `, for ${cost} of the budget`
  return `Followed: ${via} from ${markOneLine(from)}${taken}.\n\n${renderPlaced(outcome.brought)}`
}

/** Available requests, grouped by their origin; empty without any. */
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

/** Its name; that it is a sibling, because `defines` does not say so; its cost unless that is 1. */
function describeOffer({ via, cost, name }: PlacedOffer): string {
  const near = via === 'defines' ? ', same document' : ''
  return `${clip(name)}${near}${cost === 1 ? '' : cost === 0 ? '; free' : `; takes ${cost}`}`
}
