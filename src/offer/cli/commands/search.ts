// How are hits found and printed? `yore search`: rank, place, headings and score, then a few lines with the matches marked.

import { noticesOf } from '../../../corpus/indexing/describe-freshness.ts'
import type { Lines } from '../../../model/artifact.ts'
import { describeWords } from '../../../model/describe-confidence.ts'
import { formatQuantity } from '../../../model/format-numbers.ts'
import { isCounted, type QueryAnalysis, type SearchHit, type SearchResult } from '../../../model/report.ts'
import { toggle } from '../../operations/operation.ts'
import { operations } from '../../operations/operations.ts'
import { type Command, corpusCommand } from '../command.ts'
import { formatLines, oneLine, outPalette, type Palette, printable } from '../format.ts'
import { corpusOptions, exitCode, json, nothingFound, now, refresh } from '../options.ts'
import { note, noteFreshness, outWidth, show } from '../terminal.ts'

export const command: Command = corpusCommand(
  {
    ...operations.search,
    details: ['Words in "double quotes" must occur together. Finding nothing is not an error.'],
    options: {
      ...operations.search.options,
      explain: toggle('Show how each score was computed and how the query was parsed.'),
      refresh,
      ...corpusOptions,
      now,
      exitCode,
      json,
    },
    examples: [
      'yore search retry policy',
      'yore search retry --path src --kind code',
      'yore search \'"rolling restart"\' --limit 3',
      'yore search deploy --json',
      'yore search "calls hang forever" --words "timeout, deadline, abort"',
      "yore search 'fn \\w+_retry' --match regex --kind code",
    ],
  },
  async ({ input, use, now }) => {
    const result = await use((engine) => engine.search(input.query, input))
    const { explain } = input
    // On a terminal the best hits stay in sight.
    const rows = process.stdout.isTTY && !explain ? process.stdout.rows : Number.POSITIVE_INFINITY
    const isShort = result.hits.length * shownRows > rows
    const options = { explain, isShort, palette: outPalette(), width: outWidth() }
    show(input, result, () => printSearch(result, options))
    // noteFreshness reports these.
    const aboutIndex = noticesOf(result.freshness)
    for (const notice of result.notices) if (!aboutIndex.includes(notice)) note(printable(notice))
    noteFreshness(result.freshness, now)
    return input.exitCode && result.confidence.label === 'none' ? nothingFound : 0
  },
)

interface PrintSearchOptions {
  readonly explain: boolean
  /** Two rows for each hit. */
  readonly isShort?: boolean
  readonly palette: Palette
  /** Columns that a line may take. */
  readonly width: number
}

const indent = '   '
const maxExcerptLines = 6
/** Of a hit with its excerpt. */
const shownRows = 5

export function printSearch(result: SearchResult, options: PrintSearchOptions): string {
  const blocks = result.hits.map((hit, rank) => printHit(hit, rank + 1, options))
  if (isCounted(result.strategy)) blocks.unshift(oneLine(result.confidence.why))
  else if (blocks.length === 0 || result.confidence.label === 'none') blocks.unshift(describeNothing(result))
  if (options.explain) blocks.push(printAnalysis(result.analysis, result))
  return `${blocks.join(options.isShort ? '\n' : '\n\n')}\n`
}

function describeNothing(result: SearchResult): string {
  const query = oneLine(result.query)
  if (result.hits.length > 0) return `no match for ${query}; the closest sections:`
  if (result.freshness.state === 'incomplete') return `nothing for ${query} in what is indexed so far`
  if (result.suggestions.length === 0) return `nothing found for ${query}; try fewer or other words`
  return `nothing found for ${query}; near terms: ${result.suggestions.map(printable).join(', ')}`
}

function printHit(hit: SearchHit, rank: number, options: PrintSearchOptions): string {
  const { palette } = options
  const where = hit.place === undefined ? '' : ` (${oneLine(hit.place)})`
  const place = palette.cyan(`${oneLine(hit.path)}:${hit.lines.start}-${hit.lines.end}${where}`)
  const faint = (line: string): string => `${indent}${palette.dim(line)}`
  const others = [...listLines('best at', hit.matchedLines), ...listLines('also at', hit.furtherLines)]
  const lines = [
    `${rank}. ${place}  ${palette.bold(oneLine(hit.name))}  ${palette.dim(hit.score.toFixed(2))}`,
    ...(options.isShort ? [] : others).map(faint),
    ...printExcerpt(hit.excerpt, options),
  ]
  if (options.explain) lines.push(...printSignals(hit).map(faint))
  return lines.join('\n')
}

/** Lines of a hit: the best ones of a long section, or where else the file matches. */
function listLines(about: string, ranges: readonly Lines[]): string[] {
  if (ranges.length === 0) return []
  const places = formatLines(ranges).replaceAll(',', ', ')
  return [`${about} line${/\D/.test(places) ? 's' : ''} ${places}`]
}

function printExcerpt(excerpt: SearchHit['excerpt'], options: PrintSearchOptions): string[] {
  const all: Lines[] = []
  let start = 0
  for (const line of excerpt.text.split('\n')) {
    const end = start + line.length
    if (line.trim() !== '') all.push({ start, end })
    start = end + 1
  }
  const matchesIn = (line: Lines): number =>
    excerpt.matches.filter(([from, to]) => from < line.end && to > line.start).length
  const shown = options.isShort ? all.toSorted((a, b) => matchesIn(b) - matchesIn(a)).slice(0, 1) : all
  return shown.slice(0, maxExcerptLines).map((line) => indent + printLine(excerpt, line, options))
}

/** One line of the excerpt, cut around its first match when it is too long. */
function printLine(
  { text, matches }: SearchHit['excerpt'],
  line: Lines,
  options: PrintSearchOptions,
): string {
  const { yellow, bold } = options.palette
  const room = Math.max(20, options.width - indent.length - 2)
  const found = matches.filter(([start, end]) => start < line.end && end > line.start)
  const focus = (found[0]?.[0] ?? line.start) - Math.floor(room / 3)
  const from = Math.max(line.start, Math.min(focus, line.end - room))
  const to = Math.min(line.end, from + room)
  let shown = from > line.start ? '…' : ''
  let at = from
  const within = (offset: number): number => Math.min(Math.max(offset, at), to)
  for (const [start, end] of found) {
    shown += printable(text.slice(at, within(start)))
    at = within(start)
    if (within(end) > at) shown += yellow(bold(printable(text.slice(at, within(end)))))
    at = within(end)
  }
  shown += printable(text.slice(at, to))
  return (to < line.end ? `${shown}…` : shown).trimEnd()
}

function printSignals(hit: SearchHit): string[] {
  const { relevance, lexical, document, vector, ranks, canonicality, parts } = hit.signals
  const meaning = vector === null ? '' : `, embeddings ${vector.toFixed(2)}`
  const places = Object.entries(ranks).map(([list, rank]) => `${list} ${rank}`)
  const signed = (what: string, effect: number): string =>
    `${oneLine(what)} ${effect < 0 ? '−' : '+'}${Math.abs(effect).toFixed(2)}`
  const second = parts.map(({ name, effect }) => signed(name, effect))
  const reasons = hit.canonicality.reasons.map(({ reason, effect }) => signed(reason, effect))
  return [
    `relevance ${relevance.toFixed(2)} (section ${lexical.toFixed(2)}, document ${document.toFixed(2)}${meaning}), authority ${canonicality.toFixed(2)}`,
    ...(places.length === 0 ? [] : [`rank: ${places.join(' → ')}`]),
    ...(second.length === 0 ? [] : [`re-ranking: ${second.join(', ')}`]),
    ...(reasons.length === 0 ? [] : [`authority: ${reasons.join(', ')}`]),
  ]
}

function printAnalysis(analysis: QueryAnalysis, result: SearchResult): string {
  const terms = analysis.terms.map(({ term, word, weight }) => {
    const from = term === word ? '' : ` from ${oneLine(word)}`
    return `${oneLine(term)}${from} ×${weight.toFixed(2)}`
  })
  const lines = [`searched: ${terms.join(', ') || 'nothing'}`]
  if (analysis.phrases.length > 0) lines.push(`phrases: ${analysis.phrases.map(oneLine).join(', ')}`)
  if (analysis.intents.length > 0) lines.push(`after: ${analysis.intents.join(', ')}`)
  if (analysis.ignored.length > 0) lines.push(`ignored: ${analysis.ignored.map(oneLine).join(', ')}`)
  lines.push(`strategy: ${result.strategy.name}: ${oneLine(result.strategy.why)}`)
  const { callerWords: words } = result.strategy
  if (words !== undefined) lines.push(oneLine(describeWords(words)))
  lines.push(
    `searched: ${formatQuantity(result.documentsScanned, 'document')}, ${formatQuantity(result.candidateSections, 'candidate section')}`,
  )
  return lines.join('\n')
}
