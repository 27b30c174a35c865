// What of an artifact's text is its body, and how are its lines counted? Shared by everything that quotes it.

import type { Excerpt } from '../../model/digest.ts'
import type { ArtifactText } from '../../model/section.ts'
import { hasHeading } from '../../read/parse/artifact-kinds.ts'

const fence = /^(?:---|\+\+\+)/
/** MDX without frontmatter. */
const modules = /^(?:import\s[^\n]{0,200}['"]|export\s+(?:const|default|function)\s)/

/** The first piece worth showing: frontmatter and the imports of MDX are not prose. */
export function firstPiece(
  { kind, level }: { readonly kind: string; readonly level: number },
  { text }: Pick<ArtifactText, 'text'>,
): number {
  return level === 0 && (fence.test(text) || (kind === 'markdown_module' && modules.test(text))) ? 1 : 0
}

/** The text without its heading or its frontmatter. */
export function bodyOf(
  artifact: { readonly kind: string; readonly level: number },
  text: Pick<ArtifactText, 'text' | 'pieces'>,
): string {
  const start = hasHeading(artifact.kind) ? 1 : firstPiece(artifact, text)
  return text.text.slice(text.pieces[start]?.start ?? text.text.length)
}

export const countLineEnds = (text: string): number => text.match(/\r\n?|\n/g)?.length ?? 0

/** The text up to its last line that is not blank, without that line's end. */
export function dropBlankEnd(text: string): string {
  let end = text.trimEnd().length
  while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end++
  return text.slice(0, end)
}

/** A line that is only a comment, or a shortcode of Hugo. */
const markLine = /^[ \t]*(?:(?:<!--[^<>]{0,200}-->|\{\{[<%][^{}]{0,200}[%>]\}\})[ \t]*)?$/

/** An excerpt of a document without comments and shortcodes at its two ends; as it is where it has nothing else. */
export function dropMarks(excerpt: Excerpt): Excerpt {
  const all = excerpt.text.split('\n')
  const isText = (line: string): boolean => !markLine.test(line)
  const [first, last] = [all.findIndex(isText), all.findLastIndex(isText)]
  if (first === -1 || excerpt.inFence === true || excerpt.text.includes('\r')) return excerpt
  // Its lines may begin with a heading that is above the passage, so they are counted from the end.
  const { start, end } = excerpt.lines
  const top = end - (all.length - 1)
  return {
    ...excerpt,
    lines: { start: first === 0 ? start : top + first, end: top + last },
    text: all.slice(first, last + 1).join('\n'),
  }
}
