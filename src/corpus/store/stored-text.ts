// What does a file or an artifact say, line by line? From the stored texts, without the disk.
import type { CorpusReader } from './corpus-reader.ts'
import type { ReferenceRow } from './rows/reference-reader.ts'

/** The whole text: the own texts of its artifacts, in order, are the file. */
export const textOfFile = (reader: CorpusReader, file: number): string =>
  reader
    .artifactsOf(file)
    .map(({ rowId }) => reader.text(rowId).text)
    .join('')

/** Lines of the artifact in which a reference is written, by their numbers in the file. */
export function linesAround(
  reader: CorpusReader,
  { artifact, origin }: ReferenceRow,
): (line: number) => string | undefined {
  const held = reader.artifactById(origin)
  const first = (held?.ownLines ?? held?.lines)?.start ?? 1
  const lines = reader.text(artifact).text.split('\n')
  return (line) => lines[line - first]
}
