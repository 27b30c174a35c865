// Which slices of an artifact are indexed? Consecutive pieces up to a size; a heading stays with what follows it.
import type { Artifact, Fragment } from '../../model/artifact.ts'

interface FragmentOptions {
  /** A fragment holds more only when one piece, or a heading and its first piece, does. */
  readonly maxChars: number
}

export const fragmentDefaults: FragmentOptions = { maxChars: 1_600 }

/** A last fragment shorter than this joins the one before it, when the sum stays within the stretch. */
const tinyChars = 200
const stretch = 1.25

/** Splits an artifact's text into fragments that, joined, are exactly it. A blank text has none, and none is blank. */
export function splitFragments(artifact: Artifact, options: Partial<FragmentOptions> = {}): Fragment[] {
  const { maxChars } = { ...fragmentDefaults, ...options }
  const { text, pieces } = artifact
  if (text.length <= maxChars) {
    if (text.trim() === '') return []
    return [{ artifact: artifact.id, number: 0, of: 1, pieces: { start: 0, end: pieces.length }, text }]
  }
  if (text.trim() === '') return []
  const starts = findStarts(artifact, maxChars)
  return starts.map((start, number) => {
    const end = starts[number + 1] ?? pieces.length
    const slice = text.slice(pieces[start]!.start, pieces[end - 1]!.end)
    return { artifact: artifact.id, number, of: starts.length, pieces: { start, end }, text: slice }
  })
}

/** Indexes of the pieces that start a fragment. */
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

/** Blank as `trim` sees it; looks no further than the first character that is not. */
function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code !== 32 && code !== 10 && text[at]!.trim() !== '') return false
  }
  return true
}
