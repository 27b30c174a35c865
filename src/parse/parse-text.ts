// What is in a plain text file? One document of paragraphs, and a title when it plainly has one.
import type { ParsedDocument } from '../model/artifact.ts'
import type { CodeOutline } from '../model/code.ts'
import { findLines, lineAt, type TextLines } from './find-lines.ts'
import { findTextMentions, type MentionOptions } from './find-mentions.ts'
import { fileName, type ParsableFile } from './parsable-file.ts'
import { patterns } from './patterns.ts'
import { emptyValues } from './read-simple-lines.ts'
import { cutText } from './slug.ts'
import { type Block, splitPieces } from './split-pieces.ts'

const maxTitleChars = 200
/** Characters that underline a title in reStructuredText and AsciiDoc. */
const underlines = '=-~^"*+#`:.\'_'

/** Parses any text as paragraphs. It cannot fail, so it also serves files that their own parser refuses. */
export function parseText(file: ParsableFile, options: Partial<MentionOptions> = {}): ParsedDocument {
  const { path, language, text } = file
  const lines = findLines(text)
  const lineCount = lines.starts.length
  const title = findTitle(lines) ?? fileName(path)
  const pieces = splitPieces(lines, { start: 0, end: lineCount, blocks: findParagraphs(lines) })
  const whole = { start: 1, end: Math.max(1, lineCount) }
  return {
    path,
    language,
    lineCount,
    facts: { title, status: null, date: null, frontmatter: emptyValues() },
    artifacts: [
      {
        id: path,
        kind: 'text_document',
        path,
        name: title,
        anchor: null,
        language,
        headings: [],
        level: 0,
        lines: whole,
        ownLines: lineCount === 0 ? null : whole,
        text,
        pieces,
        parent: null,
      },
    ],
    relations: [],
    mentions: findTextMentions(text, path, options),
  }
}

/** Code without structure: the paragraphs of a text that nobody may expand from. */
export function parseBlind(file: ParsableFile, options: Partial<MentionOptions> = {}): ParsedDocument {
  const parsed = parseText(file, options)
  const title = fileName(file.path)
  const artifacts = parsed.artifacts.map((artifact) => ({ ...artifact, kind: 'blind' as const, name: title }))
  return { ...parsed, facts: { ...parsed.facts, title }, artifacts, outline: noOutline }
}

const noOutline: CodeOutline = { symbols: [], imports: [], exports: [] }

/** A paragraph starts at each line that is not blank and follows a blank one. */
function findParagraphs(lines: TextLines): Block[] {
  const blocks: Block[] = []
  let afterBlank = true
  for (let line = 0; line < lines.starts.length; line++) {
    const blank = isBlankLine(lines, line)
    if (afterBlank && !blank) blocks.push({ line })
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

/** The first line that is not blank, when it is underlined, stands between two rules, or starts with `= `. */
function findTitle(lines: TextLines): string | null {
  let line = 0
  while (line < lines.starts.length && isBlankLine(lines, line)) line++
  const first = titleLine(lines, line)
  if (first.startsWith('= ')) return oneLine(first.slice(2))
  const second = titleLine(lines, line + 1)
  if (isRule(first)) return isRule(titleLine(lines, line + 2), second) ? oneLine(second) : null
  return isRule(second, first) ? oneLine(first) : null
}

/** Of a line too long to be a title, nothing. */
function titleLine(lines: TextLines, line: number): string {
  const start = lines.starts[line]
  if (start === undefined || (lines.starts[line + 1] ?? lines.text.length) - start > maxTitleChars + 2)
    return ''
  const text = lineAt(lines, line)
  return (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text).trimEnd()
}

/** One underlining character throughout; at least as long as the title, give or take two, as AsciiDoc allows. */
function isRule(text: string, title: string | null = null): boolean {
  if (text.length < 3 || !underlines.includes(text[0]!)) return false
  if (title !== null && (title.trim() === '' || isRule(title) || text.length < title.trim().length - 2))
    return false
  for (let at = 1; at < text.length; at++) if (text[at] !== text[0]) return false
  return true
}

function oneLine(text: string): string | null {
  const title = cutText(text.replace(patterns.whitespaceRun, ' ').trim(), maxTitleChars)
  return title === '' ? null : title
}
