// How is each format of prose recognized and read? One entry per name of `textFormats`.
import { lineAt, type TextLines } from '../find-lines.ts'
import { patterns } from '../patterns.ts'
import { findAsciidocHeads } from './find-asciidoc-heads.ts'
import { markAsciidoc } from './find-asciidoc-mentions.ts'
import { findPlainHeads } from './find-plain-heads.ts'
import { findRstHeads } from './find-rst-heads.ts'
import { markRst } from './find-rst-mentions.ts'
import type { HeadCandidate } from './head-candidate.ts'
import type { MarkedText } from './marked-text.ts'
import { type TextFormatName, textFormats } from './text-formats.ts'

export interface TextScanner {
  /**
   * Matches lines that show the format in a file with another ending; null if no line does. The format with the most
   * marked lines wins, the later one in a tie.
   */
  readonly mark: RegExp | null
  /** The headings of a text, given as lines without trailing space. */
  readonly heads: (lines: readonly string[]) => HeadCandidate[]
  /** References, labels and metadata; null for a format whose references are not read. */
  readonly mentions: ((lines: TextLines, options: { readonly codeNames: boolean }) => MarkedText) | null
}

export const textScanners: Readonly<Record<TextFormatName, TextScanner>> = {
  rst: { mark: patterns.rstMark, heads: findRstHeads, mentions: markRst },
  asciidoc: { mark: patterns.asciidocMark, heads: findAsciidocHeads, mentions: markAsciidoc },
}

/** Text without a mark of any format. */
export const plainText: TextScanner = { mark: null, heads: findPlainHeads, mentions: null }

/** Limits on what is searched for marks. */
const maxLines = 2_000
const maxChars = 400

/** How a text is read, by the file's name or by the marks in its lines. */
export function scannerOf(path: string, lines: TextLines): TextScanner {
  const name = path.toLowerCase()
  const named = textFormats.find(({ endings }) => endings.some((ending) => name.endsWith(`.${ending}`)))
  if (named !== undefined) return textScanners[named.name]
  const candidates = textFormats.map((format) => textScanners[format.name])
  const counts = candidates.map(() => 0)
  for (let line = 0; line < Math.min(lines.starts.length, maxLines); line++) {
    const start = lines.starts[line]!
    const end = lines.starts[line + 1] ?? lines.text.length
    const text = end - start > maxChars ? lines.text.slice(start, start + maxChars) : lineAt(lines, line)
    for (const [index, scanner] of candidates.entries())
      if (scanner.mark?.test(text) === true) counts[index]!++
  }
  const most = Math.max(...counts)
  return most === 0 ? plainText : candidates[counts.lastIndexOf(most)]!
}
