// What does one line say of a section that is not quoted? Where it is, what it is called, and the line of it that fits best.

import type { Pointer } from '../../model/digest.ts'
import type { ArtifactText, RankedSection } from '../../model/section.ts'
import { hasHeading } from '../../read/parse/artifact-kinds.ts'
import { namePassage } from './name-passage.ts'
import { bodyOf } from './source-text.ts'
import { POINTERS } from './tuning.ts'

/** Tokens of all pointers of a digest. */
export const pointerTokens = (maxTokens: number): number =>
  maxTokens < POINTERS.from ? 0 : Math.min(POINTERS.tokens, Math.floor(POINTERS.share * maxTokens))

/** The beginning of a line, or nothing where too little of it fits. */
function shorten(text: string, chars: number): string {
  const line = text.trim().replace(/\s+/g, ' ')
  if (line.length <= chars) return line
  const cut = line.slice(0, Math.max(0, chars))
  const space = cut.lastIndexOf(' ')
  return space < POINTERS.leastChars ? '' : `${cut.slice(0, space).trimEnd()}…`
}

export function makePointer(
  { artifact, file, matches: [best] }: RankedSection,
  text: ArtifactText,
  relevance: (text: string) => number,
): Pointer {
  const { pieces } = text
  const matched =
    best === undefined ? '' : text.text.slice(pieces[best.pieceStart]?.start, pieces[best.pieceEnd - 1]?.end)
  let [line, most] = ['', 0]
  for (const one of (matched || bodyOf(artifact, text)).split('\n').slice(0, POINTERS.readLines)) {
    const fits = relevance(one)
    if (fits > most) [line, most] = [one, fits]
  }
  const name =
    (hasHeading(artifact.kind) ? artifact.headings.at(-1) : null) ?? namePassage(artifact, file, () => line)
  const said = shorten(line, POINTERS.chars - file.path.length - name.length)
  return {
    path: file.path,
    lines: artifact.ownLines ?? artifact.lines,
    name,
    line: name.includes(said) ? '' : said,
  }
}
