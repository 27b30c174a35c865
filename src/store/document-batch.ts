// What does the indexing side hand to the writer? Whole documents, counted and hashed, with the words of their fragments.

import { hash } from 'node:crypto'
import type { ArtifactKind, DocumentFacts, Lines } from '../model/artifact.ts'
import type { MentionForm } from '../model/reference.ts'
import type { CountedPiece } from '../model/section.ts'
import type { FileStamp } from '../model/source-file.ts'
import type { TermBatch } from './term-batch.ts'

export interface StoredFragment {
  /** Index of the artifact in its document. */
  readonly artifact: number
  readonly number: number
  readonly of: number
  readonly pieceStart: number
  readonly pieceEnd: number
  /** Words of its body, as the index counts them. */
  readonly words: number
}

export interface StoredArtifact {
  readonly id: string
  readonly kind: ArtifactKind
  readonly name: string
  readonly anchor: string | null
  readonly level: number
  readonly headings: readonly string[]
  /** Index of the parent in the document; -1 for the file. */
  readonly parent: number
  readonly lines: Lines
  readonly ownLines: Lines | null
  readonly tokens: number
  readonly text: string
  /** See `packPieces`. */
  readonly pieces: Uint8Array
  /** JSON; null for documents. */
  readonly metadata: string | null
}

export interface StoredMention {
  /** Index of the artifact in its document. */
  readonly artifact: number
  readonly form: MentionForm
  readonly text: string
  readonly target: string
  readonly line: number
}

export interface StoredDocument extends FileStamp {
  readonly language: string
  readonly contentHash: string
  readonly modifiedAt: number
  readonly lineCount: number
  readonly facts: DocumentFacts
  readonly artifacts: readonly StoredArtifact[]
  readonly fragments: readonly StoredFragment[]
  readonly mentions: readonly StoredMention[]
  /** JSON; null for documents. */
  readonly outline: string | null
  readonly role: 'generated' | null
  /** JSON of where secrets were hidden; null for most. */
  readonly masks: string | null
  /** JSON of the places of an extracted text, as pairs of line and place; null for most. */
  readonly places: string | null
}

export interface DocumentBatch {
  readonly documents: readonly StoredDocument[]
  /** Of all fragments of the documents, in order. */
  readonly terms: TermBatch
}

const PIECE_NUMBERS = 4

/** Four little-endian 32-bit numbers per piece: end offset, first line, last line, tokens. */
export function packPieces(pieces: readonly CountedPiece[]): Uint8Array {
  const bytes = new Uint8Array(pieces.length * PIECE_NUMBERS * 4)
  const view = new DataView(bytes.buffer)
  for (const [index, piece] of pieces.entries()) {
    const at = index * PIECE_NUMBERS * 4
    view.setUint32(at, piece.end, true)
    view.setUint32(at + 4, piece.lines.start, true)
    view.setUint32(at + 8, piece.lines.end, true)
    view.setUint32(at + 12, piece.tokens, true)
  }
  return bytes
}

export function unpackPieces(bytes: Uint8Array): CountedPiece[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const pieces: CountedPiece[] = []
  let start = 0
  for (let at = 0; at < bytes.length; at += PIECE_NUMBERS * 4) {
    const end = view.getUint32(at, true)
    pieces.push({
      start,
      end,
      lines: { start: view.getUint32(at + 4, true), end: view.getUint32(at + 8, true) },
      tokens: view.getUint32(at + 12, true),
    })
    start = end
  }
  return pieces
}

/** What proves that an artifact's row is what was written: bit rot passes SQLite's own checks. */
export function artifactHash(
  { id, name, metadata }: { readonly id: string; readonly name: string; readonly metadata: string | null },
  text: string,
  pieces: Uint8Array,
): Uint8Array {
  const packed = Buffer.from(pieces.buffer, pieces.byteOffset, pieces.byteLength).toString('latin1')
  const known = metadata === null ? '' : `${metadata}\0`
  return hash('sha256', `${id}\0${name}\0${packed}\0${known}${text}`, 'buffer').subarray(0, 16)
}
