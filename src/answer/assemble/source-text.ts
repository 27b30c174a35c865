// What of an artifact's text is its body, and how are its lines counted? Shared by everything that quotes it.

import type { ArtifactText } from '../../model/section.ts'
import { hasHeading } from '../../read/parse/artifact-kinds.ts'

/** The first piece worth showing: frontmatter is not prose. */
export function firstPiece(artifact: { readonly level: number }, text: Pick<ArtifactText, 'text'>): number {
  return artifact.level === 0 && /^(?:---|\+\+\+)/.test(text.text) ? 1 : 0
}

/** The text without its heading or its frontmatter. */
export function bodyOf(
  artifact: { readonly kind: string; readonly level: number },
  text: Pick<ArtifactText, 'text' | 'pieces'>,
): string {
  const start = hasHeading(artifact.kind) ? 1 : firstPiece(artifact, text)
  return text.text.slice(text.pieces[start]?.start ?? text.text.length)
}

export function countLineEnds(text: string): number {
  return text.match(/\r\n?|\n/g)?.length ?? 0
}

/** The text up to its last line that is not blank, without that line's end. */
export function dropBlankEnd(text: string): string {
  let end = text.trimEnd().length
  while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end++
  return text.slice(0, end)
}
