// What is at this place? The text of a document, a section or some lines, as much as fits, and where to continue.
import { cutPiece } from '../answer/assemble/cut-piece.ts'
import { makeFindPlace } from '../answer/assemble/find-place.ts'
import { renderPlaced } from '../answer/assemble/render-placed.ts'
import { ArtifactFinder, type FoundDocument, type FoundPlace } from '../corpus/lookup/find-artifact.ts'
import type { CorpusReader } from '../corpus/store/corpus-reader.ts'
import type { Lines } from '../model/artifact.ts'
import { YoreError } from '../model/errors.ts'
import type { PlacedText } from '../model/expansion.ts'
import type { Freshness } from '../model/report.ts'
import type { ArtifactRow, FileRow } from '../model/section.ts'
import { endWithoutBreak, findLines, offsetOf } from '../read/parse/find-lines.ts'
import type { TokenCounter } from '../read/tokens/token-counter.ts'

export interface ReadResult {
  readonly passage: PlacedText
  /** The passage under its source, within the budget. */
  readonly output: string
  readonly tokensUsed: number
  /** Where to continue, as path:lines; null at the end. */
  readonly next: string | null
  readonly freshness: Freshness
}

/** Reads from one state of the index. Throws BAD_INPUT for an unknown name. */
export function readPassage(
  reader: CorpusReader,
  named: string,
  options: ReadLinesOptions,
): Omit<ReadResult, 'freshness'> {
  return reader.snapshot(() => {
    const finder = new ArtifactFinder(reader)
    const place = finder.find(named)
    const document = finder.document(place.file.path) as FoundDocument
    const passage = readLines(reader, document, place, options)
    const end = Math.min((place.lines ?? place.row.lines).end, document.rows[0]?.lines.end ?? 0)
    const more = passage.truncated && passage.lines.end < end
    const next = more ? `${passage.path}:${passage.lines.end + 1}-${end}` : null
    const output = renderPlaced(passage)
    return { passage, next, output, tokensUsed: options.countTokens(output) }
  })
}

/** The cited lines, exactly. */
export interface TextResult extends Pick<PlacedText, 'path' | 'lines' | 'place' | 'text'> {
  readonly freshness: Freshness
}

/** As `readPassage`, without a budget and with every line. */
export function readText(reader: CorpusReader, named: string): Omit<TextResult, 'freshness'> {
  return reader.snapshot(() => {
    const finder = new ArtifactFinder(reader)
    const place = finder.find(named)
    const { path } = place.file
    const document = finder.document(path) as FoundDocument
    const lines = linesOf(document, place)
    const text = joinLines(reader, document.rows, lines)
    const where = makeFindPlace((file) => reader.placesIn(file))(path, [lines])
    return { path, lines, ...where, text: text.slice(0, endWithoutBreak(text, 0, text.length)) }
  })
}

/** The requested lines that exist. Throws BAD_INPUT for none. */
function linesOf({ rows }: FoundDocument, { row, file, lines }: FoundPlace): Lines {
  const last = Math.max(...rows.map((one) => one.lines.end))
  const wanted = lines ?? row.lines
  if (wanted.start <= last) return { start: wanted.start, end: Math.min(wanted.end, last) }
  throw new YoreError('BAD_INPUT', `${file.path} has no line ${wanted.start}`, {
    hint: `its last line is ${last}`,
  })
}

/** Maximum characters per token to examine: few tokens are longer. */
const LONGEST_TOKEN = 32

interface ReadLinesOptions {
  /** For the text with its source, as shown. */
  readonly maxTokens: number
  readonly countTokens: TokenCounter
}

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
function joinLines(reader: CorpusReader, rows: readonly ArtifactRow[], wanted: Lines): string {
  const holding = rows.filter(
    ({ ownLines }) => ownLines !== null && ownLines.end >= wanted.start && ownLines.start <= wanted.end,
  )
  const first = holding[0]?.ownLines?.start ?? wanted.start
  const lines = findLines(holding.map(({ rowId }) => reader.text(rowId).text).join(''))
  const start = offsetOf(lines, wanted.start - first)
  return lines.text.slice(start, offsetOf(lines, wanted.end - first + 1))
}

function cutText(whole: string, limit: Parameters<typeof cutPiece>[2]): string {
  const most = whole.slice(0, limit.room * LONGEST_TOKEN)
  const end = cutPiece(most, 'start', limit)
  return most.slice(0, endWithoutBreak(most, 0, end)).trimEnd()
}

export function nameOf(row: ArtifactRow, file: FileRow): string {
  return row.level === 0 ? file.title : row.name
}
