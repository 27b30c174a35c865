// How do a question, a heading and a path stay on their line of the frame? Escapes that read back exactly (test/parse-digest.ts).
import type { Lines } from '../../model/artifact.ts'
import type { PlacedOffer } from '../../model/expansion.ts'
import { clip, markInvisible, markOneLine } from '../../model/mark-invisible.ts'

/** A longer question is shortened in the middle. */
const longestQuery = 300
const keptHead = 200
const keptTail = 90

const queryEscapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '"': '\\"',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

export const isLongQuery = (query: string): boolean => query.length > longestQuery

/** The question between its quotes. */
export function escapeQuery(query: string): string {
  const shown = isLongQuery(query) ? shortenMiddle(query) : query
  return markInvisible(shown.replace(/[\\"\n\r\t]/g, (char) => queryEscapes[char] ?? char))
}

/** A heading's name: its own ` (from ` must not read as the frame's. */
export const escapeName = (name: string): string => markOneLine(name).replaceAll('(from', '\\(from')

/** `45-60,70-89`, and `7` for a single line. */
export const formatRanges = (ranges: readonly Lines[]): string =>
  ranges.map(({ start, end }) => (start === end ? `${start}` : `${start}-${end}`)).join(',')

/** `path:45-60,70-89`, and `paper.pdf:340-352 (p. 12)` for lines of an extracted text. */
export function formatPlace(path: string, ranges: readonly Lines[], place?: string): string {
  const where = place === undefined ? '' : ` (${markOneLine(place)})`
  return `${markOneLine(path)}:${formatRanges(ranges)}${where}`
}

/** Never in the middle of a surrogate pair. */
function shortenMiddle(query: string): string {
  const head = query.slice(0, keptHead).replace(/[\ud800-\udbff]$/, '')
  return `${head}…${query.slice(-keptTail).replace(/^[\udc00-\udfff]/, '')}`
}

/** Available requests, grouped by their origin, and how many more there are; empty without any. */
export function renderOffers(offers: readonly PlacedOffer[], more = 0): string {
  const origins = [...new Set(offers.map(({ from }) => from))]
  const lines = origins.flatMap((origin) => [
    `- from ${markOneLine(origin)}`,
    ...offers
      .filter(({ from }) => from === origin)
      .map((offer) => `  - ${offer.via} ${markOneLine(offer.target)} (${describeOffer(offer)})`),
  ])
  return [...lines, ...(more > 0 ? [`- ${more} more: expand with from alone`] : [])].join('\n')
}

/** Its name; that it is a sibling, because `defines` does not say so; its cost unless that is 1. */
function describeOffer({ via, cost, name }: PlacedOffer): string {
  const near = via === 'defines' ? ', same document' : ''
  return `${clip(name)}${near}${cost === 1 ? '' : cost === 0 ? '; free' : `; takes ${cost}`}`
}
