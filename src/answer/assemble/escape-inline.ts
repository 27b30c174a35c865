// How do a question, a heading and a path stay on their line of the frame? Escapes that read back exactly.
import type { Lines } from '../../model/artifact.ts'
import type { PlacedOffer } from '../../model/expansion.ts'
import { clip, markInvisible, markOneLine, unmarkInvisible } from '../../model/mark-invisible.ts'

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
const queryUnescapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

export function isLongQuery(query: string): boolean {
  return query.length > longestQuery
}

/** The question between its quotes. */
export function escapeQuery(query: string): string {
  const shown = isLongQuery(query) ? shortenMiddle(query) : query
  return markInvisible(shown.replace(/[\\"\n\r\t]/g, (char) => queryEscapes[char] ?? char))
}

/** Inverts `escapeQuery`, except for the omitted middle of a long question. */
export function unescapeQuery(escaped: string): string {
  return unmarkInvisible(escaped).replace(/\\(.)/g, (_, char: string) => queryUnescapes[char] ?? char)
}

/** A heading's name: its own ` (from ` must not read as the frame's. */
export function escapeName(name: string): string {
  return markOneLine(name).replaceAll('(from', '\\(from')
}

export function unescapeName(escaped: string): string {
  return unmarkInvisible(escaped.replaceAll('\\(from', '(from'))
}

/** `45-60,70-89`, and `7` for a single line. */
export function formatRanges(ranges: readonly Lines[]): string {
  return ranges.map(({ start, end }) => (start === end ? `${start}` : `${start}-${end}`)).join(',')
}

/** `path:45-60,70-89`, and `paper.pdf:340-352 (p. 12)` for lines of an extracted text. */
export function formatPlace(path: string, ranges: readonly Lines[], place?: string): string {
  const where = place === undefined ? '' : ` (${markOneLine(place)})`
  return `${markOneLine(path)}:${formatRanges(ranges)}${where}`
}

/** Inverts `formatPlace`; null when the text is not a place. */
export function parsePlace(
  text: string,
): { readonly path: string; readonly ranges: readonly Lines[]; readonly place?: string } | null {
  // No place holds a colon or a parenthesis, so that nothing else ends like this.
  const open = text.endsWith(')') ? text.lastIndexOf(' (') : -1
  const named = open < 0 ? undefined : text.slice(open + 2, -1)
  if (named !== undefined && /^$|[():]/.test(named)) return null
  const place = open < 0 ? text : text.slice(0, open)
  const colon = place.lastIndexOf(':')
  if (colon < 0) return null
  const ranges: Lines[] = []
  for (const range of place.slice(colon + 1).split(',')) {
    const [, start, end] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? []
    if (start === undefined) return null
    ranges.push({ start: Number(start), end: Number(end ?? start) })
  }
  const path = unmarkInvisible(place.slice(0, colon))
  return { path, ranges, ...(named === undefined ? {} : { place: unmarkInvisible(named) }) }
}

/** Never in the middle of a surrogate pair. */
function shortenMiddle(query: string): string {
  const head = query.slice(0, keptHead).replace(/[\ud800-\udbff]$/, '')
  const tail = query.slice(-keptTail).replace(/^[\udc00-\udfff]/, '')
  return `${head}…${tail}`
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
