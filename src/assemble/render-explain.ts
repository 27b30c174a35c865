// Why is each passage in the digest, and why is the rest not? Plain text for a terminal, beside a Markdown digest.
import type { Digest, DigestDocument, Dropped, Passage } from '../model/digest.ts'
import { formatPlace } from './escape-inline.ts'
import { formatQuantity, formatScore } from './format-numbers.ts'
import { markOneLine } from './mark-invisible.ts'

/** Signals and origin per passage, canonicality reasons per document, and what was dropped. */
export function renderExplain(digest: Digest): string {
  const blocks = [
    `strategy: ${digest.strategy.name}: ${markOneLine(digest.strategy.why)}`,
    explainPassages(digest.primary),
    ...explainExpanded(digest),
    ...explainUnresolved(digest),
    ...digest.documents.map(explainDocument),
    explainDropped(digest.dropped, digest.relevanceThreshold),
  ]
  return `${blocks.join('\n\n')}\n`
}

function explainPassages(passages: readonly Passage[]): string {
  if (passages.length === 0) return 'chosen: nothing'
  const rows = passages.map((passage) => [
    formatScore(passage.score),
    formatScore(passage.signals.relevance),
    formatScore(passage.signals.lexical),
    formatScore(passage.signals.document),
    passage.signals.vector === null ? '-' : formatScore(passage.signals.vector),
    formatRanks(passage.signals.ranks),
    formatScore(passage.signals.canonicality),
    formatParts(passage.signals.parts),
    passage.origin.kind,
    passage.truncated ? 'cut' : 'whole',
    formatPlace(
      passage.path,
      passage.excerpts.map((excerpt) => excerpt.lines),
    ),
    markOneLine(passage.name),
  ])
  const heads = [
    'score',
    'relevance',
    'lexical',
    'document',
    'meaning',
    'ranks',
    'canonical',
    'second stage',
    'origin',
    'text',
    'source',
    'section',
  ]
  return `chosen: ${formatQuantity(passages.length, 'passage')}\n${alignColumns([heads, ...rows])}`
}

/** `test −0.53, together +0.21`. */
function formatParts(parts: Passage['signals']['parts']): string {
  const shown = parts.map(
    ({ name, effect }) => `${name} ${effect < 0 ? '−' : '+'}${formatScore(Math.abs(effect))}`,
  )
  return shown.join(', ') || '-'
}

function explainExpanded(digest: Digest): string[] {
  const rows = digest.expanded.flatMap(({ passages }) =>
    passages.map((passage) => {
      const { origin } = passage
      const [via, from, because] =
        origin.kind === 'expansion' ? [origin.via, origin.from, origin.because] : ['', '', '']
      const cost = origin.kind === 'expansion' ? `${origin.cost}` : ''
      const depth = origin.kind === 'expansion' ? `${origin.depth}` : ''
      const places = passage.excerpts.map((excerpt) => excerpt.lines)
      return [via, depth, cost, markOneLine(because), formatPlace(passage.path, places), markOneLine(from)]
    }),
  )
  if (rows.length === 0) return []
  const heads = ['via', 'hops', 'cost', 'because', 'source', 'came along with']
  return [`came along: ${formatQuantity(rows.length, 'passage')}\n${alignColumns([heads, ...rows])}`]
}

function explainUnresolved(digest: Digest): string[] {
  if (digest.unresolved.length === 0) return []
  const rows = digest.unresolved.map(({ path, line, target, reason, candidates }) => [
    reason,
    formatPlace(path, [{ start: line, end: line }]),
    markOneLine(target),
    candidates.map(markOneLine).join(', '),
  ])
  return [`led nowhere: ${formatQuantity(rows.length, 'reference')}\n${alignColumns(rows)}`]
}

function formatRanks(ranks: Readonly<Record<string, number>>): string {
  const known = Object.entries(ranks).map(([list, rank]) => `${list} ${rank}`)
  return known.length > 0 ? known.join(', ') : '-'
}

function explainDocument(document: DigestDocument): string {
  const { score, reasons } = document.canonicality
  const head = `${markOneLine(document.path)}: canonical ${formatScore(score)}, ${document.status}`
  const rows = reasons.map(({ reason, effect }) => [formatEffect(effect), markOneLine(reason)])
  return rows.length === 0 ? head : `${head}\n${alignColumns(rows)}`
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
