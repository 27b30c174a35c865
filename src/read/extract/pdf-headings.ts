// Which lines of a PDF are headings? Those of its outline; without one, lines in larger type.
import { type PlainLine, type PlainPage, plain } from './pdf-lines.ts'
import type { PdfMark } from './pdf-pages.ts'
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
      const text = oneLine(found.map((line) => line.text).join(' '))
      ;(first as PlainLine).heading = { level: entry.level, text }
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

/** Headings by type size: larger than the body text and rare. */
export function placeBySize(pages: readonly PlainPage[]): void {
  const levels = new Map<number, number>()
  for (const [at, group] of mergeSizes(headingSizes(pages)).entries())
    for (const size of group) levels.set(size, Math.min(SIZE_LEVELS, at + 1))
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
