// What must a digest keep whole? The blocks of a text, each with the blank lines after it; long ones are cut at the best position.
import type { Piece } from '../../model/artifact.ts'
import { endWithoutBreak, offsetOf, type TextLines } from './find-lines.ts'

/** No piece is longer than this many UTF-16 units. */
export const maxPieceChars = 1_200

/** Minimum average size of blocks; smaller ones are joined, because each piece takes 16 bytes in the index. */
const tinyBlockChars = 12

/** A block starts at this 0-based line and ends where the next one starts. */
export interface Block {
  readonly line: number
}

/** A 0-based line where a long block may be cut; lower levels are better positions. */
export interface Cut {
  readonly line: number
  readonly level: number
}

/** The lines of one artifact, 0-based, `end` excluded, and the blocks in them. */
export interface ArtifactSpan {
  readonly start: number
  readonly end: number
  readonly blocks: readonly Block[]
  /** In text order, one per line; used only for a block that is too long. */
  readonly cutsOf?: (block: Block) => readonly Cut[]
}

interface Sink {
  readonly lines: TextLines
  /** Offset of the artifact's text in the file. */
  readonly base: number
  readonly pieces: Piece[]
}

const noCuts: readonly Cut[] = []

/** Splits an artifact's lines into pieces that tile its text. Lines before the first block belong to its piece. */
export function splitPieces(lines: TextLines, span: ArtifactSpan): Piece[] {
  const sink: Sink = { lines, base: offsetOf(lines, span.start), pieces: [] }
  const blocks = joinTinyBlocks(lines, span)
  if (blocks.length === 0 && span.end > span.start) addRange(sink, span.start, span.end, noCuts)
  for (let index = 0; index < blocks.length; index++) {
    const start = index === 0 ? span.start : blocks[index]!.line
    const end = blocks[index + 1]?.line ?? span.end
    if (end <= start) continue
    if (offsetOf(lines, end) - offsetOf(lines, start) <= maxPieceChars) addPiece(sink, start, end)
    else addRange(sink, start, end, span.cutsOf?.(blocks[index]!) ?? noCuts)
  }
  return sink.pieces
}

/** A shorter last group joins the one before it. */
const tinyGroupChars = 400

/** The 0-based first lines of groups of pieces, without the first group; a group has at most `most` UTF-16 units, or one piece. */
export function groupPieces(pieces: readonly Piece[], most: number): number[] {
  const starts: number[] = []
  const textEnd = pieces.at(-1)?.end ?? 0
  let [from, line] = [0, pieces[0]?.lines.start]
  for (const { start, end, lines } of pieces) {
    if (end - from <= most || start === from || lines.start === line || textEnd - start < tinyGroupChars)
      continue
    starts.push(lines.start - 1)
    ;[from, line] = [start, lines.start]
  }
  return starts
}

/** The blocks; in a text of only tiny ones, those that start a minimum distance after the last. */
function joinTinyBlocks(lines: TextLines, { start, end, blocks }: ArtifactSpan): readonly Block[] {
  const chars = offsetOf(lines, end) - offsetOf(lines, start)
  if (blocks.length * tinyBlockChars <= Math.max(chars, maxPieceChars)) return blocks
  let from = Number.NEGATIVE_INFINITY
  return blocks.filter(({ line }) => {
    const at = offsetOf(lines, line)
    if (at - from < tinyBlockChars) return false
    from = at
    return true
  })
}

function addPiece(sink: Sink, start: number, end: number): void {
  const from = offsetOf(sink.lines, start) - sink.base
  const to = offsetOf(sink.lines, end) - sink.base
  sink.pieces.push({ start: from, end: to, lines: { start: start + 1, end } })
}

/** Cuts at the best level with a position inside the range, then cuts longer parts at the next level. */
function addRange(sink: Sink, start: number, end: number, cuts: readonly Cut[]): void {
  const inside = cuts.filter((cut) => cut.line > start && cut.line < end)
  if (inside.length === 0) {
    addGrouped(sink, start, end, eachParagraph(sink.lines, start, end), (_, from, to) =>
      addGrouped(sink, from, to, eachLine(from, to), addLongLine),
    )
    return
  }
  let best = Number.POSITIVE_INFINITY
  for (const cut of inside) best = Math.min(best, cut.level)
  const places: number[] = []
  const below = new Map<number, Cut[]>()
  let current: Cut[] = []
  below.set(start, current)
  for (const cut of inside)
    if (cut.level !== best) current.push(cut)
    else {
      places.push(cut.line)
      current = []
      below.set(cut.line, current)
    }

  places.push(end)
  addGrouped(sink, start, end, places, (_, from, to) => addRange(sink, from, to, below.get(from) ?? noCuts))
}

/** The ends of paragraphs, with the blank lines after them. */
function eachParagraph({ text, starts }: TextLines, start: number, end: number): number[] {
  const isBlank = (line: number): boolean => text.slice(starts[line], starts[line + 1]).trim() === ''
  return eachLine(start, end).filter((line) => line === end || (isBlank(line - 1) && !isBlank(line)))
}

const eachLine = (start: number, end: number): number[] =>
  Array.from({ length: Math.max(0, end - start) }, (_, index) => start + 1 + index)

/** Joins neighbouring parts while they fit in one piece; calls `addLong` for a part that does not fit alone. */
function addGrouped(
  sink: Sink,
  start: number,
  end: number,
  places: readonly number[],
  addLong: (sink: Sink, start: number, end: number) => void,
): void {
  const { lines } = sink
  let groupStart = start
  let partStart = start
  for (const place of places) {
    const partEnd = offsetOf(lines, place)
    if (partEnd - offsetOf(lines, groupStart) > maxPieceChars && partStart > groupStart) {
      addPiece(sink, groupStart, partStart)
      groupStart = partStart
    }
    if (partEnd - offsetOf(lines, groupStart) > maxPieceChars) {
      addLong(sink, groupStart, place)
      groupStart = place
    }
    partStart = place
  }
  if (groupStart < end) addPiece(sink, groupStart, end)
}

/** Cuts inside one line; all its pieces have that line's number. */
function addLongLine(sink: Sink, line: number): void {
  const { text } = sink.lines
  const lines = { start: line + 1, end: line + 1 }
  const end = offsetOf(sink.lines, line + 1)
  let start = offsetOf(sink.lines, line)
  const contentEnd = endWithoutBreak(text, start, end)
  while (end - start > maxPieceChars) {
    // The last piece keeps at least one character of the line, so that it is not a bare line end.
    const cut = findCut(text, start, Math.min(start + maxPieceChars, contentEnd - 1))
    sink.pieces.push({ start: start - sink.base, end: cut - sink.base, lines })
    start = cut
  }
  sink.pieces.push({ start: start - sink.base, end: end - sink.base, lines })
}

/** After the last sentence in the second half of the window, else after its last space, else at a whole code point. */
function findCut(text: string, start: number, limit: number): number {
  const half = start + ((limit - start) >> 1)
  let space = -1
  for (let at = limit - 1; at >= half; at--) {
    const code = text.charCodeAt(at)
    // Full stop, exclamation and question mark of Chinese and Japanese, which are not followed by a space.
    if (code === 0x3002 || code === 0xff01 || code === 0xff1f) return at + 1
    if (code !== 32 && code !== 9) continue
    if (isSentenceEnd(text.charCodeAt(at - 1))) return at + 1
    if (space === -1) space = at + 1
  }
  if (space !== -1) return space
  const before = text.charCodeAt(limit - 1)
  const splitsPair = before >= 0xd800 && before <= 0xdbff && isLowSurrogate(text.charCodeAt(limit))
  return splitsPair && limit - 1 > start ? limit - 1 : limit
}

const isSentenceEnd = (code: number): boolean => code === 46 || code === 33 || code === 63

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff
