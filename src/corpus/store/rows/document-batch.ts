// What does indexing pass to the writer? Whole documents, counted and hashed, with the words of their fragments.

import { hash } from 'node:crypto'
import type { DocumentFacts } from '../../../model/artifact.ts'
import type { Mention } from '../../../model/reference.ts'
import type { ArtifactRow, CountedPiece, FileRow } from '../../../model/section.ts'
import type { FileStamp } from '../../../model/source-file.ts'
import { ByteSink, VarintReader } from '../postings/postings.ts'
import type { TermBatch } from '../postings/term-batch.ts'
import type { FragmentRow } from './section-rows.ts'
import type { PackedTexts } from './text-blocks.ts'

/** Its artifact is the index of one in its document. */
export interface StoredFragment extends Omit<FragmentRow, 'id'> {
  /** Words of its body, as the index counts them. */
  readonly words: number
}

export interface StoredArtifact extends Omit<ArtifactRow, 'rowId' | 'file' | 'parent'> {
  /** Index of the parent in the document; -1 for the file. */
  readonly parent: number
  /** See `artifactHash`. */
  readonly hash: Uint8Array
  /** See `packPieces`. */
  readonly pieces: Uint8Array
  /** See section-words.ts; empty for a blank text. */
  readonly words: Uint8Array
  /** 1 for code, 0 for documents. */
  readonly code: 0 | 1
}

export interface StoredMention extends Omit<Mention, 'origin'> {
  /** Index of the artifact in its document. */
  readonly artifact: number
}

export interface StoredDocument
  extends FileStamp,
    Pick<FileRow, 'language' | 'contentHash' | 'modifiedAt' | 'role'> {
  readonly facts: DocumentFacts
  readonly artifacts: readonly StoredArtifact[]
  readonly texts: readonly PackedTexts[]
  readonly fragments: readonly StoredFragment[]
  readonly mentions: readonly StoredMention[]
  /** Compressed JSON; null for documents. */
  readonly outline: Uint8Array | null
  /** JSON of masked secrets; null without any. */
  readonly masks: string | null
  /** JSON of the places of an extracted text, as pairs of line and place; null for other texts. */
  readonly places: string | null
}

export interface DocumentBatch {
  readonly documents: readonly StoredDocument[]
  /** Terms of all fragments of the documents, in order. */
  readonly terms: TermBatch
}

/** Four varints for each piece: characters, lines from the first of the piece before to its own, further lines, tokens. */
export function packPieces(pieces: readonly CountedPiece[]): Uint8Array {
  const packed = new ByteSink()
  let line = 0
  for (const { start, end, lines, tokens } of pieces) {
    for (const number of [end - start, lines.start - line, lines.end - lines.start, tokens])
      packed.varint(number >>> 0)
    line = lines.start
  }
  return packed.view().slice()
}

export function unpackPieces(bytes: Uint8Array): CountedPiece[] {
  const pieces: CountedPiece[] = []
  let [start, line, count] = [0, 0, 0]
  for (const byte of bytes) if (byte < 128) count++
  const numbers = new VarintReader(bytes).varints(count)
  for (let at = 0; at < count; at += 4) {
    const end = start + (numbers[at] as number)
    line = (line + (numbers[at + 1] as number)) >>> 0
    const lines = { start: line, end: (line + (numbers[at + 2] as number)) >>> 0 }
    pieces.push({ start, end, lines, tokens: numbers[at + 3] as number })
    start = end
  }
  return pieces
}

/** Detects changes to an artifact's row that SQLite's own checks miss. */
export function artifactHash(
  { id, name }: { readonly id: string; readonly name: string },
  text: string,
  pieces: Uint8Array,
): Uint8Array {
  const packed = Buffer.from(pieces.buffer, pieces.byteOffset, pieces.byteLength).toString('latin1')
  return hash('sha256', `${id}\0${name}\0${packed}\0${text}`, 'buffer').subarray(0, 16)
}
