// How are numbers and times written? The same on every machine: no locale, no time zone.
import type { Lines } from './artifact.ts'

/** `0.85` */
export const formatScore = (score: number): string => score.toFixed(2)

/** `7,850` */
export function formatCount(count: number): string {
  const digits = String(Math.abs(Math.round(count)))
  const groups: string[] = []
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end))
  return (count <= -0.5 ? '-' : '') + groups.join(',')
}

/** `1 line`, `1,200 lines` */
export const formatQuantity = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`

/** What lies between two excerpts: `12 lines`. A cut may fall inside a line; then both sides name it. */
export function describeGap(before: Lines, after: Lines): string {
  const lines = after.start - before.end - 1
  return lines > 0 ? formatQuantity(lines, 'line') : 'part of a line'
}

/** `2025-11-29T15:23:00Z`; null for a time that no calendar holds. */
export function formatInstant(milliseconds: number): string | null {
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? null : `${date.toISOString().split('.', 1)[0]}Z`
}

/** Times before this are defaults of archives and file systems, not dates of a change. */
const EARLIEST = Date.UTC(1990)

/** True if a file's time tells when it was changed. */
export const isDated = (modifiedAt: number): boolean => modifiedAt >= EARLIEST

/** The day of a document's last change, UTC; null when it is not known. */
export const lastUpdated = ({ modifiedAt }: { readonly modifiedAt: number }): string | null =>
  isDated(modifiedAt) ? (formatInstant(modifiedAt)?.split('T', 1)[0] ?? null) : null

/** Four decimals are enough to compare scores, and the same in every rendering. */
export const roundScore = (score: number): number => Math.round(score * 10_000) / 10_000
