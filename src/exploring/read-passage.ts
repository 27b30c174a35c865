// What stands at this place? The text of a document, a section or some lines, as much as fits, and where to read on.
import { renderPlaced } from '../assemble/render-placed.ts'
import type { PlacedText } from '../model/expansion.ts'
import type { Freshness } from '../model/report.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import { ArtifactFinder, type FoundDocument } from './find-artifact.ts'
import { type ReadLinesOptions, readLines } from './read-lines.ts'

export interface ReadResult {
  readonly passage: PlacedText
  /** The passage under its source, within the budget. */
  readonly output: string
  readonly tokensUsed: number
  /** Where to read on, as path:lines; null when nothing is left. */
  readonly next: string | null
  readonly freshness: Freshness
}

/** Reads from one state of the index. Throws BAD_INPUT for a name that nothing has. */
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
