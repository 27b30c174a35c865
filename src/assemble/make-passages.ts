// How do chosen sections become the blocks of a digest? Neighbours under one source, documents by score, lines in order.
import { canonicalStatus, codeRoles } from '../graph/score-canonicality.ts'
import type { Lines } from '../model/artifact.ts'
import type { Canonicality, DigestDocument, Excerpt, Passage } from '../model/digest.ts'
import { hasHeading, isCodeKind } from '../parse/artifact-kinds.ts'
import type { RankedSection } from '../retrieve/rank-sections.ts'
import { sourceLines } from './escape-text.ts'
import { findSignature } from './find-signature.ts'
import { hideShown } from './hide-shown.ts'
import { namePassage } from './name-passage.ts'
import type { Chosen } from './select-sections.ts'
import { countLineEnds, dropBlankEnd, firstPiece } from './source-text.ts'

/** The chosen text of one section from a piece on, as it stands in the source. */
function sliceOf(chosen: Chosen, start: number): string {
  const { text, pieces } = chosen.text
  return text.slice(chosen.cutStart ?? pieces[start]?.start, chosen.cutEnd ?? pieces[chosen.end - 1]?.end)
}

/** The line that the chosen text starts at, from a piece on. */
function firstLine(chosen: Chosen, start: number): number {
  const { text, pieces } = chosen.text
  const piece = pieces[start] as { start: number; lines: Lines }
  return (
    piece.lines.start -
    (chosen.cutStart === null ? 0 : countLineEnds(text.slice(chosen.cutStart, piece.start)))
  )
}

/** The header of the class around a piece of code: what a reader must see first. */
export type HeaderOf = (section: RankedSection) => readonly Excerpt[]

/** Neighbouring runs of lines as one, exactly as in the source; the first heading is the passage's name already. */
function excerptOf(run: readonly Chosen[]): Excerpt {
  const first = run[0] as Chosen
  const named =
    hasHeading(first.section.artifact.kind) && first.start === 0 && (first.end > 1 || first.cutEnd !== null)
      ? 1
      : 0
  const text = dropBlankEnd(
    run.map((chosen) => sliceOf(chosen, chosen === first ? first.start + named : chosen.start)).join(''),
  )
  const lines = {
    start: firstLine(first, first.start),
    end: firstLine(first, first.start + named) + countLineEnds(text),
  }
  return { lines, text }
}

function isWhole(chosen: Chosen): boolean {
  return chosen.end === chosen.text.pieces.length
}

function ownLines(chosen: Chosen): Lines {
  return chosen.section.artifact.ownLines as Lines
}

/** Does `after` go on where `before` ended, with nothing left out between them? */
function continues(before: Chosen, after: Chosen): boolean {
  const starts = (after.text.pieces[after.start] as { lines: Lines }).lines.start === ownLines(after).start
  return isWhole(before) && starts && ownLines(before).end + 1 === ownLines(after).start
}

/** The signature of a piece of code whose beginning is left out. */
function ownSignature({ section, text, start }: Chosen): Excerpt[] {
  const { kind, name, ownLines: own } = section.artifact
  if (start === 0 || !isCodeKind(kind) || own === null) return []
  const signature = findSignature(text.text, name, own.start)
  return signature === null ? [] : [signature]
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

/** `shown` are the lines of the same file that stand above it in the digest. */
function makePassage(run: readonly Chosen[], headerOf: HeaderOf, shown: readonly Lines[]): Passage {
  const best = run.reduce((top, chosen) => (chosen.section.score > top.section.score ? chosen : top))
  const first = run[0] as Chosen
  const { artifact, file } = first.section
  return {
    path: file.path,
    kind: artifact.kind,
    language: file.language,
    name: namePassage(
      run.map((chosen) => chosen.section.artifact),
      file.path,
    ),
    artifacts: run.map((chosen) => chosen.section.artifact.id),
    excerpts: joinExcerpts([
      ...hideShown(headerOf(first.section), shown),
      ...ownSignature(first),
      excerptOf(run),
    ]),
    truncated: first.start > firstPiece(first.section.artifact, first.text) || !isWhole(run.at(-1) as Chosen),
    score: best.section.score,
    signals: best.section.signals,
    origin: { kind: 'search' },
    alsoAt: run.flatMap((chosen) => chosen.alsoAt),
    referencedBy: [],
  }
}

function passagesOf(sections: readonly Chosen[], headerOf: HeaderOf): Passage[] {
  const inOrder = [...sections].sort((a, b) => ownLines(a).start - ownLines(b).start)
  const runs: Chosen[][] = []
  for (const chosen of inOrder) {
    const run = runs.at(-1)
    if (run !== undefined && continues(run.at(-1) as Chosen, chosen)) run.push(chosen)
    else runs.push([chosen])
  }
  const passages: Passage[] = []
  for (const run of runs) {
    const shown = passages.flatMap(({ excerpts }) => excerpts.map(({ lines }) => lines))
    passages.push(makePassage(run, headerOf, shown))
  }
  return passages
}

/** What a reader must know of a file of code: that it is a test, generated, or somebody else's. */
function roleIn({ reasons }: Canonicality): { role?: string } {
  const role = reasons.find(({ reason }) => codeRoles.has(reason))?.reason
  return role === undefined ? {} : { role }
}

/** Documents by their best section's score, then by path; inside a document the order of the text. */
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
      status: canonicalStatus(canonicality.score),
      ...roleIn(canonicality),
      modifiedAt: file.modifiedAt,
      sections: sections.length,
    }
    return { document, sections }
  })
  groups.sort((a, b) => b.document.score - a.document.score || (a.document.path < b.document.path ? -1 : 1))
  return {
    documents: groups.map((group) => group.document),
    passages: groups.flatMap((group) => passagesOf(group.sections, headerOf)),
  }
}
