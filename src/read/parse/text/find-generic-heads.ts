// Where are the parts of a text without a grammar? Where its format names them, otherwise at the least indented lines after blank ones.

import { offsetOf, type TextLines } from '../find-lines.ts'
import type { SectionHead } from '../make-sections.ts'
import { patterns } from '../patterns.ts'
import { cutText } from '../slug.ts'
import { findConfigUnits } from './find-config-units.ts'

/** A text, or a part under a banner, up to this size stays whole: about one fragment. */
const wholeChars = 1_600
/** Blocks are joined up to this size; a longer one stays alone. */
const joinedChars = 600
/** A longer block is divided where its body is indented least. */
const longChars = 2_400
/** Limit on the depth of division. */
const deepest = 4
/** Longer lines are cut. */
const lineChars = 1_000
const maxNameChars = 80
const tabWidth = 4

/** What is known of each line. */
interface Shape {
  readonly lines: TextLines
  /** Columns before the first character; -1 for a blank line. */
  readonly indents: Int32Array
  /** 1 for a line that ends or continues a construct. */
  readonly closing: Uint8Array
  readonly isYaml: boolean
}

/** The heads of a text's parts, in order. Linear in its length. */
export function findGenericHeads(lines: TextLines, path = ''): SectionHead[] {
  if (lines.text.length <= wholeChars) return []
  const shape = readShape(lines, path)
  const heads: SectionHead[] = []
  const units = findConfigUnits(path, lines)
  // The text above the first unit, or a comment at the start, belongs to the file.
  splitRange(shape, { start: 0, end: units[0]?.line ?? lines.starts.length, level: 1 }, heads)
  if (heads[0]?.line === firstLine(shape) && isComment(shape, heads[0].line)) heads.shift()
  for (const [index, { line, bodyLine, name }] of units.entries()) {
    const end = units[index + 1]?.line ?? lines.starts.length
    heads.push(makeHead(line, 1, name))
    if (charsOf(lines, line, end) > wholeChars) splitRange(shape, { start: bodyLine, end, level: 2 }, heads)
  }
  // A single part that is the whole file adds nothing.
  return heads.length === 1 && heads[0]!.line === firstLine(shape) ? [] : heads
}

/** Adds the heads of a range: its blocks joined to a fair size, and the parts of long ones. */
function splitRange(
  shape: Shape,
  { start, end, level }: { start: number; end: number; level: number },
  heads: SectionHead[],
): void {
  const { lines } = shape
  const base = findBase(shape, start, end)
  if (base === null) return
  const spaced = findStarts(shape, base, { start, end, afterBlank: true })
  const starts: number[] = []
  for (const [index, from] of spaced.entries()) {
    const to = spaced[index + 1] ?? end
    if (charsOf(lines, from, to) <= longChars) starts.push(from)
    else
      for (const line of findStarts(shape, base, { start: from, end: to, afterBlank: false }))
        starts.push(line)
  }
  for (const { from, to } of joinBlocks(shape, starts, end)) {
    const isLong = level < deepest && charsOf(lines, from, to) > longChars
    const body = isLong ? findBody(shape, from, to, base) : null
    // A bracket alone is not a head: its content counts.
    const isNamed = body === null || nameOf(shape, from, body) !== ''
    if (isNamed)
      heads.push(makeHead(from, level, nameOf(shape, from, to) || cutText(textAt(lines, from), maxNameChars)))
    if (body !== null) splitRange(shape, { start: body, end: to, level: isNamed ? level + 1 : level }, heads)
  }
}

/** The least indentation of a range; null for blank lines. */
function findBase({ indents, closing }: Shape, start: number, end: number): number | null {
  let base: number | null = null
  for (let line = start; line < end; line++)
    if (indents[line]! >= 0 && closing[line] === 0) base = Math.min(base ?? indents[line]!, indents[line]!)
  return base
}

/** Lines that may start a block. The first line that is not blank always does. */
function findStarts(
  { indents, closing }: Shape,
  base: number,
  range: { readonly start: number; readonly end: number; readonly afterBlank: boolean },
): number[] {
  const starts: number[] = []
  let afterBlank = true
  for (let line = range.start; line < range.end; line++) {
    const indent = indents[line]!
    if (indent >= 0) {
      const isOuter = indent <= base && closing[line] === 0
      if (starts.length === 0 || (isOuter && (afterBlank || !range.afterBlank))) starts.push(line)
    }
    afterBlank = indent < 0
  }
  return starts
}

/** Joins small blocks to their neighbours; a comment joins the text after it. */
function joinBlocks(shape: Shape, starts: readonly number[], end: number): { from: number; to: number }[] {
  const joined: { from: number; to: number }[] = []
  let from = starts[0] ?? end
  for (const [index, start] of starts.entries()) {
    const to = starts[index + 1] ?? end
    const next = charsOf(shape.lines, to, starts[index + 2] ?? end)
    const size = charsOf(shape.lines, from, to)
    const isFull = size >= joinedChars || (next >= joinedChars && size > joinedChars / 4)
    const speaksOfNext = size < longChars && isOnlyComment(shape, start, to)
    if (to < end && (!isFull || speaksOfNext)) continue
    joined.push({ from, to })
    from = to
  }
  return joined
}

function isOnlyComment(shape: Shape, start: number, end: number): boolean {
  for (let line = start; line < end; line++) if (!isComment(shape, line)) return false
  return true
}

/** The first line of a block's body, which is deeper than its head. */
function findBody({ indents }: Shape, from: number, to: number, least: number): number | null {
  for (let line = from + 1; line < to; line++) if (indents[line]! > least) return line
  return null
}

const charsOf = (lines: TextLines, start: number, end: number): number =>
  offsetOf(lines, Math.max(start, end)) - offsetOf(lines, start)

const firstLine = ({ indents }: Shape): number => indents.findIndex((indent) => indent >= 0)

/** The start of a line, without indentation and trailing space. */
function textAt({ text, starts }: TextLines, line: number): string {
  const start = starts[line] ?? text.length
  return text.slice(start, Math.min(starts[line + 1] ?? text.length, start + lineChars)).trim()
}

/** A blank line counts as a comment. In YAML only `#` starts one: the other marks occur in texts. */
function isComment({ lines, isYaml }: Shape, line: number): boolean {
  const text = textAt(lines, line)
  return text === '' || ((!isYaml || text[0] === '#') && patterns.commentLine.test(text))
}

function readShape(lines: TextLines, path: string): Shape {
  const count = lines.starts.length
  const indents = new Int32Array(count)
  const closing = new Uint8Array(count)
  for (let line = 0; line < count; line++) {
    const start = lines.starts[line]!
    const end = Math.min(lines.starts[line + 1] ?? lines.text.length, start + lineChars)
    const indent = indentOf(lines.text, start, end)
    indents[line] = indent.columns
    if (patterns.closingLine.test(lines.text.slice(indent.at, end))) closing[line] = 1
  }
  return { lines, indents, closing, isYaml: patterns.yamlFile.test(path) }
}

function indentOf(text: string, start: number, end: number): { columns: number; at: number } {
  let columns = 0
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === 32) columns++
    else if (code === 9) columns += tabWidth
    else if (code > 13 || code < 9) return { columns, at }
  }
  return { columns: -1, at: end }
}

function makeHead(line: number, level: number, name: string): SectionHead {
  return { line, level, name, plain: name, explicitId: null }
}

/** The first line that says something, preferably not a comment; '' without one. */
function nameOf(shape: Shape, start: number, end: number): string {
  let spare = ''
  for (let line = start; line < end; line++) {
    if (shape.indents[line]! < 0) continue
    const name = nameOfLine(shape, line)
    if (!patterns.word.test(name)) continue
    if (!isComment(shape, line)) return cutText(name, maxNameChars)
    if (spare === '') spare = name
  }
  return cutText(spare, maxNameChars)
}

/** The value of a YAML key that names its entry: `- title: "Sorting"`. A text keeps its marks, without a bullet. */
function nameOfLine({ lines, isYaml }: Shape, line: number): string {
  const text = textAt(lines, line)
  if (!isYaml) return withoutMarks(text)
  const title = patterns.yamlTitle.exec(text)?.slice(1).find(Boolean)
  return title ?? text.replace(patterns.proseBullet, '').replace(patterns.openingMarks, '')
}

/** Without comment marks, an opening bracket at the end, and an unopened quote. */
function withoutMarks(text: string): string {
  const start = text.slice(0, 4 * maxNameChars).replace(patterns.leadingMarks, '')
  const name = start.replace(patterns.openingMarks, '').trim()
  return name.endsWith('"') && name.split('"').length % 2 === 0 ? name.slice(0, -1) : name
}
