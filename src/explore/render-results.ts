// How do results read for a model? Every line of document text under its source, distinct from the frame.

import { describeNextStep, digestFrame as frame, howAsked } from '../answer/assemble/digest-frame.ts'
import { formatPlace, formatRanges, renderOffers } from '../answer/assemble/escape-inline.ts'
import { renderPlaced } from '../answer/assemble/render-placed.ts'
import { describeConfidence, describeWords } from '../model/describe-confidence.ts'
import type { ExpansionOutcome, PlacedOffer } from '../model/expansion.ts'
import { clip, cut, markInvisible, markOneLine } from '../model/mark-invisible.ts'
import type { SearchHit, SearchResult } from '../model/report.ts'
import type { TokenCounter } from '../read/tokens/token-counter.ts'

/** Tokens of a list: these for each hit, and never fewer than the least. */
const hitTokens = 50
const leastTokens = 300
const longestNotice = 240

/** How much of each hit is shown: its lines, characters of a line and of its name, and further places in its file. */
interface HitShape {
  readonly lines: number
  readonly width: number
  readonly name: number
  readonly also: number
}

const shapes: readonly HitShape[] = [
  { lines: 3, width: 240, name: 120, also: 3 },
  { lines: 2, width: 160, name: 80, also: 3 },
  { lines: 1, width: 160, name: 80, also: 2 },
  { lines: 1, width: 110, name: 60, also: 1 },
  { lines: 1, width: 80, name: 50, also: 0 },
  { lines: 1, width: 50, name: 40, also: 0 },
  { lines: 0, width: 0, name: 40, also: 0 },
  { lines: 0, width: 0, name: 0, also: 0 },
]

/**
 * Hits in order, each with its place, its name and its best lines, in at most 50 tokens a hit: lines get fewer and shorter,
 * then the list. The first line says how sure it is and what to do next.
 */
export function renderHits(found: SearchResult, countTokens: TokenCounter): string {
  const { hits, suggestions, confidence } = found
  const verdict = describeConfidence(confidence)
  const near = hits.length > 0 || suggestions.length === 0 ? [] : [`Near terms: ${suggestions.join(', ')}.`]
  const notices = [...found.notices.filter((notice) => notice !== verdict), ...near]
  const { callerWords } = found.strategy
  const words = callerWords === undefined ? [] : [describeWords(callerWords)]
  const next = describeNextStep(confidence, { of: 'hits', asked: howAsked(found.strategy) })
  // The verdict is of the first ones: a hit that embeddings alone found may have nothing of it.
  const others = hits.flatMap((hit, at) => (hasNoWord(hit) ? [at + 1] : []))
  const without =
    others.length === 0 || others.length === hits.length
      ? []
      : [`Without a word of the query, found by embeddings: ${others.join(', ')}.`]
  const head = [next, ...without, ...words, ...notices].map((line) => clip(line, longestNotice))
  const most = Math.max(leastTokens, hitTokens * hits.length)
  const write = (count: number, shape: HitShape): string =>
    [...head, ...hits.slice(0, count).map((hit, at) => renderHit(hit, at + 1, shape))].join('\n')
  for (const shape of shapes) {
    const text = write(hits.length, shape)
    if (countTokens(text) <= most) return text
  }
  let count = hits.length
  const smallest = shapes.at(-1) as HitShape
  while (count > 1 && countTokens(write(count, smallest)) > most) count--
  return write(count, smallest)
}

const hasNoWord = ({ signals, excerpt }: SearchHit): boolean =>
  signals.lexical === 0 && excerpt.matches.length === 0

function renderHit(hit: SearchHit, rank: number, shape: HitShape): string {
  const name = shape.name === 0 ? '' : ` ${clip(hit.name, shape.name)}`
  return [
    `${rank}. ${describePlace(hit, shape.also)}${name}`,
    ...bestLines(hit, shape).map((line) => `   ${line}`),
  ].join('\n')
}

/** Its best lines, where a long section has some, else all of it; then where else the file matches. */
function describePlace(
  { path, lines, place, matchedLines: [best = lines], furtherLines }: SearchHit,
  also: number,
): string {
  const further = furtherLines.slice(0, also)
  return `${formatPlace(path, [best], place)}${further.length === 0 ? '' : ` (also ${formatRanges(further)})`}`
}

/**
 * The lines with the most matches, each cut around its first match; invisible characters but tabs are marked. A heading
 * repeats the name: it is shown only where the excerpt has no other line.
 */
function bestLines({ name, excerpt: { text, matches } }: SearchHit, { lines, width }: HitShape): string[] {
  let start = 0
  const all = text.split('\n').map((line) => {
    const inside = matches.filter(([from]) => from >= start && from < start + line.length)
    const focus = (inside[0]?.[0] ?? start) - start
    start += line.length + 1
    return { line: line.trimEnd(), focus, count: inside.length }
  })
  const written = all.filter(({ line }) => line.trim() !== '')
  const told = written.filter(({ line }) => !/^#+ /.test(line) || !name.endsWith(line.replace(/^#+ /, '')))
  const shown = (told.length > 0 ? told : written).toSorted((a, b) => b.count - a.count)
  return all
    .filter((one) => shown.indexOf(one) !== -1 && shown.indexOf(one) < lines)
    .map(({ line, focus }) => {
      const from = line.length <= width ? 0 : Math.max(0, focus - Math.floor(width / 3))
      return `${from > 0 ? '…' : ''}${cut(markInvisible(line.slice(from).replace(/^ +/, '')), width)}`
    })
}

export function renderOutcome(outcome: ExpansionOutcome): string {
  if (!outcome.allowed) return `Denied (${outcome.reason}): ${markOneLine(outcome.message)}`
  const { via, from, cost } = outcome.approval
  const taken = cost === 1 ? '' : `, for ${cost} of the budget`
  return `Followed: ${via} from ${markOneLine(from)}${taken}. Cite path:lines.\n\n${renderPlaced(outcome.brought)}`
}

/** Requests that would be allowed, below what a line says of them. */
export const renderRequests = (about: string, offers: readonly PlacedOffer[], more = 0): string =>
  `${about}\n${offers.length + more === 0 ? 'No more references to follow.' : renderOffers(offers, more)}`

/** The same below a heading, which no document can write: the headings of documents are demoted. */
export const renderFollowing = (about: string, offers: readonly PlacedOffer[], more: number): string =>
  `${frame.offers}\n\n${renderRequests(about, offers, more)}`
