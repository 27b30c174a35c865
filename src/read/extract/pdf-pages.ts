// Which lines are on the pages of a PDF? Characters in content order, with the position and size of each line.
import { UnreadableFormat } from './format.ts'
import type { OpenPdf } from './open-pdfium.ts'

export interface PdfLine {
  text: string
  /** Baseline from the bottom of the page, and left edge, in points. */
  readonly y: number
  readonly x: number
  readonly size: number
}

/** A position in the document. */
interface PdfPlace {
  /** Index of the page; -1 for none. */
  readonly page: number
  /** From the bottom of the page; null for its top. */
  readonly y: number | null
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
  let at = 0
  for (const raw of count > 0 ? pdf.pageText(text, count).split('\n') : []) {
    const shown = raw.replace(hyphenMarks, divided).trimEnd()
    const first = shown.search(/[^\s\ufffe]/)
    const char = first < 0 ? -1 : call.FPDFText_GetCharIndexFromTextIndex(text, at + first)
    if (char >= 0) lines.push({ text: shown, ...measure(pdf, text, char) })
    at += raw.length + 1
  }
  if (text !== 0) call.FPDFText_ClosePage(text)
  call.FPDF_ClosePage(page)
  return lines
}

/** The size of one character, from the font or from the matrix. */
function measure(pdf: OpenPdf, text: number, char: number): Omit<PdfLine, 'text'> {
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
  const action = call.FPDFBookmark_GetAction(mark)
  const target =
    call.FPDFBookmark_GetDest(document, mark) || (action && call.FPDFAction_GetDest(document, action))
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
