// Why is each passage in the digest, and why is the rest not? Plain text for a terminal, next to a Markdown digest.
import type { Digest, DigestDocument, Dropped, Passage } from '../../model/digest.ts'
import { formatQuantity, formatScore } from '../../model/format-numbers.ts'
import { markOneLine } from '../../model/mark-invisible.ts'
import { formatPlace } from './escape-inline.ts'

/** Signals and origin per passage, canonicality reasons per document, and what was dropped. */
export function renderExplain(digest: Digest): string {
  const blocks = [
    explainStrategy(digest.strategy),
    explainPassages(digest.primary),
    ...explainExpanded(digest),
    ...explainUnresolved(digest),
    ...digest.documents.map(explainDocument),
    explainEnd(digest),
    explainDropped(digest.dropped, digest.relevanceThreshold),
  ]
  return `${blocks.join('\n\n')}\n`
}

/** The step that answered, and what became of the caller's words. */
function explainStrategy({ name, why, callerWords: words }: Digest['strategy']): string {
  const step = `strategy: ${name}: ${markOneLine(why)}`
  if (words === undefined) return step
  const use = `caller's words ${words.used ? 'used' : 'ignored'}: ${words.why}`
  return `${step}\n${use} (${markOneLine(words.given.join(', '))})`
}

/** A passage per block, so that it reads on a narrow terminal. */
function explainPassages(passages: readonly Passage[]): string {
  if (passages.length === 0) return 'chosen: nothing'
  const blocks = passages.map((passage) => {
    const { relevance, lexical, document, vector, ranks, canonicality, parts } = passage.signals
    const meaning = vector === null ? '' : `, meaning ${formatScore(vector)}`
    const places = Object.entries(ranks).map(([list, rank]) => `${list} ${rank}`)
    return [
      `${formatScore(passage.score)}  ${placeOf(passage)}  ${markOneLine(passage.name)}`,
      `relevance ${formatScore(relevance)} (words ${formatScore(lexical)}, document ${formatScore(document)}${meaning}), canonical ${formatScore(canonicality)}`,
      ...(places.length === 0 ? [] : [`ranks: ${places.join(', ')}`]),
      ...(parts.length === 0 ? [] : [`for and against: ${formatParts(parts)}`]),
      ...(passage.truncated ? ['shortened'] : []),
    ]
  })
  return `chosen: ${formatQuantity(passages.length, 'passage')}\n${scoreInWords}\n${blocks.map(indentBlock).join('\n')}`
}

/** How the numbers of a passage make up its score (records 0006 and 0025). */
const scoreInWords =
  '  score = 0.7 × worth + 0.3 × canonical; worth is the relevance with all for and against, divided by the best'

/** `test −0.53, words close together +0.21`. */
function formatParts(parts: Passage['signals']['parts']): string {
  return parts
    .map(({ name, effect }) => `${name} ${effect < 0 ? '−' : '+'}${formatScore(Math.abs(effect))}`)
    .join(', ')
}

function explainExpanded(digest: Digest): string[] {
  const blocks = digest.expanded.flatMap(({ passages }) =>
    passages.map((passage) => {
      const { origin } = passage
      if (origin.kind !== 'expansion') return [placeOf(passage)]
      const { via, from, because, depth, cost } = origin
      return [
        `${via}  ${placeOf(passage)}`,
        `because: ${markOneLine(because)}`,
        `from ${markOneLine(from)}, ${formatQuantity(depth, 'reference')} away, ${cost} of the budget`,
      ]
    }),
  )
  if (blocks.length === 0) return []
  return [
    `followed references: ${formatQuantity(blocks.length, 'passage')}\n${blocks.map(indentBlock).join('\n')}`,
  ]
}

function placeOf({ path, excerpts, place }: Passage): string {
  const ranges = excerpts.map(({ lines }) => lines)
  return formatPlace(path, ranges, place)
}

/** The first line indented, the others below its text. */
function indentBlock(lines: readonly string[]): string {
  return lines.map((line, at) => `${at === 0 ? '  ' : '        '}${line}`).join('\n')
}

function explainUnresolved(digest: Digest): string[] {
  if (digest.unresolved.length === 0) return []
  const rows = digest.unresolved.map(({ path, line, target, reason, candidates }) => [
    reason,
    formatPlace(path, [{ start: line, end: line }]),
    markOneLine(target),
    candidates.map(markOneLine).join(', '),
  ])
  return [`references without a target: ${formatQuantity(rows.length, 'reference')}\n${alignColumns(rows)}`]
}

function explainDocument(document: DigestDocument): string {
  const { score, reasons } = document.canonicality
  const head = `${markOneLine(document.path)}: canonical ${formatScore(score)}, ${document.status}`
  const rows = reasons.map(({ reason, effect }) => [formatEffect(effect), markOneLine(reason)])
  return rows.length === 0 ? head : `${head}\n${alignColumns(rows)}`
}

/** Why the digest has no more passages. */
function explainEnd({ dropped, leastScore, confidence, query }: Digest): string {
  const verdict = `${confidence.label} ${formatScore(confidence.score)}`
  if (dropped.some(({ reason }) => reason === 'no room'))
    return `ended: no room for the next section in what ${verdict} may take of ${query.maxTokens} tokens`
  if (dropped.some(({ reason }) => reason === 'adds little'))
    return `ended: what follows scored under ${formatScore(leastScore)} (${verdict}); --fill uses the budget up`
  return 'ended: nothing else matches'
}

function explainDropped(dropped: readonly Dropped[], threshold: number): string {
  if (dropped.length === 0) return 'dropped: nothing'
  const rows = dropped.map((entry) => [
    formatScore(entry.score),
    entry.reason === 'below threshold' ? `below threshold ${formatScore(threshold)}` : entry.reason,
    formatPlace(entry.path, [entry.lines]),
    markOneLine(entry.artifact),
  ])
  return `dropped: ${formatQuantity(dropped.length, 'section')}\n${alignColumns([['score', 'reason', 'source', 'section'], ...rows])}`
}

function formatEffect(effect: number): string {
  return (effect < 0 ? '-' : '+') + formatScore(Math.abs(effect))
}

function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length)
    })
  }
  return rows
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n')
}
