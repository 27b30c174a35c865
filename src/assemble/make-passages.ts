// How do chosen sections become the blocks of a digest? Neighbours under one source, the most relevant first.

import { canonicalStatus, fileRoles } from '../graph/score-canonicality.ts'
import type { Lines } from '../model/artifact.ts'
import type { Canonicality, DigestDocument, Excerpt, Passage } from '../model/digest.ts'
import type { RankedSection } from '../model/section.ts'
import { hasHeading, isCodeKind, isCodeText } from '../parse/artifact-kinds.ts'
import { sourceLines } from './escape-text.ts'
import { findSignature } from './find-signature.ts'
import { hideShown } from './hide-shown.ts'
import { isUnnamed, LONGEST_NAME, namePassage } from './name-passage.ts'
import { type Chosen, isCut, pieceAt, type Run, wholePieces } from './section-runs.ts'
import { countLineEnds, dropBlankEnd } from './source-text.ts'
import { excerptStart, nextBlockState } from './track-blocks.ts'
import { MUCH_BETTER, SHORT_LEAD_LINES } from './tuning.ts'

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

/** Neighbouring runs of lines as one, exactly as in the source; the first heading is the passage's name already. */
function excerptOf(parts: readonly Part[], isFirst: boolean): Excerpt {
  const first = parts[0] as Part
  const { from, to } = first.run
  const { artifact, file } = first.chosen.section
  const { name, kind } = artifact
  const heading =
    isFirst && hasHeading(kind) && name.length <= LONGEST_NAME ? (first.chosen.text.pieces[0]?.end ?? 0) : 0
  const start = from === 0 && to > heading ? heading : from
  const slices = parts.map(({ chosen, run }, at) =>
    chosen.text.text.slice(at === 0 ? start : run.from, run.to),
  )
  const text = dropBlankEnd(slices.join(''))
  const lines = { start: lineAt(first, from), end: lineAt(first, start) + countLineEnds(text) }
  return { lines, text, ...(isCodeText(kind, file.path) || !startsInFence(first) ? {} : { inFence: true }) }
}

/** For each text, the offsets that were looked at: the same runs are shown in every round of fitting. */
const fenced = new WeakMap<Chosen['text'], Map<number, boolean>>()

/** Does the text start inside a fenced block, whose opening is left out? */
function startsInFence({ chosen: { text }, run: { from } }: Part): boolean {
  const known = fenced.get(text) ?? new Map<number, boolean>()
  const isInside = known.get(from) ?? isInFence(text.text.slice(0, from))
  fenced.set(text, known.set(from, isInside))
  return isInside
}

/** Is a fenced block open where the text ends? */
function isInFence(before: string): boolean {
  if (!/^[ \t>]*(?:`{3}|~{3})/m.test(before)) return false
  let state = excerptStart
  for (const line of sourceLines(before).slice(0, -1)) state = nextBlockState(state, line)
  return state.fence !== null
}

function ownLines(chosen: Chosen): Lines {
  return chosen.section.artifact.ownLines as Lines
}

/** Is the section before much longer and much less relevant? Then the better one opens a passage of its own. */
function buries(before: Chosen, after: Chosen): boolean {
  const { start, end } = ownLines(before)
  return after.section.score > MUCH_BETTER * before.section.score && end - start >= SHORT_LEAD_LINES
}

/** Does a section go on where the one before it ended, with nothing left out between them? */
function continues(before: Part, after: Part): boolean {
  if (before.chosen === after.chosen || buries(before.chosen, after.chosen)) return false
  const isEnd = before.run.to === before.chosen.text.text.length
  return isEnd && after.run.from === 0 && ownLines(before.chosen).end + 1 === ownLines(after.chosen).start
}

/** The signature of a piece of code whose beginning is left out. */
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

/** Does a run begin inside a line, whose beginning is left out? */
function startsInLine({ chosen: { text }, run: { from } }: Part): boolean {
  return from > 0 && !/[\r\n]/.test(text.text.charAt(from - 1))
}

function aboveLine({ lines: { start }, text }: Excerpt, line: number): Excerpt[] {
  const kept = sourceLines(text).slice(0, Math.max(0, line - start))
  while (kept.at(-1)?.trim() === '') kept.pop()
  return kept.length === 0 ? [] : [{ lines: { start, end: start + kept.length - 1 }, text: kept.join('\n') }]
}

/** A run below its headers. One that begins inside a line is never joined to the line above. */
function joinAbove(above: readonly Excerpt[], parts: readonly Part[], isFirst: boolean): Excerpt[] {
  const own = excerptOf(parts, isFirst)
  if (!startsInLine(parts[0] as Part)) return joinExcerpts([...above, own])
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

/** Runs of lines that become one passage: each with something left out before the next. */
type Group = readonly (readonly Part[])[]

function firstPart(group: Group): Part {
  return group[0]?.[0] as Part
}

function sectionsOf(group: Group): Chosen[] {
  return [...new Set(group.flat().map(({ chosen }) => chosen))]
}

function bestOf(group: Group): RankedSection {
  return sectionsOf(group)
    .map(({ section }) => section)
    .reduce((top, section) => (section.score > top.score ? section : top))
}

/** Lines of one file that stand in the digest already, and those of them that are headers of classes. */
interface Shown {
  readonly lines: Lines[]
  readonly headers: Lines[]
}

function makePassage(group: Group, header: readonly Excerpt[], headersAbove: readonly Lines[]): Passage {
  const sections = sectionsOf(group)
  const best = bestOf(group)
  const first = firstPart(group)
  const { artifact, file } = first.chosen.section
  const above = [...header, ...ownSignature(first), ...tableHeader(first)]
  const excerpts = joinAbove(above, group[0] as Part[], true)
  for (const parts of group.slice(1)) {
    const shown = excerpts.map(({ lines }) => lines)
    excerpts.push(...joinAbove(hideShown(tableHeader(parts[0] as Part), shown), parts, false))
  }
  return {
    path: file.path,
    kind: artifact.kind,
    language: file.language,
    name: namePassage(
      sections.map((chosen) => chosen.section.artifact),
      file,
      () => group.map((parts) => excerptOf(parts, false).text).join('\n'),
    ),
    artifacts: sections.map((chosen) => chosen.section.artifact.id),
    // The header of a class may have been shown above one of its functions.
    excerpts: hideShown(excerpts, headersAbove),
    truncated: sections.some(isCut),
    score: best.score,
    signals: best.signals,
    origin: { kind: 'search' },
    alsoAt: sections.flatMap((chosen) => chosen.alsoAt),
    referencedBy: [],
  }
}

/** Runs of one file that follow each other are one excerpt; runs of one section are one passage. */
function groupRuns(sections: readonly Chosen[]): Group[] {
  const inOrder = [...sections].sort((a, b) => ownLines(a).start - ownLines(b).start)
  const groups: Part[][][] = []
  let last: Part | null = null
  for (const chosen of inOrder)
    for (const run of chosen.runs) {
      const part = { chosen, run }
      if (last !== null && continues(last, part)) groups.at(-1)?.at(-1)?.push(part)
      else if (last?.chosen === chosen) groups.at(-1)?.push([part])
      else groups.push([[part]])
      last = part
    }
  return groups
}

/** Best first; then by path and line. */
function compareGroups(a: Group, b: Group): number {
  const [one, other] = [firstPart(a).chosen, firstPart(b).chosen]
  const [path, otherPath] = [one.section.file.path, other.section.file.path]
  const byPath = path === otherPath ? 0 : path < otherPath ? -1 : 1
  return bestOf(b).score - bestOf(a).score || byPath || ownLines(one).start - ownLines(other).start
}

function makeInOrder(groups: readonly Group[], headerOf: HeaderOf): Passage[] {
  const passages: Passage[] = []
  const shownIn = new Map<string, Shown>()
  for (const group of groups) {
    const { chosen } = firstPart(group)
    const { path } = chosen.section.file
    const shown = shownIn.get(path) ?? { lines: [], headers: [] }
    const header = hideShown(headerOf(chosen.section), shown.lines)
    const passage = makePassage(group, header, shown.headers)
    shown.lines.push(...passage.excerpts.map(({ lines }) => lines))
    shown.headers.push(...header.map(({ lines }) => lines))
    shownIn.set(path, shown)
    if (passage.excerpts.length > 0) passages.push(passage)
    else admitShown(passages, passage, ownLines(chosen))
  }
  return passages
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

/** The role of a file of code, if any: test, generated or third-party. */
function roleIn({ reasons }: Canonicality): { role?: string } {
  const role = reasons.find(({ reason }) => fileRoles.has(reason))?.reason
  return role === undefined ? {} : { role }
}

/** Passages in the order of relevance, each at the rank of its best section; documents likewise, then by path. */
export function makePassages(
  chosen: readonly Chosen[],
  headerOf: HeaderOf = () => [],
): {
  documents: DigestDocument[]
  passages: Passage[]
} {
  const byFile = new Map<number, Chosen[]>()
  for (const one of chosen)
    byFile.set(one.section.artifact.file, [...(byFile.get(one.section.artifact.file) ?? []), one])
  const groups = [...byFile.values()].map((sections) => {
    const { file, canonicality } = (sections[0] as Chosen).section
    const score = Math.max(...sections.map((one) => one.section.score))
    const document: DigestDocument = {
      path: file.path,
      title: file.title,
      score,
      canonicality,
      status: canonicalStatus(canonicality, file.language),
      ...roleIn(canonicality),
      modifiedAt: file.modifiedAt,
      sections: sections.length,
    }
    return { document, sections }
  })
  groups.sort((a, b) => b.document.score - a.document.score || (a.document.path < b.document.path ? -1 : 1))
  return {
    documents: groups.map((group) => group.document),
    passages: makeInOrder(
      groups.flatMap(({ sections }) => groupRuns(sections)).sort(compareGroups),
      headerOf,
    ),
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
