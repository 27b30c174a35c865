// How do the headings that a format finds become those of a text? Items (options, functions) count only in long sections.
import { lineAt, type TextLines } from '../find-lines.ts'
import type { SectionHead } from '../make-sections.ts'
import { patterns } from '../patterns.ts'
import { cutText } from '../slug.ts'

export interface TextHead extends SectionHead {
  /** 0-based, the first line below it. */
  readonly bodyLine: number
}

export interface HeadCandidate extends Omit<TextHead, 'level' | 'plain'> {
  /** 1 to 5; null for an item below the heading before it. */
  readonly level: number | null
}

/** Longer lines are not headings, and longer names are cut. */
const maxHeadChars = 200
const deepest = 5
/** Sections of at least this many UTF-16 units are longer than a fragment and are divided at their items. */
const longSection = 2_000

/** A heading as found, or an item. */
export function makeCandidate(
  line: number,
  level: number | null,
  written: string,
  more: { readonly bodyLine?: number; readonly explicitId?: string | null } = {},
): HeadCandidate {
  const name = cutText(written.replace(patterns.whitespaceRun, ' ').trim(), maxHeadChars)
  const { bodyLine = line + 1, explicitId = null } = more
  return { line, level: level === null ? null : Math.min(deepest, level), name, explicitId, bodyLine }
}

/** Without backticks and the roles before them. */
export const plainMarkup = (text: string): string => text.replace(patterns.role, '').replaceAll('`', '')

/** The headings of a text as `find` sees them in its lines, in order. Linear in its length. */
export function findTextHeads(lines: TextLines, find: (lines: readonly string[]) => HeadCandidate[]) {
  return placeItems(lines, find(lines.starts.map((_, line) => headLine(lines, line))))
}

/** A line without trailing space; a line too long for a heading is cut. */
function headLine(lines: TextLines, line: number): string {
  const start = lines.starts[line]!
  const end = lines.starts[line + 1] ?? lines.text.length
  if (end - start > maxHeadChars + 2)
    return lines.text.slice(start, start + maxHeadChars + 2).replaceAll('\n', ' ')
  const text = lineAt(lines, line)
  return (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text).trimEnd()
}

/** Gives items a level and drops those in short sections. */
function placeItems(lines: TextLines, found: readonly HeadCandidate[]): TextHead[] {
  const heads: TextHead[] = []
  let above = 0
  let isLong = false
  for (const [index, candidate] of found.entries()) {
    if (index === 0 || candidate.level !== null) {
      above = candidate.level ?? 0
      let next = index + 1
      while (next < found.length && found[next]!.level === null) next++
      const start = candidate.level === null ? 0 : lines.starts[candidate.line]!
      isLong = (lines.starts[found[next]?.line ?? -1] ?? lines.text.length) - start >= longSection
    }
    if (candidate.level === null && !isLong) continue
    heads.push({ ...candidate, plain: candidate.name, level: candidate.level ?? above + 1 })
  }
  return heads
}
