// Which files hold text that has to be extracted first? Formats by their file names; their readers are in src/read/extract.

import { extractedExtensions, htmlExtensions } from '../../model/file-extensions.ts'
import { extensionOf } from '../../model/paths.ts'

/** A format as the index remembers it: another version reads the same bytes differently. */
export interface ExtractedFormat {
  readonly name: string
  readonly version: number
  readonly extensions: readonly string[]
}

const extractedVersions: Readonly<Record<keyof typeof extractedExtensions, number>> = {
  ...{ notebook: 3, docx: 1, odt: 1, pptx: 1, xlsx: 1, epub: 1, eml: 1, mbox: 1, pdf: 5 },
}

const withDots = (extensions: readonly string[]): readonly string[] => extensions.map((one) => `.${one}`)

const extractedFormats: readonly ExtractedFormat[] = Object.entries(extractedExtensions).map(
  ([name, extensions]) => ({
    name,
    version: extractedVersions[name as keyof typeof extractedExtensions],
    extensions: withDots(extensions),
  }),
)

/** HTML is extracted where it reads as a page; elsewhere it is code. */
const htmlPages: ExtractedFormat = { name: 'html', version: 1, extensions: withDots(htmlExtensions) }

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
