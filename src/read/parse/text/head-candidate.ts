// What is a heading before its section is known? Its line, its level and its words; or an item, which divides only a long section.
import type { SectionHead } from '../make-sections.ts'
import { patterns } from '../patterns.ts'
import { cutText } from '../slug.ts'

/** A heading of a text. Items (an option, a function) are headings only in a section that is long. */
export interface TextHead extends SectionHead {
  /** 0-based, the first line below it. */
  readonly bodyLine: number
}

export interface HeadCandidate extends Omit<TextHead, 'level' | 'plain'> {
  /** 1 to 5; null for an item, which stands below the heading before it. */
  readonly level: number | null
}

/** Longer lines are no headings, and longer names are cut. */
export const maxHeadChars = 200
const deepest = 5

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
export function plainMarkup(text: string): string {
  return text.replace(patterns.role, '').replaceAll('`', '')
}
