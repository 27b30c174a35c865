// What is in this file? One door to the parser of each language; it answers for any input.
import type { ParsedDocument } from '../model/artifact.ts'
import type { Language } from '../model/source-file.ts'
import type { MentionOptions } from './find-mentions.ts'
import type { ParsableFile } from './parsable-file.ts'
import { parseMarkdown } from './parse-markdown.ts'
import { parseText } from './parse-text.ts'

const parsers: Readonly<
  Record<Language, (file: ParsableFile, options: Partial<MentionOptions>) => ParsedDocument>
> = {
  markdown: parseMarkdown,
  text: parseText,
}

/** Parses a file, deterministically, and never throws: what its parser refuses is read as plain text. */
export function parseDocument(file: ParsableFile, options: Partial<MentionOptions> = {}): ParsedDocument {
  try {
    return parsers[file.language](file, options)
  } catch {
    return parseText(file, options)
  }
}
