// Which lines of a PDF are headings? Those of its outline and lines set like them; without an outline, lines in larger type.
import { type PageHeading, type PlainLine, type PlainPage, plain } from './pdf-lines.ts'
import type { PdfMark, PdfPlace } from './pdf-pages.ts'
import { noHeading, oneLine } from './write-markdown.ts'

/** `3.1`, `Chapter 4`, `Appendix B`, before a name. */
const numbering = /^(?:chapter|appendix|part|section)?(?:[\p{N}a-z]|[\p{N}ivxlc]{2,20}|[a-z]\p{N}{1,8})?$/u
const HEADING_LINES = 4

/** Assigns each outline entry to the line that shows it, or to its destination. */
export function placeOutline(pages: readonly PlainPage[], outline: readonly PdfMark[]): void {
  for (const entry of outline) {
    const title = oneLine(entry.title)
    const wanted = plain(title)
    if (wanted === '' || entry.page < 0 || entry.page >= pages.length) continue
    const found = findShown(pages, entry, wanted)
    if (found === null) insertHeading(pages[entry.page] as PlainPage, entry, title)
    else {
      const [first, ...rest] = found
      ;(first as PlainLine).heading = {
        level: entry.level,
        text: oneLine(found.map(({ text }) => text).join(' ')),
      }
      for (const line of rest) line.isTaken = true
    }
  }
}

function findShown(pages: readonly PlainPage[], entry: PdfMark, wanted: string): PlainLine[] | null {
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
  readonly lines: PlainLine[]
  /** 0 for exactly the same words, 1 with a number before them. */
  readonly looseness: number
}

function distance({ lines, looseness }: HeadingMatch, y: number | null): number {
  const line = lines[0] as PlainLine
  const penalty = 1000 * looseness + (line.isBoilerplate ? 10_000 : 0) - line.size
  // A destination is slightly above its heading.
  return y === null ? penalty - line.y / 100 : penalty + Math.abs(y - line.y - line.size)
}

function matchHeading(lines: readonly PlainLine[], index: number, wanted: string): HeadingMatch[] {
  let joined = ''
  const taken: PlainLine[] = []
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

function insertHeading(page: PlainPage, { level, y }: PdfMark, text: string): void {
  const below = y === null ? 0 : page.lines.findIndex((line) => line.y < y + 1)
  page.inserted.push({ at: below < 0 ? page.lines.length : below, level, text })
}

/** A type size with a larger share of the text is not that of headings. */
const MUCH_TEXT = 0.08
const LARGER = 1.08
const LONGEST_HEADING = 160
const SIZE_LEVELS = 4
/** Longer documents have a title page. */
const TITLED_PAGES = 20

/** Type sizes that are larger than the body text and rare, the largest first. */
function headingSizes(pages: readonly PlainPage[]): number[] {
  const amounts = new Map<number, number>()
  let total = 0
  for (const { lines } of pages)
    for (const { size, text, isBoilerplate } of lines)
      if (!isBoilerplate) {
        amounts.set(size, (amounts.get(size) ?? 0) + text.length)
        total += text.length
      }
  const body = [...amounts].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 0
  return [...amounts]
    .filter(([size, amount]) => size >= body * LARGER && amount <= MUCH_TEXT * total)
    .map(([size]) => size)
    .sort((a, b) => b - a)
}

/** From this number of outline headings in one size, and this share of all lines in it, other lines in it are headings, too. */
const LISTED = 3
const LISTED_SHARE = 0.6

/** Headings that the outline lacks, often those without a number: lines in a size that is used almost only for headings. */
export function placeUnlisted(pages: readonly PlainPage[]): void {
  const sizes = new Set(headingSizes(pages))
  const counts = new Map<number, { listed: number; all: number; level: number }>()
  const first = pages.findIndex(({ lines }) => lines.some(({ heading }) => heading !== null))
  const body = pages.slice(Math.max(0, first))
  for (const { lines } of body)
    for (const { size, heading, isBoilerplate, isTaken } of lines) {
      if (isBoilerplate || isTaken || !sizes.has(size)) continue
      const count = counts.get(size) ?? { listed: 0, all: 0, level: 1 }
      counts.set(size, count)
      count.all++
      if (heading === null) continue
      count.listed++
      count.level = Math.max(count.level, heading.level)
    }
  const levels = new Map(
    [...counts].flatMap(([size, { listed, all, level }]) =>
      listed >= LISTED && listed >= LISTED_SHARE * all ? [[size, level] as const] : [],
    ),
  )
  for (const { lines } of body)
    for (let at = 0; at < lines.length; at++) {
      const { heading, isTaken } = lines[at] as PlainLine
      if (heading === null && !isTaken) at += takeHeading(lines, at, levels)
    }
}

/** Headings by type size: larger than the body text and rare. */
export function placeBySize(pages: readonly PlainPage[]): void {
  const sizes = headingSizes(pages)
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

/** Returns how many of the following lines belong to this heading. */
function takeHeading(lines: readonly PlainLine[], at: number, levels: ReadonlyMap<number, number>): number {
  const line = lines[at] as PlainLine
  const level = levels.get(line.size)
  if (level === undefined || line.isBoilerplate || !/\p{L}{2}/u.test(line.text)) return 0
  const rest: PlainLine[] = []
  for (const next of lines.slice(at + 1, at + HEADING_LINES)) {
    const isNear = line.y - next.y < (rest.length + 1.8) * line.size && next.y < line.y
    if (next.size !== line.size || next.isBoilerplate || next.heading !== null || next.isTaken || !isNear)
      break
    rest.push(next)
  }
  const text = oneLine([line, ...rest].map((one) => one.text).join(' '))
  if (text.length > LONGEST_HEADING || /[,;]$|(?:\. ?){3}/.test(text) || noHeading.test(text))
    return rest.length
  line.heading = { level, text }
  for (const one of rest) one.isTaken = true
  return rest.length
}

interface PageText {
  readonly y: number
  /** Null for a line of text. */
  readonly heading: PageHeading | null
}

/** The content of a page, from top to bottom. */
function pageTexts({ lines, inserted }: PlainPage): PageText[] {
  const shown = lines.filter(
    ({ text, isBoilerplate, isTaken }) => !isBoilerplate && !isTaken && !noHeading.test(text.trim()),
  )
  return [
    // A heading that no line shows is placed before the next line.
    ...inserted.map((heading) => ({ y: (lines[heading.at]?.y ?? 0) + 1, heading })),
    ...shown.map(({ y, heading }) => ({ y, heading })),
  ].toSorted((a, b) => b.y - a.y)
}

/** The heading that a destination leads to, or whose section it is in. */
function headingAt(texts: readonly (readonly PageText[])[], { page, y }: PdfPlace): PageHeading | null {
  const here = texts[page] ?? []
  // A destination is slightly above its heading.
  const below = here.findIndex((one) => y === null || one.y <= y + 1)
  const next = here[below]?.heading ?? null
  if (next !== null) return next
  const above = below < 0 ? here : here.slice(0, below)
  for (const some of [above, ...texts.slice(0, page).reverse()]) {
    const found = some.findLast(({ heading }) => heading !== null)
    if (found !== undefined) return found.heading
  }
  return null
}

/** Gives internal links the anchors of their sections: `p98` for the first heading of page 98, so that link words stay distinct. */
export function placeLinks(pages: readonly PlainPage[]): void {
  const texts = pages.map(pageTexts)
  const ids = new Map<PageHeading, string>()
  for (const [at, some] of texts.entries()) {
    let count = 0
    for (const { heading } of some)
      if (heading !== null) ids.set(heading, `p${at + 1}${++count === 1 ? '' : `-${count}`}`)
  }
  for (const line of pages.flatMap(({ lines }) => lines))
    line.links = line.links.flatMap(({ words, target }) => {
      if (typeof target === 'string') return [{ words, target }]
      const heading = headingAt(texts, target)
      const id = heading === null ? undefined : ids.get(heading)
      if (heading === null || id === undefined) return []
      heading.id = id
      return [{ words, target: `#${id}` }]
    })
}
