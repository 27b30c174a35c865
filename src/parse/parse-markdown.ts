// What is in a Markdown file? The file itself, one section per top-level heading, and who defines whom.
import type { Artifact, Lines, ParsedDocument, Relation } from '../model/artifact.ts'
import { findLines, offsetOf, type TextLines } from './find-lines.ts'
import { findMentions, type MentionOptions } from './find-mentions.ts'
import { dateOf, readFrontmatter, statusOf, titleOf } from './frontmatter.ts'
import { nameSections, type SectionName } from './name-sections.ts'
import { fileName, type ParsableFile } from './parsable-file.ts'
import { type MarkdownBlock, type ScannedBlocks, scanBlocks } from './scan-blocks.ts'
import { splitPieces } from './split-pieces.ts'

/** Blocks of one artifact: everything from its first line to the line before the next heading. */
interface Part {
  readonly start: number
  readonly end: number
  readonly blocks: readonly MarkdownBlock[]
}

/** Parses Markdown by its block structure. The own texts of the artifacts, in order, are exactly the file's text. */
export function parseMarkdown(file: ParsableFile, options: Partial<MentionOptions> = {}): ParsedDocument {
  const lines = findLines(file.text)
  const lineCount = lines.starts.length
  const { lineCount: frontmatterLines, values } = readFrontmatter(lines)
  const scanned = scanBlocks(lines, frontmatterLines)
  const headed = scanned.blocks.filter((block) => block.heading !== null)
  const names = nameSections(file.path, headed, scanned.env)
  const title = titleOf(values) ?? headingTitle(names) ?? fileName(file.path)
  const parts = splitParts(scanned.blocks, lineCount)
  const ends = findSectionEnds(names, parts, lineCount)

  const artifacts = parts.map((part, index): Artifact => {
    const name = names[index - 1]
    return {
      ...(name === undefined ? fileIdentity(file.path, title) : sectionIdentity(name)),
      path: file.path,
      language: file.language,
      lines: name === undefined ? allLines(lineCount) : { start: part.start + 1, end: ends[index - 1]! },
      ...ownText(lines, part, scanned),
    }
  })
  const relations = names.map(
    (name, index): Relation => ({
      from: name.parent,
      to: name.id,
      kind: 'DEFINES',
      line: parts[index + 1]!.start + 1,
    }),
  )
  const facts = { title, status: statusOf(values), date: dateOf(values), frontmatter: values }
  const holders = artifacts.map(({ id }, index) => [parts[index]!.start + 1, id] as const)
  const mentions = findMentions({ ...scanned, lines, firstLine: frontmatterLines }, holders, options)
  return { path: file.path, language: file.language, lineCount, facts, artifacts, relations, mentions }
}

type Identity = Pick<Artifact, 'id' | 'kind' | 'name' | 'anchor' | 'headings' | 'level' | 'parent'>

function fileIdentity(path: string, title: string): Identity {
  return {
    id: path,
    kind: 'markdown_module',
    name: title,
    anchor: null,
    headings: [],
    level: 0,
    parent: null,
  }
}

function sectionIdentity(section: SectionName): Identity {
  const { id, name, anchor, headings, level, parent } = section
  return { id, kind: 'markdown_section', name, anchor, headings, level, parent }
}

function ownText(
  lines: TextLines,
  part: Part,
  scanned: ScannedBlocks,
): Pick<Artifact, 'ownLines' | 'text' | 'pieces'> {
  if (part.end <= part.start) return { ownLines: null, text: '', pieces: [] }
  return {
    ownLines: { start: part.start + 1, end: part.end },
    text: lines.text.slice(offsetOf(lines, part.start), offsetOf(lines, part.end)),
    pieces: splitPieces(lines, { ...part, cutsOf: scanned.cutsOf }),
  }
}

/** The first part is the file's own, and empty when line 1 is a heading; each heading starts another. */
function splitParts(blocks: readonly MarkdownBlock[], lineCount: number): Part[] {
  const parts: Part[] = []
  let start = 0
  let first = 0
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index]!
    if (block.heading === null) continue
    parts.push({ start, end: block.line, blocks: blocks.slice(first, index) })
    start = block.line
    first = index
  }
  parts.push({ start, end: lineCount, blocks: blocks.slice(first) })
  return parts
}

/** The last line (1-based) of each section with everything below it: up to the next heading that is not deeper. */
function findSectionEnds(names: readonly SectionName[], parts: readonly Part[], lineCount: number): number[] {
  const ends = new Array<number>(names.length).fill(lineCount)
  const open: number[] = []
  for (let index = 0; index < names.length; index++) {
    while (open.length > 0 && names[open[open.length - 1]!]!.level >= names[index]!.level) {
      ends[open.pop()!] = parts[index + 1]!.start
    }
    open.push(index)
  }
  return ends
}

/** The first heading of level 1 that says something, else the first of any level. */
function headingTitle(names: readonly SectionName[]): string | null {
  const saying = names.filter((section) => section.name !== '')
  return (saying.find((section) => section.level === 1) ?? saying[0])?.name ?? null
}

/** The whole file; an empty one is its line 1. */
function allLines(lineCount: number): Lines {
  return { start: 1, end: Math.max(1, lineCount) }
}
