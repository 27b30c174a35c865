// What stands around a section by relations of code? What it uses, its members, its imports, and the documents about it.
import { isCodeLanguage } from '../config/code-languages.ts'
import type { TargetSection } from '../expand/choose-sections.ts'
import type { FoundCode } from '../expand/plan-code.ts'
import { isCodeKind, shapeOfKind } from '../parse/artifact-kinds.ts'
import type { ArtifactRow, CorpusReader, FileRow } from '../store/corpus-reader.ts'
import { isCertain, type ReferenceRow } from '../store/reference-reader.ts'

/** Lines of a section that are in the digest, and how well it answers. */
export interface CodePlace {
  readonly artifact: ArtifactRow
  readonly path: string
  readonly start: number
  readonly end: number
  readonly relevance: number
}

export interface CodeReading {
  readonly reader: CorpusReader
  readonly file: (path: string) => FileRow | null
  readonly target: (row: ArtifactRow, file: FileRow) => TargetSection
  readonly references: (artifact: number) => readonly ReferenceRow[]
  /** The line that names an artifact, below the comments and decorators above it. */
  readonly lineOf: (row: ArtifactRow) => number
}

/** Only what answers about as well as the best brings others along. */
const ANSWERS = 0.3
/** A path in a document stands for so many pieces of that file. */
const PIECES_OF_FILE = 2

/** Everything that relations of code lead to from one place, in the order of the text. */
export function findCodeAround(place: CodePlace, reading: CodeReading): FoundCode[] {
  if (place.relevance < ANSWERS) return []
  const isCode = isCodeKind(place.artifact.kind)
  const found = namedIn(place, reading)
  return isCode
    ? [...found, ...aboutCode(place, reading), ...structureOf(place, reading)]
    : [...found, ...citingCode(place, reading)]
}

type Link = Pick<FoundCode, 'via' | 'direction' | 'line'>

function toFound(place: CodePlace, link: Link, row: ArtifactRow, reading: CodeReading): FoundCode[] {
  if (row.id === place.artifact.id) return []
  const file = reading.reader.file(row.file)
  const { artifact, path: fromPath, relevance: fromRelevance } = place
  const target = reading.target(row, file)
  const isCode = isCodeKind(row.kind)
  return [
    {
      ...link,
      from: artifact.id,
      fromKind: artifact.kind,
      fromPath,
      fromRelevance,
      path: file.path,
      isCode,
      target,
    },
  ]
}

/** Names that stand in the shown lines: what code uses, what a page loads, what a document has in code marks. */
function namedIn(place: CodePlace, reading: CodeReading): FoundCode[] {
  return reading.references(place.artifact.rowId).flatMap((row): FoundCode[] => {
    const via = viaOf(row, reading)
    if (via === null || !isCertain(row)) return []
    if (row.line < place.start || row.line > place.end) return []
    const link: Link = { via, direction: 'out', line: row.line }
    if (row.section !== null) {
      const target = reading.reader.artifactById(row.section)
      return target === null ? [] : toFound(place, link, target, reading)
    }
    return row.form !== 'uses' ? wholeFile(place, link, row.path as string, reading) : []
  })
}

function viaOf({ form, path }: ReferenceRow, reading: CodeReading): string | null {
  if (form === 'uses') return 'uses'
  if (form === 'code') return 'documents'
  if (form === 'link' && path !== null && isCodeLanguage(reading.file(path)?.language ?? ''))
    return 'documents'
  return form === 'script' ? 'external_scripts' : null
}

/** A file that is named as a whole: the pieces at its top. */
function wholeFile(place: CodePlace, link: Link, path: string, reading: CodeReading): FoundCode[] {
  const file = reading.file(path)
  if (file === null) return []
  const rows = reading.reader.artifactsOf(file.id)
  if (link.via === 'external_scripts')
    return rows.slice(0, 1).flatMap((row) => toFound(place, link, row, reading))
  const pieces = rows.filter(({ kind }) => !['import', 'docstring', 'module'].includes(shapeOfKind(kind)))
  return pieces.slice(0, PIECES_OF_FILE).flatMap((row) => toFound(place, link, row, reading))
}

/** Documents that name this piece of code. */
function aboutCode(place: CodePlace, reading: CodeReading): FoundCode[] {
  const rows = reading.reader.references().naming(place.artifact.id)
  return rows.flatMap((row) => {
    const origin = reading.reader.artifact(row.artifact)
    const link: Link = { via: 'documents', direction: 'in', line: reading.lineOf(place.artifact) }
    return isCodeKind(origin.kind) ? [] : toFound(place, link, origin, reading)
  })
}

/** Code whose comments name this document. */
function citingCode(place: CodePlace, reading: CodeReading): FoundCode[] {
  return reading.reader
    .references()
    .citing(place.path)
    .flatMap((row) => {
      const origin = reading.reader.artifact(row.artifact)
      const link: Link = { via: 'cites', direction: 'in', line: reading.lineOf(place.artifact) }
      const isAbout = row.section === null || row.section === place.artifact.id
      return isAbout && isCodeKind(origin.kind) ? toFound(place, link, origin, reading) : []
    })
}

/** What the file itself says around a piece: members of a class, the class of a member, imports and docstring. */
function structureOf(place: CodePlace, reading: CodeReading): FoundCode[] {
  const { artifact } = place
  const { reader } = reading
  const shape = shapeOfKind(artifact.kind)
  const link = (via: string): Link => ({ via, direction: 'out', line: reading.lineOf(artifact) })
  const rows = reader.artifactsOf(artifact.file)
  const found: FoundCode[] = []
  if (shape === 'class')
    for (const row of rows)
      if (row.parent === artifact.rowId && shapeOfKind(row.kind) === 'class_function')
        found.push(...toFound(place, link('member_functions'), row, reading))
  const parent = rows.find(({ rowId }) => rowId === artifact.parent)
  if (shape === 'class_function' && parent !== undefined && shapeOfKind(parent.kind) === 'class')
    found.push(...toFound(place, link('class_name'), parent, reading))
  if (shape === 'class_function') found.push(...ownerElsewhere(place, reading))
  const imports = rows.find(({ kind }) => shapeOfKind(kind) === 'import')
  if (imports !== undefined) found.push(...toFound(place, link('imports'), imports, reading))
  const docstring = rows.find(({ kind }) => shapeOfKind(kind) === 'docstring')
  if (docstring !== undefined) found.push(...toFound(place, link('docstring'), docstring, reading))
  return found
}

/** The type of a function whose definition stands elsewhere. */
function ownerElsewhere(place: CodePlace, reading: CodeReading): FoundCode[] {
  return reading.references(place.artifact.rowId).flatMap((row) => {
    if (row.form !== 'class' || row.outcome !== 'resolved' || row.section === null) return []
    const target = reading.reader.artifactById(row.section)
    const link: Link = { via: 'class_name', direction: 'out', line: row.line }
    return target === null ? [] : toFound(place, link, target, reading)
  })
}
