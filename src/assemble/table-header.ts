// What do the columns of a table mean? Its header, for rows that are shown without it.
import type { Excerpt } from '../model/digest.ts'
import { sourceLines } from './escape-text.ts'

export const tableRow: RegExp = /^\s{0,3}\|?[^|\n]*\|/
const delimiter = /^[\s:|-]*$/

/** The header of the table that a text's line stands in below its header; null anywhere else. Lines count from 0. */
export function findTableHeader(text: string, at: number, firstLine: number): Excerpt | null {
  const lines = sourceLines(text)
  if (!tableRow.test(lines[at] ?? '')) return null
  let top = at
  while (top > 0 && tableRow.test(lines[top - 1] as string)) top--
  const [header, rule] = [lines[top] as string, lines[top + 1] ?? '']
  if (at < top + 2 || !delimiter.test(rule) || !rule.includes('|') || !rule.includes('-')) return null
  return { lines: { start: firstLine + top, end: firstLine + top + 1 }, text: `${header}\n${rule}` }
}
