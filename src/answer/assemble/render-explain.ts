// Why is each passage in the digest, and why is the rest not? Plain text for a terminal, next to a Markdown digest.

import { describeLimit, describeWords } from '../../model/describe-confidence.ts'
import { type Digest, type DigestDocument, type Passage, RELEVANCE_WEIGHT } from '../../model/digest.ts'
import { formatCount, formatQuantity, formatScore } from '../../model/format-numbers.ts'
import { cut, markOneLine } from '../../model/mark-invisible.ts'
import { remember } from '../../model/remember.ts'
import { formatPlace } from './escape-inline.ts'

/** Entries of each list that fit into 60 lines together; `detailed` passages have a line for each of their facts. */
const SHOWN = { detailed: 3, passages: 8, expanded: 4, documents: 4, dropped: 6 }
const LONGEST_NAME = 40

/** Signals and origin of passages, reasons for the authority of documents, and what was dropped: the first of each, or all. */
export function renderExplain(digest: Digest, { all }: { readonly all: boolean }): string {
  const most = (list: keyof typeof SHOWN): number => (all ? Infinity : SHOWN[list])
  const blocks = [
    explainStrategy(digest.strategy),
    explainPassages(digest.primary, { most: most('passages'), detailed: most('detailed') }),
    ...explainExpanded(digest, most('expanded')),
    ...explainDocuments(digest.documents, most('documents')),
    explainEnd(digest),
    explainDropped(digest, most('dropped')),
  ]
  return `${blocks.join('\n\n')}\n`
}

/** The first entries of a list under its title, and the number of the others. */
function listFirst<T>(
  title: string,
  entries: readonly T[],
  { most, write }: { readonly most: number; readonly write: (shown: readonly T[]) => string },
): string {
  const left = entries.length - most
  const more = left > 0 ? `\n  ${formatCount(left)} more: --all` : ''
  return `${title}\n${write(entries.slice(0, most))}${more}`
}

/** The step that answered, and what became of the caller's words. */
function explainStrategy({ name, why, callerWords: words }: Digest['strategy']): string {
  const step = `strategy: ${name}: ${markOneLine(why)}`
  if (words === undefined) return step
  return `${step}\n${markOneLine(describeWords(words))}`
}

/** A passage per block, so that it reads on a narrow terminal. */
function explainPassages(
  passages: readonly Passage[],
  { most, detailed }: { readonly most: number; readonly detailed: number },
): string {
  if (passages.length === 0) return 'chosen: nothing'
  const title = `chosen: ${formatQuantity(passages.length, 'passage')}\n${relevanceInWords}`
  return listFirst(title, passages, {
    most,
    write: (some) =>
      some.map((one, at) => indentBlock(explainPassage(one).slice(0, at < detailed ? 6 : 2))).join('\n'),
  })
}

function explainPassage(passage: Passage): string[] {
  const { relevance, lexical, document, vector, ranks, canonicality, parts } = passage.signals
  const meaning = vector === null ? '' : `, embeddings ${formatScore(vector)}`
  const ranked = (passage.score - (1 - RELEVANCE_WEIGHT) * canonicality) / RELEVANCE_WEIGHT
  const before = `${formatScore(relevance)}: words ${formatScore(lexical)}, document ${formatScore(document)}${meaning}`
  const places = Object.entries(ranks).map(([stage, rank]) => `${stage} ${rank}`)
  return [
    `${formatScore(passage.score)}  ${placeOf(passage)}  ${markOneLine(passage.name)}${passage.truncated ? ' (shortened)' : ''}`,
    `why: ${sayWhy(passage)}`,
    `score = 0.7 × relevance ${formatScore(ranked)} + 0.3 × authority ${formatScore(canonicality)}`,
    `relevance before re-ranking ${before}`,
    ...(parts.length === 0 ? [] : [`re-ranking: ${formatParts(parts)}`]),
    ...(places.length === 0 ? [] : [`rank: ${places.join(' → ')}`]),
  ]
}

/** In words: `number 3 by words and 2 by embeddings; lifted by meaning and words found; authority high`. */
function sayWhy({ signals: { ranks, parts, canonicality } }: Passage): string {
  const matched = ['words', 'embeddings'].flatMap((by) => (by in ranks ? [`${ranks[by]} by ${by}`] : []))
  const named = (sign: number): string[] =>
    parts.flatMap(({ name, effect }) => (effect * sign > 0 ? [name] : [])).slice(0, 2)
  const authority = canonicality >= 0.7 ? 'high' : canonicality >= 0.5 ? 'ordinary' : 'low'
  const said = { number: matched, 'lifted by': named(1), 'lowered by': named(-1), authority: [authority] }
  return Object.entries(said)
    .flatMap(([what, list]) => (list.length === 0 ? [] : [`${what} ${list.join(' and ')}`]))
    .join('; ')
}

const relevanceInWords = '  relevance = (relevance before re-ranking + re-ranking) / the best such sum'

/** The last heading of a canonical id: its path is in the source. */
const sectionOf = (id: string): string =>
  markOneLine(cut(id.includes('#') ? id.replace(/^.*(?:#|\.(?=.))/, '') : id, LONGEST_NAME))

/** `test −0.53, words close together +0.21`. */
const formatParts = (parts: Passage['signals']['parts']): string =>
  parts
    .map(({ name, effect }) => `${name} ${effect < 0 ? '−' : '+'}${formatScore(Math.abs(effect))}`)
    .join(', ')

function explainExpanded({ expanded }: Digest, most: number): string[] {
  const rows = expanded.flatMap(({ passages }) =>
    passages.map((passage) => {
      const { origin } = passage
      if (origin.kind !== 'expansion') return [placeOf(passage)]
      const { via, from, because, cost } = origin
      return [placeOf(passage), via, `cost ${cost}`, `${markOneLine(because)}, from ${sectionOf(from)}`]
    }),
  )
  if (rows.length === 0) return []
  const title = `followed references: ${formatQuantity(rows.length, 'passage')}`
  return [listFirst(title, rows, { most, write: alignColumns })]
}

function placeOf({ path, excerpts, place }: Passage): string {
  const ranges = excerpts.map(({ lines }) => lines)
  return formatPlace(path, ranges, place)
}

/** The first line indented, the others below its text. */
const indentBlock = (lines: readonly string[]): string =>
  lines.map((line, at) => `${at === 0 ? '  ' : '        '}${line}`).join('\n')

function explainDocuments(documents: readonly DigestDocument[], most: number): string[] {
  if (documents.length === 0) return []
  const rows = documents.map(({ path, status, canonicality: { score, reasons } }) => [
    formatScore(score),
    markOneLine(path),
    status,
    formatParts(reasons.map(({ reason, effect }) => ({ name: markOneLine(reason), effect }))),
  ])
  return [listFirst('authority of documents', rows, { most, write: alignColumns })]
}

/** Why the digest has no more passages. */
function explainEnd({ dropped, leastScore, confidence, query }: Digest): string {
  const verdict = `confidence ${confidence.label} ${formatScore(confidence.score)}`
  if (dropped.some(({ reason }) => reason === 'no room'))
    return `stopped: the next section does not fit into ${describeLimit(query, confidence)} (${verdict})`
  if (dropped.some(({ reason }) => reason === 'adds little'))
    return `stopped: the other sections score below the cut-off of ${formatScore(leastScore)} (${verdict}); --fill uses the whole budget`
  return 'stopped: nothing else matches'
}

function explainDropped({ dropped, relevanceThreshold: threshold }: Digest, most: number): string {
  if (dropped.length === 0) return 'dropped: nothing'
  const rows = dropped.map((entry) => [
    formatScore(entry.score),
    entry.reason === 'below threshold' ? `relevance under ${formatScore(threshold)}` : entry.reason,
    formatPlace(entry.path, [entry.lines]),
    sectionOf(entry.artifact),
  ])
  const heads = ['score', 'reason', 'source', 'section']
  return listFirst(`dropped: ${formatQuantity(dropped.length, 'section')}`, rows, {
    most,
    write: (some) => alignColumns([heads, ...some]),
  })
}

function alignColumns(rows: readonly (readonly string[])[]): string {
  const widthOf = remember((column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widthOf(column))).join('  ')}`.trimEnd())
    .join('\n')
}
