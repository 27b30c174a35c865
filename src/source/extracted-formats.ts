// Which files hold text that has to be extracted first? Formats by their file names; their readers are in src/extract.
import { extensionOf } from './language-of.ts'

/** A format as the index remembers it: another version reads the same bytes differently. */
export interface ExtractedFormat {
  readonly name: string
  readonly version: number
  readonly extensions: readonly string[]
}

const extractedFormats: readonly ExtractedFormat[] = [
  { name: 'notebook', version: 1, extensions: ['.ipynb'] },
  { name: 'docx', version: 1, extensions: ['.docx'] },
  { name: 'odt', version: 1, extensions: ['.odt'] },
  { name: 'pptx', version: 1, extensions: ['.pptx'] },
  { name: 'xlsx', version: 1, extensions: ['.xlsx'] },
  { name: 'epub', version: 1, extensions: ['.epub'] },
  { name: 'eml', version: 1, extensions: ['.eml'] },
  { name: 'mbox', version: 1, extensions: ['.mbox'] },
  { name: 'pdf', version: 2, extensions: ['.pdf'] },
]

/** HTML is extracted where it reads as a page; elsewhere it is code. */
const htmlPages: ExtractedFormat = { name: 'html', version: 1, extensions: ['.html', '.htm', '.xhtml'] }

export const allFormats: readonly ExtractedFormat[] = [...extractedFormats, htmlPages]

const byExtension: ReadonlyMap<string, ExtractedFormat> = new Map(
  extractedFormats.flatMap((format) => format.extensions.map((extension) => [extension, format])),
)

/** The format that a file's name promises; null for what is text itself, or nothing that can be read. */
export function extractedFormatOf(path: string): ExtractedFormat | null {
  return byExtension.get(extensionOf(path)) ?? null
}

/** The format of a text that reads as a page, by the name of its file. */
export function pageFormatOf(path: string): ExtractedFormat | null {
  return htmlPages.extensions.includes(extensionOf(path)) ? htmlPages : null
}

/** Pictures and fonts take most of such a file: it may be so many times larger than a text. */
const SIZE_FACTOR = 16

/** Bytes that a file of this name may have. */
export function sizeLimit(path: string, maxFileSize: number): number {
  return extractedFormatOf(path) === null ? maxFileSize : SIZE_FACTOR * maxFileSize
}
