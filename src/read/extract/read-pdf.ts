// What is in a PDF? Its lines page by page, under the headings of its outline or, without one, of its type sizes.
import type { ExtractedMetadata, Extraction, FormatReader } from './format.ts'
import { UnreadableFormat } from './format.ts'
import { type OpenPdf, withPdf } from './open-pdfium.ts'
import { placeBySize, placeOutline } from './pdf-headings.ts'
import { type PlainLine, type PlainPage, preparePages } from './pdf-lines.ts'
import { divided, readOutline, readPages } from './pdf-pages.ts'
import { MarkdownWriter, oneLine, yearOf } from './write-markdown.ts'

/** Lines at the edges of a page that may repeat on others. */
const EDGE_LINES = 2
/** A line at the edge of this number of pages is boilerplate. */
const REPEATED = 3

/** Marks running headers, footers and page numbers. */
function markBoilerplate(pages: readonly PlainPage[]): void {
  const counts = new Map<string, number>()
  const keyOf = (line: PlainLine, edge: string): string => `${edge} ${line.plain.replace(/\d+/g, '#')}`
  const edges = pages.map((page) => edgesOf(page))
  for (const found of edges)
    for (const { line, edge } of found)
      counts.set(keyOf(line, edge), (counts.get(keyOf(line, edge)) ?? 0) + 1)
  const least = Math.max(REPEATED, Math.min(8, pages.length * 0.02))
  for (const [at, found] of edges.entries())
    for (const one of found) {
      const { line, edge } = one
      const repeated = (counts.get(keyOf(line, edge)) ?? 0) >= least
      if ((repeated && line.text.length <= 200) || namesPage(one, pages[at] as PlainPage, at))
        line.isBoilerplate = true
    }
}

interface EdgeLine {
  readonly line: PlainLine
  readonly edge: 'top' | 'bottom'
  readonly isOutermost: boolean
}

function edgesOf({ lines }: PlainPage): EdgeLine[] {
  const sorted = lines.toSorted((a, b) => b.y - a.y)
  const top = sorted.slice(0, EDGE_LINES)
  const bottom = sorted.slice(EDGE_LINES).slice(-EDGE_LINES)
  return [
    ...top.map((line, at) => ({ line, edge: 'top' as const, isOutermost: at === 0 })),
    ...bottom.map((line) => ({ line, edge: 'bottom' as const, isOutermost: line === bottom.at(-1) })),
  ]
}

/** Its number alone, or at an end of the outermost line, in no larger type than the text below: `12 Chapter 3`. */
function namesPage({ line, isOutermost }: EdgeLine, { label, lines }: PlainPage, at: number): boolean {
  const words = line.text.trim().split(/\s+/)
  if (words.length === 1) return words[0] === label || words[0] === String(at + 1)
  if (!isOutermost || words.length > 14) return false
  const isLarge = line.size > medianSize(lines)
  return !isLarge && /^(?:\d+|[ivxl]+)$/.test(label) && (words[0] === label || words.at(-1) === label)
}

function medianSize(lines: readonly PlainLine[]): number {
  const sizes = lines.map(({ size }) => size).sort((a, b) => a - b)
  return sizes[sizes.length >> 1] ?? 0
}

/** Which of the words that lines divide does the document have whole, too? */
function wholeWords(pages: readonly PlainPage[]): Set<string> {
  const wanted = new Set<string>()
  const lines = pages.flatMap((page) => page.lines)
  for (const { text } of lines)
    if (text.includes(divided))
      for (const [found] of text.matchAll(dividedWord)) wanted.add(found.replace(divided, '').toLowerCase())
  const words = new Set<string>()
  for (const { text } of wanted.size === 0 ? [] : lines) {
    const rest = text.replace(dividedWord, '').toLowerCase()
    for (const word of rest.match(/\p{L}{4,40}/gu) ?? []) if (wanted.has(word)) words.add(word)
  }
  return words
}

const dividedWord = /\p{L}{1,40}\ufffe\p{L}{0,40}/gu

/** Joins words divided at a line end if the document has them undivided elsewhere; the line then ends after them. */
function joinDivided(line: PlainLine, words: ReadonlySet<string>): string[] {
  if (!line.text.includes(divided)) return [line.text]
  const joined = line.text.replace(dividedWord, (found) => {
    const whole = found.replace(divided, '')
    return words.has(whole.toLowerCase()) ? `${whole}\n` : found.replace(divided, '-')
  })
  return joined
    .replaceAll(divided, '-')
    .split('\n')
    .map((part) => part.replace(/^[ \u00a0]/, ''))
}

const PARAGRAPH_GAP = 1.45
const INDENT = 0.8

/** Does a paragraph start here? After a larger gap than between lines, or at an indent. */
function startsParagraph(line: PlainLine, before: PlainLine | undefined, pitch: number): boolean {
  if (before === undefined) return true
  const gap = before.y - line.y
  // Another column, or text next to the line.
  if (gap < 0) return !before.text.endsWith(divided)
  if (gap > PARAGRAPH_GAP * pitch) return true
  return line.x - before.x > INDENT * line.size && /[.:!?]["')\u201d]?$/.test(before.text)
}

/** The usual distance between two lines. */
function pitchOf(lines: readonly PlainLine[]): number {
  const gaps = lines.flatMap((line, at) => {
    const gap = at === 0 ? 0 : (lines[at - 1] as PlainLine).y - line.y
    return gap > 2 ? [Math.round(gap * 2) / 2] : []
  })
  return gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 12
}

function writePageLines(writer: MarkdownWriter, page: PlainPage, words: ReadonlySet<string>): void {
  const pitch = pitchOf(page.lines)
  let paragraph: PlainLine[] = []
  const flush = (): void => {
    writer.paragraph(paragraph.flatMap((line) => joinDivided(line, words)))
    paragraph = []
  }
  const insert = (at: number): void => {
    for (const heading of page.inserted.filter((one) => one.at === at)) {
      flush()
      writer.heading(heading.level, heading.text)
    }
  }
  for (const [at, line] of page.lines.entries()) {
    insert(at)
    if (line.heading !== null) {
      flush()
      writer.heading(line.heading.level, line.heading.text)
    } else if (!line.isBoilerplate && !line.isTaken && line.text.trim() !== '') {
      if (startsParagraph(line, paragraph.at(-1), pitch)) flush()
      paragraph.push(line)
    }
  }
  insert(page.lines.length)
  flush()
}

/** Titles that programs generate. */
const noTitle =
  /^(?:untitled|microsoft \w+ - |slide 1$|\S+\.(?:docx?|dvi|tex|pdf|indd|odt|pptx?)$|main$|document\d*$)/i

/** The text in the largest type of the first page. */
function largestText(page: PlainPage | undefined): string {
  const lines = (page?.lines ?? []).filter(({ plain: words }) => words.length >= 4)
  const size = Math.max(0, ...lines.map((line) => line.size))
  const largest = lines.filter((line) => line.size === size).slice(0, 3)
  return oneLine(largest.map(({ text }) => text).join(' '))
}

function readFacts(pdf: OpenPdf, first: PlainPage | undefined): ExtractedMetadata {
  const stated = oneLine(pdf.meta('Title'))
  const title = stated === '' || noTitle.test(stated) ? largestText(first) : stated
  const authors = oneLine(pdf.meta('Author')).split(/;|,| and /)
  return {
    ...(title === '' || title.length > 250 ? {} : { title }),
    authors: authors.map((name) => name.trim()).filter((name) => name !== ''),
    ...yearOf(pdf.meta('CreationDate')),
  }
}

/** Numbers as `4, 7-9`. */
function listNumbers(numbers: readonly number[]): string {
  const runs: [number, number][] = []
  for (const number of numbers) {
    const run = runs.at(-1)
    if (run !== undefined && run[1] + 1 === number) run[1] = number
    else runs.push([number, number])
  }
  return runs.map(([start, end]) => (start === end ? `${start}` : `${start}-${end}`)).join(', ')
}

/** The text of a PDF; without a readable outline, as one that has none. */
function readPdf(bytes: Uint8Array): Promise<Extraction> {
  return withPdf(bytes, (open) => {
    const pages = preparePages(readPages(open))
    const empty = pages.flatMap(({ lines }, at) => (lines.length === 0 ? [at + 1] : []))
    if (empty.length === pages.length)
      throw new UnreadableFormat(`none of its ${pages.length} pages has text: they are pictures, or empty`)
    const outline = readOutline(open)
    markBoilerplate(pages)
    if (outline.length > 1) placeOutline(pages, outline)
    else placeBySize(pages)
    const facts = readFacts(open, pages[0])
    const words = wholeWords(pages)
    const writer = new MarkdownWriter()
    for (const [at, page] of pages.entries()) {
      const printed = page.label === String(at + 1) ? '' : `, printed ${page.label}`
      writer.at(`p. ${at + 1}${printed}`)
      writePageLines(writer, page, words)
    }
    if (empty.length > 0)
      writer.warnings.push(`page${empty.length === 1 ? '' : 's'} ${listNumbers(empty)}: no text`)
    return writer.finish(facts)
  })
}

export const pdf: FormatReader = { read: (bytes) => readPdf(bytes) }
