// What is at this place? The text of a document, a section or some lines, as much as fits, and where to continue.
import { joinLines, linesOf, type ReadLinesOptions, readLines } from '../answer/answering/read-lines.ts'
import { makeFindPlace } from '../answer/assemble/find-place.ts'
import { renderPlaced } from '../answer/assemble/render-placed.ts'
import { ArtifactFinder, type FoundDocument } from '../corpus/lookup/find-artifact.ts'
import type { CorpusReader } from '../corpus/store/corpus-reader.ts'
import type { PlacedText } from '../model/expansion.ts'
import type { RenderedResult } from '../model/report.ts'
import { endWithoutBreak } from '../read/parse/find-lines.ts'

/** The passage is written under its source, within the budget. */
export interface ReadResult extends RenderedResult {
  readonly passage: PlacedText
  /** Where to continue, as path:lines; null at the end. */
  readonly next: string | null
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

/** As `readPassage`, without a budget and with every line. */
export function readText(
  reader: CorpusReader,
  named: string,
): Pick<PlacedText, 'path' | 'lines' | 'place' | 'text'> {
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
