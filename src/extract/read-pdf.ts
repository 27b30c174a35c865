// What is in a PDF? Its lines page by page, under the headings of its outline or, without one, of its type sizes.
import type { ExtractedMetadata, Extraction, FormatReader } from './format.ts'
import { UnreadableFormat } from './format.ts'
import { type OpenPdf, withPdf } from './open-pdfium.ts'
import { divided, type PdfLine, type PdfMark, type PdfPage, readOutline, readPages } from './pdf-pages.ts'
import { MarkdownWriter, noHeading, oneLine, yearOf } from './write-markdown.ts'
import { linkWords } from './write-paragraphs.ts'

/** Letters and digits alone, so that ligatures, blanks and dots do not matter. */
function plain(text: string): string {
  // Most lines are ASCII, for which the general way takes several times as long.
  if (!/[^ -~]/.test(text)) return text.toLowerCase().replace(/[^a-z0-9]+/g, '')
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** A line of a page; what a heading or the furniture of pages took is marked. */
interface Line extends PdfLine {
  readonly plain: string
  isFurniture: boolean
  heading: { readonly level: number; readonly text: string } | null
  /** Part of the heading on the line before. */
  isTaken: boolean
}

interface Page {
  readonly lines: Line[]
  readonly label: string
  /** Headings that no line shows, before the line of this index. */
  readonly inserted: { readonly at: number; readonly level: number; readonly text: string }[]
}

/** A change of type begins a line of its own in what PDFium gives: what stands on one line of the page is joined again. */
function joinBaselines(lines: readonly PdfLine[]): PdfLine[] {
  const joined: PdfLine[] = []
  for (const line of lines) {
    const before = joined.at(-1)
    const isSame =
      before !== undefined && Math.abs(before.y - line.y) < SAME_BASELINE * before.size && line.x > before.x
    if (!isSame) joined.push({ ...line })
    else {
      before.links = [...before.links, ...line.links]
      before.text += /^[,.;:)!?\ufffe]/.test(line.text) ? line.text : ` ${line.text.trimStart()}`
    }
  }
  return joined
}

/** Of the type size; superscripts stand higher. */
const SAME_BASELINE = 0.6

function preparePages(pages: readonly PdfPage[]): Page[] {
  return pages.map(({ lines, label }) => ({
    lines: joinBaselines(lines).map((line) => ({
      ...line,
      plain: plain(line.text),
      isFurniture: false,
      heading: null,
      isTaken: false,
    })),
    label,
    inserted: [],
  }))
}

/** Lines at the edges of a page that may be the same on others. */
const EDGE_LINES = 2
/** On so many pages a line of the edge is furniture. */
const REPEATED = 3

/** Marks running headers, footers and page numbers. */
function markFurniture(pages: readonly Page[]): void {
  const counts = new Map<string, number>()
  const keyOf = (line: Line, edge: string): string => `${edge} ${line.plain.replace(/\d+/g, '#')}`
  const edges = pages.map((page) => edgesOf(page))
  for (const found of edges)
    for (const { line, edge } of found)
      counts.set(keyOf(line, edge), (counts.get(keyOf(line, edge)) ?? 0) + 1)
  const least = Math.max(REPEATED, Math.min(8, pages.length * 0.02))
  for (const [at, found] of edges.entries())
    for (const one of found) {
      const { line, edge } = one
      const repeated = (counts.get(keyOf(line, edge)) ?? 0) >= least
      if ((repeated && line.text.length <= 200) || namesPage(one, pages[at] as Page, at))
        line.isFurniture = true
    }
}

interface EdgeLine {
  readonly line: Line
  readonly edge: 'top' | 'bottom'
  readonly isOutermost: boolean
}

function edgesOf({ lines }: Page): EdgeLine[] {
  const sorted = lines.toSorted((a, b) => b.y - a.y)
  const top = sorted.slice(0, EDGE_LINES)
  const bottom = sorted.slice(EDGE_LINES).slice(-EDGE_LINES)
  return [
    ...top.map((line, at) => ({ line, edge: 'top' as const, isOutermost: at === 0 })),
    ...bottom.map((line) => ({ line, edge: 'bottom' as const, isOutermost: line === bottom.at(-1) })),
  ]
}

/** Its number alone, or at an end of the outermost line, in no larger type than the text below: `12 Chapter 3`. */
function namesPage({ line, isOutermost }: EdgeLine, { label, lines }: Page, at: number): boolean {
  const words = line.text.trim().split(/\s+/)
  if (words.length === 1) return words[0] === label || words[0] === String(at + 1)
  if (!isOutermost || words.length > 14) return false
  const isLarge = line.size > medianSize(lines)
  return !isLarge && /^(?:\d+|[ivxl]+)$/.test(label) && (words[0] === label || words.at(-1) === label)
}

function medianSize(lines: readonly Line[]): number {
  const sizes = lines.map(({ size }) => size).sort((a, b) => a - b)
  return sizes[sizes.length >> 1] ?? 0
}

/** `3.1`, `Chapter 4`, `Appendix B`, before a name. */
const numbering = /^(?:chapter|appendix|part|section)?(?:[\p{N}a-z]|[\p{N}ivxlc]{2,20})?$/u
/** A heading runs over so many lines. */
const HEADING_LINES = 4

/** Puts each entry of the outline to the line that shows it, or to the place where it leads. */
function placeOutline(pages: readonly Page[], outline: readonly PdfMark[]): void {
  for (const entry of outline) {
    const title = oneLine(entry.title)
    const wanted = plain(title)
    if (wanted === '' || entry.page < 0 || entry.page >= pages.length) continue
    const found = findShown(pages, entry, wanted)
    if (found === null) insertHeading(pages[entry.page] as Page, entry, title)
    else {
      const [first, ...rest] = found
      ;(first as Line).heading = {
        level: entry.level,
        text: oneLine(found.map(({ text }) => text).join(' ')),
      }
      for (const line of rest) line.isTaken = true
    }
  }
}

function findShown(pages: readonly Page[], entry: PdfMark, wanted: string): Line[] | null {
  for (const at of [entry.page, entry.page + 1]) {
    const page = pages[at]
    if (page === undefined) continue
    const y = at === entry.page ? entry.y : null
    const found = page.lines
      .flatMap((_, index) => matchHeading(page.lines, index, wanted))
      .toSorted((a, b) => distance(a, y) - distance(b, y))[0]
    if (found !== undefined) return found.lines
  }
  return null
}

interface HeadingMatch {
  readonly lines: Line[]
  /** 0 for the very words, 1 with a number before them. */
  readonly looseness: number
}

function distance({ lines, looseness }: HeadingMatch, y: number | null): number {
  const line = lines[0] as Line
  const penalty = 1000 * looseness + (line.isFurniture ? 10_000 : 0) - line.size
  // A destination lies a little above its heading.
  return y === null ? penalty - line.y / 100 : penalty + Math.abs(y - line.y - line.size)
}

function matchHeading(lines: readonly Line[], index: number, wanted: string): HeadingMatch[] {
  let joined = ''
  const taken: Line[] = []
  for (const line of lines.slice(index, index + HEADING_LINES)) {
    if (line.heading !== null || line.isTaken) return []
    joined += line.plain
    taken.push(line)
    if (joined.length > wanted.length + 24) return []
    if (joined === wanted) return [{ lines: taken, looseness: 0 }]
    if (joined.endsWith(wanted) && numbering.test(joined.slice(0, -wanted.length)))
      return [{ lines: taken, looseness: 0 }]
    if (wanted.endsWith(joined) && joined.length > 2 && numbering.test(wanted.slice(0, -joined.length)))
      return [{ lines: taken, looseness: 1 }]
  }
  return []
}

function insertHeading(page: Page, { level, y }: PdfMark, text: string): void {
  const below = y === null ? 0 : page.lines.findIndex((line) => line.y < y + 1)
  page.inserted.push({ at: below < 0 ? page.lines.length : below, level, text })
}

/** A size that carries more of the text than this is no heading's. */
const MUCH_TEXT = 0.08
const LARGER = 1.08
const LONGEST_HEADING = 160
const SIZE_LEVELS = 4
/** Longer documents have a page for their title. */
const TITLED_PAGES = 20

/** Headings by their type: larger than the running text and rare. */
function placeBySize(pages: readonly Page[]): void {
  const amounts = new Map<number, number>()
  let total = 0
  for (const { lines } of pages)
    for (const { size, plain: words, isFurniture } of lines)
      if (!isFurniture) {
        amounts.set(size, (amounts.get(size) ?? 0) + words.length)
        total += words.length
      }
  const body = [...amounts].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 0
  const sizes = [...amounts]
    .filter(([size, amount]) => size >= body * LARGER && amount <= MUCH_TEXT * total)
    .map(([size]) => size)
    .sort((a, b) => b - a)
  const levels = new Map(
    mergeSizes(sizes).flatMap((group, at) =>
      group.map((size) => [size, Math.min(SIZE_LEVELS, at + 1)] as const),
    ),
  )
  // The first page of a long document is its title page.
  for (const { lines } of pages.slice(pages.length > TITLED_PAGES ? 1 : 0))
    for (let at = 0; at < lines.length; at++) at += takeHeading(lines, at, levels)
}

/** Sizes that differ by rounding are one. */
function mergeSizes(sizes: readonly number[]): number[][] {
  const groups: number[][] = []
  for (const size of sizes) {
    const group = groups.at(-1)
    if (group !== undefined && (group[0] as number) - size <= 0.5) group.push(size)
    else groups.push([size])
  }
  return groups
}

/** Gives how many lines after this one belong to its heading. */
function takeHeading(lines: readonly Line[], at: number, levels: ReadonlyMap<number, number>): number {
  const line = lines[at] as Line
  const level = levels.get(line.size)
  if (level === undefined || line.isFurniture || !/\p{L}{2}/u.test(line.text)) return 0
  const rest: Line[] = []
  for (const next of lines.slice(at + 1, at + HEADING_LINES)) {
    const isNear = line.y - next.y < (rest.length + 1.8) * line.size && next.y < line.y
    if (next.size !== line.size || next.isFurniture || !isNear) break
    rest.push(next)
  }
  const text = oneLine([line, ...rest].map((one) => one.text).join(' '))
  if (text.length > LONGEST_HEADING || /[,;]$|(?:\. ?){3}/.test(text) || noHeading.test(text))
    return rest.length
  line.heading = { level, text }
  for (const one of rest) one.isTaken = true
  return rest.length
}

/** Which of the words that lines divide does the document have whole, too? */
function wholeWords(pages: readonly Page[]): Set<string> {
  const wanted = new Set<string>()
  const lines = pages.flatMap((page) => page.lines)
  for (const { text } of lines)
    if (text.includes(divided))
      for (const [found] of text.matchAll(dividedWord)) wanted.add(found.replace(divided, '').toLowerCase())
  const words = new Set<string>()
  for (const { text } of wanted.size === 0 ? [] : lines) {
    const whole = (text.includes(divided) ? text.replace(dividedWord, '') : text).toLowerCase()
    const letters = /[^ -~]/.test(whole) ? /\p{L}{4,40}/gu : /[a-z]{4,40}/g
    for (const word of whole.match(letters) ?? []) if (wanted.has(word)) words.add(word)
  }
  return words
}

const dividedWord = /\p{L}{1,40}\ufffe\p{L}{0,40}/gu

/** Joins words that the end of a line divides, where the document has them whole elsewhere; the line ends behind them. */
function joinDivided(line: Line, words: ReadonlySet<string>): string[] {
  if (!line.text.includes(divided)) return [linkWords(line.text, line.links)]
  const joined = line.text.replace(dividedWord, (found) => {
    const whole = found.replace(divided, '')
    return words.has(whole.toLowerCase()) ? `${whole}\n` : found.replace(divided, '-')
  })
  return linkWords(joined.replaceAll(divided, '-'), line.links)
    .split('\n')
    .map((part) => part.replace(/^[ \u00a0]/, ''))
}

const PARAGRAPH_GAP = 1.45
const INDENT = 0.8

/** Does a paragraph begin here? More room above it than between lines, or an indent. */
function startsParagraph(line: Line, before: Line | undefined, pitch: number): boolean {
  if (before === undefined) return true
  const gap = before.y - line.y
  // Another column, or something beside the line.
  if (gap < 0) return !before.text.endsWith(divided)
  if (gap > PARAGRAPH_GAP * pitch) return true
  return line.x - before.x > INDENT * line.size && /[.:!?]["')\u201d]?$/.test(before.text)
}

/** The usual distance of two lines. */
function pitchOf(lines: readonly Line[]): number {
  const gaps = lines.flatMap((line, at) => {
    const gap = at === 0 ? 0 : (lines[at - 1] as Line).y - line.y
    return gap > 2 ? [Math.round(gap * 2) / 2] : []
  })
  return gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 12
}

function writePageLines(writer: MarkdownWriter, page: Page, words: ReadonlySet<string>): void {
  const pitch = pitchOf(page.lines)
  let paragraph: Line[] = []
  const flush = (): void => {
    writer.paragraph(paragraph.flatMap((line) => joinDivided(line, words)))
    paragraph = []
  }
  const insert = (at: number): void => {
    for (const { level, text } of page.inserted.filter((one) => one.at === at)) {
      flush()
      writer.heading(level, text)
    }
  }
  for (const [at, line] of page.lines.entries()) {
    insert(at)
    if (line.heading !== null) {
      flush()
      writer.heading(line.heading.level, line.heading.text)
    } else if (!line.isFurniture && !line.isTaken && line.text.trim() !== '') {
      if (startsParagraph(line, paragraph.at(-1), pitch)) flush()
      paragraph.push(line)
    }
  }
  insert(page.lines.length)
  flush()
}

/** Programs write names of files and of themselves. */
const noTitle =
  /^(?:untitled|microsoft \w+ - |slide 1$|\S+\.(?:docx?|dvi|tex|pdf|indd|odt|pptx?)$|main$|document\d*$)/i

/** The largest type of the first page that says something. */
function largestText(page: Page | undefined): string {
  const lines = (page?.lines ?? []).filter(({ plain: words }) => words.length >= 4)
  const size = Math.max(0, ...lines.map((line) => line.size))
  return oneLine(
    lines
      .filter((line) => line.size === size)
      .slice(0, 3)
      .map(({ text }) => text)
      .join(' '),
  )
}

function readFacts(pdf: OpenPdf, first: Page | undefined): ExtractedMetadata {
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

/** The text of a PDF; without its outline, as one that has none. */
export function readPdf(bytes: Uint8Array, { useOutline = true } = {}): Promise<Extraction> {
  return withPdf(bytes, (open) => {
    const pages = preparePages(readPages(open))
    const empty = pages.flatMap(({ lines }, at) => (lines.length === 0 ? [at + 1] : []))
    if (empty.length === pages.length)
      throw new UnreadableFormat(`none of its ${pages.length} pages has text: they are pictures`)
    const outline = useOutline ? readOutline(open) : []
    markFurniture(pages)
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
