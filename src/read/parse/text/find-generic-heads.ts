// Where are the parts of a text without a grammar? Where its format names them, otherwise at the least indented lines after blank ones; bodies and brackets stay with their head.

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
/** Brackets that stay open for more lines are not brackets: quoted text, or an error. */
const openLines = 300
/** Longer lines are cut. */
const lineChars = 1_000
const maxNameChars = 80
const tabWidth = 4

/** What is known of each line. */
interface Shape {
  readonly lines: TextLines
  /** Columns before the first character; -1 for a blank line. */
  readonly indents: Int32Array
  /** How many brackets are open where a line starts. */
  readonly depths: Int32Array
  /** 1 for a line that ends or continues a construct. */
  readonly closing: Uint8Array
  /** 1 for a line of prose in a YAML value, where comment marks and brackets do not count. */
  readonly prose: Uint8Array
  readonly isYaml: boolean
}

/** The heads of a text's parts, in order. Linear in its length. */
export function findGenericHeads(lines: TextLines, path = ''): SectionHead[] {
  if (lines.text.length <= wholeChars) return []
  const shape = readShape(lines, path)
  const heads: SectionHead[] = []
  const units = findConfigUnits(path, lines)
  const banners = units.length > 1 ? units : findBanners(shape)
  const first = banners[0]?.line ?? lines.starts.length
  // The text above the first banner, or a comment at the start, belongs to the file.
  splitRange(shape, { start: 0, end: first, level: 1 }, heads)
  if (heads[0]?.line === firstLine(shape) && isComment(shape, heads[0].line)) heads.shift()
  for (const [index, { line, bodyLine, name }] of banners.entries()) {
    const end = banners[index + 1]?.line ?? lines.starts.length
    heads.push(makeHead(line, 1, name))
    if (charsOf(lines, line, end) > wholeChars) splitRange(shape, { start: bodyLine, end, level: 2 }, heads)
  }
  // A single part that is the whole file adds nothing.
  return heads.length === 1 && heads[0]!.line === firstLine(shape) ? [] : heads
}

interface Range {
  readonly start: number
  readonly end: number
  readonly level: number
}

/** Adds the heads of a range: its blocks joined to a fair size, and the parts of long ones. */
function splitRange(shape: Shape, { start, end, level }: Range, heads: SectionHead[]): void {
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
    const body = isLong ? findBody(shape, from, to, base.indent) : null
    // A bracket alone is not a head: its content counts.
    const isNamed = body === null || nameOf(shape, from, body) !== ''
    if (isNamed)
      heads.push(makeHead(from, level, nameOf(shape, from, to) || cutText(textAt(lines, from), maxNameChars)))
    if (body !== null) splitRange(shape, { start: body, end: to, level: isNamed ? level + 1 : level }, heads)
  }
}

/** Where the blocks of a range start: at its fewest open brackets and then its least indentation. */
interface Base {
  readonly depth: number
  readonly indent: number
}

function findBase({ indents, depths, closing }: Shape, start: number, end: number): Base | null {
  let depth = -1
  let indent = -1
  for (let line = start; line < end; line++) {
    if (indents[line]! < 0 || closing[line] === 1) continue
    if (depth < 0 || depths[line]! < depth) {
      depth = depths[line]!
      indent = indents[line]!
    } else if (depths[line] === depth) indent = Math.min(indent, indents[line]!)
  }
  return depth < 0 ? null : { depth, indent }
}

/** Lines that may start a block. The first line that is not blank always does. */
function findStarts(
  { indents, depths, closing }: Shape,
  base: Base,
  range: { readonly start: number; readonly end: number; readonly afterBlank: boolean },
): number[] {
  const starts: number[] = []
  let afterBlank = true
  for (let line = range.start; line < range.end; line++) {
    const indent = indents[line]!
    if (indent >= 0) {
      const isOuter = indent <= base.indent && depths[line]! <= base.depth && closing[line] === 0
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

function charsOf(lines: TextLines, start: number, end: number): number {
  return offsetOf(lines, Math.max(start, end)) - offsetOf(lines, start)
}

function firstLine({ indents }: Shape): number {
  return indents.findIndex((indent) => indent >= 0)
}

/** The start of a line, without indentation and trailing space. */
function textAt({ text, starts }: TextLines, line: number): string {
  const start = starts[line] ?? text.length
  return text.slice(start, Math.min(starts[line + 1] ?? text.length, start + lineChars)).trim()
}

/** A blank line counts as a comment. */
function isComment({ lines, prose }: Shape, line: number): boolean {
  const text = textAt(lines, line)
  return text === '' || (prose[line] !== 1 && patterns.commentLine.test(text))
}

function readShape(lines: TextLines, path: string): Shape {
  const count = lines.starts.length
  const indents = new Int32Array(count)
  const depths = new Int32Array(count)
  const closing = new Uint8Array(count)
  const prose = new Uint8Array(count)
  const isYaml = patterns.yamlFile.test(path) && !path.endsWith('.json')
  let depth = 0
  let openSince = 0
  /** Indentation of the key whose value is this prose. */
  let keyIndent = Number.POSITIVE_INFINITY
  for (let line = 0; line < count; line++) {
    const start = lines.starts[line]!
    const end = Math.min(lines.starts[line + 1] ?? lines.text.length, start + lineChars)
    const indent = indentOf(lines.text, start, end)
    indents[line] = indent.columns
    if (indent.columns < 0) continue
    if (depth > 0 && line - openSince > openLines) depth = 0
    depths[line] = depth
    if (indent.columns > keyIndent) {
      prose[line] = 1
      continue
    }
    const text = lines.text.slice(indent.at, end)
    keyIndent = isYaml && patterns.yamlProse.test(text.trimEnd()) ? indent.columns : Number.POSITIVE_INFINITY
    if (patterns.closingLine.test(text)) closing[line] = 1
    const before = depth
    if (!patterns.commentLine.test(text)) depth = Math.max(0, depth + netBrackets(text))
    if (before === 0 && depth > 0) openSince = line
  }
  return { lines, indents, depths, closing, prose, isYaml }
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

/** Opened minus closed brackets of a line, without quoted text that ends on it. */
function netBrackets(text: string): number {
  let net = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (char === '{' || char === '(' || char === '[') net++
    else if (char === '}' || char === ')' || char === ']') net--
    else if (char === '"' || char === "'" || char === '`') {
      const close = text.indexOf(char, at + 1)
      if (close > 0) at = close
      else if (char === '"') return net
    }
  }
  return net
}

interface Banner {
  readonly line: number
  readonly bodyLine: number
  readonly name: string
}

/** `##### Title #####`, `# ---- Title ----`, or a comment between two rules. */
function findBanners(shape: Shape): Banner[] {
  const { lines, indents } = shape
  const banners: Banner[] = []
  for (let line = 0; line < indents.length; line++) {
    if (indents[line]! !== 0) continue
    const text = textAt(lines, line)
    const named = patterns.banner.exec(text)?.[1]
    if (named !== undefined && patterns.word.test(named)) {
      banners.push({ line, bodyLine: line + 1, name: cutText(named.trim(), maxNameChars) })
    } else if (patterns.bannerRule.test(text) && patterns.bannerRule.test(textAt(lines, line + 2))) {
      const title = textAt(lines, line + 1)
      const name = isComment(shape, line + 1) ? withoutMarks(title) : ''
      if (!patterns.word.test(name)) continue
      banners.push({ line, bodyLine: line + 3, name: cutText(name, maxNameChars) })
      line += 2
    }
  }
  return banners
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

/** The value of a YAML key that names its entry: `- title: "Sorting"`. Prose keeps its marks, without a bullet. */
function nameOfLine({ lines, prose, isYaml }: Shape, line: number): string {
  const text = textAt(lines, line)
  if (prose[line] === 1) return text.replace(patterns.proseBullet, '').replace(patterns.openingMarks, '')
  if (!isYaml) return withoutMarks(text)
  const title = patterns.yamlTitle.exec(text)
  return title?.slice(1).find(Boolean) ?? withoutMarks(text.replace(patterns.yamlProse, ''))
}

/** Without comment marks, an opening bracket at the end, and an unopened quote. */
function withoutMarks(text: string): string {
  const start = text.slice(0, 4 * maxNameChars).replace(patterns.leadingMarks, '')
  const name = start.replace(patterns.openingMarks, '').trim()
  return name.endsWith('"') && name.split('"').length % 2 === 0 ? name.slice(0, -1) : name
}
