// What is in this file? The entry point to the parser of each language; it accepts any input.
import type { ParsedDocument } from '../../model/artifact.ts'
import { boundMentions, isOversized } from './bound-rows.ts'
import { type FindTool, noTool, parseCode } from './code/parse-code.ts'
import type { MentionOptions } from './markdown/find-mentions.ts'
import { parseMarkdown } from './markdown/parse-markdown.ts'
import type { ParsableFile } from './parsable-file.ts'
import { parseGeneric, parseText } from './text/parse-text.ts'

/**
 * Parses a file deterministically and never throws: a file that its parser refuses is read as plain text, and so is
 * code whose rows would exceed the limit.
 */
export function parseDocument(
  file: ParsableFile,
  options: Partial<MentionOptions> = {},
  toolFor: FindTool = noTool,
): ParsedDocument {
  const document = parseLanguage(file, options, toolFor)
  const mentions = boundMentions(document.mentions, file.text.length)
  return mentions === document.mentions ? document : { ...document, mentions }
}

function parseLanguage(file: ParsableFile, options: Partial<MentionOptions>, toolFor: FindTool) {
  if (file.language === 'text') return parseText(file, options)
  if (file.language === 'generic') return parseGeneric(file, options)
  try {
    if (file.language === 'markdown') return parseMarkdown(file, options)
    const code = parseCode(file, toolFor(file), options)
    return isOversized(code, file.text.length) ? parseGeneric(file, options) : code
  } catch {
    return file.language === 'markdown' ? parseText(file, options) : parseGeneric(file, options)
  }
}
