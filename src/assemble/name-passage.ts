// What is a passage called? By its first heading; neighbouring pieces of code by all their names, or the first and the last.
import { isCodeKind, shapeOfKind, shownName } from '../parse/artifact-kinds.ts'
import type { ArtifactRow } from '../store/corpus-reader.ts'

/** So many names are listed, in so many characters; more are named by the first and the last. */
const mostNames = 3
const mostChars = 80

type Named = Pick<ArtifactRow, 'kind' | 'name' | 'level' | 'headings'>

/** The name of a run of sections of one file. */
export function namePassage(run: readonly Named[], path: string): string {
  const first = run[0] as Named
  if (!isCodeKind(first.kind)) return first.name
  const file = path.slice(path.lastIndexOf('/') + 1)
  const named = withoutMembers(run.filter((piece) => !isOfFile(piece) && !isUnnamed(piece)))
  const names = named.map((piece, index) => nextName(piece, named[index - 1]))
  const all = isOfFile(first) ? [file, ...names] : names
  if (all.length === 0) return shownName(first)
  const listed = all.join(', ')
  if (all.length <= mostNames && listed.length <= mostChars) return listed
  const last = named.at(-1) as Named
  const ends = `${all[0]} … ${nextName(last, isOfFile(first) ? undefined : named[0])}`
  return all.length > 1 && ends.length <= mostChars ? ends : (all[0] as string)
}

/** Imports and what a file says about itself stand for the file. */
function isOfFile({ kind }: Named): boolean {
  const shape = shapeOfKind(kind)
  return shape === 'import' || shape === 'docstring' || shape === 'module'
}

/** Statements between definitions. */
function isUnnamed({ kind, name }: Named): boolean {
  return shapeOfKind(kind) === 'block' && name === 'block'
}

/** A class that is there stands for what is in it. */
function withoutMembers(pieces: readonly Named[]): readonly Named[] {
  const present = new Set(pieces.map(({ headings }) => JSON.stringify(headings)))
  return pieces.filter(
    ({ headings }) =>
      !headings.some((_, end) => end > 0 && present.has(JSON.stringify(headings.slice(0, end)))),
  )
}

/** A neighbour of the same class is called by its own name alone. */
function nextName(piece: Named, before: Named | undefined): string {
  const classOf = ({ headings }: Named): string => JSON.stringify(headings.slice(0, -1))
  const isNeighbour = before !== undefined && piece.headings.length > 1 && classOf(piece) === classOf(before)
  return isNeighbour ? (piece.headings.at(-1) as string) : shownName(piece)
}
