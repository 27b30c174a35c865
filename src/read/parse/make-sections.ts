// How do headings become the artifacts of a file? Each takes the lines up to the next, so that their texts tile the file.
import type { Artifact, ArtifactKind, Piece } from '../../model/artifact.ts'
import { maxNameChars } from './bound-rows.ts'
import { offsetOf, type TextLines } from './find-lines.ts'
import { type Heading, nameSections } from './name-sections.ts'
import type { ParsableFile } from './parsable-file.ts'
import { cutText } from './slug.ts'

/** A heading, or a line in the place of one, at a 0-based line. */
export interface SectionHead extends Heading {
  readonly line: number
}

interface SectionOptions {
  readonly kinds: { readonly file: ArtifactKind; readonly section: ArtifactKind }
  /** The title of the file; null to take it from the headings. */
  readonly title: string | null
  /** The title of a file without headings. */
  readonly untitled: string
  /** The pieces of the lines from `start` to before `end`; part 0 is the text before the first heading. */
  readonly piecesOf: (start: number, end: number, part: number) => readonly Piece[]
}

export interface DividedText {
  readonly title: string
  /** The file, then one per heading. */
  readonly artifacts: readonly Artifact[]
}

/** Builds artifacts with their parents for headings in line order that passed `boundHeads`. */
export function makeSections(
  file: ParsableFile,
  lines: TextLines,
  heads: readonly SectionHead[],
  options: SectionOptions,
): DividedText {
  const { path, language } = file
  const lineCount = lines.starts.length
  const names = nameSections(path, heads)
  const title = cutText(options.title ?? headingTitle(heads) ?? options.untitled, maxNameChars)
  const ends = findSectionEnds(heads, lineCount)
  const own = (part: number): Pick<Artifact, 'ownLines' | 'text' | 'pieces'> => {
    const start = heads[part - 1]?.line ?? 0
    const end = heads[part]?.line ?? lineCount
    if (end <= start) return { ownLines: null, text: '', pieces: [] }
    const text = lines.text.slice(offsetOf(lines, start), offsetOf(lines, end))
    return { ownLines: { start: start + 1, end }, text, pieces: options.piecesOf(start, end, part) }
  }
  const whole: Artifact = {
    id: path,
    kind: options.kinds.file,
    path,
    name: title,
    anchor: null,
    language,
    headings: [],
    level: 0,
    // An empty file has line 1.
    lines: { start: 1, end: Math.max(1, lineCount) },
    parent: null,
    ...own(0),
  }
  const sections = names.map((section, index): Artifact => {
    const range = { start: heads[index]!.line + 1, end: ends[index]! }
    return { ...section, kind: options.kinds.section, path, language, lines: range, ...own(index + 1) }
  })
  return { title, artifacts: [whole, ...sections] }
}

/** The last line (1-based) of each section with its subsections: up to the next heading that is not deeper. */
function findSectionEnds(heads: readonly SectionHead[], lineCount: number): number[] {
  const ends = new Array<number>(heads.length).fill(lineCount)
  const open: number[] = []
  for (const [index, { level, line }] of heads.entries()) {
    while (open.length > 0 && heads[open[open.length - 1]!]!.level >= level) ends[open.pop()!] = line
    open.push(index)
  }
  return ends
}

/** The first non-empty heading of level 1, otherwise the first of any level. */
export function headingTitle(heads: readonly SectionHead[]): string | null {
  const saying = heads.filter(({ name }) => name !== '')
  return (saying.find(({ level }) => level === 1) ?? saying[0])?.name ?? null
}
