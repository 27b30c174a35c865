// What is a section as ranking and selection see it? Its file, its place, its text, and what of it matched.

import type { Artifact, Piece } from './artifact.ts'
import type { Canonicality, Confidence, Signals } from './digest.ts'
import type { FileStamp, SourceFile } from './source-file.ts'

export interface CountedPiece extends Piece {
  readonly tokens: number
}

/** A document, without its text. */
export interface FileRow
  extends Pick<FileStamp, 'path' | 'size' | 'mtime'>,
    Pick<SourceFile, 'contentHash' | 'modifiedAt'> {
  readonly id: number
  readonly language: string
  readonly title: string
  readonly status: string | null
  /** How many other documents refer to it. */
  readonly inbound: number
  /** Its share of authority that flows along references, as a percentile: 0 to 1. */
  readonly rank: number
  /** Path of the document that replaces it. */
  readonly successor: string | null
  /** What the file says of itself. */
  readonly role: 'generated' | null
}

/** An artifact without its text. */
export interface ArtifactRow
  extends Omit<Artifact, 'path' | 'language' | 'text' | 'pieces' | 'parent' | 'metadata'> {
  readonly rowId: number
  readonly file: number
  readonly parent: number | null
  readonly tokens: number
}

/** An artifact's own text, verified. */
export interface ArtifactText {
  readonly text: string
  readonly pieces: readonly CountedPiece[]
}

export interface MatchedFragment {
  readonly pieceStart: number
  readonly pieceEnd: number
  /** As of a section without anything else. */
  readonly relevance: number
  readonly score: number
}

/**
 * A section with its score, what the score is made of, and the parts of its text that matched, best first; none where
 * it is to be read from its beginning.
 */
export interface RankedSection {
  readonly artifact: ArtifactRow
  readonly file: FileRow
  /** The file that this one translates, or another version of it that the question wants. */
  readonly yieldsTo?: number | null
  /** The graph knows that it answers, whatever its words: of the verdict. */
  readonly lookedUp?: Pick<Confidence, 'why' | 'usesOf'>
  readonly score: number
  readonly signals: Signals
  readonly canonicality: Canonicality
  readonly matches: readonly MatchedFragment[]
}
