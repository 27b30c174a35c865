// Which slices of an artifact are indexed? Consecutive pieces up to a size; a heading stays with the text after it.
import type { Artifact, Fragment } from '../../model/artifact.ts'

interface FragmentOptions {
  /** Larger only if one piece, or a heading with its first piece, is larger. */
  readonly maxChars: number
}

export const fragmentDefaults: FragmentOptions = { maxChars: 1_600 }

/** A shorter last fragment joins the one before it if the sum stays within the limit. */
const tinyChars = 200
const stretch = 1.25

/** Splits an artifact's text into fragments that, joined, are exactly the text. Blank texts have none. */
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
