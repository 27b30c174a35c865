// What is in this file? Its text and hash, or the reason to skip it.
import { hash } from 'node:crypto'
import type { FileStamp, SkippedFile, SourceFile, TextPlace } from '../../model/source-file.ts'
import { decodeText } from './decode-text.ts'
import { extractedFormatOf, pageFormatOf } from './extracted-formats.ts'
import { findSkipReason, saysGenerated } from './judge-text.ts'
import { isBinaryName, isConfigOrCode, languageOfText } from './language-of.ts'
import { readBytesInside } from './read-bytes-inside.ts'
import { readsAsPage } from './reads-as-page.ts'
import { readsAsProse } from './reads-as-prose.ts'
import { stampOf } from './walk/check-freshness.ts'
import type { Root } from './walk/corpus-roots.ts'
import { sizeLimit, walkDefaults } from './walk/walk-options.ts'

interface ReadLimits {
  /** Bytes. */
  readonly maxFileSize: number
  /** UTF-16 code units between two line feeds. */
  readonly maxLineLength: number
}

const readDefaults: ReadLimits = { maxFileSize: walkDefaults.maxFileSize, maxLineLength: 100_000 }

/** A file as it was read, with the stamp of the opened file, taken before its bytes. */
type ReadFile = Omit<SourceFile, 'modifiedAt'> & {
  readonly stamp: Omit<FileStamp, 'path'>
  /** The text says that a program wrote it. */
  readonly isGenerated: boolean
  /** Positions in the original file for the lines of an extracted text; null for plain text. */
  readonly places: readonly TextPlace[] | null
}

/** A file that needs text extraction. */
export type PackedFile = Pick<ReadFile, 'path' | 'contentHash' | 'stamp'> & {
  /** Name of its format. */
  readonly format: string
  readonly bytes: Uint8Array
}

export type ReadOutcome =
  | { readonly file: ReadFile }
  | { readonly packed: PackedFile }
  | { readonly skipped: SkippedFile }

/**
 * Reads and decodes one file of the walk. Follows a link only if its target is inside the root.
 *
 * @example readSourceFile('.', { path: 'README.md' })
 */
export function readSourceFile(root: Root, stamp: Pick<FileStamp, 'path'>, limits: Partial<ReadLimits> = {}) {
  const { path } = stamp
  const chosen = { ...readDefaults, ...limits }
  if (isBinaryName(path)) return refuse(path, { reason: 'unsupported', detail: 'a binary file by its name' })

  const read = readBytesInside(root, path, sizeLimit(path, chosen.maxFileSize))
  if ('reason' in read) return refuse(path, read)
  return readSourceBytes({ path, ...stampOf(read.stats) }, read.bytes, chosen)
}

/** Like `readSourceFile`, for bytes that the caller has read. */
export function readSourceBytes(
  { path, ...seen }: FileStamp,
  bytes: Uint8Array,
  { maxLineLength }: Pick<ReadLimits, 'maxLineLength'>,
): ReadOutcome {
  const pack = (format: string): ReadOutcome => ({
    packed: { path, format, bytes, contentHash: hash('sha256', bytes, 'hex'), stamp: seen },
  })
  const format = extractedFormatOf(path)
  if (format !== null) return pack(format.name)
  const decoded = decodeText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if ('binary' in decoded) return refuse(path, { reason: 'binary', detail: decoded.binary, seen })
  const { text } = decoded
  const page = pageFormatOf(path)
  if (page !== null && readsAsPage(text)) return pack(page.name)
  const longLine = findLongLine(text, maxLineLength)
  if (longLine !== null) return refuse(path, tooLong(longLine, maxLineLength))
  const isProse = (): boolean => !isConfigOrCode(path) && readsAsProse(text)
  const language = languageOfText(path, text) ?? (isProse() ? 'text' : 'generic')
  const reason = findSkipReason(path, text, language)
  if (reason !== null) return refuse(path, { ...reason, seen })
  const contentHash = hash('sha256', bytes, 'hex')
  return {
    file: { path, language, text, contentHash, stamp: seen, isGenerated: saysGenerated(text), places: null },
  }
}

/** Completes a file from its extracted text, which is Markdown. */
export function readExtracted(
  { path, contentHash, stamp }: Pick<PackedFile, 'path' | 'contentHash' | 'stamp'>,
  { text, places }: { readonly text: string; readonly places: readonly TextPlace[] },
  { maxLineLength }: Pick<ReadLimits, 'maxLineLength'>,
): Exclude<ReadOutcome, { packed: PackedFile }> {
  const longLine = findLongLine(text, maxLineLength)
  if (longLine !== null) return { skipped: { path, ...tooLong(longLine, maxLineLength) } }
  return { file: { path, language: 'markdown', text, contentHash, stamp, isGenerated: false, places } }
}

function tooLong(line: number, most: number): Omit<SkippedFile, 'path'> {
  return { reason: 'long-line', detail: `line ${line} has more than ${most} characters` }
}

const refuse = (path: string, why: Omit<SkippedFile, 'path'>): ReadOutcome => ({ skipped: { path, ...why } })

/** The number of the first line that is too long, from 1; null if there is none. */
function findLongLine(text: string, most: number): number | null {
  if (text.length <= most) return null
  let line = 1
  for (let start = 0; ; line++) {
    const end = text.indexOf('\n', start)
    if ((end < 0 ? text.length : end) - start > most) return line
    if (end < 0) return null
    start = end + 1
  }
}
