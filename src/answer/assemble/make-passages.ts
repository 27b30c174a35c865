// How do chosen sections become the blocks of a digest? Each under a heading and a source of its own, the most relevant first.

import { canonicalStatus, fileRoles } from '../../corpus/graph/score-canonicality.ts'
import type { Lines } from '../../model/artifact.ts'
import type { Canonicality, DigestDocument, Excerpt, Passage } from '../../model/digest.ts'
import { getOrAdd } from '../../model/remember.ts'
import type { FileRow, RankedSection } from '../../model/section.ts'
import { hasHeading, isCodeKind } from '../../read/parse/artifact-kinds.ts'
import { sourceLines } from './escape-text.ts'
import { findSignature } from './find-signature.ts'
import { hideShown } from './hide-shown.ts'
import { isUnnamed, LONGEST_NAME, namePassage } from './name-passage.ts'
import { type Chosen, isCut, pieceAt, type Run, wholePieces } from './section-runs.ts'
import { countLineEnds, dropBlankEnd, dropMarks } from './source-text.ts'
import { excerptStart, nextBlockState } from './track-blocks.ts'

/** One run of a chosen section. */
interface Part {
  readonly chosen: Chosen
  readonly run: Run
}

/** The line of the source that holds the character at an offset. */
function lineAt({ chosen: { text } }: Part, offset: number): number {
  const piece = text.pieces[pieceAt(text, offset)] as { start: number; lines: Lines }
  return piece.lines.start + countLineEnds(text.text.slice(piece.start, offset))
}

/** The header of the class around a piece of code: what a reader must see first. */
export type HeaderOf = (section: RankedSection) => readonly Excerpt[]

/** A run exactly as in the source; the section's heading is the passage's name already. */
function excerptOf(part: Part, isFirst: boolean): Excerpt {
  const { chosen, run } = part
  const { name, kind } = chosen.section.artifact
  const heading =
    isFirst && hasHeading(kind) && name.length <= LONGEST_NAME ? (chosen.text.pieces[0]?.end ?? 0) : 0
  const start = run.from === 0 && run.to > heading ? heading : run.from
  const text = dropBlankEnd(chosen.text.text.slice(start, run.to))
  const lines = { start: lineAt(part, run.from), end: lineAt(part, start) + countLineEnds(text) }
  return { lines, text, ...(isCodeKind(kind) || !startsInFence(part) ? {} : { inFence: true }) }
}

/** For each text, the offsets already checked: every round of fitting shows the same runs. */
const fenced = new WeakMap<Chosen['text'], Map<number, boolean>>()

/** Does the run start inside a fenced block, after its opening? */
function startsInFence({ chosen: { text }, run: { from } }: Part): boolean {
  const known = getOrAdd(fenced, text, () => new Map<number, boolean>())
  return getOrAdd(known, from, () => isInFence(text.text.slice(0, from)))
}

/** Is a fenced block open where the text ends? */
function isInFence(before: string): boolean {
  if (!/^[ \t>]*(?:`{3}|~{3})/m.test(before)) return false
  let state = excerptStart
  for (const line of sourceLines(before).slice(0, -1)) state = nextBlockState(state, line)
  return state.fence !== null
}

const ownLines = (chosen: Chosen): Lines => chosen.section.artifact.ownLines as Lines

/** The signature of a piece of code whose beginning is not shown. */
function ownSignature({ chosen: { section, text }, run }: Part): Excerpt[] {
  const { kind, name, ownLines: own } = section.artifact
  if (wholePieces(text, run).start === 0 || !isCodeKind(kind) || own === null || isUnnamed(section.artifact))
    return []
  const signature = findSignature(text.text, name, own.start)
  return signature === null ? [] : [signature]
}

/** The header of the table in whose rows a run starts. */
function tableHeader(part: Part): Excerpt[] {
  const { chosen, run } = part
  const { kind, ownLines: own } = chosen.section.artifact
  if (isCodeKind(kind) || own === null || wholePieces(chosen.text, run).start === 0) return []
  const { text } = chosen.text
  if (!tableRow.test(text.slice(run.from, run.to))) return []
  const header = findTableHeader(text, lineAt(part, run.from) - own.start, own.start)
  return header === null ? [] : [header]
}

/** Does a run begin inside a line? */
const startsInLine = ({ chosen: { text }, run: { from } }: Part): boolean =>
  from > 0 && !/[\r\n]/.test(text.text.charAt(from - 1))

function aboveLine({ lines: { start }, text }: Excerpt, line: number): Excerpt[] {
  const kept = sourceLines(text).slice(0, Math.max(0, line - start))
  while (kept.at(-1)?.trim() === '') kept.pop()
  return kept.length === 0 ? [] : [{ lines: { start, end: start + kept.length - 1 }, text: kept.join('\n') }]
}

/** A run below its headers. One that begins inside a line is never joined to the line above. */
function joinAbove(above: readonly Excerpt[], part: Part, isFirst: boolean): Excerpt[] {
  const own = excerptOf(part, isFirst)
  if (!startsInLine(part)) return joinExcerpts([...above, own])
  return [...joinExcerpts(above).flatMap((one) => aboveLine(one, own.lines.start)), own]
}

/** Runs of lines in the order of the text; those that touch become one, and no line is shown twice. */
function joinExcerpts(excerpts: readonly Excerpt[]): Excerpt[] {
  const joined: Excerpt[] = []
  for (const excerpt of excerpts) {
    const before = joined.at(-1)
    if (before === undefined || before.lines.end + 1 < excerpt.lines.start) {
      joined.push(excerpt)
      continue
    }
    const own = excerpt.lines.start - before.lines.start
    const kept = own <= 0 ? [] : sourceLines(before.text).slice(0, own)
    const start = Math.min(before.lines.start, excerpt.lines.start)
    joined[joined.length - 1] = {
      lines: { start: own <= 0 ? excerpt.lines.start : start, end: excerpt.lines.end },
      text: [...kept, excerpt.text].join('\n'),
    }
  }
  return joined
}

function makePassage(chosen: Chosen, header: readonly Excerpt[], headersAbove: readonly Lines[]): Passage {
  const { artifact, file, score, signals } = chosen.section
  const parts = chosen.runs.map((run): Part => ({ chosen, run }))
  const [first, ...others] = parts as [Part, ...Part[]]
  const excerpts = joinAbove([...header, ...ownSignature(first), ...tableHeader(first)], first, true)
  for (const part of others) {
    const shown = excerpts.map(({ lines }) => lines)
    excerpts.push(...joinAbove(hideShown(tableHeader(part), shown), part, false))
  }
  const isDocument = !isCodeKind(artifact.kind)
  return {
    path: file.path,
    kind: artifact.kind,
    language: file.language,
    name: namePassage(artifact, file, () => parts.map((part) => excerptOf(part, false).text).join('\n')),
    artifacts: [artifact.id],
    // The header of a class may have been shown above one of its functions.
    excerpts: hideShown(excerpts, headersAbove).map((one) => (isDocument ? dropMarks(one) : one)),
    truncated: isCut(chosen),
    ofLines: ownLines(chosen).end - ownLines(chosen).start + 1,
    ...cautionOf(chosen.section.canonicality),
    score,
    signals,
    origin: { kind: 'search' },
    alsoAt: chosen.alsoAt,
    referencedBy: [],
  }
}

/** Best first; then by path and line. */
function compareChosen(a: Chosen, b: Chosen): number {
  const [path, otherPath] = [a.section.file.path, b.section.file.path]
  const byPath = path === otherPath ? 0 : path < otherPath ? -1 : 1
  return b.section.score - a.section.score || byPath || ownLines(a).start - ownLines(b).start
}

const isNext = (before: Chosen | undefined, chosen: Chosen): boolean =>
  before !== undefined && ownLines(before).end + 1 === ownLines(chosen).start

/** Is the second a further part of a section that was too long for an artifact of its own? It has the headings of the first, and none itself. */
function isSamePart({ artifact: a }: RankedSection, { artifact: b }: RankedSection): boolean {
  const isFurther = /_(?:module|block)$/.test(b.kind) && isCodeKind(a.kind) === isCodeKind(b.kind)
  return isFurther && a.headings.length > 0 && a.headings.join('\n') === b.headings.join('\n')
}

/** Groups adjacent sections of one document, at the rank of the best of them; parts of one section stay in their order. */
function inOrder(documents: readonly (readonly Chosen[])[]): Chosen[] {
  const groups = documents.flatMap((sections) => {
    const found: Chosen[][][] = []
    for (const chosen of sections.toSorted((a, b) => ownLines(a).start - ownLines(b).start)) {
      const parts = found.at(-1)?.at(-1)
      const before = parts?.at(-1)
      if (before === undefined || !isNext(before, chosen)) found.push([[chosen]])
      else if (isSamePart(before.section, chosen.section)) parts?.push(chosen)
      else found.at(-1)?.push([chosen])
    }
    return found.map((group) => group.sort((a, b) => compareChosen(bestOf(a), bestOf(b))))
  })
  return groups.sort(([a], [b]) => compareChosen(bestOf(a as Chosen[]), bestOf(b as Chosen[]))).flat(2)
}

const bestOf = (parts: readonly Chosen[]): Chosen =>
  parts.reduce((best, one) => (compareChosen(one, best) < 0 ? one : best))

function makeAll(ordered: readonly Chosen[], headerOf: HeaderOf): Passage[] {
  const passages: Passage[] = []
  /** Lines of each file that the digest already contains, and those of them that are headers of classes. */
  const shownIn = new Map<string, { readonly lines: Lines[]; readonly headers: Lines[] }>()
  let last: Chosen | undefined
  for (const chosen of ordered) {
    const { path } = chosen.section.file
    const shown = shownIn.get(path) ?? { lines: [], headers: [] }
    const header = hideShown(headerOf(chosen.section), shown.lines)
    const passage = makePassage(chosen, header, shown.headers)
    shown.lines.push(...passage.excerpts.map(({ lines }) => lines))
    shown.headers.push(...header.map(({ lines }) => lines))
    shownIn.set(path, shown)
    const before = passages.at(-1)
    const goesOn = isNext(last, chosen) && isSamePart((last as Chosen).section, chosen.section)
    if (passage.excerpts.length === 0) admitShown(passages, passage, ownLines(chosen))
    else if (before !== undefined && goesOn) passages[passages.length - 1] = joinParts(before, passage)
    else passages.push(passage)
    last = chosen
  }
  return passages
}

/** Two parts of one section as one passage; the blank lines between them are shown again. */
function joinParts(before: Passage, after: Passage): Passage {
  const [end, start] = [before.excerpts.at(-1), after.excerpts[0]] as [Excerpt, Excerpt]
  const blank = start.lines.start - end.lines.end - 1
  const isWhole = !before.truncated && !after.truncated
  const filled = isWhole
    ? { lines: { ...end.lines, end: start.lines.start - 1 }, text: end.text + '\n'.repeat(blank) }
    : end
  return {
    ...before,
    artifacts: [...before.artifacts, ...after.artifacts],
    excerpts: joinExcerpts([...before.excerpts.slice(0, -1), filled, ...after.excerpts]),
    truncated: !isWhole,
    ofLines: (before.ofLines ?? 0) + (after.ofLines ?? 0),
    score: Math.max(before.score, after.score),
    alsoAt: [...before.alsoAt, ...after.alsoAt],
  }
}

/** A class whose only lines, its header, are shown above one of its functions: that passage lists the class as an artifact. */
function admitShown(passages: Passage[], { path, artifacts, alsoAt }: Passage, { start, end }: Lines): void {
  const at = passages.findIndex(
    (one) => one.path === path && one.excerpts.some(({ lines }) => lines.start <= end && lines.end >= start),
  )
  const holder = passages[at] as Passage
  passages[at] = {
    ...holder,
    artifacts: [...artifacts, ...holder.artifacts],
    alsoAt: [...alsoAt, ...holder.alsoAt],
  }
}

/** Authority below which a passage says what speaks against its document. */
const DOUBTFUL_SOURCE = 0.5

/** The reason that lowers the authority of a doubtful document most. */
export function cautionOf({ score, reasons }: Canonicality): { caution?: string } {
  if (score >= DOUBTFUL_SOURCE) return {}
  const [worst] = reasons.toSorted((a, b) => a.effect - b.effect)
  return worst === undefined || worst.effect >= 0 ? {} : { caution: worst.reason }
}

/** The role of a file of code, if any: test, generated or third-party. */
function roleIn({ reasons }: Canonicality): { role?: string } {
  const role = reasons.find(({ reason }) => fileRoles.has(reason))?.reason
  return role === undefined ? {} : { role }
}

/** A document's entry in the list of those that a digest quotes. */
export function listDocument(
  { path, title, language, modifiedAt }: FileRow,
  canonicality: Canonicality,
  { score, sections }: Pick<DigestDocument, 'score' | 'sections'>,
): DigestDocument {
  const status = canonicalStatus(canonicality, language)
  return { path, title, score, canonicality, status, ...roleIn(canonicality), modifiedAt, sections }
}

/** Passages in the order of relevance, neighbours together; documents by their best section, then by path. */
export function makePassages(chosen: readonly Chosen[], headerOf: HeaderOf = () => []) {
  const byFile = Map.groupBy(chosen, ({ section }) => section.artifact.file)
  const groups = [...byFile.values()].map((sections) => {
    const { file, canonicality } = (sections[0] as Chosen).section
    const score = Math.max(...sections.map((one) => one.section.score))
    const document = listDocument(file, canonicality, { score, sections: sections.length })
    return { document, sections }
  })
  groups.sort((a, b) => b.document.score - a.document.score || (a.document.path < b.document.path ? -1 : 1))
  return {
    documents: groups.map((group) => group.document),
    passages: makeAll(inOrder(groups.map(({ sections }) => sections)), headerOf),
  }
}

const tableRow: RegExp = /^\s{0,3}\|?[^|\n]*\|/
const delimiter = /^[\s:|-]*$/

/** The header of the table whose body holds a line; null for any other line. Lines count from 0. */
export function findTableHeader(text: string, at: number, firstLine: number): Excerpt | null {
  const lines = sourceLines(text)
  if (!tableRow.test(lines[at] ?? '')) return null
  let top = at
  while (top > 0 && tableRow.test(lines[top - 1] as string)) top--
  const [header, rule] = [lines[top] as string, lines[top + 1] ?? '']
  if (at < top + 2 || !delimiter.test(rule) || !rule.includes('|') || !rule.includes('-')) return null
  return { lines: { start: firstLine + top, end: firstLine + top + 1 }, text: `${header}\n${rule}` }
}
