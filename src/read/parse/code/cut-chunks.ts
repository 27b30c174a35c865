// Where is a long chunk cut? Between its pieces, which end between statements, members and entries.
import type { Piece } from '../../../model/artifact.ts'
import { lineAt, offsetOf, type TextLines } from '../find-lines.ts'
import { groupPieces } from '../split-pieces.ts'
import { type Chunk, type Layout, makeLineOf } from './layout-chunks.ts'

/** UTF-16 units of a chunk without parts, and of a part: about 1,500 and 700 tokens. */
const sizes = { longest: 4_800, most: 2_400 } as const
/** The same of constants, tables and types: about 400 tokens. */
const dataSizes = { longest: 1_600, most: 1_600 } as const
const data: readonly Chunk['shape'][] = ['block', 'type', 'module']

/** The same layout with the parts of long chunks behind their first ones. */
export function cutChunks(
  { chunks, folded, comments }: Layout,
  { lines, piecesOf }: { readonly lines: TextLines; readonly piecesOf: (chunk: Chunk) => readonly Piece[] },
): Layout {
  const cut: Chunk[] = []
  const moved: number[] = []
  for (const chunk of chunks) {
    const { shape, definition, end } = chunk
    const at = cut.length
    moved.push(at)
    const parent = moved[chunk.parent] ?? -1
    const { longest, most } = data.includes(shape) ? dataSizes : sizes
    const isLong = offsetOf(lines, end) - offsetOf(lines, chunk.start) > longest
    const starts = isLong && shape !== 'import' ? groupPieces(piecesOf(chunk), most) : []
    // Where nothing is defined, the parts are siblings of the first one.
    const isSibling = definition === null && shape !== 'module'
    const first = starts[0] ?? end
    const within = chunk.part === undefined ? {} : { part: { ...chunk.part, of: parent } }
    cut.push({ ...chunk, ...within, parent, end: first, lastEnd: isSibling ? first : chunk.lastEnd })
    for (const [index, start] of starts.entries()) {
      const part = { of: within.part?.of ?? at, name: nameOf(start, starts[index + 1] ?? end) }
      const range = { start, end: starts[index + 1] ?? end, lastEnd: starts[index + 1] ?? end }
      cut.push({ ...range, shape: 'block', definition: null, parent: isSibling ? parent : at, part })
    }
  }
  const placeOf = makeLineOf({ ...lines, starts: cut.map(({ start }) => start) })
  const holderOf = (line: number, of: number): number =>
    cut[placeOf(line)]?.part?.of === of ? placeOf(line) : of
  return {
    ...{ chunks: cut, comments },
    folded: folded.map((one) => ({ ...one, chunk: holderOf(one.line, moved[one.chunk] ?? 0) })),
  }

  /** The longest word of a part's first line. */
  function nameOf(start: number, end: number): string {
    let line = start
    while (line < end - 1 && comments.has(line)) line++
    const shown = lineAt(lines, line).slice(0, 400)
    const words = shown.match(/[\p{L}_$][\p{L}\p{N}_$-]*/gu) ?? []
    return words.reduce((best, word) => (word.length > best.length ? word : best), '')
  }
}
