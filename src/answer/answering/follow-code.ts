// Which neighbours of a section are proposed in addition to the documents that it refers to? Code, and documents about code.

import { type Neighbour, relations } from '../../corpus/graph/neighbours.ts'
import type { FoundArtifact } from '../../corpus/lookup/find-artifact.ts'
import type { ReferenceRow } from '../../corpus/store/rows/reference-reader.ts'
import type { ArtifactRow } from '../../model/section.ts'
import { isCodeKind, shapeOfKind } from '../../read/parse/artifact-kinds.ts'
import { ORIGIN_RELEVANCE, PIECES_OF_FILE } from '../assemble/tuning.ts'
import type { TargetSection } from '../expand/choose-sections.ts'
import type { FoundCode } from '../expand/plan-code.ts'

/** Lines of a section that are in the digest, and how well it answers. */
export interface CodePlace {
  readonly artifact: ArtifactRow
  readonly path: string
  readonly start: number
  readonly end: number
  readonly relevance: number
}

export interface CodeReading {
  readonly target: (row: ArtifactRow) => TargetSection
  readonly partsOf: (place: FoundArtifact) => readonly FoundArtifact[]
  /** The line that names an artifact, below the comments and decorators above it. */
  readonly lineOf: (row: ArtifactRow) => number
}

type CodeNeighbour = Neighbour<FoundArtifact, ReferenceRow>

/** A document that the text refers to; its sections are chosen by the planner. */
export function isReference({ via, direction }: CodeNeighbour): boolean {
  return direction === 'out' && relations[via].inDigest === 'document'
}

/** Outgoing references first, then incoming ones, then the structure of the file. */
export function findCodeAround(
  place: CodePlace,
  around: readonly CodeNeighbour[],
  reading: CodeReading,
): FoundCode[] {
  const { artifact, path: fromPath, relevance: fromRelevance } = place
  if (fromRelevance < ORIGIN_RELEVANCE) return []
  const { id: from, kind: fromKind } = artifact
  const isLate = ({ via }: CodeNeighbour): number => Number(relations[via].inDigest === 'structure')
  const kept = around.filter((one, index) => isProposed(one, around.slice(0, index), fromKind))
  return kept
    .toSorted((a, b) => isLate(a) - isLate(b))
    .flatMap((neighbour) => {
      const { via, direction, mention } = neighbour
      const line = mention !== null && direction === 'out' ? mention.line : reading.lineOf(artifact)
      return piecesOf(neighbour, reading).flatMap(({ row, file }): FoundCode[] => {
        if (row.id === from) return []
        const [target, isCode] = [reading.target(row), isCodeKind(row.kind)]
        const { path } = file
        return [{ from, fromKind, fromPath, line, fromRelevance, via, direction, path, isCode, target }]
      })
    })
}

function isProposed(one: CodeNeighbour, before: readonly CodeNeighbour[], fromKind: string): boolean {
  const { via, direction, mention, at } = one
  // A document that mentions the file as a whole is too unspecific to explain its top-level statements.
  if (direction === 'in')
    return (
      mention !== null &&
      isCodeKind(at.row.kind) !== isCodeKind(fromKind) &&
      (via === 'cites' || mention.section !== null)
    )
  if (direction === 'family' || isReference(one)) return false
  if (via === 'uses') return at.row.level > 0
  if (via === 'imports' || via === 'docstring')
    return mention === null && !before.some((other) => other.via === via && other.mention === null)
  return relations[via].inDigest !== 'request'
}

/** A reference to a whole file is expanded to the artifacts at its top. */
function piecesOf({ via, direction, at }: CodeNeighbour, reading: CodeReading): readonly FoundArtifact[] {
  if (via !== 'documents' || direction === 'in' || at.row.level > 0) return [at]
  const isPiece = ({ row }: FoundArtifact): boolean =>
    !['import', 'docstring', 'module'].includes(shapeOfKind(row.kind))
  return reading.partsOf(at).filter(isPiece).slice(0, PIECES_OF_FILE)
}
