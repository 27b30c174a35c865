// Which slices of an artifact are indexed? Consecutive pieces up to a size; a heading stays with the text after it.
import type { Artifact } from '../../model/artifact.ts'

/** UTF-16 units of a fragment; more only if one piece, or a heading with its first piece, is larger. */
export const fragmentChars = 1_600
/** A shorter last fragment joins the one before it if the sum stays within the limit. */
const tinyChars = 200
const stretch = 1.25

/** Indexes into an artifact's pieces; `end` is excluded. */
interface PieceRange {
  readonly start: number
  readonly end: number
}

/** The pieces of each fragment of an artifact; all of them, joined, are its text. Blank texts have none. */
export function splitFragments(artifact: Artifact, maxChars: number = fragmentChars): PieceRange[] {
  const { text, pieces } = artifact
  if (text.trim() === '') return []
  if (text.length <= maxChars) return [{ start: 0, end: pieces.length }]
  const starts = findStarts(artifact, maxChars)
  return starts.map((start, number) => ({ start, end: starts[number + 1] ?? pieces.length }))
}

function findStarts(artifact: Artifact, maxChars: number): number[] {
  const { text, pieces } = artifact
  const starts = [0]
  let begin = 0
  for (let index = 1; index < pieces.length; index++) {
    const piece = pieces[index]!
    if (piece.end - begin <= maxChars) continue
    if (index === 1 && artifact.level > 0) continue
    if (isBlank(text, piece.start, piece.end) || isBlank(text, begin, piece.start)) continue
    starts.push(index)
    begin = piece.start
  }
  if (starts.length > 1 && text.length - begin < tinyChars) {
    const before = pieces[starts[starts.length - 2]!]!.start
    if (text.length - before <= stretch * maxChars) starts.pop()
  }
  return starts
}

/** Blank as in `trim`; reads only up to the first other character. */
function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code !== 32 && code !== 10 && text[at]!.trim() !== '') return false
  }
  return true
}
