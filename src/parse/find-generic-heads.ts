// Where are the parts of a text without a grammar? At lines of least indentation after blank ones; bodies and brackets stay with their head.
import { offsetOf, type TextLines } from './find-lines.ts'
import type { SectionHead } from './make-sections.ts'
import { patterns } from './patterns.ts'
import { cutText } from './slug.ts'

/** A text, or a part under a banner, of at most so many UTF-16 units stays whole: about one fragment. */
const wholeChars = 1_600
/** Blocks join until they are so long together; a longer one stands alone. */
const joinedChars = 600
/** A block that is longer is divided where its body is indented least. */
const longChars = 2_400
/** Bodies inside bodies are divided so many times. */
const deepest = 4
/** Brackets that stay open for so many lines are no brackets: text in quotes, or a mistake. */
const openLines = 300
/** Of a line so much is looked at: more says nothing about structure. */
const lineChars = 1_000
const maxNameChars = 80
const tabWidth = 4

/** What is known of each line. */
interface Shape {
  readonly lines: TextLines
  /** Columns before the first character; -1 for a blank line. */
  readonly indents: Int32Array
  /** 1 for a line that cannot start a part: inside brackets, a closing bracket or word. */
  readonly held: Uint8Array
}

/** The heads of a text's parts, in order. Linear in its length. */
export function findGenericHeads(lines: TextLines): SectionHead[] {
  if (lines.text.length <= wholeChars) return []
  const shape = readShape(lines)
  const heads: SectionHead[] = []
  const banners = findBanners(shape)
  const first = banners[0]?.line ?? lines.starts.length
  // What stands above the first banner, or a comment that opens the file, is the file's own.
  splitRange(shape, { start: 0, end: first, level: 1 }, heads)
  if (heads[0]?.line === firstLine(shape) && isComment(textAt(lines, heads[0].line))) heads.shift()
  for (const [index, { line, bodyLine, name }] of banners.entries()) {
    const end = banners[index + 1]?.line ?? lines.starts.length
    heads.push(makeHead(line, 1, name))
    if (charsOf(lines, line, end) > wholeChars) splitRange(shape, { start: bodyLine, end, level: 2 }, heads)
  }
  // One part that is the whole file says no more than the file.
  return heads.length === 1 && heads[0]!.line === firstLine(shape) ? [] : heads
}

interface Range {
  readonly start: number
  readonly end: number
  readonly level: number
}

/** Adds the heads of a range: its blocks joined to a fair size, and what is inside those that are long. */
function splitRange(shape: Shape, { start, end, level }: Range, heads: SectionHead[]): void {
  const { lines } = shape
  const least = leastIndent(shape, start, end)
  if (least < 0) return
  const spaced = findStarts(shape, { start, end, least, afterBlank: true })
  const starts: number[] = []
  for (const [index, from] of spaced.entries()) {
    const to = spaced[index + 1] ?? end
    const isLong = charsOf(lines, from, to) > longChars
    starts.push(...(isLong ? findStarts(shape, { start: from, end: to, least, afterBlank: false }) : [from]))
  }
  for (const { from, to } of joinBlocks(shape, starts, end)) {
    heads.push(makeHead(from, level, nameOf(shape, from, to)))
    if (level >= deepest || charsOf(lines, from, to) <= longChars) continue
    const body = findBody(shape, from, to, least)
    if (body !== null) splitRange(shape, { start: body, end: to, level: level + 1 }, heads)
  }
}

/** Lines of least indentation that may start a block. The first line that is not blank always does. */
function findStarts(
  shape: Shape,
  range: { start: number; end: number; least: number; afterBlank: boolean },
): number[] {
  const { indents, held } = shape
  const starts: number[] = []
  let afterBlank = true
  for (let line = range.start; line < range.end; line++) {
    const indent = indents[line]!
    if (indent >= 0) {
      const isStart = indent <= range.least && held[line] === 0 && (afterBlank || !range.afterBlank)
      if (isStart || starts.length === 0) starts.push(line)
    }
    afterBlank = indent < 0
  }
  return starts
}

/** Small blocks join their neighbours; a comment alone joins what it speaks of, which follows it. */
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

function isOnlyComment({ lines, indents }: Shape, start: number, end: number): boolean {
  for (let line = start; line < end; line++)
    if (indents[line]! >= 0 && !isComment(textAt(lines, line))) return false
  return true
}

/** The first line of a block's body: deeper than its head, after which its lines of least indentation are looked for. */
function findBody({ indents }: Shape, from: number, to: number, least: number): number | null {
  for (let line = from + 1; line < to; line++) if (indents[line]! > least) return line
  return null
}

/** The least indentation of lines that may start something; -1 when there is none. */
function leastIndent({ indents, held }: Shape, start: number, end: number): number {
  let least = -1
  let leastHeld = -1
  for (let line = start; line < end; line++) {
    const indent = indents[line]!
    if (indent < 0) continue
    if (held[line] === 0 && (least < 0 || indent < least)) least = indent
    if (leastHeld < 0 || indent < leastHeld) leastHeld = indent
  }
  return least < 0 ? leastHeld : least
}

function charsOf(lines: TextLines, start: number, end: number): number {
  return offsetOf(lines, Math.max(start, end)) - offsetOf(lines, start)
}

function firstLine({ indents }: Shape): number {
  return indents.findIndex((indent) => indent >= 0)
}

/** The beginning of a line, without what indents it and what trails. */
function textAt({ text, starts }: TextLines, line: number): string {
  const start = starts[line] ?? text.length
  return text.slice(start, Math.min(starts[line + 1] ?? text.length, start + lineChars)).trim()
}

function isComment(text: string): boolean {
  return text === '' || patterns.commentLine.test(text)
}

function readShape(lines: TextLines): Shape {
  const count = lines.starts.length
  const indents = new Int32Array(count)
  const held = new Uint8Array(count)
  let depth = 0
  let openSince = 0
  for (let line = 0; line < count; line++) {
    const start = lines.starts[line]!
    const end = Math.min(lines.starts[line + 1] ?? lines.text.length, start + lineChars)
    const indent = indentOf(lines.text, start, end)
    indents[line] = indent.columns
    if (indent.columns < 0) continue
    if (depth > 0 && line - openSince > openLines) depth = 0
    const text = lines.text.slice(indent.at, end)
    if (depth > 0 || patterns.closingLine.test(text)) held[line] = 1
    const before = depth
    if (!patterns.commentLine.test(text)) depth = Math.max(0, depth + netBrackets(text))
    if (before === 0 && depth > 0) openSince = line
  }
  return { lines, indents, held }
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

/** Opened minus closed brackets of a line, without what stands in quotes that end on it. */
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
function findBanners({ lines, indents }: Shape): Banner[] {
  const banners: Banner[] = []
  for (let line = 0; line < indents.length; line++) {
    if (indents[line]! !== 0) continue
    const text = textAt(lines, line)
    const named = patterns.banner.exec(text)?.[1]
    if (named !== undefined && patterns.word.test(named)) {
      banners.push({ line, bodyLine: line + 1, name: cutText(named.trim(), maxNameChars) })
    } else if (patterns.bannerRule.test(text) && patterns.bannerRule.test(textAt(lines, line + 2))) {
      const title = textAt(lines, line + 1)
      const name = isComment(title) ? withoutMarks(title) : ''
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

/** The first line that says something: no comment where there is anything else. */
function nameOf({ lines, indents }: Shape, start: number, end: number): string {
  let spare = ''
  for (let line = start; line < end; line++) {
    if (indents[line]! < 0) continue
    const text = textAt(lines, line)
    const name = withoutMarks(text)
    if (!patterns.word.test(name)) continue
    if (!isComment(text)) return cutText(name, maxNameChars)
    if (spare === '') spare = name
  }
  return cutText(spare === '' ? textAt(lines, start) : spare, maxNameChars)
}

/** Without the marks of a comment, and without the bracket that opens a body. */
function withoutMarks(text: string): string {
  return text
    .slice(0, 4 * maxNameChars)
    .replace(patterns.leadingMarks, '')
    .replace(patterns.openingMarks, '')
    .trim()
}
