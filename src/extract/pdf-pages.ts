// Which lines stand on the pages of a PDF? Characters in the order of the content, with the place and the size of each line.
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

/** Words of a line that lead out of the document. */
interface PdfLink {
  readonly words: string
  readonly target: string
}

export interface PdfPage {
  readonly lines: readonly PdfLine[]
  /** As it is printed; the number of the page where the file does not say. */
  readonly label: string
}

/** Of a document: more is a bomb or a database. */
const MOST_PAGES = 20_000
/** How PDFium marks the hyphen at which a word is divided; what follows stands on the next line of the page. */
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
  const links = count > 0 ? readLinks(pdf, page, text) : []
  let at = 0
  for (const raw of count > 0 ? pdf.pageText(text, count).split('\n') : []) {
    const shown = raw.replace(hyphenMarks, divided).trimEnd()
    const first = shown.search(/[^\s\ufffe]/)
    const char = first < 0 ? -1 : call.FPDFText_GetCharIndexFromTextIndex(text, at + first)
    if (char >= 0) {
      const measured = measure(pdf, text, char)
      lines.push({
        text: shown,
        ...measured,
        links: links.filter((link) => standsIn(link, shown, measured.y)),
      })
    }
    at += raw.length + 1
  }
  if (text !== 0) call.FPDFText_ClosePage(text)
  call.FPDF_ClosePage(page)
  return lines
}

interface LinkArea extends PdfLink {
  readonly left: number
  readonly bottom: number
  readonly top: number
}

/** What PDFium calls an action that opens an address. */
const OPENS_ADDRESS = 3
const LONGEST_ADDRESS = 500

/** Areas of a page that lead to an address which their words do not show. */
function readLinks(pdf: OpenPdf, page: number, text: number): LinkArea[] {
  const { call, document } = pdf
  const found: LinkArea[] = []
  for (const link of pdf.links(page)) {
    const action = call.FPDFLink_GetAction(link)
    if (action === 0 || call.FPDFAction_GetType(action) !== OPENS_ADDRESS) continue
    const target = pdf.string((at, size) => call.FPDFAction_GetURIPath(document, action, at, size), 'utf8')
    const [left, y1, right, y2] = pdf.numbers('float', 4, (at) => call.FPDFLink_GetAnnotRect(link, at)) ?? []
    if (left === undefined || y1 === undefined || right === undefined || y2 === undefined) continue
    if (target.length > LONGEST_ADDRESS || !/^(?:https?:\/\/|[^:]+$)/i.test(target)) continue
    const [bottom, top] = [Math.min(y1, y2), Math.max(y1, y2)]
    const words = pdf
      .string((at, size) => 2 * call.FPDFText_GetBoundedText(text, left, top, right, bottom, at, size / 2))
      .trim()
    // Signs of footnotes say nothing, and an address that is shown is read where it stands.
    if (/\p{L}{2}/u.test(words) && !/:\/\/|^www\./.test(words))
      found.push({ words, target, left, bottom, top })
  }
  return found.toSorted((a, b) => a.left - b.left)
}

function standsIn({ words, bottom, top }: LinkArea, line: string, y: number): boolean {
  return y >= bottom - 1 && y <= top && line.includes(words)
}

/** Of one character; a size may stand in the font or in the matrix. */
function measure(pdf: OpenPdf, text: number, char: number): Omit<PdfLine, 'text' | 'links'> {
  const { call } = pdf
  const [x = 0, y = 0] =
    pdf.numbers('double', 2, (at) => call.FPDFText_GetCharOrigin(text, char, at, at + 8)) ?? []
  const [, , c = 0, d = 1] = pdf.numbers('float', 4, (at) => call.FPDFText_GetMatrix(text, char, at)) ?? []
  const size = call.FPDFText_GetFontSize(text, char) * Math.hypot(c, d)
  return { x, y, size: Math.round(size * 2) / 2 }
}

export interface PdfMark {
  readonly title: string
  /** From 1. */
  readonly level: number
  /** Index of the page; -1 for none. */
  readonly page: number
  /** From the bottom of the page; null for its top. */
  readonly y: number | null
}

const MOST_ENTRIES = 20_000
const MOST_LEVELS = 12

/** The table of contents that the file carries, in its order; circles in it end. */
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

function destinationOf(pdf: OpenPdf, mark: number): Pick<PdfMark, 'page' | 'y'> {
  const { call, document } = pdf
  let target = call.FPDFBookmark_GetDest(document, mark)
  if (target === 0) {
    const action = call.FPDFBookmark_GetAction(mark)
    if (action !== 0) target = call.FPDFAction_GetDest(document, action)
  }
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
