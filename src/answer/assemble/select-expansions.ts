// Which planned expansions fit? Documents in the planner's order, within a budget each and in total, truncated at paragraphs.

import type { Canonicality, Dropped, DropReason, ExpandedDocument, Passage } from '../../model/digest.ts'
import type { ArtifactRow, ArtifactText } from '../../model/section.ts'
import { hasHeading, isCodeKind, shapeOfKind } from '../../read/parse/artifact-kinds.ts'
import type { PlannedDocument, PlannedSection } from '../expand/plan.ts'
import { cutPiece } from './cut-piece.ts'
import { saysNothing } from './empty-text.ts'
import { findSignature } from './find-signature.ts'
import { nameFile, namePassage } from './name-passage.ts'
import { countLineEnds, dropBlankEnd, firstPiece } from './source-text.ts'

export interface ExpansionTokens {
  /** Tokens for all expansions. */
  readonly budget: number
  readonly perDocument: number
  /** Code's part of the budget, and the maximum tokens of a whole definition: a longer one is cut to its signature. */
  readonly code: { readonly budget: number; readonly definition: number }
  /** Minimum tokens of a truncated section. */
  readonly smallestPart: number
  /** Maximum tokens of a section: a longer one is cut to its opening lines. No limit by default. */
  readonly perSection?: number
}

/** Everything known of a planned section. */
export interface ExpansionSource {
  readonly artifact: ArtifactRow
  readonly text: ArtifactText
  readonly language: string
  readonly title: string
  readonly canonicality: Canonicality
}

export interface ExpansionCosts {
  /** The heading of a document. */
  document(document: ExpandedDocument): number
  /** A passage's source lines, without its text. */
  passage(passage: Passage): number
  text(text: string): number
}

export interface SelectedExpansions {
  readonly documents: readonly ExpandedDocument[]
  readonly used: number
  readonly dropped: readonly Dropped[]
}

interface Part {
  readonly text: string
  readonly start: number
  readonly whole: boolean
  /** Shown even below the minimum for truncated sections: the planner asked for exactly this part. */
  readonly isIntended: boolean
  readonly cost: number
}

function wantedPieces(planned: PlannedSection, source: ExpansionSource): { first: number; end: number } {
  const { artifact, text } = source
  const first = firstPiece(artifact, text)
  const heading = hasHeading(artifact.kind) ? 1 : 0
  const end = planned.paragraphs === null ? text.pieces.length : first + heading + planned.paragraphs
  return { first, end: Math.min(end, text.pieces.length) }
}

/** As many of the wanted pieces as there is room for, from the first on. */
function takePart(
  planned: PlannedSection,
  source: ExpansionSource,
  room: number,
  cost: (text: string) => number,
): Part | null {
  const { pieces, text } = source.text
  const { first, end } = wantedPieces(planned, source)
  const start = pieces[first]
  if (start === undefined) return null
  const upTo = (stop: number): string => dropBlankEnd(text.slice(start.start, pieces[stop - 1]?.end))
  // Binary search over the number of pieces: counting a long section is expensive.
  let low = first
  let high = end
  let found: { slice: string; tokens: number } | null = null
  for (let stop = end; low < high; stop = Math.ceil((low + high) / 2)) {
    const slice = upTo(stop)
    const tokens = cost(slice)
    if (tokens > room) high = stop - 1
    else {
      low = stop
      found = { slice, tokens }
    }
  }
  if (found === null || saysNothing(withoutHeading(found.slice, source), isCodeKind(source.artifact.kind)))
    return null
  const { slice, tokens } = found
  const whole = low === pieces.length
  return {
    text: slice,
    start: start.lines.start,
    whole,
    isIntended: planned.paragraphs !== null,
    cost: tokens,
  }
}

/**
 * A definition up to `longest` tokens. Of a longer function the signature: how to use it, not how it works. Of a longer
 * type, whose first line says nothing of its members, what fits into twice that.
 */
function takeDefinition(
  planned: PlannedSection,
  source: ExpansionSource,
  { room, longest }: { readonly room: number; readonly longest: number },
  cost: (text: string) => number,
): Part | null {
  const { artifact, text } = source
  const isFunction = shapeOfKind(artifact.kind).endsWith('function')
  const part = takePart(planned, source, Math.min(room, isFunction ? longest : 2 * longest), cost)
  if (part?.whole === true || !isFunction) return part
  const signature = findSignature(text.text, artifact.name, (artifact.ownLines ?? artifact.lines).start)
  const tokens = signature === null ? 0 : cost(signature.text)
  if (signature === null || tokens > room) return part
  return { text: signature.text, start: signature.lines.start, whole: false, isIntended: true, cost: tokens }
}

/** Whole paragraphs; where they are less than the minimum, the first lines or, of a very long line, the first sentences. */
function takeOpening(
  planned: PlannedSection,
  source: ExpansionSource,
  { room, least }: { readonly room: number; readonly least: number },
  cost: (text: string) => number,
): Part | null {
  const part = takePart(planned, source, room, cost)
  const start = source.text.pieces[wantedPieces(planned, source).first]
  if (part?.whole === true || part?.isIntended === true || (part?.cost ?? 0) >= least || start === undefined)
    return part
  const text = dropBlankEnd(source.text.text.slice(start.start))
  const opening = dropBlankEnd(text.slice(0, cutPiece(text, 'start', { room, cost })))
  if (saysNothing(withoutHeading(opening, source), isCodeKind(source.artifact.kind))) return part
  return { text: opening, start: start.lines.start, whole: false, isIntended: false, cost: cost(opening) }
}

/** The text below its heading, to see whether there is any. */
function withoutHeading(text: string, { artifact }: ExpansionSource): string {
  return hasHeading(artifact.kind) ? text.slice(text.search(/[\r\n]|$/)) : text
}

function makePassage(planned: PlannedSection, source: ExpansionSource, part: Part): Passage {
  const { artifact, language, canonicality } = source
  return {
    path: planned.path,
    kind: artifact.kind,
    language,
    name: namePassage(artifact, { path: planned.path, title: source.title }, () => part.text),
    artifacts: [artifact.id],
    excerpts: [{ lines: { start: part.start, end: part.start + countLineEnds(part.text) }, text: part.text }],
    truncated: !part.whole,
    score: 0,
    signals: {
      relevance: 0,
      lexical: 0,
      document: 0,
      vector: null,
      ranks: {},
      canonicality: canonicality.score,
      parts: [],
    },
    origin: {
      kind: 'expansion',
      from: planned.from,
      via: planned.via,
      depth: planned.depth,
      cost: planned.cost,
      because: planned.because,
    },
    alsoAt: [],
    referencedBy: planned.referencedBy,
    ...(planned.refersTo === undefined ? {} : { refersTo: planned.refersTo }),
    ...(planned.sameDocumentAs === undefined ? {} : { sameDocumentAs: planned.sameDocumentAs }),
  }
}

function dropOf(planned: PlannedSection, source: ExpansionSource): Dropped {
  const lines = source.artifact.ownLines ?? source.artifact.lines
  return { artifact: planned.id, path: planned.path, lines, score: 0, reason: 'no room for references' }
}

/** The title of a document; a file of code has only its name, which may need its folder. */
function titleOf(path: string, { artifact, title }: ExpansionSource): string {
  return isCodeKind(artifact.kind) ? nameFile(path) : title
}

interface Taken {
  readonly document: ExpandedDocument
  /** Of the heading, and of each passage. */
  readonly frame: number
  readonly costs: readonly number[]
}

/** Selects expansions within their own budget; the caller gives what is left to primary sections. */
export function selectExpansions(
  plan: readonly PlannedDocument[],
  from: { readonly costs: ExpansionCosts; readonly sourceOf: (planned: PlannedSection) => ExpansionSource },
  limits: ExpansionTokens,
): SelectedExpansions {
  const taken: Taken[] = []
  const dropped: Dropped[] = []
  let left = limits.budget
  let leftForCode = Math.min(left, limits.code.budget)
  for (const planned of plan) {
    const first = from.sourceOf(planned.sections[0] as PlannedSection)
    const empty: ExpandedDocument = {
      path: planned.path,
      title: titleOf(planned.path, first),
      type: planned.type,
      canonicality: first.canonicality,
      passages: [],
    }
    const frame = from.costs.document(empty)
    const isCode = planned.type === 'code'
    // Definitions are independent of each other: the limit per document holds for each.
    const most = isCode
      ? Math.min(left, leftForCode, limits.perDocument * planned.sections.length)
      : Math.min(left, limits.perDocument)
    let room = most - frame
    const found: { passage: Passage; cost: number }[] = []
    for (const [at, section] of planned.sections.entries()) {
      const source = from.sourceOf(section)
      const bare = makePassage(section, source, {
        text: '',
        start: 1,
        whole: true,
        isIntended: true,
        cost: 0,
      })
      const overhead = from.costs.passage(bare)
      const later = isCode || limits.perSection !== undefined ? [] : planned.sections.slice(at + 1)
      const held = holdBack(later.map(from.sourceOf), {
        overhead,
        sure: most / (2 * planned.sections.length),
      })
      const part = isCode
        ? takeDefinition(
            section,
            source,
            { room: room - overhead, longest: limits.code.definition },
            from.costs.text,
          )
        : takeOpening(
            section,
            source,
            {
              room: Math.min(room - overhead - held, limits.perSection ?? room),
              least: limits.perSection ?? limits.smallestPart,
            },
            from.costs.text,
          )
      if (part === null || (!part.whole && !part.isIntended && part.cost < limits.smallestPart)) {
        dropped.push(dropOf(section, source))
        continue
      }
      found.push({ passage: makePassage(section, source, part), cost: part.cost + overhead })
      room -= part.cost + overhead
    }
    if (found.length === 0) continue
    left -= most - room
    if (isCode) leftForCode -= most - room
    found.sort((a, b) => firstLine(a.passage) - firstLine(b.passage))
    const passages = found.map(({ passage }) => passage)
    taken.push({ document: { ...empty, passages }, frame, costs: found.map(({ cost }) => cost) })
  }
  return withoutOrphans(taken, dropped)
}

/** Tokens for the later sections of a document: each is sure of half an equal share, or of its whole text. */
function holdBack(
  later: readonly ExpansionSource[],
  { overhead, sure }: { readonly overhead: number; readonly sure: number },
): number {
  const sizes = later.map(({ text }) => text.pieces.reduce((sum, { tokens }) => sum + tokens, overhead))
  return sizes.reduce((sum, size) => sum + Math.min(sure, size), 0)
}

function firstLine(passage: Passage): number {
  return passage.excerpts[0]?.lines.start ?? 0
}

/** Is the referring line in the digest? On the first hop it is primary; on later ones its section may have been dropped. */
function isReferred({ origin, referencedBy, refersTo }: Passage, passages: readonly Passage[]): boolean {
  if (origin.kind !== 'expansion' || origin.depth <= 1) return true
  const line = (referencedBy[0] ?? refersTo?.[0])?.line ?? 0
  const referring = passages.find(({ artifacts }) => artifacts.includes(origin.from))
  return referring?.excerpts.some(({ lines }) => lines.start <= line && line <= lines.end) ?? false
}

/** Drops expansions whose referring line is not in the digest. */
function withoutOrphans(taken: readonly Taken[], dropped: readonly Dropped[]): SelectedExpansions {
  const all = taken.flatMap(({ document }) => document.passages)
  const documents: ExpandedDocument[] = []
  const orphans: Dropped[] = []
  let used = 0
  for (const { document, frame, costs } of taken) {
    const kept = document.passages.filter((passage, index) => {
      if (isReferred(passage, all)) used += costs[index] as number
      else orphans.push(dropPassage(passage, 'no room for references'))
      return isReferred(passage, all)
    })
    if (kept.length === 0) continue
    used += frame
    documents.push({ ...document, passages: kept })
  }
  return { documents, used, dropped: [...dropped, ...orphans] }
}

/** An expansion that was dropped later. */
export function dropPassage({ artifacts, path, excerpts }: Passage, reason: DropReason): Dropped {
  const lines = { start: excerpts[0]?.lines.start ?? 1, end: excerpts.at(-1)?.lines.end ?? 1 }
  return { artifact: artifacts[0] as string, path, lines, score: 0, reason }
}

/** The token budget of expansions (record 0014 in docs/decisions): a share of the total, an absolute cap, and what is left. */
export function expansionBudget(
  total: number,
  left: number,
  limits: { share: number; most: number },
): number {
  return Math.max(0, Math.min(Math.floor(total * limits.share), limits.most, left))
}
