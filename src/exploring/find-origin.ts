// Where does a request start that belongs to no question? A section or document by any of its names, as the whole context.
import type { PresentArtifact } from '../model/expansion.ts'
import { shapeOfKind } from '../parse/artifact-kinds.ts'
import type { ArtifactRow, CorpusReader } from '../store/corpus-reader.ts'
import { ArtifactFinder } from './find-artifact.ts'

export interface NamedOrigin {
  /** The name that a session of it knows: a canonical id, or path:lines. */
  readonly from: string
  readonly present: readonly PresentArtifact[]
}

/** A section or document with everything below it, by any of its names. Throws BAD_INPUT. */
export function findOrigin(reader: CorpusReader, named: string): NamedOrigin {
  return reader.snapshot(() => {
    const finder = new ArtifactFinder(reader)
    const { row, file, lines } = finder.find(named)
    const { start, end } = lines ?? row.lines
    const rows = finder.document(file.path)?.rows ?? []
    const within = rows.filter(
      ({ ownLines }) => ownLines !== null && ownLines.start <= end && ownLines.end >= start,
    )
    const below = lines === null ? withoutMembers(within, rows) : within
    const ids = new Set([...(lines === null ? [row.id] : []), ...below.map(({ id }) => id)])
    const from = lines === null ? row.id : `${file.path}:${start}-${end}`
    return { from, present: [...ids].map((id) => ({ id, depth: 0 })) }
  })
}

/** A class stands for its header: its functions are what it may bring along. */
function withoutMembers(within: readonly ArtifactRow[], rows: readonly ArtifactRow[]): ArtifactRow[] {
  const classes = new Set(rows.filter(({ kind }) => shapeOfKind(kind) === 'class').map(({ rowId }) => rowId))
  return within.filter(
    ({ kind, parent }) => shapeOfKind(kind) !== 'class_function' || parent === null || !classes.has(parent),
  )
}
