// What can a reader point at? Artifacts, and the pieces and fragments of their text.
import type { CodeMetadata, CodeOutline } from './code.ts'
import type { CodeKind } from './code-languages.ts'
import type { Mention } from './reference.ts'
import type { Language } from './source-file.ts'

/** 1-based, both ends included. */
export interface Lines {
  readonly start: number
  readonly end: number
}

export type ArtifactKind =
  | 'markdown_module'
  | 'markdown_section'
  | 'text_document'
  | CodeKind
  /** Split by size for lack of structure. */
  | 'blind'

/** The smallest part of a text that a digest keeps whole: a paragraph, a list, a table, a code block, or a slice of a very long one. */
export interface Piece {
  /** UTF-16 offsets into the artifact's text. Pieces tile it: each starts where the one before ended, blank lines trail. */
  readonly start: number
  readonly end: number
  readonly lines: Lines
}

/**
 * A node of the graph. Its `text` is its own text only: the lines from its heading to the next heading of any level.
 * The own texts of a file's artifacts, in order, are exactly the file's text.
 */
export interface Artifact {
  /** Canonical id: the path for a file, `path#outer.inner` below it. */
  readonly id: string
  readonly kind: ArtifactKind
  readonly path: string
  /** The heading's text, or the document's title. */
  readonly name: string
  /** GitHub slug of the heading, what links use; null for a file. */
  readonly anchor: string | null
  readonly language: Language
  /** Headings from the outermost to this one; empty for a file. */
  readonly headings: readonly string[]
  /** 0 for a file, 1 to 6 for a heading. */
  readonly level: number
  /** With everything below it. */
  readonly lines: Lines
  /** Of `text`; null when the artifact has no own line (a file that starts with a heading). */
  readonly ownLines: Lines | null
  readonly text: string
  readonly pieces: readonly Piece[]
  /** Canonical id of the parent; null for a file. */
  readonly parent: string | null
  /** What is known of a piece of code, by the fields of its language's format; absent for documents. */
  readonly metadata?: CodeMetadata
}

/** What a document says about itself. */
export interface DocumentFacts {
  readonly title: string
  /** Frontmatter `status`, lower case; null when absent. */
  readonly status: string | null
  /** The frontmatter as plain JSON; empty when there is none or when it was refused. */
  readonly frontmatter: Readonly<Record<string, unknown>>
}

/** What parsing one file gives. */
export interface ParsedDocument {
  readonly path: string
  readonly language: Language
  readonly facts: DocumentFacts
  /** The file first, then its sections in the order of the text. */
  readonly artifacts: readonly Artifact[]
  /** What a reader of the index report must know: headings over the limit of a file. */
  readonly warning?: string
  /** In the order of the lines. */
  readonly mentions: readonly Mention[]
  /** What a file of code defines, imports and exports; absent for documents. */
  readonly outline?: CodeOutline
}
