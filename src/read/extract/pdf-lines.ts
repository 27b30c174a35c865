// What stands on one line of a page? Parts of one baseline, joined; each line with what became of it.
import type { PdfLine, PdfPage } from './pdf-pages.ts'

/** Letters and digits alone, so that ligatures, blanks and dots do not matter. */
export function plain(text: string): string {
  // Most lines are ASCII, for which the general way takes several times as long.
  if (!/[^ -~]/.test(text)) return text.toLowerCase().replace(/[^a-z0-9]+/g, '')
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

export interface PageHeading {
  readonly level: number
  readonly text: string
  /** Its anchor, where a link leads to it. */
  id?: string
}

/** A line of a page; what a heading or the furniture of pages took is marked. */
export class PlainLine implements PdfLine {
  readonly text: string
  readonly y: number
  readonly x: number
  readonly size: number
  links: PdfLine['links']
  isFurniture = false
  heading: PageHeading | null = null
  /** Part of the heading on the line before. */
  isTaken = false
  #plain: string | null = null

  constructor({ text, y, x, size, links }: PdfLine) {
    this.text = text
    this.y = y
    this.x = x
    this.size = size
    this.links = links
  }

  /** Most lines are never compared. */
  get plain(): string {
    this.#plain ??= plain(this.text)
    return this.#plain
  }
}

export interface PlainPage {
  readonly lines: PlainLine[]
  readonly label: string
  /** Headings that no line shows, before the line of this index. */
  readonly inserted: (PageHeading & { readonly at: number })[]
}

/** A change of type begins a line of its own in what PDFium gives: what stands on one line of the page is joined again. */
function joinBaselines(lines: readonly PdfLine[]): PdfLine[] {
  const joined: PdfLine[] = []
  for (const line of lines) {
    const before = joined.at(-1)
    const isSame =
      before !== undefined && Math.abs(before.y - line.y) < SAME_BASELINE * before.size && line.x > before.x
    if (!isSame) joined.push(line)
    else {
      before.links = [...before.links, ...line.links]
      before.text += /^[,.;:)!?\ufffe]/.test(line.text) ? line.text : ` ${line.text.trimStart()}`
    }
  }
  return joined
}

/** Of the type size; superscripts stand higher. */
const SAME_BASELINE = 0.6

export function preparePages(pages: readonly PdfPage[]): PlainPage[] {
  return pages.map(({ lines, label }) => ({
    lines: joinBaselines(lines).map((line) => new PlainLine(line)),
    label,
    inserted: [],
  }))
}
