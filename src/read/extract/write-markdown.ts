// How does extracted text become Markdown without accidental markup? Blocks in order, each with its position.
import type { TextPlace } from '../../model/source-file.ts'
import { type ExtractedMetadata, type Extraction, UnreadableFormat } from './format.ts'

/** Limit per document; a manual of 3,500 pages has 9 million. */
const MOST_TEXT = 16_000_000
/** Longer lines are broken at a space, because a digest cites lines. */
const LONGEST_LINE = 2_000
const LONGEST_PLACE = 60
/** Limit for titles and names. */
const LONGEST_FACT = 300
const MOST_AUTHORS = 30
/** With more padding than this share of the cells, short rows stay short; otherwise one wide row would lengthen all. */
const MOST_EMPTY = 100

/** Marks that would start a heading, a fence or markup. Lists and quotes are left as they are. */
const startsBlock = /^(?:#{1,6}(?=\s|$)|<|`{3,}|~{3,}|=+\s*$|-+\s*$)/
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g
/** Without the last mark, which is tested separately: one character range takes half the time. */
const lowControls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/

const withoutControls = (text: string): string =>
  lowControls.test(text) || text.includes('\u007f') ? text.replace(controls, '') : text

/** Boxes, footnotes and chapter numbers that are set like headings. */
export const noHeading: RegExp =
  /^(?:note|tip|caution|warning|important|(?:table of )?contents|list of \w{1,20}|(?:chapter |appendix )?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twenty|thirty)(?:-?(?:one|two|three|four|five|six|seven|eight|nine))?)|\(?\d{1,4}\)?)$/i

/** White space other than a single space, or a control character. */
const notOnOneLine = /[^\S ]| {2}|[\u0000-\u001f\u007f]/

/** Runs of white space other than a single space. */
const manySpaces = /[^\S ]\s*| \s+/g

/** A text on one line: runs of white space become a space. */
export function oneLine(text: string): string {
  // A fast path, because most texts are already clean.
  if (!notOnOneLine.test(text)) return text.trim()
  return withoutControls(text.replace(manySpaces, ' ')).trim()
}

const escapeBlock = (line: string): string => (startsBlock.test(line) ? `\\${line}` : line)

/** The anchor that a heading's words give. */
export const anchorOf = (words: string): string =>
  words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')

/** The year of a date as documents write it: `2021-03-01`, `March 2021`, `D:20210301`. */
export function yearOf(date: string | undefined): { readonly year?: number } {
  const year = /(?<!\d)(?:1[5-9]|20)\d\d/.exec(date ?? '')?.[0]
  return year === undefined ? {} : { year: Number(year) }
}

/** Collects the blocks of one document. */
export class MarkdownWriter {
  readonly #lines: string[] = []
  #lineCount = 0
  readonly #places: TextPlace[] = []
  readonly warnings: string[] = []
  #length = 0
  #place: string | null = null

  /** Sets the position (page, slide, cell) of the lines that follow. */
  at(place: string): void {
    // A position for citations: without parenthesis, colon or line end.
    this.#place = oneLine(place).replace(/[():]/g, '_').slice(0, LONGEST_PLACE)
  }

  heading(level: number, text: string): void {
    const name = oneLine(text).slice(0, LONGEST_LINE)
    if (name !== '')
      this.#block([`${'#'.repeat(Math.min(6, Math.max(1, level)))} ${name.replace(/(?<=\s)#+$/, '\\$&')}`])
  }

  /** Lines of body text; they stay lines. */
  paragraph(lines: readonly string[]): void {
    // Escapes a line of text so that it does not become a Markdown block.
    const shown = lines.flatMap((line) => breakLine(escapeBlock(withoutControls(line).trim())))
    if (shown.length > 0) this.#block(shown)
  }

  markdown(text: string): void {
    const written = unifyEnds(withoutControls(text))
    const first = written.search(/\S/)
    if (first >= 0) this.#block([written.slice(written.lastIndexOf('\n', first) + 1).trimEnd()])
  }

  /** A list item, without a blank line after the item before it. */
  item(text: string, { depth = 0, mark = '-' }: { readonly depth?: number; readonly mark?: string } = {}) {
    const shown = oneLine(text)
    if (shown === '') return
    const line = `${'  '.repeat(Math.min(depth, 8))}${mark} ${shown}`
    if (this.#isItem) this.#push(line)
    else this.#block([line])
    this.#isItem = true
  }

  code(text: string, language = ''): void {
    const written = unifyEnds(withoutControls(text).trimEnd())
    if (written === '') return
    let longest = 2
    if (text.includes('```'))
      for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length)
    const fence = '`'.repeat(longest + 1)
    this.#block([`${fence}${language.replace(/[^\w+#.-]/g, '')}`, written, fence])
  }

  /** The first row is the header. */
  table(rows: readonly (readonly string[])[]): void {
    const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
    const [header, ...body] = rows
    if (header === undefined || width === 0) return
    const isEven = rows.length * width <= MOST_EMPTY * rows.reduce((sum, row) => sum + row.length, 0)
    const write = (row: readonly string[]): string => {
      let line = '|'
      const end = isEven ? width : row.length
      for (let at = 0; at < end; at++) {
        const cell = oneLine(row[at] ?? '')
        line += ` ${cell.includes('|') ? cell.replaceAll('|', '\\|') : cell} |`
      }
      return line
    }
    this.#block([write(header), `|${' --- |'.repeat(width)}`, ...body.map(write)])
  }

  #isItem = false

  #block(lines: readonly string[]): void {
    this.#isItem = false
    if (this.#lines.length > 0) this.#push('')
    for (const line of lines) this.#push(line)
  }

  #push(text: string): void {
    const line = this.#lineCount + 1
    this.#lines.push(text)
    this.#lineCount += countLines(text)
    this.#length += text.length + 1
    if (this.#length > MOST_TEXT)
      throw new UnreadableFormat(`it holds more than ${MOST_TEXT} characters of text`, 'too-large')
    if (this.#place !== null && text !== '' && this.#places.at(-1)?.place !== this.#place)
      this.#places.push({ line, place: this.#place })
  }

  /** The text with its frontmatter, which has the position of the first line. */
  finish(metadata: ExtractedMetadata = {}): Extraction {
    const front = writeFrontmatter(metadata)
    const shift = front.length
    const places = this.#places.map(({ line, place }, at) => ({ line: at === 0 ? 1 : line + shift, place }))
    // One join builds the whole text, because a copy would double the time.
    const text = [...front, ...this.#lines, ''].join('\n')
    return { text: text.toWellFormed(), places, metadata, warnings: this.warnings }
  }
}

/** Every line end as LF. */
const unifyEnds = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text)

function countLines(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}

function breakLine(line: string): string[] {
  const parts: string[] = []
  let rest = line
  while (rest.length > LONGEST_LINE) {
    const space = rest.lastIndexOf(' ', LONGEST_LINE)
    const end = space > LONGEST_LINE / 2 ? space : LONGEST_LINE
    parts.push(rest.slice(0, end).trimEnd())
    rest = escapeBlock(rest.slice(end).trim())
  }
  return [...parts, rest].filter((part) => part !== '')
}

function writeFrontmatter({ title = '', authors = [], year }: ExtractedMetadata): string[] {
  const shorten = (text: string): string => oneLine(text).slice(0, LONGEST_FACT)
  const names = authors.flatMap((name) => shorten(name) || []).slice(0, MOST_AUTHORS)
  const fields = [
    ...(shorten(title) === '' ? [] : [`title: ${JSON.stringify(shorten(title))}`]),
    ...(names.length === 0 ? [] : [`authors: ${JSON.stringify(names)}`]),
    ...(year === undefined ? [] : [`year: ${year}`]),
  ]
  return fields.length === 0 ? [] : ['---', ...fields, '---', '']
}
