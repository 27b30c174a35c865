// What is on one line of a page? Joins the parts of a baseline and records how each line is used.
import { remember } from '../../model/remember.ts'
import type { PdfLine, PdfPage } from './pdf-pages.ts'

/** Only letters and digits, so that ligatures, blanks and dots do not matter. */
export function plain(text: string): string {
  // A fast path for ASCII, which most lines are.
  if (!/[^ -~]/.test(text)) return text.toLowerCase().replace(/[^a-z0-9]+/g, '')
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

export interface PageHeading {
  readonly level: number
  readonly text: string
}

/** A line of a page; lines of headings and page boilerplate are marked. */
export interface PlainLine extends Readonly<PdfLine> {
  isBoilerplate: boolean
  heading: PageHeading | null
  /** Part of the heading on the line before. */
  isTaken: boolean
  /** Computed on demand, because most lines are never compared. */
  readonly plain: string
}

const plainOf = remember(({ text }: PlainLine) => plain(text), new WeakMap())

const prepareLine = (line: PdfLine): PlainLine => ({
  ...{ ...line, isBoilerplate: false, heading: null, isTaken: false },
  get plain() {
    return plainOf(this)
  },
})

export interface PlainPage {
  readonly lines: PlainLine[]
  readonly label: string
  /** Headings that no line shows, by the index of the next line. */
  readonly inserted: (PageHeading & { readonly at: number })[]
}

/** PDFium starts a new line at each change of type; this joins the parts of one printed line again. */
function joinBaselines(lines: readonly PdfLine[]): PdfLine[] {
  const joined: PdfLine[] = []
  for (const line of lines) {
    const before = joined.at(-1)
    const isSame =
      before !== undefined && Math.abs(before.y - line.y) < SAME_BASELINE * before.size && line.x > before.x
    if (!isSame) joined.push(line)
    else before.text += /^[,.;:)!?\ufffe]/.test(line.text) ? line.text : ` ${line.text.trimStart()}`
  }
  return joined
}

/** As a share of the type size, because superscripts are higher. */
const SAME_BASELINE = 0.6

export const preparePages = (pages: readonly PdfPage[]): PlainPage[] =>
  pages.map(({ lines, label }) => {
    return { lines: joinBaselines(lines).map(prepareLine), label, inserted: [] }
  })
