// Which lines of a document fit a budget? Those of an artifact with everything below it, or the requested ones, cut at the end.

import type { FoundDocument, FoundPlace } from '../../corpus/lookup/find-artifact.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { Lines } from '../../model/artifact.ts'
import { YoreError } from '../../model/errors.ts'
import type { PlacedText } from '../../model/expansion.ts'
import type { ArtifactRow, FileRow } from '../../model/section.ts'
import { endWithoutBreak, findLines, offsetOf } from '../../read/parse/find-lines.ts'
import { cutPiece } from '../assemble/cut-piece.ts'
import { makeFindPlace } from '../assemble/find-place.ts'
import type { FitDigestOptions } from '../assemble/fit-digest.ts'
import { renderPlaced } from '../assemble/render-placed.ts'

/** The requested lines that exist. Throws BAD_INPUT for none. */
export function linesOf({ rows }: FoundDocument, { row, file, lines }: FoundPlace): Lines {
  const last = Math.max(...rows.map((one) => one.lines.end))
  const wanted = lines ?? row.lines
  if (wanted.start <= last) return { start: wanted.start, end: Math.min(wanted.end, last) }
  throw new YoreError('BAD_INPUT', `${file.path} has no line ${wanted.start}`, {
    hint: `its last line is ${last}`,
  })
}

/** Maximum characters per token to examine: few tokens are longer. */
const LONGEST_TOKEN = 32

/** The budget is for the text with its source, as shown. */
export type ReadLinesOptions = Pick<FitDigestOptions, 'maxTokens' | 'countTokens'>

/** The lines of an artifact with everything below it, or the requested lines, without trailing blank lines. */
export function readLines(
  reader: CorpusReader,
  document: FoundDocument,
  place: FoundPlace,
  { maxTokens, countTokens }: ReadLinesOptions,
): PlacedText {
  const { row, file } = place
  const wanted = linesOf(document, place)
  const whole = joinLines(reader, document.rows, wanted).trimEnd()
  const findPlace = makeFindPlace((path) => reader.placesIn(path))
  const placed = (text: string, truncated: boolean): PlacedText => {
    const lines = { start: wanted.start, end: wanted.start + Math.max(1, findLines(text).starts.length) - 1 }
    const { id, kind } = row
    const { path } = file
    const place = findPlace(path, [lines])
    return { id, kind, path, name: nameOf(row, file), lines, ...place, text, tokens: 0, truncated }
  }
  const cost = (text: string, truncated: boolean): number =>
    countTokens(renderPlaced(placed(text, truncated)))
  const fits = whole.length <= maxTokens * LONGEST_TOKEN && cost(whole, false) <= maxTokens
  const text = fits ? whole : cutText(whole, { room: maxTokens, cost: (part) => cost(part, true) })
  if (text === '' && whole !== '')
    throw new YoreError('BUDGET_TOO_SMALL', `${maxTokens} tokens hold nothing of ${file.path}`)
  return { ...placed(text, !fits), tokens: countTokens(text) }
}

/** The own texts of a document's artifacts, joined, are its text. */
export function joinLines(reader: CorpusReader, rows: readonly ArtifactRow[], wanted: Lines): string {
  const holding = rows.filter(
    ({ ownLines }) => ownLines !== null && ownLines.end >= wanted.start && ownLines.start <= wanted.end,
  )
  const first = holding[0]?.ownLines?.start ?? wanted.start
  const lines = findLines(holding.map(({ rowId }) => reader.text(rowId).text).join(''))
  return lines.text.slice(offsetOf(lines, wanted.start - first), offsetOf(lines, wanted.end - first + 1))
}

function cutText(whole: string, limit: Parameters<typeof cutPiece>[2]): string {
  const most = whole.slice(0, limit.room * LONGEST_TOKEN)
  return most.slice(0, endWithoutBreak(most, 0, cutPiece(most, 'start', limit))).trimEnd()
}

export const nameOf = (row: ArtifactRow, file: FileRow): string => (row.level === 0 ? file.title : row.name)
