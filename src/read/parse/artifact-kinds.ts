// What does an artifact's kind say about its text? Whether it starts with a heading, and whether it is code.
import type { Artifact } from '../../model/artifact.ts'

/** Is the first piece a heading, which a digest shows as the passage's name? */
export const hasHeading = (kind: string): boolean => kind === 'markdown_section'

/** `python_class_function`, `html_block`, `blind`: everything but documents. */
export const isCodeKind = (kind: string): boolean => !kind.startsWith('markdown_') && kind !== 'text_document'

/** The part after the language: `python_class_function` has the shape `class_function`. */
export const shapeOfKind = (kind: string): string => kind.slice(kind.indexOf('_') + 1)

/** The language of a kind: its first word. */
export function languageOfKind(kind: string): string {
  const end = kind.indexOf('_')
  return end === -1 ? kind : kind.slice(0, end)
}

/** The heading, or the name of code with its classes: `Server.start`. */
export function shownName(
  artifact: Pick<Artifact, 'name' | 'level' | 'headings'> & { readonly kind: string },
): string {
  const isDotted = artifact.level > 0 && isCodeKind(artifact.kind) && artifact.kind !== 'blind'
  return isDotted ? artifact.headings.join('.') : artifact.name
}
