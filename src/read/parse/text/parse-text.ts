// What is in a plain text? Sections by headings, paragraphs in them, and a title if it has a clear one.

import type { ParsedDocument, Piece } from '../../../model/artifact.ts'
import type { CodeOutline } from '../../../model/code.ts'
import { lastSegment } from '../../../model/paths.ts'
import { boundHeads, warnOfMerged } from '../bound-rows.ts'
import { findLines, type TextLines } from '../find-lines.ts'
import { makeSections } from '../make-sections.ts'
import { findTextMentions, type MentionOptions } from '../markdown/find-mentions.ts'
import { statusOf, titleOf } from '../markdown/frontmatter.ts'
import { fileName, type ParsableFile } from '../parsable-file.ts'
import { type Block, splitPieces } from '../split-pieces.ts'
import { findGenericHeads } from './find-generic-heads.ts'
import { findTextHeads, type TextHead } from './head-candidate.ts'
import { type MarkedText, unmarked, withLabels } from './marked-text.ts'
import { scannerOf } from './text-scanners.ts'

/** Parses any text as paragraphs. It cannot fail, so it also handles files that their own parser refuses. */
export function parseText(file: ParsableFile, options: Partial<MentionOptions> = {}): ParsedDocument {
  const lines = findLines(file.text)
  const scanner = scannerOf(file.path, lines)
  const heads = findTextHeads(lines, scanner.heads)
  const marked = scanner.mentions?.(lines, { codeNames: options.codeNames ?? false }) ?? unmarked
  const title = titleOf(marked.values) ?? leadingTitle(lines, heads) ?? onlyTitle(heads)
  return finish(file, options, {
    kind: 'text_document',
    lines,
    heads,
    title: title ?? fileName(file.path),
    marked,
  })
}

/** Text without a grammar: chunks by blank lines, indentation and brackets, without expansion. */
export function parseGeneric(file: ParsableFile, options: Partial<MentionOptions> = {}): ParsedDocument {
  const lines = findLines(file.text)
  const title = lastSegment(file.path)
  const heads = findGenericHeads(lines, file.path)
  return {
    ...finish(file, options, { kind: 'blind', lines, heads, title, marked: unmarked }),
    outline: noOutline,
  }
}

const noOutline: CodeOutline = { symbols: [], imports: [], exports: [] }

interface Found {
  readonly kind: 'text_document' | 'blind'
  readonly lines: TextLines
  readonly heads: readonly (Omit<TextHead, 'bodyLine'> & { readonly bodyLine?: number })[]
  readonly title: string
  readonly marked: MarkedText
}

function finish(
  file: ParsableFile,
  options: Partial<MentionOptions>,
  { kind, lines, heads: written, title, marked }: Found,
): ParsedDocument {
  const { path, language, text } = file
  const heads = boundHeads(written, { path, title, starts: lines.starts, chars: text.length })
  const blocks = findParagraphs(lines, new Set(heads.flatMap(({ bodyLine }) => bodyLine ?? [])))
  let from = 0
  const piecesOf = (start: number, end: number): Piece[] => {
    while (from < blocks.length && blocks[from]!.line < start) from++
    let to = from
    while (to < blocks.length && blocks[to]!.line < end) to++
    return splitPieces(lines, { start, end, blocks: blocks.slice(from, to) })
  }
  const { artifacts } = makeSections(file, lines, heads, {
    kinds: { file: kind, section: kind },
    title,
    untitled: title,
    piecesOf,
  })
  const holders = artifacts.map(({ id }, part) => [(heads[part - 1]?.line ?? 0) + 1, id] as const)
  return {
    path,
    language,
    ...warnOfMerged(written, heads),
    facts: { title, status: statusOf(marked.values), frontmatter: withLabels(marked, holders, text.length) },
    artifacts,
    mentions: findTextMentions(text, holders, { ...options, marked: marked.mentions }),
  }
}

/** The only heading of level 1. */
function onlyTitle(heads: readonly TextHead[]): string | null {
  const [first, ...others] = heads
  if (first === undefined || first.level !== 1) return null
  return first.name !== '' && others.every(({ level }) => level > 1) ? first.name : null
}

/** A heading of level 1 with which the text starts. */
function leadingTitle(lines: TextLines, [first]: readonly TextHead[]): string | null {
  if (first?.level !== 1) return null
  for (let line = 0; line < first.line; line++) if (!isBlankLine(lines, line)) return null
  return first.name === '' ? null : first.name
}

/** A paragraph starts at a line after a blank line or a heading. */
function findParagraphs(lines: TextLines, belowHeads: ReadonlySet<number>): Block[] {
  const blocks: Block[] = []
  let afterBlank = true
  for (let line = 0; line < lines.starts.length; line++) {
    const blank = isBlankLine(lines, line)
    if (!blank && (afterBlank || belowHeads.has(line))) blocks.push({ line })
    afterBlank = blank
  }
  return blocks
}

function isBlankLine(lines: TextLines, line: number): boolean {
  const end = lines.starts[line + 1] ?? lines.text.length
  for (let at = lines.starts[line]!; at < end; at++) {
    const code = lines.text.charCodeAt(at)
    if (code !== 32 && (code < 9 || code > 13)) return false
  }
  return true
}
