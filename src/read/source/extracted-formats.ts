// Which files need text extraction? Formats by file extension; their readers are in src/read/extract.

import { extractedExtensions, htmlExtensions } from '../../model/file-extensions.ts'
import { extensionOf } from '../../model/paths.ts'

/** A format as the index stores it. A new version number means that the same bytes give different text. */
export interface ExtractedFormat {
  readonly name: string
  readonly version: number
  readonly extensions: readonly string[]
}

const extractedVersions: Readonly<Record<keyof typeof extractedExtensions, number>> = {
  ...{ notebook: 4, docx: 1, pptx: 1, pdf: 6 },
}

const withDots = (extensions: readonly string[]): readonly string[] => extensions.map((one) => `.${one}`)

const extractedFormats: readonly ExtractedFormat[] = Object.entries(extractedExtensions).map(
  ([name, extensions]) => {
    const version = extractedVersions[name as keyof typeof extractedExtensions]
    return { name, version, extensions: withDots(extensions) }
  },
)

/** HTML is extracted if it reads as a page; otherwise it is code. */
const htmlPages: ExtractedFormat = { name: 'html', version: 1, extensions: withDots(htmlExtensions) }

export const allFormats: readonly ExtractedFormat[] = [...extractedFormats, htmlPages]

const byExtension: ReadonlyMap<string, ExtractedFormat> = new Map(
  extractedFormats.flatMap((format) => format.extensions.map((extension) => [extension, format])),
)

/** The format of a file, by its name; null for plain text and for unreadable files. */
export const extractedFormatOf = (path: string): ExtractedFormat | null =>
  byExtension.get(extensionOf(path)) ?? null

/** The format of an HTML page, by its file name. */
export const pageFormatOf = (path: string): ExtractedFormat | null =>
  htmlPages.extensions.includes(extensionOf(path)) ? htmlPages : null
