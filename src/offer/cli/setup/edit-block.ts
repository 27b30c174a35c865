// How is a block of lines added to a text between two marks, or removed, so that everything else stays byte for byte?
import { type BlockMarks, blockMarks, findBlock } from '../../../corpus/indexing/written-by-yore.ts'
import { YoreError } from '../../../model/errors.ts'

/** The text with the block at its end, or in its place where it has one. Throws BAD_INPUT for half a block. */
export function putBlock(text: string | null, lines: readonly string[], marks: BlockMarks = blockMarks) {
  const known = text === null ? null : findBlock(text, marks)
  if (known === null && text?.includes(marks.begin))
    throw new YoreError('BAD_INPUT', `it has the line ${marks.begin} without ${marks.end}`, {
      hint: 'remove that line first',
    })
  // A block keeps its line ends; a new one takes those of the text.
  const sample = known === null ? text : text?.slice(known.start, known.end)
  const lineEnd = sample?.includes('\r\n') ? '\r\n' : '\n'
  const block = [marks.begin + marks.rest, ...lines, marks.end].join(lineEnd)
  if (text === null) return block + lineEnd
  if (known === null) return text + lineEnd + block + lineEnd
  return text.slice(0, known.start) + block + text.slice(known.end)
}

/** The text as it was before `putBlock`; null for a file that was made for the block. */
export function dropBlock(text: string, marks: BlockMarks = blockMarks): string | null {
  const known = findBlock(text, marks)
  if (known === null) return text
  const lineEnd = text.slice(known.start, known.end).includes('\r\n') ? '\r\n' : '\n'
  const before = text.slice(0, known.start)
  const after = text.slice(known.end)
  const rest = after.startsWith(lineEnd) ? after.slice(lineEnd.length) : after
  if (before === '' && rest === '') return null
  return (before.endsWith(lineEnd) ? before.slice(0, -lineEnd.length) : before) + rest
}
