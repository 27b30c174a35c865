// What is a passage called? By the headings that lead to it; code by its name.

import type { ArtifactRow, FileRow } from '../../model/section.ts'
import { isCodeKind, languageOfKind, shapeOfKind, shownName } from '../../read/parse/artifact-kinds.ts'

/** Maximum characters of a name; a longer heading is a paragraph, and the text shows it too. */
export const LONGEST_NAME = 120
/** Maximum characters of a statement that names a block. */
const mostOfStatement = 60
const between = ' › '

type Named = Pick<ArtifactRow, 'kind' | 'name' | 'level' | 'headings'>
type PassageFile = Pick<FileRow, 'path' | 'title'>

/** The name of a section; `textOf` is called only where it has no name of its own. */
export function namePassage(section: Named, file: PassageFile, textOf: () => string): string {
  if (!isCodeKind(section.kind)) return nameSection(section, file.title) || nameFile(file.path)
  if (isOfFile(section)) return nameFile(file.path)
  return clipEnd(isUnnamed(section) ? nameStatements(section, file.path, textOf()) : shownName(section))
}

/** The headings down to its own, without the document's title and empty ones; of too many, those in the middle go. */
function nameSection({ name, headings }: Named, title: string): string {
  const named = headings.filter((heading) => heading !== '')
  const path = named.length > 1 && named[0] === title ? named.slice(1) : named
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

const clipEnd = (name: string): string =>
  name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1).trimEnd()}…` : name

/** File names that say nothing without their folder. */
const plainFiles: ReadonlySet<string> = new Set(['index', 'mod', 'main', 'lib', '__init__', '__main__'])

/** `server.js`, but `fetch/index.js`. */
export function nameFile(path: string): string {
  const names = path.split('/')
  const own = names.at(-1) as string
  return names.slice(plainFiles.has(own.slice(0, own.indexOf('.') >>> 0)) ? -2 : -1).join('/')
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

/** Imports, docstrings and modules are named after their file. */
function isOfFile({ kind }: Named): boolean {
  const shape = shapeOfKind(kind)
  return shape === 'import' || shape === 'docstring' || shape === 'module'
}

/** Statements between definitions: they are called so for want of a name. */
export const isUnnamed = ({ kind, name }: Pick<Named, 'kind' | 'name'>): boolean =>
  shapeOfKind(kind) === 'block' && (name === 'block' || name === '')
