// What does an expansion offer, and what does it show? Whole sections where there are tokens, else whole paragraphs from the first on.

import type { Dropped, ExpandedDocument, Passage } from '../../model/digest.ts'
import type { ArtifactText, FileRow, RankedSection } from '../../model/section.ts'
import { hasHeading, isCodeKind } from '../../read/parse/artifact-kinds.ts'
import type { PlannedDocument, PlannedSection } from '../expand/plan.ts'
import { cutPiece } from './cut-piece.ts'
import { saysNothing } from './empty-text.ts'
import { dropPassage } from './hide-shown.ts'
import { cautionOf } from './make-passages.ts'
import { nameFile, namePassage } from './name-passage.ts'
import { countLineEnds, dropBlankEnd, firstPiece } from './source-text.ts'
import type { Offer, Taken } from './take-offers.ts'
import { EXPANSION_GAIN, FAMILY_SECTION_TOKENS, SMALLEST_PART } from './tuning.ts'

/** Everything known of a planned section. */
export interface ExpansionSource
  extends Pick<RankedSection, 'artifact' | 'canonicality'>,
    Pick<FileRow, 'language' | 'title'> {
  readonly text: ArtifactText
}

export interface ExpansionCosts {
  /** The heading of a document. */
  document(document: ExpandedDocument): number
  /** A passage's source lines, without its text. */
  passage(passage: Passage): number
  text(text: string): number
  piece(text: ArtifactText, piece: number): number
}

/** A planned section with its text, what it costs, and how likely a reader needs it. */
export interface Expansion {
  readonly planned: PlannedSection
  readonly document: PlannedDocument
  readonly source: ExpansionSource
  /** Tokens of its frame, and of the text that it may show. */
  readonly frame: number
  readonly whole: number
  readonly offers: readonly Offer[]
}

function wantedPieces(planned: PlannedSection, source: ExpansionSource): { first: number; end: number } {
  const { artifact, text } = source
  const first = firstPiece(artifact, text)
  const heading = hasHeading(artifact.kind) ? 1 : 0
  const end = planned.paragraphs === null ? text.pieces.length : first + heading + planned.paragraphs
  return { first, end: Math.min(end, text.pieces.length) }
}

interface ExpansionInput {
  readonly costs: ExpansionCosts
  readonly sourceOf: (planned: PlannedSection) => ExpansionSource
  /** How likely the section that leads to it is needed. */
  readonly gainOf: (artifact: string) => number
  /** Tokens of one document while others want them. */
  readonly perDocument: number
}

/**
 * The offers of planned documents, in the planner's order. Parts of one decision require each other in the order in
 * which they were planned.
 */
export function offerExpansions(plan: readonly PlannedDocument[], input: ExpansionInput): Expansion[] {
  const { costs, sourceOf, gainOf } = input
  return plan.flatMap((document, rank) => {
    const kind = document.type === 'family' ? 'family' : 'reference'
    const all: Expansion[] = []
    for (const [at, planned] of document.sections.entries()) {
      const source = sourceOf(planned)
      const { first, end } = wantedPieces(planned, source)
      let whole = 0
      for (let piece = first; piece < end; piece++) whole += costs.piece(source.text, piece)
      if (saysNothing(textOf(planned, source), isCodeKind(source.artifact.kind))) continue
      const heading = all.length === 0 ? costs.document(emptyDocument(document, source)) : 0
      const frame =
        heading + costs.passage(makePassage({ planned, source }, { text: '', start: 1, isWhole: true }))
      // A sibling is not cut for the sake of a few lines.
      const ofFamily = whole <= 2 * FAMILY_SECTION_TOKENS ? whole : FAMILY_SECTION_TOKENS
      const head = kind === 'family' ? ofFamily : input.perDocument
      const near = 1 / (1 + (kind === 'family' ? at : rank) / EXPANSION_GAIN.halved)
      const gain = gainOf(planned.from) * EXPANSION_GAIN[kind] * near
      const before = all.at(-1)?.planned.id
      const requires = [
        ...(planned.depth > 1 ? [planned.from] : []),
        ...(document.type === 'adr' && before !== undefined ? [before] : []),
      ]
      // A cut ends at a line, up to a third below what it was given.
      const least = frame + Math.min(1.5 * SMALLEST_PART, head, whole)
      const shared = { id: planned.id, kind, requires, document: document.path } as const
      const tokens = frame + Math.min(head, whole)
      const offers: Offer[] = [{ ...shared, part: 'head', tokens, least, gain }]
      // Of other documents the beginning is enough to know whether to read on.
      const rest = { tokens: whole - head, least: SMALLEST_PART, gain: gain * gain }
      if (document.type === 'adr' && whole > head) offers.push({ ...shared, part: 'rest', ...rest })
      all.push({ planned, document, source, frame, whole, offers })
    }
    return all
  })
}

function textOf(planned: PlannedSection, source: ExpansionSource): string {
  const { pieces, text } = source.text
  const { first, end } = wantedPieces(planned, source)
  const shown = text.slice(pieces[first]?.start ?? text.length, pieces[end - 1]?.end)
  return hasHeading(source.artifact.kind) ? shown.slice(shown.search(/[\r\n]|$/)) : shown
}

interface Part {
  readonly text: string
  readonly start: number
  readonly isWhole: boolean
}

/** Whole paragraphs within the tokens; where they are too few, the first lines or, of a very long line, the first sentences. */
function takePart({ planned, source, whole }: Expansion, room: number, costs: ExpansionCosts): Part | null {
  const { pieces, text } = source.text
  const { first, end } = wantedPieces(planned, source)
  const start = pieces[first]
  if (start === undefined) return null
  let [stop, used] = [end, whole]
  if (whole > room)
    for (stop = first, used = 0; stop < end; stop++) {
      const cost = costs.piece(source.text, stop)
      if (used + cost > room) break
      used += cost
    }
  const isWhole = stop === pieces.length
  const shown = dropBlankEnd(text.slice(start.start, pieces[stop - 1]?.end ?? start.start))
  if (isWhole || stop === end || used >= SMALLEST_PART)
    return { text: shown, start: start.lines.start, isWhole }
  const rest = dropBlankEnd(text.slice(start.start))
  const opening = dropBlankEnd(rest.slice(0, cutPiece(rest, 'start', { room, cost: costs.text })))
  return opening === '' ? null : { text: opening, start: start.lines.start, isWhole: false }
}

function makePassage({ planned, source }: Pick<Expansion, 'planned' | 'source'>, part: Part): Passage {
  const { artifact, language, title, canonicality } = source
  const { path, from, via, depth, cost, because, referencedBy, sameDocumentAs } = planned
  const { start, text } = part
  const own = artifact.ownLines ?? artifact.lines
  return {
    path,
    kind: artifact.kind,
    language,
    name: namePassage(artifact, { path, title }, () => text),
    artifacts: [artifact.id],
    excerpts: [{ lines: { start, end: start + countLineEnds(text) }, text }],
    truncated: !part.isWhole,
    ofLines: own.end - own.start + 1,
    ...cautionOf(canonicality),
    score: 0,
    signals: { ...unmatched, canonicality: canonicality.score },
    origin: { kind: 'expansion', from, via, depth, cost, because },
    alsoAt: [],
    referencedBy,
    ...(sameDocumentAs === undefined ? {} : { sameDocumentAs }),
  }
}

/** Of what no search found. */
const unmatched = { relevance: 0, lexical: 0, document: 0, vector: null, ranks: {}, parts: [] }

function emptyDocument({ path, type }: PlannedDocument, source: ExpansionSource): ExpandedDocument {
  const { artifact, title, canonicality } = source
  // A file of code has only its name, which may need its folder.
  return { path, title: isCodeKind(artifact.kind) ? nameFile(path) : title, type, canonicality, passages: [] }
}

export interface ShownExpansions {
  readonly documents: readonly ExpandedDocument[]
  readonly dropped: readonly Dropped[]
}

/**
 * What the taken expansions show, by document and in the order of its text. One whose referring line is not shown is
 * dropped, unless it was found in a part of the leading document that is not quoted.
 */
export function showExpansions(
  expansions: readonly Expansion[],
  { rooms, kinds }: Pick<Taken, 'rooms' | 'kinds'>,
  {
    costs,
    isReferred,
  }: { costs: ExpansionCosts; isReferred: (passage: Passage, all: readonly Passage[]) => boolean },
): ShownExpansions {
  const dropped: Dropped[] = []
  const made: { document: ExpandedDocument; passage: Passage }[] = []
  for (const expansion of expansions) {
    const { planned, document, source, frame } = expansion
    if (kinds.get(planned.id) === 'section') continue
    const room = (rooms.get(planned.id) ?? 0) - frame
    const part = room > 0 ? takePart(expansion, room, costs) : null
    if (part === null) {
      const { id: artifact, path } = planned
      const lines = source.artifact.ownLines ?? source.artifact.lines
      dropped.push({ artifact, path, lines, score: 0, reason: 'no room for references' })
    } else made.push({ document: emptyDocument(document, source), passage: makePassage(expansion, part) })
  }
  const all = made.map(({ passage }) => passage)
  const documents = new Map<string, ExpandedDocument>()
  for (const { document, passage } of made) {
    if (!isReferred(passage, all)) {
      dropped.push(dropPassage(passage, 'no room for references'))
      continue
    }
    const key = `${document.type === 'family'} ${document.path}`
    const known = documents.get(key) ?? document
    const passages = [...known.passages, passage].sort((a, b) => firstLine(a) - firstLine(b))
    documents.set(key, { ...known, passages })
  }
  return { documents: [...documents.values()], dropped }
}

const firstLine = (passage: Passage): number => passage.excerpts[0]?.lines.start ?? 0
