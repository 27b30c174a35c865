// Which part of a piece is shown when the whole does not fit? Whole lines, else whole words of the line next to the cut.
import { largest } from '../../model/largest.ts'
import { LONG_LINE_CHARS, SEGMENT_CHARS, SHORT_LINE_TOKENS } from './tuning.ts'

export type CutSide = 'start' | 'end'

interface CutLimit {
  readonly room: number
  readonly cost: (text: string) => number
}

/** Offsets at which a line other than the first starts. */
function lineStarts(text: string): number[] {
  const ends = [...text.matchAll(/\r\n|\n|\r/g)].map((match) => match.index + match[0].length)
  return ends.filter((end) => end < text.length)
}

/** Offsets where a readable segment of a text starts: a line, a sentence of a long line, or some words. */
function segmentStarts(text: string): number[] {
  const starts: number[] = []
  for (const line of text.matchAll(/[^\n\r]*(?:\r\n|\n|\r|$)/g)) {
    let start = line.index
    const end = start + line[0].length
    while (end - start > LONG_LINE_CHARS) {
      starts.push(start)
      start += betweenWords(text.slice(start, end), SEGMENT_CHARS, 'start')
    }
    if (end > start) starts.push(start)
  }
  return starts
}

/** The end of the last sentence before the offset, unless it is far away. */
function afterSentence(text: string, at: number): number | null {
  for (let end = at; end > at * 0.6; end--)
    if (text.charAt(end) === ' ' && '.!?'.includes(text.charAt(end - 1))) return end
  return null
}

/** Never inside a code point, and not inside a word when there is a space near. */
function betweenWords(text: string, at: number, side: CutSide): number {
  const sentence = side === 'start' ? afterSentence(text, at) : null
  if (sentence !== null) return sentence
  const space = side === 'start' ? text.lastIndexOf(' ', at) : text.indexOf(' ', at) + 1
  const kept = side === 'start' ? space > at / 2 : space > 0 && text.length - space > (text.length - at) / 2
  if (kept) return space
  const code = text.charCodeAt(at - 1)
  const splitsPair = code >= 0xd800 && code <= 0xdbff
  if (!splitsPair) return at
  return side === 'start' ? at - 1 : at + 1
}

/**
 * Where to cut so that the start or the end of the text costs at most `room`: an offset into the text. Nothing fits
 * when it is 0 for the start, or the text's length for the end.
 */
export function cutPiece(
  text: string,
  side: CutSide,
  limit: CutLimit & {
    /** Cut inside long lines only. */
    readonly keepLines?: boolean
  },
): number {
  const partAt = (at: number): string => (side === 'start' ? text.slice(0, at) : text.slice(at))
  const fits = (at: number): boolean => limit.cost(partAt(at)) <= limit.room
  const whole = side === 'start' ? text.length : 0
  if (fits(whole)) return whole
  // A part never starts at trailing blank lines.
  const used = text.trimEnd().length
  const all = lineStarts(text)
  const starts = side === 'start' ? all : all.filter((start) => start < used).reverse()
  const lines = largest(starts.length, (count) => fits(starts[count - 1] as number))
  if (lines > 0) return starts[lines - 1] as number
  const near = starts[0] ?? (side === 'start' ? text.length : 0)
  const line = side === 'start' ? text.slice(0, near) : text.slice(near)
  // The second half of a table row would read as a whole row.
  const isKept = limit.cost(line) <= SHORT_LINE_TOKENS || (side === 'end' && line.trimStart().startsWith('|'))
  if (limit.keepLines === true && isKept) return side === 'start' ? 0 : text.length
  if (side === 'start') return betweenWords(text, largest(near, fits), side)
  const length = text.length
  return betweenWords(text, length - largest(length - near, (count) => fits(length - count)), side)
}

/** The first line of an entry: a bullet, a number, an option or a term with its definition. */
const firstLineOfEntry = /^\s*(?:[-*+•] |\d{1,9}[.)] |--?\w|\S.{0,120}::\s*$)/

/** Where the list entry that holds a line starts; null outside of lists. */
function startOfEntry(text: string, starts: readonly number[], at: number): number | null {
  for (let line = at; line >= 0; line--) {
    const shown = text.slice(starts[line], starts[line + 1])
    if (shown.trim() === '') return null
    if (firstLineOfEntry.test(shown)) return starts[line] as number
  }
  return null
}

/**
 * Where to begin in a text of which only a part fits: at the entry of a list that fits the question best, else some way
 * before the best line, so that the room is used.
 */
export function startInside(
  text: string,
  { room, cost, relevance }: CutLimit & { readonly relevance: (text: string) => number },
  mayList: boolean,
): number {
  const starts = segmentStarts(text)
  let [best, most] = [0, 0]
  starts.forEach((start, at) => {
    const fits = relevance(text.slice(start, starts[at + 1]))
    if (fits > most) [best, most] = [at, fits]
  })
  const entry = mayList ? startOfEntry(text, starts, best) : null
  if (entry !== null) return entry
  const at = starts[best] ?? 0
  const leads = (start: number): boolean => cost(text.slice(start, at)) <= room / 4
  const ends = (start: number): boolean => cost(text.slice(start)) <= room
  let from = best
  while (from > 0 && (leads(starts[from - 1] as number) || ends(starts[from - 1] as number))) from--
  return starts[from] ?? 0
}
