// Which lines are on the pages of a PDF? Characters in content order, with the position and size of each line.
import { UnreadableFormat } from './format.ts'
import type { OpenPdf } from './open-pdfium.ts'

export interface PdfLine {
  text: string
  /** Baseline from the bottom of the page, and left edge, in points. */
  readonly y: number
  readonly x: number
  readonly size: number
  /** From left to right. */
  links: readonly PdfLink[]
}

/** A position in the document. */
export interface PdfPlace {
  /** Index of the page; -1 for none. */
  readonly page: number
  /** From the bottom of the page; null for its top. */
  readonly y: number | null
}

/** Words of a line that link to a URL, a file, or a position in the document. */
interface PdfLink {
  readonly words: string
  readonly target: string | PdfPlace
}

export interface PdfPage {
  readonly lines: readonly PdfLine[]
  /** The printed page number, or the page's index if the file has none. */
  readonly label: string
}

/** Limit per document: more is a bomb or a database. */
const MOST_PAGES = 20_000
/** PDFium's mark for the hyphen of a divided word; the rest is on the next line of the page. */
export const divided = '\ufffe'
const hyphenMarks = /[\u0002\u00ad]/g

/** Throws UnreadableFormat. */
export function readPages(pdf: OpenPdf): PdfPage[] {
  const { call, document } = pdf
  const count = call.FPDF_GetPageCount(document)
  if (count > MOST_PAGES) throw new UnreadableFormat(`it has more than ${MOST_PAGES} pages`, 'too-large')
  const pages: PdfPage[] = []
  for (let at = 0; at < count; at++) {
    const label = pdf.string((address, size) => call.FPDF_GetPageLabel(document, at, address, size))
    pages.push({ lines: readLines(pdf, at), label: label === '' ? `${at + 1}` : label })
  }
  return pages
}

function readLines(pdf: OpenPdf, number: number): PdfLine[] {
  const { call, document } = pdf
  const page = call.FPDF_LoadPage(document, number)
  if (page === 0) return []
  const text = call.FPDFText_LoadPage(page)
  const lines: PdfLine[] = []
  const count = text === 0 ? 0 : call.FPDFText_CountChars(text)
  const areas = count > 0 ? readAreas(pdf, page) : []
  let at = 0
  for (const raw of count > 0 ? pdf.pageText(text, count).split('\n') : []) {
    const shown = raw.replace(hyphenMarks, divided).trimEnd()
    const first = shown.search(/[^\s\ufffe]/)
    const char = first < 0 ? -1 : call.FPDFText_GetCharIndexFromTextIndex(text, at + first)
    if (char >= 0) {
      const measured = measure(pdf, text, char)
      // After a divided word the line continues in the next row of the page.
      const rows = shown.includes(divided) ? ROWS_BELOW * measured.size : 0
      const here = areas.filter(({ bottom, top }) => measured.y >= bottom - 1 && measured.y - rows <= top)
      const links =
        here.length === 0 ? noLinks : linksAmong(here, shown, originsOf(pdf, text, at, shown.length))
      lines.push({ text: shown, ...measured, links })
    }
    at += raw.length + 1
  }
  if (text !== 0) call.FPDFText_ClosePage(text)
  call.FPDF_ClosePage(page)
  return lines
}

const noLinks: readonly PdfLink[] = []

interface LinkArea {
  readonly target: PdfLink['target']
  readonly left: number
  readonly right: number
  readonly bottom: number
  readonly top: number
}

const LONGEST_ADDRESS = 500
/** As a multiple of the type size. */
const ROWS_BELOW = 3

/** A page with more internal links is a table of contents or an index. */
const MOST_INSIDE = 16
/** FPDFAction_GetType of an action that opens another file. */
const OTHER_FILE = 2

function readAreas(pdf: OpenPdf, page: number): LinkArea[] {
  const { call } = pdf
  const inside: LinkArea[] = []
  const outside: LinkArea[] = []
  for (const link of pdf.links(page)) {
    const target = targetOf(pdf, link)
    if (target === null) continue
    const list = typeof target === 'string' ? outside : inside
    const area =
      list.length > MOST_INSIDE && list === inside
        ? null
        : pdf.numbers('float', 4, (at) => call.FPDFLink_GetAnnotRect(link, at))
    if (area === null) continue
    const [left = 0, y1 = 0, right = 0, y2 = 0] = Array.from(area)
    list.push({ target, left, right, bottom: Math.min(y1, y2), top: Math.max(y1, y2) })
  }
  return [...outside, ...(inside.length > MOST_INSIDE ? [] : inside)].toSorted((a, b) => a.left - b.left)
}

function targetOf(pdf: OpenPdf, link: number): PdfLink['target'] | null {
  const { call, document } = pdf
  const action = call.FPDFLink_GetAction(link)
  const read = (write: (at: number, size: number) => number): string => pdf.string(write, 'utf8')
  // Empty for an action without a URL.
  const address =
    action === 0 ? '' : read((at, size) => call.FPDFAction_GetURIPath(document, action, at, size))
  const isFile = action !== 0 && address === '' && call.FPDFAction_GetType(action) === OTHER_FILE
  const target = isFile
    ? read((at, size) => call.FPDFAction_GetFilePath(action, at, size)).replaceAll('\\', '/')
    : address
  if (target !== '')
    return target.length <= LONGEST_ADDRESS && /^(?:https?:\/\/|[^:]+$)/i.test(target) ? target : null
  const place = placeOf(pdf, call.FPDFLink_GetDest(document, link) || actionDest(pdf, action))
  return place.page < 0 ? null : place
}

/** The position of each character of a line: x and y alternate. */
function originsOf(pdf: OpenPdf, text: number, start: number, length: number): Float64Array {
  const { call } = pdf
  const origins = new Float64Array(2 * length)
  for (let at = 0; at < length; at++) {
    const char = call.FPDFText_GetCharIndexFromTextIndex(text, start + at)
    const found = pdf.numbers('double', 2, (x) => call.FPDFText_GetCharOrigin(text, char, x, x + 8))
    if (found !== null) origins.set(found, 2 * at)
  }
  return origins
}

const saysSomething = /\p{L}{2}/u
/** The number of a section shows where its link leads. */
const saysSomethingOrWhere = /\p{L}{2}|\d\.\d/u

/** The words in each area. Footnote signs are skipped, and a visible URL is read as text. */
function linksAmong(areas: readonly LinkArea[], line: string, origins: Float64Array): PdfLink[] {
  return areas.flatMap(({ target, left, right, bottom, top }) => {
    const isBelow = (at: number): boolean => {
      const [x = 0, y = 0] = [origins[2 * at], origins[2 * at + 1]]
      return x >= left - 1 && x < right - 1 && y >= bottom - 1 && y <= top
    }
    let start = 0
    while (start < line.length && !isBelow(start)) start++
    let end = start
    while (end < line.length && isBelow(end)) end++
    const words = wholeWords(line, start, end)
    const says = typeof target === 'string' ? saysSomething : saysSomethingOrWhere
    return says.test(words) && !/:\/\/|^www\./.test(words) ? [{ words, target }] : []
  })
}

/** Cuts the halves of divided words from a part of a line: the other half is in another area. */
function wholeWords(line: string, start: number, end: number): string {
  let words = line.slice(start, end)
  if (line[start - 1] === divided) words = words.replace(/^\S+/, '')
  if (line[end - 1] === divided || line[end] === divided) words = words.slice(0, words.lastIndexOf(' ') + 1)
  return words.trim()
}

/** The size of one character, from the font or from the matrix. */
function measure(pdf: OpenPdf, text: number, char: number): Omit<PdfLine, 'text' | 'links'> {
  const { call } = pdf
  const origin = pdf.numbers('double', 2, (at) => call.FPDFText_GetCharOrigin(text, char, at, at + 8))
  const [x, y] = [origin?.[0] ?? 0, origin?.[1] ?? 0]
  const matrix = pdf.numbers('float', 4, (at) => call.FPDFText_GetMatrix(text, char, at))
  const scale = matrix === null ? 1 : Math.hypot(matrix[2] ?? 0, matrix[3] ?? 1)
  return { x, y, size: Math.round(call.FPDFText_GetFontSize(text, char) * scale * 2) / 2 }
}

export interface PdfMark extends PdfPlace {
  readonly title: string
  /** From 1. */
  readonly level: number
}

const MOST_ENTRIES = 20_000
const MOST_LEVELS = 12

/** The outline in the file, in its order; cycles end. */
export function readOutline(pdf: OpenPdf): PdfMark[] {
  const { call, document } = pdf
  const entries: PdfMark[] = []
  const seen = new Set<number>()
  const visit = (parent: number, level: number): void => {
    let mark = call.FPDFBookmark_GetFirstChild(document, parent)
    while (mark !== 0 && !seen.has(mark) && entries.length < MOST_ENTRIES) {
      seen.add(mark)
      const entry = mark
      const title = pdf.string((address, size) => call.FPDFBookmark_GetTitle(entry, address, size))
      entries.push({ title, level, ...destinationOf(pdf, entry) })
      if (level < MOST_LEVELS) visit(mark, level + 1)
      mark = call.FPDFBookmark_GetNextSibling(document, mark)
    }
  }
  visit(0, 1)
  return entries
}

function destinationOf(pdf: OpenPdf, mark: number): PdfPlace {
  const { call, document } = pdf
  const target = call.FPDFBookmark_GetDest(document, mark)
  return placeOf(pdf, target || actionDest(pdf, call.FPDFBookmark_GetAction(mark)))
}

function actionDest({ call, document }: OpenPdf, action: number): number {
  return action === 0 ? 0 : call.FPDFAction_GetDest(document, action)
}

function placeOf(pdf: OpenPdf, target: number): PdfPlace {
  const { call, document } = pdf
  if (target === 0) return { page: -1, y: null }
  const page = call.FPDFDest_GetDestPageIndex(document, target)
  let hasY = false
  const place = pdf.numbers('float', 6, (at) => {
    const found = call.FPDFDest_GetLocationInPage(target, at, at + 4, at + 8, at + 12, at + 16, at + 20)
    hasY = Boolean(found)
    return found
  })
  return { page, y: hasY && place !== null ? (place[4] ?? null) : null }
}
