// What is a passage called? By the headings that lead to it, and what else is in it; code by its names.

import type { ArtifactRow, FileRow } from '../model/section.ts'
import { isCodeKind, languageOfKind, shapeOfKind, shownName } from '../parse/artifact-kinds.ts'

/** Limits for a list of names, in names and characters; beyond them only the first and the last are given. */
const mostNames = 3
const mostChars = 80
/** Characters of a name; a longer heading is a paragraph, which does not stand for itself and is shown in the text, too. */
export const LONGEST_NAME = 120
/** Characters of a statement that stands for a block. */
const mostOfStatement = 60
const between = ' › '

type Named = Pick<ArtifactRow, 'kind' | 'name' | 'level' | 'headings'>
type PassageFile = Pick<FileRow, 'path' | 'title'>

/** The name of consecutive sections of one file; `textOf` is called only where no artifact has a name. */
export function namePassage(run: readonly Named[], file: PassageFile, textOf: () => string): string {
  const first = run[0] as Named
  if (!isCodeKind(first.kind)) return nameSections(run, file.title)
  const named = withoutMembers(run.filter((piece) => !isOfFile(piece) && !isUnnamed(piece)))
  const names = named.map((piece, index) => nextName(piece, named[index - 1]))
  const all = [...new Set(isOfFile(first) ? [nameFile(file.path), ...names] : names)]
  if (all.length === 0) return clipEnd(nameStatements(first, file.path, textOf()))
  const listed = all.join(', ')
  if (all.length <= mostNames && listed.length <= mostChars) return listed
  const last = named.at(-1) as Named
  const ends = `${all[0]} … ${nextName(last, isOfFile(first) ? undefined : named[0])}`
  return clipEnd(all.length > 1 && ends.length <= mostChars ? ends : (all[0] as string))
}

/** The first section, and the others that are not below one of them, by their own headings where there is room. */
function nameSections(run: readonly Named[], title: string): string {
  const [first, ...others] = withoutMembers(run) as [Named, ...Named[]]
  const name = nameSection(first, title)
  // Neighbours may have one heading in common, "Example": said once.
  const ends = [...new Set(others.map((section) => section.name))].filter((end) => end !== first.name)
  const listed = [name, ...ends].join(', ')
  if (ends.length < mostNames && listed.length <= LONGEST_NAME) return listed
  const short = `${name} … ${ends.at(-1)}`
  return ends.length > 0 && short.length <= LONGEST_NAME ? short : name
}

/** The headings down to its own, without the document's title; of too many, those in the middle go. */
function nameSection({ name, headings }: Named, title: string): string {
  const path = headings.length > 1 && headings[0] === title ? headings.slice(1) : headings
  if (path.length < 2) return clipEnd(name)
  const own = path.at(-1) as string
  const above = path.slice(0, -1)
  for (let kept = above.length; kept >= 0; kept--) {
    const shown = kept === above.length ? path : [...above.slice(0, kept), '…', own]
    const joined = shown.join(between)
    if (joined.length <= LONGEST_NAME) return joined
  }
  return clipEnd(own)
}

function clipEnd(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1).trimEnd()}…` : name
}

/** File names that say nothing without their folder. */
const plainFiles: ReadonlySet<string> = new Set(['index', 'mod', 'main', 'lib', '__init__', '__main__'])

/** `server.js`, but `fetch/index.js`. */
export function nameFile(path: string): string {
  const names = path.split('/')
  const own = names.at(-1) as string
  const isPlain = plainFiles.has(own.slice(0, own.indexOf('.') >>> 0))
  return names.slice(isPlain ? -2 : -1).join('/')
}

const comment = /^(?:\/\/|\/\*|\*|#(?!\w)|--|<!--|"""|''')/
/** Statements that belong to the file as a whole. */
const ofFile = /^(?:package|import|use|from|module\.exports|export default|if t?\.?TYPE_CHECKING)\b/

/** Statements by the first line that tells something, below their class; by their file when that line is about the file. */
function nameStatements({ kind, headings }: Named, path: string, text: string): string {
  const isMarkup = languageOfKind(kind) === 'html'
  const lines = text
    .split(/\r\n|\n|\r/)
    .map((line) => (isMarkup ? line.replace(/<[^<>]*>/g, ' ').replace(/\s+/g, ' ') : line).trim())
  const told = lines.find((line) => !comment.test(line) && /\p{L}{2}/u.test(line))
  if (told === undefined || ofFile.test(told)) return nameFile(path)
  const line = told.length > mostOfStatement ? `${told.slice(0, mostOfStatement - 1).trimEnd()}…` : told
  return headings.length > 1 ? `${headings.slice(0, -1).join('.')}: ${line}` : line
}

/** Imports and what a file says about itself stand for the file. */
function isOfFile({ kind }: Named): boolean {
  const shape = shapeOfKind(kind)
  return shape === 'import' || shape === 'docstring' || shape === 'module'
}

/** Statements between definitions: they are called so for want of a name. */
export function isUnnamed({ kind, name }: Pick<Named, 'kind' | 'name'>): boolean {
  return shapeOfKind(kind) === 'block' && name === 'block'
}

/** Members of a listed class are not listed. */
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
